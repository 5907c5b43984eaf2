// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/delivery_kernel.h"
#include "engine/sim/auditor.h"
#include "engine/sim/sim_clock.h"
#include "engine/sim/sim_store.h"
#include "engine/sim/sim_transport.h"
#include "engine/sim/workload.h"
#include "engine/simulation.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

namespace lanes::sim {

/// One run of the simulation: the loop that lets time pass, the world around the kernel, what
/// befalls them, and how all is healed in the end. Each of the four is a file of its own.
class Simulator : StoreListener, DurableListener {
public:
    explicit Simulator(const SimulationOptions& options);
    [[nodiscard]] SimulationReport run();

private:
    /// What has been planned, in order of time.
    enum class What : std::uint8_t { arrival, answer, fate, retire, wake, stopped, restart, heal };
    struct Planned {
        Micros at = 0;
        std::uint64_t order = 0;  ///< ties go by the order of planning
        What what = What::arrival;
        std::uint32_t flight = 0;  ///< of an answer
        std::uint64_t engine = 0;  ///< of an answer, a stop: the engine that waits for it

        bool operator>(const Planned& other) const {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    /// A request on the wire. Flights stay where they are and are used again.
    struct Flight {
        StartAttempt start;
        Verdict verdict;
        Micros endsAt = 0;
        bool open = false;
    };
    /// A destination as the operator and fate see it.
    struct Site {
        DestinationConfig config;
        DestinationModel model;
        Micros staysUntil = 0;  ///< fate leaves it alone before
        bool exists = false;
    };

    // simulator.cpp: the loop
    void plan(Micros at, What what, std::uint32_t flight = 0);
    void shiftPlans(Micros by);
    void happen(const Planned& planned);
    [[nodiscard]] Micros nextWakeup() const;
    [[nodiscard]] bool advance();
    void step(Input input);
    void obey();
    void compare();
    void compareDestinations();
    void sumUp();

    // simulator_world.cpp: the store, the traffic and the wire
    void committed(CommitReport report) override;
    void statusChanged(StoreStatus status) override;
    void eventDurable(const StoredEvent& event) override;
    void entryDurable(const JournalEntry& entry) override;
    void operationDurable(const OperationRecord& record) override;
    void skipDurable(const OperationSkip& skip) override;
    void holdDurable(const LaneHold&) override {}
    void commitDurable() override;
    void addDestination();
    void setModel(DestinationId destination, const DestinationModel& model);
    void planArrival();
    void arrive();
    void take(const StartAttempt& start);
    void answer(std::uint32_t flight);
    void give(Command command);
    void end();
    void restart();

    // simulator_fate.cpp: one act of fate or of the operator after the other
    void befall();
    void changeDestination(DestinationId destination);
    void pauseOrResume(DestinationId destination);
    void moveDeadLetters(bool rewind);
    void reconfigure(DestinationId destination);
    void retire();
    void failStore();
    void setWallClock();
    void sleep();
    void wake();
    void freeze();
    void stop();
    void crash();
    [[nodiscard]] DestinationId anyDestination();
    [[nodiscard]] Micros between(Micros low, Micros high);

    // simulator_operations.cpp: rewinds and holds
    [[nodiscard]] RewindPace anyPace();
    void rewindLanes();
    void givePlan();
    void stopOrUndo();
    void holdOrRelease();
    void endOperations();

    // simulator_heal.cpp: all is well again
    void healAll();
    void healStep();
    void setDrainLimit();
    [[nodiscard]] bool drained() const;
    [[nodiscard]] std::string drainText() const;

    SimulationReport m_report;
    Random m_random;
    SimClock m_clock;
    SimStore m_store;
    SimTransport m_transport;
    Workload m_workload;
    Auditor m_auditor;
    std::unique_ptr<DeliveryKernel> m_kernel;  ///< null between a crash and the restart
    std::uint64_t m_engine = 0;                ///< counts the engines
    Effects m_effects;                         ///< of the step that runs
    std::priority_queue<Planned, std::vector<Planned>, std::greater<>> m_plan;
    std::uint64_t m_order = 0;
    std::vector<Flight> m_flights;
    std::vector<std::uint32_t> m_freeFlights;
    std::vector<Site> m_sites;  ///< by destination
    std::vector<LaneKey> m_lanes;  ///< that have had an event, for samples
    std::vector<bool> m_seen;      ///< by destination and user: whether it is in `m_lanes`
    std::uint64_t m_nextLane = 0;
    DestinationId m_retiring;  ///< gets no more events and is removed when it has none left
    std::optional<RewindLanes> m_oldPlan;  ///< made a while ago, not given yet
    std::uint64_t m_command = 0;
    std::uint64_t m_intake = 0;
    std::uint64_t m_names = 0;
    std::uint64_t m_events = 0;  ///< accepted
    std::uint32_t m_spins = 0;
    Micros m_faultsEnd = 0;  ///< when all is healed
    bool m_healing = false;
    bool m_stopping = false;
    Micros m_drainLimit = 0;  ///< when all must be delivered
    Micros m_ideal = 0;
    Micros m_growing = 0;
};

}  // namespace lanes::sim
