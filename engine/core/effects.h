// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/core/store.h"
#include "engine/core/transport.h"
#include "engine/types.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

// What goes into the kernel and what comes out of it. Both are values: the kernel decides, the
// runtime and the simulator obey.
namespace lanes {

/// The two clocks at one instant.
struct Moment {
    Micros now = 0;       ///< engine time
    WallMicros wall = 0;  ///< for records
};

/// An event that is durable, on its way into the lanes. Given in rising sequence.
struct AcceptedEvent {
    Sequence sequence;
    UserId user;
    std::vector<Target> targets;
};

namespace input {

struct EventsAccepted {
    std::vector<AcceptedEvent> events;
};
/// `result.duration` in engine time.
struct AttemptFinished {
    AttemptResult result;
};
/// All writes with a ticket up to this one are durable.
struct StoreCommitted {
    std::uint64_t ticket = 0;
};
/// While the store cannot write, no attempt starts.
struct StoreWritable {
    bool writable = true;
};
struct CommandGiven {
    CommandId id;
    Command command;
};
/// Dead letters past their retention: they are discarded by an operation of their own, but for
/// those that hold a lane, whose lane is held, or that a rewind is going to move. Ignored while
/// the one before is under way.
struct DeadLettersExpired {
    std::vector<Pointer> pointers;
    Micros retention = 0;  ///< for the record
};
/// The engine stood still (sleep, stop signal): come back gently.
struct Woke {};
/// The engine is about to stop: no attempt starts any more, the retry clocks are made durable.
struct Draining {};
struct TimePassed {};

}  // namespace input

using Input = std::variant<input::EventsAccepted, input::AttemptFinished, input::StoreCommitted,
                           input::StoreWritable, input::CommandGiven,
                           input::DeadLettersExpired, input::Woke, input::Draining,
                           input::TimePassed>;

struct CommandDone {
    CommandId id;
    CommandResult result;
};

struct Effects {
    std::vector<StartAttempt> starts;
    /// To be given to the store as it is; its ticket comes back with `StoreCommitted`.
    WriteBatch writes;
    std::vector<CommandDone> done;
    /// Settings that changed with this step; deliveries and intake use them from now on.
    std::vector<DestinationConfig> destinations;
    std::vector<DestinationId> removed;

    void clear() {
        starts.clear();
        writes = WriteBatch{};
        done.clear();
        destinations.clear();
        removed.clear();
    }
};

}  // namespace lanes
