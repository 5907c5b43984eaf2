// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What an operator can ask of the engine. A command is a value; its answer comes later, with the
// same CommandId. The window, the command line and the demonstration all use these.
namespace lanes {

/// Adds a destination (id 0) or replaces the settings of an existing one.
struct SetDestination {
    DestinationConfig config;
};

/// Removes a destination that has nothing waiting and no dead letters.
struct RemoveDestination {
    DestinationId destination;
};

/// No new attempt starts once this is answered; attempts in flight finish and count.
struct PauseDestination {
    DestinationId destination;
    std::string by;
    std::string reason;
};

/// Deliveries start again, as a ramp.
struct ResumeDestination {
    DestinationId destination;
    std::string by;
};

/// Returns dead letters to their lanes at their original positions. The set is frozen: exactly
/// these pointers. One that is no dead letter (any more) is skipped, with the reason counted.
struct RewindDeadLetters {
    std::vector<Pointer> pointers;
    std::string by;
    std::string reason;
};

/// Gives dead letters up for good. They count as discarded.
struct DiscardDeadLetters {
    std::vector<Pointer> pointers;
    std::string by;
    std::string reason;
};

/// Demonstration only: engine seconds per real second.
struct SetClockScale {
    double scale = 1.0;
};

using Command = std::variant<SetDestination, RemoveDestination, PauseDestination, ResumeDestination,
                             RewindDeadLetters, DiscardDeadLetters, SetClockScale>;

/// The answer to a command. `error` is empty if it was done; else one sentence for the operator.
/// It is sent when the effect is durable.
struct CommandResult {
    std::string error;
    OperationId operation;      ///< the record of it, where the command makes one
    DestinationId destination;  ///< of SetDestination
    std::uint64_t asked = 0;    ///< rewind, discard: pointers named
    std::uint64_t done = 0;     ///< rewind, discard: pointers that moved
    std::uint64_t skipped = 0;  ///< rewind, discard: pointers that were no dead letters any more

    [[nodiscard]] bool ok() const { return error.empty(); }
};

}  // namespace lanes
