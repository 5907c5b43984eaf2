// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_flag.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QCoreApplication>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::HealthFlag)
};

/// Under this name the engine records what it does by itself.
constexpr auto kEngine = "Rivora Lanes";
/// Of a reason or a scope, in a tooltip.
constexpr int kWhatCharacters = 120;

/// "Paused by anna", and behind it what is known more.
QString withReason(const QString& sentence, const HealthFlag& flag) {
    const QString what = plainLine(flag.what, kWhatCharacters);
    return what.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(sentence, what);
}

const char* kindName(FlagKind kind) {
    switch (kind) {
        case FlagKind::pause: return "pause";
        case FlagKind::automaticPause: return "automatic pause";
        case FlagKind::resume: return "resume";
        case FlagKind::rewind: return "rewind";
        case FlagKind::mock: return "mock";
    }
    return "";
}

}  // namespace

std::optional<HealthFlag> flagOf(const OperationRow& row) {
    HealthFlag flag;
    flag.at = row.at;
    flag.who = row.who;
    flag.operation = row.id;
    if (row.rewinds()) {
        flag.kind = FlagKind::rewind;
        flag.what = row.scope;
        return flag;
    }
    if (row.action == "pause")
        flag.kind = row.who == kEngine ? FlagKind::automaticPause : FlagKind::pause;
    else if (row.action == "resume")
        flag.kind = FlagKind::resume;
    else
        return std::nullopt;
    flag.name = row.scope;
    flag.what = row.reason;
    return flag;
}

HealthFlag flagOf(const HistoryNote& note) {
    HealthFlag flag;
    flag.at = note.at;
    flag.kind = FlagKind::mock;
    flag.name = note.name;
    flag.what = note.text;
    if (note.destination) flag.destinations.push_back(note.destination);
    return flag;
}

QString flagText(const HealthFlag& flag, bool named) {
    const QString who = plainLine(flag.who, kNameCharacters);
    const QString name = plainLine(flag.name, kNameCharacters);
    const bool known = named && !name.isEmpty();
    switch (flag.kind) {
        case FlagKind::pause:
            return withReason(known ? Words::tr("%1 paused by %2").arg(name, who)
                                    : Words::tr("Paused by %1").arg(who),
                              flag);
        case FlagKind::automaticPause:
            return withReason(known ? Words::tr("%1 paused by the program").arg(name)
                                    : Words::tr("Paused by the program"),
                              flag);
        case FlagKind::resume:
            return withReason(known ? Words::tr("%1 resumed by %2").arg(name, who)
                                    : Words::tr("Resumed by %1").arg(who),
                              flag);
        case FlagKind::rewind: return withReason(Words::tr("Rewind by %1").arg(who), flag);
        case FlagKind::mock:
            return withReason(known ? Words::tr("Mock %1").arg(name) : Words::tr("Mock"), flag);
    }
    return {};
}

QString flagRecord(const HealthFlag& flag) {
    QString text = QLatin1String(kindName(flag.kind));
    for (const std::string* part : {&flag.name, &flag.who})
        if (!part->empty()) text += u' ' + plainLine(*part, kNameCharacters);
    return withReason(text, flag);
}

QIcon flagIcon(FlagKind kind) {
    switch (kind) {
        case FlagKind::pause: return icon(Symbol::pause);
        case FlagKind::automaticPause: return icon(Symbol::pause, errorStyle().colour);
        case FlagKind::resume: return icon(Symbol::resume);
        case FlagKind::rewind: return icon(Symbol::rewind);
        case FlagKind::mock: return icon(Symbol::demo);
    }
    return {};
}

std::vector<std::vector<HealthFlag>> flagsByBucket(const std::vector<Bucket>& buckets,
                                                   const std::vector<HealthFlag>& flags) {
    std::vector<std::vector<HealthFlag>> result(buckets.size());
    std::size_t next = 0;  // the first bucket that begins after the flag
    for (const HealthFlag& flag : flags) {
        while (next < buckets.size() && buckets[next].start * kSecond <= flag.at) ++next;
        if (next > 0) result[next - 1].push_back(flag);
    }
    return result;
}

}  // namespace lanes::ui
