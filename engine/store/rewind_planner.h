// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/store/log_scan.h"

namespace lanes::store {

/// Freezes the set of a rewind and counts what it would do. Throws SQLite::Exception.
[[nodiscard]] RewindPlan makeRewindPlan(const PlanSource& source, const RewindScope& scope);

}  // namespace lanes::store
