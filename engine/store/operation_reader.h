// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/connection.h"

namespace lanes::store {

/// Throws SQLite::Exception.
[[nodiscard]] OperationPage readOperations(SQLite::Database& database,
                                           const OperationQuery& query);
/// What became of the events of an operation. Throws SQLite::Exception.
[[nodiscard]] OperationEventPage readOperationEvents(SQLite::Database& database,
                                                     const OperationEventQuery& query);

}  // namespace lanes::store
