// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <numeric>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::FilterWords)
};

struct FieldWord {
    FilterField field;
    const char* name;
    const char* otherName;
};

/// In the order in which they are offered.
constexpr std::array<FieldWord, kFilterFields> kFieldWords{{
    {FilterField::destination, "dest", "destination"},
    {FilterField::state, "state", ""},
    {FilterField::user, "user", ""},
    {FilterField::type, "type", ""},
    {FilterField::status, "status", ""},
    {FilterField::outcome, "outcome", "result"},
    {FilterField::error, "error", "reason"},
    {FilterField::attempts, "attempts", "attempt"},
    {FilterField::age, "age", ""},
    {FilterField::backlog, "backlog", ""},
    {FilterField::next, "next", ""},
    {FilterField::left, "left", ""},
    {FilterField::flight, "flight", ""},
    {FilterField::held, "held", ""},
    {FilterField::event, "event", "id"},
    {FilterField::died, "died", ""},
    {FilterField::tried, "tried", ""},
    {FilterField::accepted, "accepted", ""},
    {FilterField::started, "started", ""},
    {FilterField::took, "took", "latency"},
    {FilterField::cause, "cause", ""},
    {FilterField::operation, "operation", "op"},
    {FilterField::payload, "payload", "body"},
    {FilterField::response, "response", "answer"},
    {FilterField::note, "note", ""},
    {FilterField::life, "life", ""},
    {FilterField::size, "size", "bytes"},
    {FilterField::sequence, "seq", "sequence"},
}};

// The window's words, with the contexts in which they are translated.
constexpr std::array kStates{"waiting", "in flight", "committing", "backing off", "held"};
constexpr std::array kOutcomes{"delivered",  "refused", "throttled",      "overloaded",
                               "failed",     "unreachable", "outcome unknown"};
constexpr std::array kCauses{"automatic", "probe", "rewind", "last chance"};
constexpr const char* kStateContext = "StateStyle";
constexpr const char* kFormatContext = "lanes::ui::Format";

template <typename Array>
QStringList wordList(const Array& words, const char* context) {
    QStringList list;
    for (const char* word : words)
        list << (context == nullptr ? QString::fromLatin1(word)
                                    : QCoreApplication::translate(context, word));
    return list;
}

QStringList list(FilterKind kind, bool shown) {
    switch (kind) {
        case FilterKind::state: return wordList(kStates, shown ? kStateContext : nullptr);
        case FilterKind::outcome: return wordList(kOutcomes, shown ? kFormatContext : nullptr);
        case FilterKind::cause: return wordList(kCauses, shown ? kFormatContext : nullptr);
        case FilterKind::destination:
        case FilterKind::text:
        case FilterKind::prose:
        case FilterKind::number:
        case FilterKind::duration:
        case FilterKind::time: break;
    }
    return {};
}

QString plain(const QString& word) {
    QString result;
    for (const QChar c : word)
        if (!c.isSpace() && c != QLatin1Char('-') && c != QLatin1Char('_'))
            result += c.toCaseFolded();
    return result;
}

/// Letters to change, add, take out or swap.
int distance(const QString& a, const QString& b) {
    std::vector<int> row(static_cast<std::size_t>(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const auto at = static_cast<std::size_t>(j) + 1;
            const int change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[at];
            row[at] = std::min({row[at] + 1, row[at - 1] + 1, change});
        }
    }
    return row.back();
}

}  // namespace

QString fieldName(FilterField field) {
    for (const auto& word : kFieldWords)
        if (word.field == field) return QLatin1String(word.name);
    return {};
}

std::optional<FilterField> fieldOf(const QString& name) {
    for (const auto& word : kFieldWords)
        if (name.compare(QLatin1String(word.name), Qt::CaseInsensitive) == 0 ||
            (*word.otherName != '\0' &&
             name.compare(QLatin1String(word.otherName), Qt::CaseInsensitive) == 0))
            return word.field;
    return std::nullopt;
}

