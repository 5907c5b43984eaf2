// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/effects.h"
#include "engine/core/store.h"
#include "engine/core/transport.h"
#include "engine/sim/ideal_drain.h"
#include "engine/sim/operation_auditor.h"
#include "engine/sim/pace_auditor.h"
#include "engine/sim/violations.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanes::sim {

/// The oracle of the promises. It is told what happens outside of the kernel, on the wire and on
/// the disk, keeps books of its own, and never asks the kernel why.
///
/// It knows an event as waiting from the moment at which it is durable (or rewound durably) until
/// its end is durable: delivered, dead-lettered or discarded.
///
/// Besides P1 .. P8 it names these rules: "hold" (what waits behind a dead letter was tried),
/// "limit" (too many requests in flight), "window" (dead-lettered before its retry time was over),
/// "store" (tried while the result could not be kept), "removed" (a destination was removed that
/// still had something, or was called after its removal), "lane" (a lane was rewound in part),
/// "drain", and those of PaceAuditor and OperationAuditor.
///
/// Users and destinations are small numbers here; books are vectors, because they are looked up
/// with every step of runs of a hundred thousand deliveries.
class Auditor {
public:
    void setTime(Micros now) { m_violations.setTime(now); }
    /// The settings that the engine works with from now on.
    void setDestination(const DestinationConfig& config);
    /// The engine gave the destination up for good.
    void removed(DestinationId id);

    void accepted(Pointer pointer, UserId user);
    void durable(const JournalEntry& entry);
    void operationDurable(const OperationRecord& record);
    void skipDurable(const OperationSkip& skip) { m_operations.skipped(skip, m_violations); }
    /// All of a commit was told.
    void commitDurable();
    /// What the engine wrote with a step.
    void decided(const WriteBatch& writes) { m_operations.decided(writes, m_violations); }
    void attemptStarted(const StartAttempt& start);
    /// The destination took the event, whatever we know of it.
    void received(const StartAttempt& start);
    void attemptEnded(const StartAttempt& start, const AttemptResult& result);
    void commandGiven(CommandId id, const Command& command);
    void commandDone(CommandId id, const CommandResult& result);
    /// The engine was told that results can be kept, or not.
    void storeWritable(bool writable) { m_writable = writable; }
    /// The machine slept: the world went on, the engine's clocks did not.
    void slept(Micros length);
    /// The process stood still, and its clock did not.
    void froze(Micros length);
    /// The engine was told that it stood still: it comes back gently.
    void woke();
    /// The engine was told to stop: from now on no attempt starts.
    void stopping() { m_stopping = true; }
    /// The process died. Tell what the destinations still received before, and what was durable.
    void crashed();
    /// A new process has found what was durable, these lanes held by operators among it.
    void restarted(const std::vector<LaneKey>& held);

    // Comparison with the books of the kernel.
    void compareTotals(const DeliveryCounters& kernels);
    void compare(DestinationId destination, const DeliveryCounters& kernels);
    void compareLane(LaneKey key, std::vector<Sequence> kernels, const char* promise);
    /// After all is healed: nothing waits, nothing is dead, every request is in the log. `drain`
    /// says how long that was waited for.
    void compareEnd(const std::string& drain);
    /// What the simulation found out by itself.
    void violated(const char* promise, std::string what) {
        m_violations.add(promise, std::move(what));
    }

    [[nodiscard]] const std::vector<SimulationViolation>& violations() const {
        return m_violations.list();
    }
    [[nodiscard]] bool clean() const { return m_violations.list().empty(); }
    [[nodiscard]] DeliveryCounters totals() const;
    [[nodiscard]] std::uint64_t requests() const { return m_requests; }
    [[nodiscard]] std::uint64_t duplicates() const { return m_duplicates; }
    /// All that have had an event, of destinations that exist.
    [[nodiscard]] std::vector<LaneKey> lanes() const;

    /// What still has to be delivered to a destination: all that waits, and what is dead as if it
    /// were rewound now.
    [[nodiscard]] LaneBacklogs backlog(DestinationId destination) const;

private:
    static constexpr Micros kNever = INT64_MAX;

