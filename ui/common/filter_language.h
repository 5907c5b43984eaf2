// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/filter.h"

#include <QString>
#include <QStringList>
#include <QTimeZone>

#include <optional>
#include <utility>
#include <vector>

// The language in which lists are narrowed, in the window and on the command line:
//
//     dest:crm state:waiting age>2h status:5xx (type:order.* OR user:42) NOT type:ping
//
// Conditions are a field, an operator and a value. AND stands between two of them unless OR does;
// NOT, which a minus before a condition means too, goes before both, and AND before OR.
//
//     : = !=       the same text, number, word; * stands for anything
//     ~            has it somewhere, in any case (error, payload and response always mean that)
//     < <= > >=    numbers, sizes, durations and times
//     A..B  5xx    ranges and classes of statuses
//
// Durations take us ms s m h d, numbers k and M. Times are ISO 8601; without a zone they are in the
// one that is shown, and without a day they are today's. Quotes keep blanks and brackets together
// and take * as it is; so does a backslash before a character.
namespace lanes::ui {

/// What the words of a filter mean here.
struct FilterContext {
    FilterList list = FilterList::lanes;
    std::vector<std::pair<DestinationId, QString>> destinations = {};
    QTimeZone zone = QTimeZone(0);  ///< of times that name none, and of those that are written
    WallMicros now = 0;             ///< tells which day is today
    QStringList types = {};         ///< that were seen, to complete
};

struct FilterError {
    qsizetype offset = 0;  ///< of the word that is wrong
    qsizetype length = 0;
    QString text;          ///< a sentence for a person
    /// It ends where the text does: whoever types may only not be done yet.
    bool unfinished = false;

    friend bool operator==(const FilterError&, const FilterError&) = default;
};

struct ParsedFilter {
    Filter filter;
    std::optional<FilterError> error = {};  ///< then the filter means nothing
};

/// Never throws, whatever the text is. An empty text fits everything.
[[nodiscard]] ParsedFilter parseFilter(const QString& text, const FilterContext& context);

/// A text that means this filter in this context. A destination that is unknown there becomes a
/// number that is none.
[[nodiscard]] QString toText(const Filter& filter, const FilterContext& context);

/// Words for what stands at the cursor.
struct FilterCompletion {
    struct Word {
        QString text;     ///< replaces what stands there
        QString meaning;  ///< may be empty
    };
    qsizetype offset = 0;
    qsizetype length = 0;
    std::vector<Word> words;
};
[[nodiscard]] FilterCompletion completeFilter(const QString& text, qsizetype cursor,
                                              const FilterContext& context);

}  // namespace lanes::ui
