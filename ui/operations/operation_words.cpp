// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operation_words.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::OperationWords)
};

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

/// What one event of it undergoes.
QString movedPart(const OperationRow& row) {
    const QString done = countText(row.done);
    const QString asked = countText(row.asked);
    switch (row.kind) {
        case OperationKind::discard:
        case OperationKind::expire: return Words::tr("%1 of %2 discarded").arg(done, asked);
        case OperationKind::undo: return Words::tr("%1 of %2 returned").arg(done, asked);
        case OperationKind::setting:
        case OperationKind::rewind:
        case OperationKind::rewindLanes: break;
    }
    return row.state == OperationState::moving ? Words::tr("Moving %1 of %2").arg(done, asked)
                                               : Words::tr("%1 of %2 moved").arg(done, asked);
}

QString tracerSentence(const OperationRow& row) {
    if (row.tracer == 0) return {};
    const auto tracer = std::min<std::uint64_t>(row.tracer, row.asked);
    if (row.state == OperationState::tracing)
        return Words::tr("Tracer of %1: %2 delivered; the rest follows once 90 % are.")
            .arg(countText(tracer), countText(row.delivered));
    return Words::tr("It began with a tracer of %1.").arg(countText(tracer));
}

}  // namespace

QString actionWord(const OperationRow& row) {
    struct Action {
        const char* recorded;
        const char* word;
    };
    static constexpr std::array known = {
        Action{"rewind", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "rewind")},
        Action{"rewind lanes", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "rewind lanes")},
        Action{"edit and rewind",
               QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "edit and rewind")},
        Action{"undo rewind", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "undo rewind")},
        Action{"discard", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "discard")},
        Action{"expire", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "expire")},
        Action{"pause", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "pause")},
        Action{"resume", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "resume")},
        Action{"hold", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "hold")},
        Action{"release", QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "release")},
        Action{"add destination",
               QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "add destination")},
        Action{"set destination",
               QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "set destination")},
        Action{"remove destination",
               QT_TRANSLATE_NOOP("lanes::ui::OperationWords", "remove destination")},
    };
    for (const Action& action : known)
        if (row.action == action.recorded) return Words::tr(action.word);
    return plainLine(row.action);
}

QString stateWord(const OperationRow& row) {
    if (row.kind == OperationKind::setting) return Words::tr("done");
    return stateStyle(row.state).word;
}

QString progressSentence(const OperationRow& row) {
    if (row.kind == OperationKind::setting) return {};
    QStringList parts;
    if (row.rewinds()) {
        parts += Words::tr("%1 delivered").arg(countText(row.delivered));
        if (row.deadAgain > 0) parts += Words::tr("%1 failed again").arg(countText(row.deadAgain));
        if (row.returned > 0)
            parts += Words::tr("%1 returned to where they came from").arg(countText(row.returned));
        if (row.waiting() > 0)
            parts += Words::tr("%1 wait in their lanes").arg(countText(row.waiting()));
    }
    if (row.skipped > 0) parts += Words::tr("%1 skipped").arg(countText(row.skipped));
    QString text = parts.isEmpty()
                       ? Words::tr("%1.").arg(movedPart(row))
                       : Words::tr("%1: %2.").arg(movedPart(row), parts.join(Words::tr(", ")));
    if (const QString tracer = tracerSentence(row); !tracer.isEmpty())
        text += QLatin1Char(' ') + tracer;
    if (row.eventsPerSecond > 0 && row.moves())
        text +=
            QLatin1Char(' ') +
            Words::tr("At most %1 events a second.").arg(QLocale().toString(row.eventsPerSecond));
    return text;
}

QString stopSentence(const OperationRow& row) {
    const QString left = countText(row.asked - std::min(row.asked, row.done + row.skipped));
    const QString done = countText(row.done);
    switch (row.kind) {
        case OperationKind::rewind:
            return Words::tr("%1 stay dead letters; %2 that were moved stay in their lanes.")
                .arg(left, done);
        case OperationKind::rewindLanes:
            return Words::tr("%1 are not sent again; %2 that were moved stay in their lanes.")
                .arg(left, done);
        case OperationKind::discard:
        case OperationKind::expire:
            return Words::tr("%1 stay dead letters; %2 are discarded for good.").arg(left, done);
        case OperationKind::undo:
            return Words::tr("%1 stay in their lanes; %2 were returned.").arg(left, done);
        case OperationKind::setting: break;
    }
    return {};
}

QString shortProgress(const OperationRow& row) {
    const bool delivering = row.state == OperationState::delivering;
    QString action = actionWord(row);
    if (!action.isEmpty()) action[0] = action[0].toUpper();
    return (delivering ? Words::tr("%1: %2 of %3 delivered") : Words::tr("%1: %2 of %3 moved"))
        .arg(action, countText(delivering ? row.delivered : row.done),
             countText(delivering ? row.done : row.asked));
}

bool isUnderWay(const OperationRow& row) {
    return row.moves() || row.state == OperationState::delivering;
}

bool isOpen(const OperationRow& row) {
    return isUnderWay(row) || (row.state == OperationState::stopped && row.waiting() > 0);
}

double movedShare(const OperationRow& row) {
    return share(row.done + row.skipped, row.asked);
}

double settledShare(const OperationRow& row) {
    if (!row.rewinds()) return movedShare(row);
    return share(row.skipped + row.delivered + row.deadAgain + row.returned, row.asked);
}

QString fateWord(OperationFate fate) {
    switch (fate) {
        case OperationFate::planned: return Words::tr("not moved");
        case OperationFate::skipped: return Words::tr("skipped");
        case OperationFate::waiting: return Words::tr("waits in its lane");
        case OperationFate::delivered: return Words::tr("delivered");
        case OperationFate::deadAgain: return Words::tr("failed again");
        case OperationFate::returned: return Words::tr("returned");
        case OperationFate::discarded: return Words::tr("discarded");
        case OperationFate::trimmed: return Words::tr("left the log");
    }
    return {};
}

QString skipText(SkipReason reason) {
    switch (reason) {
        case SkipReason::none: return {};
        case SkipReason::notDead: return Words::tr("it is no dead letter any more");
        case SkipReason::unknown: return Words::tr("its destination is gone");
        case SkipReason::waiting: return Words::tr("it waits in its lane already");
        case SkipReason::tried: return Words::tr("it was tried already");
        case SkipReason::kept: return Words::tr("its lane is held, or a rewind will move it");
    }
    return {};
}

}  // namespace lanes::ui
