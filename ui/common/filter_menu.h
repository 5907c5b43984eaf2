// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filtered_list.h"

#include <optional>

class QMenu;

namespace lanes::ui {

/// Adds "Filter: only this", "exclude this" and "add" for the cell that was clicked; nothing if the
/// cell makes no condition, or no bar is connected.
void addFilterActions(QMenu& menu, const std::optional<Filter>& condition,
                      const FilteredList::Bar& bar);

/// Conditions for cells.
[[nodiscard]] std::optional<Filter> textIs(FilterField field, const std::string& text);
[[nodiscard]] Filter numberIs(FilterField field, std::int64_t number);
/// From ..., until ... (exclusive).
[[nodiscard]] Filter timeIs(FilterField field, WallMicros from, WallMicros until);

/// The one destination that a filter asks for, if all its rows are of it.
[[nodiscard]] DestinationId destinationOf(const Filter& filter);
/// Asks for nothing but a destination, or for nothing.
[[nodiscard]] bool isDestinationOnly(const Filter& filter);
/// The same filter for this destination (0 = all) and for no other.
[[nodiscard]] Filter withDestination(const Filter& filter, DestinationId destination);

}  // namespace lanes::ui
