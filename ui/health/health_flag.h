// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operations.h"
#include "ui/health/history_buffer.h"

#include <QIcon>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What somebody did that the graphs should be read with: a pause, a resume, a rewind, another
// behaviour of a mock destination.
namespace lanes::ui {

enum class FlagKind : std::uint8_t { pause, automaticPause, resume, rewind, mock };

struct HealthFlag {
    WallMicros at = 0;
    FlagKind kind = FlagKind::pause;
    std::string who;   ///< empty: not known
    std::string name;  ///< of the destination or the mock; empty for a rewind
    std::string what;  ///< reason, scope or behaviour; external text
    std::vector<DestinationId> destinations;  ///< where ids are known
    OperationId operation;                    ///< 0: the console saw it itself

    friend bool operator==(const HealthFlag&, const HealthFlag&) = default;
};

/// None for operations that no graph shows: settings, holds, discards. The destinations of a
/// rewind are not in its record.
[[nodiscard]] std::optional<HealthFlag> flagOf(const OperationRow& row);
[[nodiscard]] HealthFlag flagOf(const HistoryNote& note);

/// "Paused by anna: maintenance", in one plain line. `named`: with the destination.
[[nodiscard]] QString flagText(const HealthFlag& flag, bool named);
/// For files that programs read, not translated: "pause crm anna: maintenance".
[[nodiscard]] QString flagRecord(const HealthFlag& flag);
[[nodiscard]] QIcon flagIcon(FlagKind kind);

/// To each bucket the flags that fall into it or into the gap behind it; those before the first
/// bucket are left out. Both oldest first.
[[nodiscard]] std::vector<std::vector<HealthFlag>> flagsByBucket(
    const std::vector<Bucket>& buckets, const std::vector<HealthFlag>& flags);

}  // namespace lanes::ui
