// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics_text.h"

#include "ui/common/format.h"
#include "ui/status_strip.h"

#include <QCoreApplication>
#include <QStringList>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::DiagnosticsText)
};

}  // namespace

QString diagnosticsText(const EngineSnapshot& s, Micros age) {
    QStringList lines{
        Words::tr("Rivora Lanes %1, Qt %2")
            .arg(QStringLiteral(LANES_VERSION), QLatin1String(qVersion())),
        Words::tr("engine %1, snapshot %2, %3 old")
            .arg(lifecycleWord(s.lifecycle), QString::number(s.number), durationText(age)),
        Words::tr("accepted %1 = delivered %2 + waiting %3 + dead %4 + discarded %5")
            .arg(s.totals.accepted)
            .arg(s.totals.delivered)
            .arg(s.totals.waiting)
            .arg(s.totals.dead)
            .arg(s.totals.discarded),
        Words::tr("lanes %1, in flight %2, clock x%3")
            .arg(s.lanes)
            .arg(s.inFlight)
            .arg(s.clockScale),
        Words::tr("commits %1, p50 %2, p99 %3, database %4, log %5")
            .arg(QString::number(s.store.commits),
                 durationText(s.store.commitLatency.percentile(0.5)),
                 durationText(s.store.commitLatency.percentile(0.99)),
                 bytesText(s.store.databaseBytes), bytesText(s.store.walBytes)),
    };
    for (const std::string* text : {&s.failure, &s.store.fault, &s.intake.error})
        if (!text->empty()) lines << plainLine(*text);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lanes::ui
