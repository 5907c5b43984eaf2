// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What narrows a list: conditions on its fields, joined by AND, OR and NOT. One value serves lists,
// bulk acts and whatever else chooses among rows; words and texts for people are the window's.
namespace lanes {

struct LaneRow;
struct DeadLetterRow;
struct AttemptRow;
struct EventRow;

namespace limits {
/// Conditions of one filter, and how deep they are nested: more than anybody types by hand, and
/// little enough for a query's text and a stack.
inline constexpr std::size_t kFilterTerms = 64;
inline constexpr std::size_t kFilterDepth = 16;
/// Bytes of one text: as many as a user key has.
inline constexpr std::size_t kFilterTextBytes = 1024;
}  // namespace limits

/// Lists that a filter can narrow.
enum class FilterList : std::uint8_t { lanes, deadLetters, attempts };

enum class FilterField : std::uint8_t {
    destination,
    user,
    type,
    event,      ///< id that its sender gave it; of a lane: of its head
    sequence,
    state,      ///< of a lane
    status,     ///< of the (last) attempt; none was read = fits no comparison
    outcome,
    error,      ///< a dead letter: the last error or the reason
    response,
    note,       ///< what an operator wrote on a dead letter
    payload,    ///< as accepted
    attempts,   ///< of an attempt: which one it was
    life,
    backlog,
    size,
    age,        ///< lane: of its head on the retry clock; else: since it died, since it began
    next,       ///< time to the next attempt of a lane
    left,       ///< time until the head of a lane is a dead letter
    flight,     ///< how long the head of a lane has been in flight
    held,       ///< who holds a lane
    died,
    tried,      ///< for the first time
    accepted,   ///< of a lane: its head
    started,
    took,
    cause,
    operation,
};
inline constexpr std::size_t kFilterFields = 28;

/// What a field can be compared with.
enum class FilterKind : std::uint8_t {
    destination,
    text,      ///< compared as a whole, case and all, or by a part in any case
    prose,     ///< long texts, by a part in any case only
    number,
    duration,  ///< in microseconds
    time,      ///< WallMicros
    state,     ///< LaneState by number
    outcome,   ///< Outcome by number
    cause,     ///< Cause by number
};

[[nodiscard]] FilterKind kindOf(FilterField field);
/// Whether rows of a list have a field.
[[nodiscard]] bool has(FilterList list, FilterField field);

enum class FilterRelation : std::uint8_t { equal, less, atMost, more, atLeast, within, contains };

/// A tree of conditions; immutable, so that copies share it and any thread may read it. Letters
/// beyond ASCII keep their case where case does not matter.
class Filter {
public:
    enum class Shape : std::uint8_t { everything, term, all, any, negation };

    struct Term {
        FilterField field = FilterField::destination;
        FilterRelation relation = FilterRelation::equal;
        /// Number, microseconds, time, number of the word or of the destination.
        std::int64_t low = 0;
        std::int64_t high = 0;  ///< within: inclusive
        /// Texts: what stands between the wildcards; one part = no wildcard.
        std::vector<std::string> parts = {};

        friend bool operator==(const Term&, const Term&) = default;
    };

    /// Fits every row.
    Filter() = default;
    Filter(Term term);  // NOLINT(google-explicit-constructor): a condition is a filter
    /// Nothing if the result would exceed the limits. Parts of the same kind are joined, and what
    /// fits everything is left out.
    [[nodiscard]] static std::optional<Filter> allOf(const std::vector<Filter>& parts);
    [[nodiscard]] static std::optional<Filter> anyOf(const std::vector<Filter>& parts);
    /// Nothing also for the negation of everything: no list is asked for nothing.
    [[nodiscard]] static std::optional<Filter> negationOf(const Filter& filter);

    [[nodiscard]] Shape shape() const;
    [[nodiscard]] bool isEverything() const { return shape() == Shape::everything; }
    /// Of the shape term.
    [[nodiscard]] const Term& term() const;
    /// Of all, any and negation (which has one).
    [[nodiscard]] const std::vector<Filter>& parts() const;
    /// What a row must fit all of: the parts of `all`, the filter itself, or nothing.
    [[nodiscard]] std::vector<Filter> conditions() const;
    [[nodiscard]] std::size_t terms() const;
    [[nodiscard]] std::size_t depth() const;
    [[nodiscard]] bool asks(FilterField field) const;
    /// Whether an index finds the rows: not so for a condition that has to be held against each.
    [[nodiscard]] bool isIndexed(FilterList list) const;
    /// Only asks for fields that the list has.
    [[nodiscard]] bool suits(FilterList list) const;

    friend bool operator==(const Filter& a, const Filter& b);

private:
    struct Node;
    [[nodiscard]] static std::optional<Filter> joined(Shape shape,
                                                      const std::vector<Filter>& parts);
    [[nodiscard]] static std::optional<Filter> made(Shape shape, std::vector<Filter> parts);

    std::shared_ptr<const Node> m_node;  ///< null: everything
};

/// Whether a row fits; `open` as long as that depends on what was not read yet.
enum class Match : std::uint8_t { no, yes, open };

/// \param hasTexts whether user, event and type of the head were read.
[[nodiscard]] Match match(const Filter& filter, const LaneRow& row, bool hasTexts);
/// \param now ages are told from here.
/// \param payload null: not read yet.
[[nodiscard]] Match match(const Filter& filter, const DeadLetterRow& row, WallMicros now,
                          const std::string* payload);
/// \param event null: not read yet; user, type, id and payload are in it.
[[nodiscard]] Match match(const Filter& filter, const AttemptRow& row, WallMicros now,
                          const EventRow* event);

/// Whether a text is these parts with anything between them; for `contains`, whether it has them
/// somewhere, in their order and in any case.
[[nodiscard]] bool textFits(std::string_view text, const std::vector<std::string>& parts,
                            FilterRelation relation);

}  // namespace lanes
