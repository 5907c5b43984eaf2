// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/effects.h"
#include "engine/core/store.h"
#include "engine/core/transport.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lanes::sim {

/// A broken promise. `promise` is "P1" .. "P8", "hold" (what waits behind a dead letter was tried),
/// "limit" (too many requests in flight) or "window" (dead-lettered before its retry time was
/// over).
struct Violation {
    std::string promise;
    std::string what;
    Micros at = 0;  ///< world time
};

/// The oracle of the promises. It is told what happens outside of the kernel, on the wire and on
/// the disk, keeps books of its own, and never asks the kernel why.
///
/// It knows an event as waiting from the moment at which it is durable (or rewound durably) until
/// its end is durable: delivered, dead-lettered or discarded.
class Auditor {
public:
    /// Violations that are kept; the first ones tell the story.
    static constexpr std::size_t kViolations = 20;

    void setTime(Micros now) { m_now = now; }
    /// The settings that the engine works with from now on.
    void setDestination(const DestinationConfig& config);

    void accepted(Pointer pointer, UserId user);
    void durable(const JournalEntry& entry);
    void attemptStarted(const StartAttempt& start);
    /// The destination took the event, whatever we know of it.
    void received(const StartAttempt& start);
    void attemptEnded(const StartAttempt& start, const AttemptResult& result);
    void commandGiven(CommandId id, const Command& command);
    void commandDone(CommandId id, const CommandResult& result);
    /// The engine was told to stop: from now on no attempt starts.
    void stopping() { m_stopping = true; }
    /// The process died. Tell what the destinations still received before, and what was durable.
    void crashed();
    /// A new process has found what was durable.
    void restarted();

    // Comparison with the books of the kernel.
    void compareTotals(const DeliveryCounters& kernels);
    void compare(DestinationId destination, const DeliveryCounters& kernels);
    void compareLane(LaneKey key, std::vector<Sequence> kernels, const char* promise);
    /// After all is healed: nothing waits, nothing is dead, every request is in the log.
    void compareEnd();

    [[nodiscard]] const std::vector<Violation>& violations() const { return m_violations; }
    [[nodiscard]] bool clean() const { return m_violations.empty(); }
    [[nodiscard]] DeliveryCounters totals() const;
    [[nodiscard]] std::uint64_t requests() const { return m_requests; }
    [[nodiscard]] std::uint64_t duplicates() const { return m_duplicates; }
    [[nodiscard]] std::vector<LaneKey> lanes() const;

private:
    enum class State : std::uint8_t { waiting, delivered, dead, discarded };
    struct Event {
        State state = State::waiting;
        std::uint32_t life = 1;
        std::uint32_t attempts = 0;  ///< in the log, of this life
        Micros clock = 0;            ///< active time at the beginning of its window
        bool received = false;       ///< in this life
        bool answered = false;       ///< we saw the 2xx and no crash has made us forget it
        bool endNotDurable = false;  ///< an answer was seen and is not in the log yet
    };
    struct Lane {
        std::map<Sequence, Event> events;
        std::set<Sequence> waiting;
        std::set<Sequence> dead;
        Sequence inFlight;         ///< 0 = none
        Sequence highestReceived;  ///< by first deliveries in a first life
    };
    struct Destination {
        DeliveryCounters counters;
        DeliveryPolicy policy;
        std::uint32_t inFlight = 0;
        bool paused = false;     ///< a pause was acknowledged
        bool ramping = false;    ///< resumed or restarted, and nothing has come back yet
        Micros active = 0;       ///< time in which the retry clock ran, up to `activeSince`
        Micros activeSince = 0;  ///< kNever: it stands still
        Micros rampStart = 0;    ///< ramping: the last start; 0 = none yet
    };

    [[nodiscard]] Event* find(Pointer pointer, UserId user, const char* promise, const char* act);
    void end(Lane& lane, Destination& destination, Sequence sequence, Event& event, State state);
    /// Time in which retry clocks ran, as far as can be seen from outside: never less than true.
    [[nodiscard]] Micros activeTime(const Destination& destination) const;
    void setActive(Destination& destination, bool active);
    void checkWindow(const Destination& destination, const Event& event, const JournalEntry& entry);
    void violated(const char* promise, std::string what);

    static constexpr Micros kNever = INT64_MAX;

    Micros m_now = 0;
    std::map<DestinationId, Destination> m_destinations;
    std::map<LaneKey, Lane> m_lanes;
    std::map<CommandId, DestinationId> m_pauses;  ///< given, not acknowledged
    bool m_stopping = false;
    std::uint64_t m_requests = 0;
    std::uint64_t m_logged = 0;
    std::uint64_t m_lostToCrashes = 0;
    std::uint64_t m_duplicates = 0;
    std::vector<Violation> m_violations;
};

}  // namespace lanes::sim
