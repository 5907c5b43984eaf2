// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QString>

namespace lanes::ui {

/// What a report of a fault should carry, as a few lines of text: versions, state, counts, store.
/// `age` is that of the snapshot.
[[nodiscard]] QString diagnosticsText(const EngineSnapshot& snapshot, Micros age);

}  // namespace lanes::ui