std::vector<FilterField> fieldsOf(FilterList list) {
    std::vector<FilterField> fields;
    for (const auto& word : kFieldWords)
        if (has(list, word.field)) fields.push_back(word.field);
    return fields;
}

QString fieldMeaning(FilterField field, FilterList list) {
    switch (field) {
        case FilterField::destination: return Words::tr("destination by its name");
        case FilterField::user: return Words::tr("user, exactly or with *");
        case FilterField::type: return Words::tr("type of the event");
        case FilterField::event: return Words::tr("id of the event");
        case FilterField::sequence: return Words::tr("position in the event log");
        case FilterField::state: return Words::tr("state of the lane");
        case FilterField::status:
            return list == FilterList::attempts ? Words::tr("status, as 503 or 5xx")
                                                : Words::tr("last status, as 503 or 5xx");
        case FilterField::outcome: return Words::tr("how the attempt ended");
        case FilterField::error: return Words::tr("part of the error or the reason");
        case FilterField::response: return Words::tr("part of the answer");
        case FilterField::note: return Words::tr("part of the note on it");
        case FilterField::payload: return Words::tr("part of the body; looks at each row");
        case FilterField::attempts: return Words::tr("number of attempts");
        case FilterField::life: return Words::tr("1, and one more for each rewind");
        case FilterField::backlog: return Words::tr("events that wait, as 10k");
        case FilterField::size: return Words::tr("bytes of the body, as 20k");
        case FilterField::age:
            return list == FilterList::lanes         ? Words::tr("age of the head, as 2h")
                   : list == FilterList::deadLetters ? Words::tr("since it died, as 2h")
                                                     : Words::tr("since it began, as 2h");
        case FilterField::next: return Words::tr("time until the next attempt");
        case FilterField::left: return Words::tr("time until it is a dead letter");
        case FilterField::flight: return Words::tr("how long it is in flight");
        case FilterField::held: return Words::tr("who holds the lane");
        case FilterField::died: return Words::tr("when it died, as 14:00");
        case FilterField::tried: return Words::tr("when it was first tried");
        case FilterField::accepted:
            return list == FilterList::lanes ? Words::tr("when its head was accepted, as 14:00")
                                             : Words::tr("when it was accepted");
        case FilterField::started: return Words::tr("when it began, as 14:00");
        case FilterField::took: return Words::tr("how long it took, as 250ms");
        case FilterField::cause: return Words::tr("what made it start");
        case FilterField::operation: return Words::tr("number of the operation");
    }
    return {};
}

QString listName(FilterList list) {
    switch (list) {
        case FilterList::lanes: return Words::tr("Lanes");
        case FilterList::deadLetters: return Words::tr("Dead letters");
        case FilterList::attempts: return Words::tr("Attempts");
    }
    return {};
}

QStringList wordsOf(FilterKind kind) { return list(kind, false); }

QStringList shownWordsOf(FilterKind kind) { return list(kind, true); }

std::optional<std::int64_t> numberOfWord(FilterKind kind, const QString& word) {
    const QString wanted = plain(word);
    for (const auto& words : {wordsOf(kind), shownWordsOf(kind)})
        for (qsizetype n = 0; n < words.size(); ++n)
            if (plain(words[n]) == wanted) return n;
    // The command line's word, which has no blank in it.
    if (kind == FilterKind::outcome && wanted == QLatin1String("unknown"))
        return static_cast<std::int64_t>(Outcome::unknown);
    return std::nullopt;
}

QString closest(const QString& word, const QStringList& words) {
    constexpr qsizetype kLongest = 64;  // longer ones are no slips
    if (word.isEmpty() || word.size() > kLongest) return {};
    QString best;
    // One slip in three letters.
    int least = std::max(1, static_cast<int>(word.size()) / 3) + 1;
    for (const QString& candidate : words) {
        const int slips = distance(word.toCaseFolded(), candidate.toCaseFolded());
        if (slips >= least) continue;
        least = slips;
        best = candidate;
    }
    return best;
}

}  // namespace lanes::ui
