// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/filter_sql.h"

#include <sqlite3.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

namespace lanes::store {

namespace {

/// Where a field stands.
struct Place {
    const char* column = nullptr;  ///< null: the list does not have it
    const char* second = nullptr;  ///< another column that may fit instead
    bool zeroIsNone = false;
};

Place deadLetterPlace(FilterField field) {
    switch (field) {
    case FilterField::destination:
        return {"destination"};
    case FilterField::user:
        return {"user"};
    case FilterField::type:
        return {"type"};
    case FilterField::event:
        return {"event_id"};
    case FilterField::sequence:
        return {"seq"};
    case FilterField::status:
        return {"last_status", nullptr, true};
    case FilterField::outcome:
        return {"last_outcome"};
    case FilterField::error:
        return {"last_error", "reason"};
    case FilterField::note:
        return {"(SELECT n.note FROM dead_letter_notes n WHERE n.note_seq=dead_letters.seq"
                " AND n.note_destination=dead_letters.destination)"};
    case FilterField::payload:
        return {"(SELECT e.payload FROM events e WHERE e.seq=dead_letters.seq)"};
    case FilterField::attempts:
        return {"attempts"};
    case FilterField::life:
        return {"life"};
    case FilterField::size:
        return {"bytes"};
    case FilterField::age:
        return {"(? - died_at)"};
    case FilterField::died:
        return {"died_at"};
    case FilterField::tried:
        return {"first_tried_at", nullptr, true};
    case FilterField::accepted:
        return {"accepted_at"};
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
    return {};
}

Place attemptPlace(FilterField field) {
    switch (field) {
    case FilterField::destination:
        return {"j.destination"};
    case FilterField::user:
        return {"e.user"};
    case FilterField::type:
        return {"e.type"};
    case FilterField::event:
        return {"e.id"};
    case FilterField::payload:
        return {"e.payload"};
    case FilterField::sequence:
        return {"j.seq"};
    case FilterField::status:
        return {"j.status", nullptr, true};
    case FilterField::outcome:
        return {"j.outcome"};
    case FilterField::error:
        return {"j.error"};
    case FilterField::response:
        return {"j.response"};
    case FilterField::attempts:
        return {"j.attempt"};
    case FilterField::life:
        return {"j.life"};
    case FilterField::age:
        return {"(? - j.at)"};
    case FilterField::started:
        return {"j.at"};
    case FilterField::took:
        return {"j.duration"};
    case FilterField::cause:
        return {"j.cause"};
    case FilterField::operation:
        return {"j.operation", nullptr, true};
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
    return {};
}

Place placeOf(FilterList list, FilterField field) {
    switch (list) {
    case FilterList::lanes:
        break;  // the kernel has them, no table does
    case FilterList::deadLetters:
        return deadLetterPlace(field);
    case FilterList::attempts:
        return attemptPlace(field);
    }
    return {};
}

/// Relation and parts in one value: "c" or "=", then each part behind its length and a colon.
std::string encoded(const Filter::Term& term) {
    std::string text(1, term.relation == FilterRelation::contains ? 'c' : '=');
    for (const auto& part : term.parts) {
        text += std::to_string(part.size());
        text += ':';
        text += part;
    }
    return text;
}

std::vector<std::string> partsOf(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        std::size_t size = 0;
        const auto* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, size);
        const auto begin = static_cast<std::size_t>(read.ptr - text.data()) + 1;
        if (read.ec != std::errc() || begin > text.size() || size > text.size() - begin) break;
        parts.emplace_back(text.substr(begin, size));
        text.remove_prefix(begin + size);
    }
    return parts;
}

std::string_view viewOf(sqlite3_value* value) {
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return bytes == nullptr ? std::string_view{} : std::string_view(bytes, size);
}

/// lanes_fits(text, encoded term)
void textFitsFunction(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    struct Pattern {
        FilterRelation relation;
        std::vector<std::string> parts;
    };
    auto* pattern = static_cast<Pattern*>(sqlite3_get_auxdata(context, 1));
    std::unique_ptr<Pattern> made;
    if (pattern == nullptr) {
        const auto text = viewOf(values[1]);
        made = std::make_unique<Pattern>(
            Pattern{text.starts_with('c') ? FilterRelation::contains : FilterRelation::equal,
                    partsOf(text.empty() ? text : text.substr(1))});
        pattern = made.get();
    }
    const bool fits = textFits(viewOf(values[0]), pattern->parts, pattern->relation);
    sqlite3_result_int(context, fits ? 1 : 0);
    // Last: SQLite may free it at once.
    if (made)
        sqlite3_set_auxdata(context, 1, made.release(),
                            [](void* kept) { delete static_cast<Pattern*>(kept); });
}

class Writer {
public:
    Writer(FilterList list, WallMicros now) : m_list(list), m_now(now) {}

