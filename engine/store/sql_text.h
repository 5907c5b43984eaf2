// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/connection.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lanes::store {

using SqlValue = std::variant<std::int64_t, std::string>;

/// A query that grows: its text, and the values of its question marks in their order.
class SqlText {
public:
    SqlText& add(std::string_view text) {
        m_text += text;
        return *this;
    }
    SqlText& add(std::string_view text, std::vector<SqlValue> values) {
        m_text += text;
        for (auto& value : values) m_values.push_back(std::move(value));
        return *this;
    }
    /// Everything bound; the values are copied. Throws SQLite::Exception.
    [[nodiscard]] SQLite::Statement statement(SQLite::Database& database) const;

private:
    std::string m_text;
    std::vector<SqlValue> m_values;
};

}  // namespace lanes::store
