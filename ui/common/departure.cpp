// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/departure.h"

#include "ui/common/time_display.h"

#include <QCoreApplication>
#include <QFont>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::Departure)
};

QString sentence(Departure::Fate fate, bool before) {
    switch (fate) {
        case Departure::Fate::unknown: return before ? Words::tr("gone before %1")
                                                     : Words::tr("gone %1");
        case Departure::Fate::drained: return before ? Words::tr("drained before %1")
                                                     : Words::tr("drained %1");
        case Departure::Fate::rewound: return before ? Words::tr("rewound before %1")
                                                     : Words::tr("rewound %1");
        case Departure::Fate::delivered:
            return before ? Words::tr("delivered before %1") : Words::tr("delivered %1");
        case Departure::Fate::discarded: return before ? Words::tr("discarded before %1")
                                                       : Words::tr("discarded %1");
    }
    return {};
}

}  // namespace

QString departureText(const Departure& departure, const TimeDisplay& times) {
    return sentence(departure.fate, departure.before).arg(times.text(departure.at));
}

QVariant ghostLook(int role, bool says, const QPalette& palette) {
    if (role == Qt::ForegroundRole)
        return palette.color(says ? QPalette::Text : QPalette::PlaceholderText);
    if (role != Qt::FontRole) return {};
    QFont font;  // the rest of it is the table's
    font.setStrikeOut(!says);
    return font;
}

}  // namespace lanes::ui
