// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/attempts/attempt_list_model.h"
#include "ui/common/row_source.h"

#include <memory>

namespace lanes::ui {

class PageLoader;

/// All attempts of a scope, newest first; those that end meanwhile are not among them.
/// \param snapshot for the names of destinations.
[[nodiscard]] std::unique_ptr<RowSource> attemptRows(
    PageLoader& loader, const AttemptScope& scope, std::shared_ptr<const EngineSnapshot> snapshot);

}  // namespace lanes::ui