    enum class State : std::uint8_t { absent, waiting, delivered, dead, discarded };
    /// A place in the log for one destination. Waiting events of a lane are linked in log order.
    struct Event {
        Micros clock = 0;  ///< active time at the beginning of its window
        std::uint32_t user = 0;
        std::uint32_t before = 0;
        std::uint32_t after = 0;
        std::uint32_t life = 1;
        std::uint32_t attempts = 0;  ///< in the log, of this life
        OperationId operation;       ///< the rewind that gave it this life
        State state = State::absent;
        bool wasDelivered = false;   ///< before that rewind
        bool tried = false;          ///< in this life, as far as this process knows
        bool received = false;       ///< in this life
        bool answered = false;       ///< we saw the 2xx and no crash has made us forget it
        bool endNotDurable = false;  ///< an answer was seen and is not in the log yet
    };
    struct Lane {
        std::uint32_t first = 0;  ///< of those that wait; 0 = none
        std::uint32_t last = 0;
        std::uint32_t waiting = 0;
        std::uint32_t dead = 0;
        Sequence inFlight;         ///< 0 = none
        Sequence unlogged;         ///< its answer was seen and is not in the log yet
        Sequence highestReceived;  ///< by first deliveries in a first life
        bool known = false;        ///< has had an event
        bool held = false;         ///< by an operator, acknowledged
        Micros heldSince = kNever;  ///< active time, from the command on
        bool windowUnknown = false;  ///< a crash left open what became of a hold
    };
    struct Destination {
        DeliveryCounters counters;
        DeliveryPolicy policy;
        Micros windowChanged = -kHour;
        Micros windowBefore = 0;  ///< the shortest one shortly before that
        PaceAuditor pace;
        std::vector<Event> events;  ///< by sequence
        std::vector<Lane> lanes;    ///< by user
        std::uint32_t inFlight = 0;
        bool exists = false;
        bool removed = false;
        bool paused = false;     ///< a pause was acknowledged
        Micros active = 0;       ///< time in which the retry clock ran, up to `activeSince`
        Micros activeSince = 0;  ///< kNever: it stands still
    };

    [[nodiscard]] Micros now() const { return m_violations.now(); }
    [[nodiscard]] Destination& at(DestinationId id);
    [[nodiscard]] Lane& laneAt(Destination& destination, UserId user);
    /// Null, and a violation, if it was never accepted in this lane.
    [[nodiscard]] Event* find(Pointer pointer, UserId user, const char* promise, const char* act);
    void link(Destination& destination, Lane& lane, Sequence sequence);
    void unlink(Destination& destination, Lane& lane, Sequence sequence);
    /// A dead letter keeps what was accepted with it from being tried.
    [[nodiscard]] static bool holds(const Destination& destination, const Lane& lane) {
        return destination.policy.afterDeadLetter == AfterDeadLetter::hold && lane.dead > 0;
    }
    /// A lane has another head, or may be tried again after `wait`.
    void laneChanged(Destination& destination, UserId user, Micros wait = 0);
    void end(Destination& destination, UserId user, Sequence sequence, State state);
    void attemptDurable(const JournalEntry& entry, Event& event);
    void leaveTheDead(const JournalEntry& entry, Event& event);
    void comeBack(const JournalEntry& entry, Event& event);
    void returned(const JournalEntry& entry, Event& event);
    void release(Destination& destination, Lane& lane);
    void checkOrder(const StartAttempt& start, const Event& event, const Lane& lane);
    void checkState(const StartAttempt& start, Destination& destination, const Lane& lane);
    /// Time in which retry clocks ran, as far as can be seen from outside: never less than true.
    [[nodiscard]] Micros activeTime(const Destination& destination) const;
    /// Of an event that is durable now.
    [[nodiscard]] Micros windowStart(const Destination& destination) const;
    void setActive(Destination& destination, bool active);
    void checkWindow(const Destination& destination, const Event& event, const JournalEntry& entry);

    Violations m_violations;
    std::vector<Destination> m_destinations;      ///< by id
    std::map<CommandId, DestinationId> m_pauses;  ///< given, not acknowledged
    std::map<CommandId, LaneKey> m_holds;         ///< given, not acknowledged
    std::map<CommandId, LaneKey> m_releases;      ///< given, not acknowledged
    OperationAuditor m_operations;
    std::set<std::pair<OperationId, DestinationId>> m_mass;  ///< rewinds that have not begun
    OperationId m_newestBefore;  ///< of the operations that this process found
    std::set<std::pair<OperationId, DestinationId>> m_goneOn;  ///< of these, since it began
    bool m_stopping = false;
    bool m_writable = true;
    Micros m_frozen = 0;
    Micros m_frozenUntil = -kHour;
    std::uint64_t m_requests = 0;
    std::uint64_t m_logged = 0;
    std::uint64_t m_lostToCrashes = 0;
    std::uint64_t m_duplicates = 0;
};

}  // namespace lanes::sim
