// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <functional>

namespace lanes::test {

/// A quarter of an hour in the life of three destinations, four snapshots a second: "crm" falls
/// ill, is probed, recovers and drains what piled up; "billing" stays well; "audit" is paused.
/// The same every time. `last` is the wall time of the last snapshot.
void tellOutage(WallMicros last, const std::function<void(const EngineSnapshot&)>& listener);

}  // namespace lanes::test
