// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/check.h"

#include <string>
#include <utility>
#include <variant>

namespace lanes {

/// What went wrong with something that came from outside. A code exists only where a caller acts
/// on it; `detail` is a sentence for an operator: what happened and what to do.
struct Error {
    enum class Code {
        invalid,       ///< the input is wrong
        inUse,         ///< somebody else holds it: port, data directory
        readOnly,      ///< no right to write
        damaged,       ///< a file is not what it should be
        newer,         ///< written by a newer version of the program
        full,          ///< no space
        unavailable,   ///< for now; may be tried again
    };
    Code code = Code::invalid;
    std::string detail;
};

/// A value or an error. `Result<Nothing>` where there is no value.
struct Nothing {};

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_content(std::move(value)) {}
    Result(Error error) : m_content(std::move(error)) {}

    [[nodiscard]] bool ok() const { return std::holds_alternative<T>(m_content); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() {
        CHECK(ok());
        return std::get<T>(m_content);
    }
    [[nodiscard]] const T& value() const {
        CHECK(ok());
        return std::get<T>(m_content);
    }
    [[nodiscard]] const Error& error() const {
        CHECK(!ok());
        return std::get<Error>(m_content);
    }

private:
    std::variant<T, Error> m_content;
};

}  // namespace lanes
