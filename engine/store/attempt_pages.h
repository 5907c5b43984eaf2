// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/connection.h"
#include "engine/store/journal_history.h"
#include "engine/store/page_budget.h"

namespace lanes::store {

/// Reads on until the page is full or complete or the budget is spent. Rows that were found before
/// an error stay in the page. Ages are told from `now`. The connection needs `addTextFits`. Throws
/// SQLite::Exception.
void readAttempts(SQLite::Database& database, JournalHistory& history, const AttemptQuery& query,
                  WallMicros now, PageBudget& budget, AttemptPage& page);

}  // namespace lanes::store
