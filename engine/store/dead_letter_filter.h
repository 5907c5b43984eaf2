// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/connection.h"

#include <string>

namespace lanes::store {

/// `<select> FROM dead_letters WHERE ...` of what is listed and matches, with everything bound.
/// Destination, user and time use the indexes of the list; the rest is looked at row by row. The
/// filter must outlive the statement. Throws SQLite::Exception.
[[nodiscard]] SQLite::Statement deadLettersThat(SQLite::Database& database,
                                                const std::string& select,
                                                const DeadLetterFilter& filter);

}  // namespace lanes::store
