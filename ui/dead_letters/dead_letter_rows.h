// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/snapshot.h"
#include "ui/common/row_source.h"

#include <cstdint>
#include <memory>

namespace lanes::ui {

class PageLoader;

/// All dead letters that fit, newest death first; those that die meanwhile are not among them.
/// \param snapshot for the names of destinations.
/// \param expected how many there will be, to tell how far it is; 0 = not known.
[[nodiscard]] std::unique_ptr<RowSource> deadLetterRows(
    PageLoader& loader, const DeadLetterFilter& filter,
    std::shared_ptr<const EngineSnapshot> snapshot, std::uint64_t expected);

}  // namespace lanes::ui