    void add(const Filter& filter) {
        switch (filter.shape()) {
        case Filter::Shape::everything:
            m_sql.text += "true";
            return;
        case Filter::Shape::term:
            addTerm(filter.term());
            return;
        case Filter::Shape::negation:
            m_sql.text += "NOT ";
            add(filter.parts().front());
            return;
        case Filter::Shape::all:
        case Filter::Shape::any:
            break;
        }
        const char* between = filter.shape() == Filter::Shape::all ? " AND " : " OR ";
        m_sql.text += '(';
        for (bool first = true; const auto& part : filter.parts()) {
            if (!std::exchange(first, false)) m_sql.text += between;
            add(part);
        }
        m_sql.text += ')';
    }

    FilterSql take() { return std::move(m_sql); }

private:
    void addTerm(const Filter::Term& term) {
        const auto place = placeOf(m_list, term.field);
        if (place.column == nullptr) {
            m_sql.text += "false";
            return;
        }
        m_sql.text += '(';
        switch (kindOf(term.field)) {
        case FilterKind::text:
        case FilterKind::prose:
            addText(place.column, term);
            if (place.second != nullptr) {
                m_sql.text += " OR ";
                addText(place.second, term);
            }
            break;
        case FilterKind::destination:
        case FilterKind::number:
        case FilterKind::duration:
        case FilterKind::time:
        case FilterKind::state:
        case FilterKind::outcome:
        case FilterKind::cause:
            if (place.zeroIsNone) m_sql.text += std::string(place.column) + "<>0 AND ";
            addNumber(place.column, term);
            break;
        }
        m_sql.text += ')';
    }

    void addText(const char* column, const Filter::Term& term) {
        if (term.relation == FilterRelation::equal && term.parts.size() == 1 &&
            kindOf(term.field) == FilterKind::text) {
            // The event of an attempt may be gone from the log; then it has no texts.
            m_sql.text += "coalesce(" + std::string(column) + ",'')=?";
            m_sql.values.emplace_back(term.parts.front());
            return;
        }
        m_sql.text += "lanes_fits(" + std::string(column) + ",?)";
        m_sql.values.emplace_back(encoded(term));
    }

    void addNumber(const char* column, const Filter::Term& term) {
        m_sql.text += column;
        if (term.field == FilterField::age) m_sql.values.emplace_back(m_now);
        const auto one = [&](const char* relation) {
            m_sql.text += relation;
            m_sql.values.emplace_back(term.low);
        };
        switch (term.relation) {
        case FilterRelation::equal:
            return one("=?");
        case FilterRelation::less:
            return one("<?");
        case FilterRelation::atMost:
            return one("<=?");
        case FilterRelation::more:
            return one(">?");
        case FilterRelation::atLeast:
            return one(">=?");
        case FilterRelation::within:
            one(" BETWEEN ? AND ?");
            m_sql.values.emplace_back(term.high);
            return;
        case FilterRelation::contains:
            m_sql.text += " IS NULL";  // no number has parts
            return;
        }
    }

    FilterList m_list;
    WallMicros m_now;
    FilterSql m_sql;
};

}  // namespace

FilterSql sqlOf(const Filter& filter, FilterList list, WallMicros now) {
    Writer writer(list, now);
    writer.add(filter);
    return writer.take();
}

void addTextFits(SQLite::Database& database) {
    const int code = sqlite3_create_function_v2(
        database.getHandle(), "lanes_fits", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
        textFitsFunction, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw SQLite::Exception(database.getHandle(), code);
}

}  // namespace lanes::store
