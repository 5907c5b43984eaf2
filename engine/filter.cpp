// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter.h"

#include "engine/queries.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace lanes {

namespace {

constexpr std::uint8_t kLanes = 1;
constexpr std::uint8_t kDead = 2;
constexpr std::uint8_t kAttempts = 4;

struct FieldRule {
    FilterKind kind;
    std::uint8_t lists;
};

constexpr FieldRule ruleOf(FilterField field) {
    switch (field) {
    case FilterField::destination:
        return {FilterKind::destination, kLanes | kDead | kAttempts};
    case FilterField::user:
    case FilterField::type:
    case FilterField::event:
        return {FilterKind::text, kLanes | kDead | kAttempts};
    case FilterField::sequence:
    case FilterField::status:
    case FilterField::attempts:
    case FilterField::life:
        return {FilterKind::number, kLanes | kDead | kAttempts};
    case FilterField::state:
        return {FilterKind::state, kLanes};
    case FilterField::outcome:
        return {FilterKind::outcome, kLanes | kDead | kAttempts};
    case FilterField::error:
    case FilterField::payload:
        return {FilterKind::prose, kDead | kAttempts};
    case FilterField::response:
        return {FilterKind::prose, kAttempts};
    case FilterField::note:
        return {FilterKind::prose, kDead};
    case FilterField::backlog:
        return {FilterKind::number, kLanes};
    case FilterField::size:
        return {FilterKind::number, kDead};
    case FilterField::age:
        return {FilterKind::duration, kLanes | kDead | kAttempts};
    case FilterField::next:
    case FilterField::left:
    case FilterField::flight:
        return {FilterKind::duration, kLanes};
    case FilterField::held:
        return {FilterKind::text, kLanes};
    case FilterField::died:
    case FilterField::tried:
        return {FilterKind::time, kDead};
    case FilterField::accepted:
        return {FilterKind::time, kLanes | kDead};
    case FilterField::started:
        return {FilterKind::time, kAttempts};
    case FilterField::took:
        return {FilterKind::duration, kAttempts};
    case FilterField::cause:
        return {FilterKind::cause, kAttempts};
    case FilterField::operation:
        return {FilterKind::number, kAttempts};
    }
    return {FilterKind::text, 0};
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(char a, char b, bool anyCase) {
    return a == b || (anyCase && lower(a) == lower(b));
}

bool isAt(std::string_view text, std::string_view part, bool anyCase) {
    return text.size() >= part.size() &&
           std::equal(part.begin(), part.end(), text.begin(),
                      [anyCase](char a, char b) { return same(a, b, anyCase); });
}

struct NotRead {};
struct Absent {};
/// A dead letter has two texts in one field.
struct Texts {
    std::string_view first;
    std::string_view second = {};
};
using Value = std::variant<NotRead, Absent, std::int64_t, Texts>;

template <typename Number>
Value number(Number value) {
    return static_cast<std::int64_t>(value);
}
template <typename Number>
Value numberIf(bool there, Number value) {
    return there ? number(value) : Value(Absent{});
}

bool numberFits(std::int64_t value, const Filter::Term& term) {
    switch (term.relation) {
    case FilterRelation::equal:
        return value == term.low;
    case FilterRelation::less:
        return value < term.low;
    case FilterRelation::atMost:
        return value <= term.low;
    case FilterRelation::more:
        return value > term.low;
    case FilterRelation::atLeast:
        return value >= term.low;
    case FilterRelation::within:
        return value >= term.low && value <= term.high;
    case FilterRelation::contains:
        break;
    }
    return false;
}

bool fits(const Value& value, const Filter::Term& term) {
    if (const auto* texts = std::get_if<Texts>(&value))
        return textFits(texts->first, term.parts, term.relation) ||
               (!texts->second.empty() && textFits(texts->second, term.parts, term.relation));
    const auto* found = std::get_if<std::int64_t>(&value);
    return found != nullptr && numberFits(*found, term);
}

template <typename Row>
Match evaluate(const Filter& filter, const Row& valueOf) {
    switch (filter.shape()) {
    case Filter::Shape::everything:
        return Match::yes;
    case Filter::Shape::term: {
        const Value value = valueOf(filter.term().field);
        if (std::holds_alternative<NotRead>(value)) return Match::open;
        return fits(value, filter.term()) ? Match::yes : Match::no;
    }
    case Filter::Shape::negation: {
        const auto inner = evaluate(filter.parts().front(), valueOf);
        if (inner == Match::open) return Match::open;
        return inner == Match::yes ? Match::no : Match::yes;
    }
    case Filter::Shape::all:
    case Filter::Shape::any:
        break;
    }
    const bool all = filter.shape() == Filter::Shape::all;
    const auto deciding = all ? Match::no : Match::yes;
    auto result = all ? Match::yes : Match::no;
    for (const auto& part : filter.parts()) {
        const auto one = evaluate(part, valueOf);
        if (one == deciding) return deciding;
        if (one == Match::open) result = Match::open;
    }
    return result;
}

}  // namespace

struct Filter::Node {
    Shape shape = Shape::everything;
    Term term;
    std::vector<Filter> parts;
    std::size_t terms = 0;
    std::size_t depth = 0;
};

FilterKind kindOf(FilterField field) { return ruleOf(field).kind; }

bool has(FilterList list, FilterField field) {
    return ((ruleOf(field).lists >> static_cast<unsigned>(list)) & 1u) != 0;
}

Filter::Filter(Term term)
    : m_node(std::make_shared<const Node>(Node{Shape::term, std::move(term), {}, 1, 1})) {}

std::optional<Filter> Filter::allOf(const std::vector<Filter>& parts) {
    return joined(Shape::all, parts);
}

std::optional<Filter> Filter::anyOf(const std::vector<Filter>& parts) {
    for (const auto& part : parts)
        if (part.isEverything()) return Filter();
    return joined(Shape::any, parts);
}

std::optional<Filter> Filter::negationOf(const Filter& filter) {
    if (filter.isEverything()) return std::nullopt;
    if (filter.shape() == Shape::negation) return filter.parts().front();
    return made(Shape::negation, {filter});
}

std::optional<Filter> Filter::joined(Shape shape, const std::vector<Filter>& parts) {
    std::vector<Filter> flat;
    for (const auto& part : parts) {
        if (part.isEverything()) continue;
        if (part.shape() == shape)
            flat.insert(flat.end(), part.parts().begin(), part.parts().end());
        else
            flat.push_back(part);
    }
    if (flat.empty()) return Filter();
    if (flat.size() == 1) return flat.front();
    return made(shape, std::move(flat));
}

std::optional<Filter> Filter::made(Shape shape, std::vector<Filter> parts) {
    Node node{shape, {}, std::move(parts), 0, 0};
    for (const auto& part : node.parts) {
        node.terms += part.terms();
        node.depth = std::max(node.depth, part.depth());
    }
    ++node.depth;
    if (node.terms > limits::kFilterTerms || node.depth > limits::kFilterDepth)
        return std::nullopt;
    Filter filter;
    filter.m_node = std::make_shared<const Node>(std::move(node));
    return filter;
}

Filter::Shape Filter::shape() const { return m_node ? m_node->shape : Shape::everything; }

const Filter::Term& Filter::term() const {
    static const Term none;
    return m_node ? m_node->term : none;
}

const std::vector<Filter>& Filter::parts() const {
    static const std::vector<Filter> none;
    return m_node ? m_node->parts : none;
}

std::vector<Filter> Filter::conditions() const {
    if (isEverything()) return {};
    return shape() == Shape::all ? parts() : std::vector<Filter>{*this};
}

std::size_t Filter::terms() const { return m_node ? m_node->terms : 0; }

std::size_t Filter::depth() const { return m_node ? m_node->depth : 0; }

bool Filter::asks(FilterField field) const {
    if (shape() == Shape::term) return term().field == field;
    return std::any_of(parts().begin(), parts().end(),
                       [field](const Filter& part) { return part.asks(field); });
}

bool Filter::isIndexed(FilterList list) const {
    if (shape() != Shape::term) return false;
    const bool exact = term().relation == FilterRelation::equal;
    switch (term().field) {
    case FilterField::destination:
        return exact;
    case FilterField::user:
        return exact && term().parts.size() == 1 && list != FilterList::attempts;
    case FilterField::type:
    case FilterField::event:
        return exact && term().parts.size() == 1 && list == FilterList::deadLetters;
    case FilterField::outcome:
    case FilterField::status:
    case FilterField::died:
        return list == FilterList::deadLetters;
    case FilterField::age:
        return list != FilterList::lanes;
    case FilterField::sequence:
        return exact && list == FilterList::attempts;
    case FilterField::started:
        return list == FilterList::attempts;
    case FilterField::state:
    case FilterField::error:
    case FilterField::response:
    case FilterField::note:
    case FilterField::payload:
    case FilterField::attempts:
    case FilterField::life:
    case FilterField::backlog:
    case FilterField::size:
    case FilterField::next:
    case FilterField::left:
    case FilterField::flight:
    case FilterField::held:
    case FilterField::tried:
    case FilterField::accepted:
    case FilterField::took:
    case FilterField::cause:
    case FilterField::operation:
        break;
    }
    return false;
}

bool Filter::suits(FilterList list) const {
    if (shape() == Shape::term) return has(list, term().field);
    return std::all_of(parts().begin(), parts().end(),
                       [list](const Filter& part) { return part.suits(list); });
}

bool operator==(const Filter& a, const Filter& b) {
    if (a.m_node == b.m_node) return true;
    return a.shape() == b.shape() && a.term() == b.term() && a.parts() == b.parts();
}

bool textFits(std::string_view text, const std::vector<std::string>& parts,
              FilterRelation relation) {
    if (parts.empty()) return text.empty();
    const bool within = relation == FilterRelation::contains;
    for (std::size_t n = 0; n < parts.size(); ++n) {
        const std::string_view part = parts[n];
        const bool atStart = n == 0 && !within;
        if (n + 1 == parts.size() && !within) {
            // What the parts before it took is gone from the text.
            return atStart ? text == part : text.ends_with(part);
        }
        if (atStart) {
            if (!isAt(text, part, false)) return false;
            text.remove_prefix(part.size());
            continue;
        }
        const auto found =
            std::search(text.begin(), text.end(), part.begin(), part.end(),
                        [within](char a, char b) { return same(a, b, within); });
        if (found == text.end() && !part.empty()) return false;
        text.remove_prefix(static_cast<std::size_t>(found - text.begin()) + part.size());
    }
    return true;
}

Match match(const Filter& filter, const LaneRow& row, bool hasTexts) {
    return evaluate(filter, [&](FilterField field) -> Value {
        const auto textOf = [hasTexts](const std::string& text) {
            return hasTexts ? Value(Texts{text}) : Value(NotRead{});
        };
        switch (field) {
        case FilterField::destination:
            return number(row.key.destination.value);
        case FilterField::user:
            return textOf(row.user.text);
        case FilterField::type:
            return textOf(row.type);
        case FilterField::event:
            return textOf(row.eventId);
        case FilterField::sequence:
            return number(row.head.value);
        case FilterField::state:
            return number(row.state);
        case FilterField::status:
            return numberIf(row.lastStatus != 0, row.lastStatus);
        case FilterField::outcome:
            return numberIf(row.lastOutcome.has_value(),
                            row.lastOutcome.value_or(Outcome::delivered));
        case FilterField::attempts:
            return number(row.attempts);
        case FilterField::life:
            return number(row.life);
        case FilterField::backlog:
            return number(row.backlog);
        case FilterField::age:
            return number(row.headAge);
        case FilterField::next:
            return numberIf(row.nextAttemptIn >= 0, row.nextAttemptIn);
        case FilterField::left:
            return number(row.deadLettersIn);
        case FilterField::flight:
            return numberIf(row.inFlightFor >= 0, row.inFlightFor);
        case FilterField::held:
            return row.heldBy.empty() ? Value(Absent{}) : Value(Texts{row.heldBy});
        case FilterField::accepted:
            // It is in the log, with the texts.
            if (!hasTexts) return NotRead{};
            return numberIf(row.acceptedAt != 0, row.acceptedAt);
        case FilterField::error:
        case FilterField::response:
        case FilterField::note:
        case FilterField::payload:
        case FilterField::size:
        case FilterField::died:
        case FilterField::tried:
        case FilterField::started:
        case FilterField::took:
        case FilterField::cause:
        case FilterField::operation:
            break;
        }
        return Absent{};
    });
}

Match match(const Filter& filter, const DeadLetterRow& row, WallMicros now,
            const std::string* payload) {
    return evaluate(filter, [&](FilterField field) -> Value {
        switch (field) {
        case FilterField::destination:
            return number(row.pointer.destination.value);
        case FilterField::user:
            return Texts{row.user.text};
        case FilterField::type:
            return Texts{row.type};
        case FilterField::event:
            return Texts{row.eventId};
        case FilterField::sequence:
            return number(row.pointer.sequence.value);
        case FilterField::status:
            return numberIf(row.lastStatus != 0, row.lastStatus);
        case FilterField::outcome:
            return number(row.lastOutcome);
        case FilterField::error:
            return Texts{row.lastError, row.reason};
        case FilterField::note:
            return Texts{row.note.text};
        case FilterField::payload:
            return payload == nullptr ? Value(NotRead{}) : Value(Texts{*payload});
        case FilterField::attempts:
            return number(row.attempts);
        case FilterField::life:
            return number(row.life);
        case FilterField::size:
            return number(row.bytes);
        case FilterField::age:
            return number(now - row.diedAt);
        case FilterField::died:
            return number(row.diedAt);
        case FilterField::tried:
            return numberIf(row.firstTriedAt != 0, row.firstTriedAt);
        case FilterField::accepted:
            return number(row.acceptedAt);
        case FilterField::state:
        case FilterField::response:
        case FilterField::backlog:
        case FilterField::next:
        case FilterField::left:
        case FilterField::flight:
        case FilterField::held:
        case FilterField::started:
        case FilterField::took:
        case FilterField::cause:
        case FilterField::operation:
            break;
        }
        return Absent{};
    });
}

Match match(const Filter& filter, const AttemptRow& row, WallMicros now, const EventRow* event) {
    return evaluate(filter, [&](FilterField field) -> Value {
        const auto textOf = [event](auto read) {
            return event == nullptr ? Value(NotRead{}) : Value(Texts{read(*event)});
        };
        switch (field) {
        case FilterField::destination:
            return number(row.pointer.destination.value);
        case FilterField::user:
            return textOf([](const EventRow& e) { return std::string_view(e.user.text); });
        case FilterField::type:
            return textOf([](const EventRow& e) { return std::string_view(e.type); });
        case FilterField::event:
            return textOf([](const EventRow& e) { return std::string_view(e.id); });
        case FilterField::payload:
            return textOf([](const EventRow& e) { return std::string_view(e.payload); });
        case FilterField::sequence:
            return number(row.pointer.sequence.value);
        case FilterField::status:
            return numberIf(row.status != 0, row.status);
        case FilterField::outcome:
            return number(row.outcome);
        case FilterField::error:
            return Texts{row.error};
        case FilterField::response:
            return Texts{row.response};
        case FilterField::attempts:
            return number(row.number);
        case FilterField::life:
            return number(row.life);
        case FilterField::age:
            return number(now - row.startedAt);
        case FilterField::started:
            return number(row.startedAt);
        case FilterField::took:
            return number(row.duration);
        case FilterField::cause:
            return number(row.cause);
        case FilterField::operation:
            return numberIf(static_cast<bool>(row.operation), row.operation.value);
        case FilterField::note:
        case FilterField::state:
        case FilterField::backlog:
        case FilterField::size:
        case FilterField::next:
        case FilterField::left:
        case FilterField::flight:
        case FilterField::held:
        case FilterField::died:
        case FilterField::tried:
        case FilterField::accepted:
            break;
        }
        return Absent{};
    });
}

}  // namespace lanes
