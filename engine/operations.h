// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <string>

// The record of what an operator did. A rewind is alive for as long as one of its events waits.
namespace lanes {

/// Why an operation left an event where it is.
enum class SkipReason : std::uint8_t {
    none = 0,
    notDead = 1,  ///< it is no dead letter (any more), or it never was one
    unknown = 2,  ///< its destination is gone
    waiting = 3,  ///< it waits in its lane already, in its place
    tried = 4,    ///< undo: it was tried, or it has left its lane
    kept = 5,     ///< expiry: its lane is held, or a rewind is going to move it
};

enum class OperationKind : std::uint8_t {
    setting = 0,  ///< pause, resume, settings: done at once
    rewind = 1,
    rewindLanes = 2,
    discard = 3,
    undo = 4,
    expire = 5,  ///< the engine itself: dead letters past their retention are discarded
};

enum class OperationState : std::uint8_t {
    finished = 0,    ///< nothing more will happen to it
    moving = 1,      ///< its events are being moved
    tracing = 2,     ///< the first ones are moved; the rest waits for their deliveries
    delivering = 3,  ///< all are moved, some wait to be delivered
    stopped = 4,     ///< no more are moved; those that were moved go on
};

/// One act of an operator. The events of a set are dealt with in its order: the first
/// done + skipped of them are moved or skipped, the rest stays where it is (so far).
/// Of a rewind, done = delivered + deadAgain + returned + what waits.
struct OperationRow {
    OperationId id;
    WallMicros at = 0;
    std::string who;
    std::string action;  ///< "rewind", "discard", "pause", "resume", "set destination", ...
    std::string scope;
    std::string reason;
    OperationKind kind = OperationKind::setting;
    OperationState state = OperationState::finished;
    std::string note;            ///< why it was stopped; empty otherwise
    double eventsPerSecond = 0;  ///< pace; 0 = none
    std::uint32_t tracer = 0;    ///< events to be tried first; 0 = none
    std::uint64_t asked = 0;
    std::uint64_t done = 0;
    std::uint64_t skipped = 0;
    // Of a rewind, what became of the events that were moved:
    std::uint64_t delivered = 0;
    std::uint64_t deadAgain = 0;
    std::uint64_t returned = 0;  ///< undone
    /// Of those that wait: never tried since, so that an undo returns them. Known while the engine
    /// runs, not stored.
    std::uint64_t untried = 0;
    OperationId target;          ///< of an undo: the rewind that is undone

    /// Whether it gives events another life.
    [[nodiscard]] bool rewinds() const {
        return kind == OperationKind::rewind || kind == OperationKind::rewindLanes;
    }
    /// Whether it moves events, or will once its tracer is delivered.
    [[nodiscard]] bool moves() const {
        return state == OperationState::moving || state == OperationState::tracing;
    }
    [[nodiscard]] std::uint64_t waiting() const {
        return rewinds() ? done - delivered - deadAgain - returned : 0;
    }
};

}  // namespace lanes
