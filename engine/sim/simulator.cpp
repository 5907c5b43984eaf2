// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/simulator.h"

#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"
#include "engine/sim/sim_clock.h"
#include "engine/sim/sim_store.h"
#include "engine/sim/sim_transport.h"
#include "engine/sim/workload.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <utility>

namespace lanes::sim {

namespace {

/// A kernel that asks to be woken at the same instant this often does nothing but that.
constexpr std::uint32_t kSpins = 1'000;
/// Totals are compared after every step, single destinations and one lane after every n-th.
constexpr std::uint64_t kCompareEvery = 16;
/// While everything heals the operator looks for dead letters this often.
constexpr Micros kHealEvery = 5 * kSecond;
/// An orderly stop waits this long for what is in flight.
constexpr Micros kStopTime = 2 * kSecond;
constexpr std::uint64_t kBogusSequence = 1u << 30;

enum class What : std::uint8_t { arrival, answer, fate, stopped, restart, heal };

/// How to see it again.
std::string again(std::uint64_t seed) {
    const std::string number = std::to_string(seed);
    return "seed " + number + "; again with: rivora-lanes simulate --seeds " + number + ".." +
           number + "\n";
}

struct Planned {
    Micros at = 0;
    std::uint64_t order = 0;  ///< ties go by the order of planning
    What what = What::arrival;
    AttemptId attempt;
    std::uint64_t engine = 0;  ///< of an answer: the engine that asked

    bool operator>(const Planned& other) const {
        return std::pair(at, order) > std::pair(other.at, other.order);
    }
};

struct Flight {
    StartAttempt start;
    Verdict verdict;
};

/// A broken invariant inside the kernel ends the process; the seed must be known then too.
class SeedNote {
public:
    explicit SeedNote(std::uint64_t seed) {
        std::snprintf(s_text, sizeof s_text, "%s", again(seed).c_str());
        m_before = std::signal(SIGABRT, say);
    }
    ~SeedNote() { std::signal(SIGABRT, m_before); }
    SeedNote(const SeedNote&) = delete;
    SeedNote& operator=(const SeedNote&) = delete;

private:
    static void say(int) { std::fputs(s_text, stderr); }

    using Handler = void (*)(int);
    inline static char s_text[128] = {};
    Handler m_before = SIG_DFL;
};

class Simulator : StoreListener, DurableListener {
public:
    explicit Simulator(const SimulationOptions& options)
        : m_random(options.seed),
          m_store(m_random.next(), *this, *this),
          m_transport(m_random.next()),
          m_workload(m_random.next(), options.users, options.zipf, options.eventsPerSecond) {
        m_report.options = options;
    }

    SimulationReport run();

private:
    // StoreListener, DurableListener
    void committed(CommitReport report) override;
    void statusChanged(StoreStatus status) override;
    void eventDurable(const StoredEvent& event) override;
    void entryDurable(const JournalEntry& entry) override;

    void plan(Micros at, What what, AttemptId attempt = {});
    void happen(const Planned& planned);
    void step(Input input);
    void obey(const Effects& effects);
    void compare();

    void addDestinations();
    void arrive();
    void answer(AttemptId attempt);
    void give(Command command);

    // What befalls: one act of fate or of the operator.
    void befall();
    void changeDestination(DestinationId destination);
    void pauseOrResume(DestinationId destination);
    void moveDeadLetters(bool rewind);
    void reconfigure(DestinationId destination);
    void failStore();
    void stop();
    void crash();
    void end();
    void restart();
    void healAll();
    void healStep();
    [[nodiscard]] bool drained() const;
    [[nodiscard]] DestinationId anyDestination();
    [[nodiscard]] Micros between(Micros low, Micros high);

    Random m_random;
    SimClock m_clock;
    SimStore m_store;
    SimTransport m_transport;
    Workload m_workload;
    Auditor m_auditor;
    std::unique_ptr<DeliveryKernel> m_kernel;  ///< null between a crash and the restart
    std::uint64_t m_engine = 0;                ///< counts the engines
    std::priority_queue<Planned, std::vector<Planned>, std::greater<>> m_plan;
    std::uint64_t m_order = 0;
    std::map<AttemptId, Flight> m_flights;
    std::map<DestinationId, DestinationConfig> m_configs;
    std::map<DestinationId, Micros> m_staysUntil;  ///< nothing changes the destination before
    std::uint64_t m_command = 0;
    std::uint64_t m_intake = 0;
    std::vector<LaneKey> m_lanes;  ///< that have had an event, for samples
    std::uint32_t m_spins = 0;
    bool m_healing = false;
    bool m_stopping = false;
    SimulationReport m_report;
};

// --- The loop

SimulationReport Simulator::run() {
    m_kernel = std::make_unique<DeliveryKernel>(m_random.next());
    m_engine = 1;
    addDestinations();
    plan(m_workload.nextGap(), What::arrival);
    plan(m_report.options.faultEvery, What::fate);
    plan(m_report.options.length, What::heal);
    const Micros end = m_report.options.length + m_report.options.drainLimit;
    while (m_auditor.clean()) {
        Micros wake = SimStore::kNever;
        if (m_kernel) {
            const Micros asked = m_kernel->nextWakeup(m_clock.moment().now);
            if (asked != DestinationHealth::kNever) wake = m_clock.toWorld(asked);
        }
        const Micros planned = m_plan.empty() ? SimStore::kNever : m_plan.top().at;
        const Micros next = std::min({m_store.nextChange(), planned, wake});
        if (next > end || (m_healing && drained())) break;
        m_spins = next > m_clock.world() ? 0 : m_spins + 1;
        m_clock.advanceTo(std::max(next, m_clock.world()));
        m_auditor.setTime(m_clock.world());
        if (m_store.nextChange() <= m_clock.world()) {
            m_store.advance(m_clock.world());
        } else if (planned <= m_clock.world()) {
            const Planned now = m_plan.top();
            m_plan.pop();
            happen(now);
        } else {
            step(input::TimePassed{});
        }
        if (m_spins > kSpins) {
            m_report.violations.push_back(
                {"time", "the kernel asks for no time to pass", m_clock.world()});
            break;
        }
    }
    if (m_auditor.clean() && m_report.violations.empty()) m_auditor.compareEnd();
    m_report.virtualTime = m_clock.world();
    m_report.counters = m_auditor.totals();
    m_report.requests = m_auditor.requests();
    m_report.duplicates = m_auditor.duplicates();
    const auto& violations = m_auditor.violations();
    m_report.violations.insert(m_report.violations.end(), violations.begin(), violations.end());
    return m_report;
}

void Simulator::plan(Micros at, What what, AttemptId attempt) {
    m_plan.push({at, ++m_order, what, attempt, m_engine});
}

void Simulator::happen(const Planned& planned) {
    switch (planned.what) {
        case What::arrival: arrive(); return;
        case What::answer:
            if (planned.engine == m_engine && m_kernel) answer(planned.attempt);
            return;
        case What::fate:
            if (m_healing) return;
            befall();
            plan(m_clock.world() + 1 +
                     static_cast<Micros>(
                         m_random.exponential(static_cast<double>(m_report.options.faultEvery))),
                 What::fate);
            return;
        case What::stopped:
            if (planned.engine == m_engine && m_kernel) end();
            return;
        case What::restart: restart(); return;
        case What::heal:
            if (!m_healing)
                healAll();
            else
                healStep();
            return;
    }
}

void Simulator::step(Input input) {
    ++m_report.steps;
    Effects effects;
    m_kernel->step(std::move(input), m_clock.moment(), effects);
    obey(effects);
    compare();
}

void Simulator::obey(const Effects& effects) {
    for (const CommandDone& done : effects.done) m_auditor.commandDone(done.id, done.result);
    for (const DestinationConfig& config : effects.destinations) {
        m_configs[config.id] = config;
        m_auditor.setDestination(config);
    }
    for (const StartAttempt& start : effects.starts) {
        m_auditor.attemptStarted(start);
        Flight flight{start, m_transport.begin(start, m_clock.world())};
        plan(m_clock.world() + std::max<Micros>(1, flight.verdict.takes), What::answer,
             start.attempt);
        m_flights.emplace(start.attempt, std::move(flight));
    }
    if (!effects.writes.empty() || effects.writes.ticket != 0) m_store.submit(effects.writes);
}

void Simulator::compare() {
    m_auditor.compareTotals(m_kernel->counters());
    if (m_report.steps % kCompareEvery != 0) return;
    EngineSnapshot snapshot;
    m_kernel->describe(m_clock.moment().now, snapshot);
    for (const DestinationSnapshot& destination : snapshot.destinations)
        m_auditor.compare(destination.id, destination.counters);
    if (m_lanes.empty()) return;
    const LaneKey lane = m_lanes[m_report.steps / kCompareEvery % m_lanes.size()];
    m_auditor.compareLane(lane, m_kernel->pending(lane), "P7");
}

// --- Store

void Simulator::committed(CommitReport report) {
    if (!m_kernel) return;
    std::vector<AcceptedEvent> events;
    for (const IntakeCommit& intake : report.intakes)
        for (const StoredEvent& event : intake.events)
            if (!event.duplicate) events.push_back({event.sequence, event.user, event.targets});
    ++m_report.steps;
    // Both halves of the report are one instant; the books are compared after the second.
    Effects effects;
    m_kernel->step(input::StoreCommitted{report.ticket}, m_clock.moment(), effects);
    obey(effects);
    if (events.empty())
        compare();
    else
        step(input::EventsAccepted{std::move(events)});
}

void Simulator::statusChanged(StoreStatus status) {
    if (m_kernel) step(input::StoreWritable{status.writable});
}

void Simulator::eventDurable(const StoredEvent& event) {
    for (const Target& target : event.targets) {
        m_auditor.accepted({target.destination, event.sequence}, event.user);
        m_lanes.push_back({target.destination, event.user});
    }
}

void Simulator::entryDurable(const JournalEntry& entry) {
    m_auditor.durable(entry);
    if (entry.kind == JournalKind::rewound) ++m_report.rewound;
    if (entry.kind == JournalKind::discarded) ++m_report.discarded;
}

// --- Traffic

void Simulator::addDestinations() {
    for (std::uint32_t i = 0; i < m_report.options.destinations; ++i) {
        SetDestination add;
        add.config.name = "destination-" + std::to_string(i + 1);
        add.config.url = "http://127.0.0.1:9/";
        add.config.policy.window = between(kMinute, 2 * kMinute);
        add.config.policy.maxInFlight = static_cast<std::uint32_t>(1 + m_random.below(16));
        if (i + 1 == m_report.options.destinations && i > 0)
            add.config.policy.afterDeadLetter = AfterDeadLetter::hold;
        if (i == 1) add.config.policy.deadLetterStatuses = {500};
        if (i == 1) add.config.eventTypes = {"some.type"};
        give(add);
    }
    for (const auto& [id, config] : m_configs) m_transport.setModel(id, {}, m_clock.world());
}

void Simulator::arrive() {
    if (m_healing) return;
    plan(m_clock.world() + m_workload.nextGap(), What::arrival);
    std::vector<NewEvent> events = m_workload.nextBatch(m_clock.moment().wall);
    if (!m_kernel || m_stopping) return;  // refused; the client is none of our business
    WriteBatch batch;
    batch.intake = ++m_intake;
    for (NewEvent& event : events)
        event.targets = m_kernel->route(event.type, {}, m_clock.moment().now);
    batch.events = std::move(events);
    m_store.submit(std::move(batch));
}

void Simulator::answer(AttemptId attempt) {
    const auto found = m_flights.find(attempt);
    CHECK(found != m_flights.end());
    Flight flight = std::move(found->second);
    m_flights.erase(found);
    if (flight.verdict.received) m_auditor.received(flight.start);
    m_auditor.attemptEnded(flight.start, flight.verdict.result);
    step(input::AttemptFinished{std::move(flight.verdict.result)});
}

void Simulator::give(Command command) {
    if (!m_kernel || m_stopping) return;
    const CommandId id(++m_command);
    m_auditor.commandGiven(id, command);
    step(input::CommandGiven{id, std::move(command)});
}

// --- Fate and the operator

Micros Simulator::between(Micros low, Micros high) {
    return low + static_cast<Micros>(m_random.below(static_cast<std::uint64_t>(high - low)));
}

DestinationId Simulator::anyDestination() {
    auto destination = m_configs.begin();
    std::advance(destination, static_cast<std::ptrdiff_t>(m_random.below(m_configs.size())));
    return destination->first;
}

void Simulator::befall() {
    const DestinationId destination = anyDestination();
    switch (m_random.below(17)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
        case 5: changeDestination(destination); return;
        case 6:
        case 7: pauseOrResume(destination); return;
        case 8:
        case 9: moveDeadLetters(true); return;
        case 10: moveDeadLetters(false); return;
        case 11: reconfigure(destination); return;
        case 12: failStore(); return;
        case 13: m_clock.setWallBy(m_random.chance(0.5) ? kHour : -kHour); return;
        case 14:
            if (m_kernel) step(input::Woke{});
            return;
        case 15: stop(); return;
        default: crash(); return;
    }
}

void Simulator::changeDestination(DestinationId destination) {
    if (m_clock.world() < m_staysUntil[destination]) return;
    // Some states last for longer than a retry window.
    if (m_random.chance(0.25))
        m_staysUntil[destination] = m_clock.world() + between(kMinute, 2 * kMinute);
    DestinationModel model;
    switch (m_random.below(10)) {
        case 0: model.mode = DestinationModel::Mode::refuse; break;
        case 1: model.mode = DestinationModel::Mode::hang; break;
        case 2: model.mode = DestinationModel::Mode::reset; break;
        case 3: model.status = 500; break;
        case 4: model.errorShare = 0.3; break;
        case 5:
            model.capacityPerSecond = 5;
            model.retryAfterSeconds = static_cast<int>(m_random.below(4)) - 1;
            break;
        case 6: model.poisonEvery = 7; break;
        case 7:
            model.workers = 2;
            model.queue = 2;
            model.serviceMs = 300;
            break;
        case 8:
            if (m_random.chance(0.3)) model.mode = DestinationModel::Mode::gone;
            break;
        default: break;
    }
    if (model.mode != DestinationModel::Mode::answer) ++m_report.outages;
    m_transport.setModel(destination, model, m_clock.world());
}

void Simulator::pauseOrResume(DestinationId destination) {
    if (m_random.chance(0.5)) {
        ++m_report.pauses;
        give(PauseDestination{destination, "simulation", "because"});
    }
    // A resume that follows at once, or one of a destination that is not paused, is fate too.
    if (m_random.chance(0.6)) give(ResumeDestination{destination, "simulation"});
}

void Simulator::moveDeadLetters(bool rewind) {
    std::vector<Pointer> pointers;
    const double share = m_random.chance(0.3) ? 1.0 : m_random.unit();
    for (const Pointer pointer : m_store.deadLetters())
        if (m_random.chance(share)) pointers.push_back(pointer);
    // What an operator's list may hold as well: twice the same, delivered ones, nonsense.
    if (!pointers.empty() && m_random.chance(0.3)) pointers.push_back(pointers.front());
    if (m_store.lastSequence() && m_random.chance(0.3))
        pointers.push_back(
            {anyDestination(), Sequence(1 + m_random.below(m_store.lastSequence().value))});
    if (m_random.chance(0.1)) pointers.push_back({anyDestination(), Sequence(kBogusSequence)});
    const bool twice = m_random.chance(0.1);
    for (int i = 0; i < (twice ? 2 : 1); ++i) {
        if (rewind)
            give(RewindDeadLetters{pointers, "simulation", "because"});
        else
            give(DiscardDeadLetters{pointers, "simulation", "because"});
    }
}

void Simulator::reconfigure(DestinationId destination) {
    SetDestination change{m_configs[destination]};
    change.config.policy.window = between(kMinute, 3 * kMinute);
    // Never fewer than may be in flight already: those are not called back.
    const std::uint32_t more = static_cast<std::uint32_t>(m_random.below(8));
    change.config.policy.maxInFlight = std::min(64u, change.config.policy.maxInFlight + more);
    give(change);
}

void Simulator::failStore() {
    ++m_report.storeFaults;
    m_store.failUntil(m_clock.world() + between(0, 5 * kSecond));
}

/// The engine stops in good order: what is in flight gets some time, and nothing else starts.
void Simulator::stop() {
    if (!m_kernel) return;
    ++m_report.stops;
    m_auditor.stopping();
    m_stopping = true;
    step(input::Draining{});
    plan(m_clock.world() + kStopTime, What::stopped);
}

void Simulator::crash() {
    if (!m_kernel) return;
    ++m_report.crashes;
    end();
}

/// The process is gone.
void Simulator::end() {
    m_stopping = false;
    // What is on the wire arrives or not; nobody will hear of it.
    for (const auto& [attempt, flight] : m_flights)
        if (flight.verdict.received && m_random.chance(0.5)) m_auditor.received(flight.start);
    m_flights.clear();
    m_kernel.reset();
    m_store.crash();
    m_auditor.crashed();
    plan(m_clock.world() + between(0, 10 * kSecond), What::restart);
}

void Simulator::restart() {
    if (m_kernel) return;
    ++m_engine;
    m_clock.restartEngine();
    m_kernel = std::make_unique<DeliveryKernel>(m_random.next());
    std::vector<RecoveredDestination> destinations;
    std::vector<PendingPointer> pending;
    Recovery recovery;
    recovery.pending = [&pending](const PendingPointer& pointer) { pending.push_back(pointer); };
    m_store.reopen(recovery, destinations);
    for (const RecoveredDestination& destination : destinations) {
        m_kernel->recoverDestination(destination, m_clock.moment().now);
        m_configs[destination.config.id] = destination.config;
        m_auditor.setDestination(destination.config);
    }
    m_auditor.restarted();
    for (const PendingPointer& pointer : pending) m_kernel->recoverPointer(pointer);
    m_kernel->recoverIds(m_store.lastOperation(), m_store.lastDestination());
    m_auditor.compareTotals(m_kernel->counters());
    for (const LaneKey lane : m_auditor.lanes())
        m_auditor.compareLane(lane, m_kernel->pending(lane), "P1");
    step(input::TimePassed{});
}

// --- The end: all is healed

void Simulator::healAll() {
    m_healing = true;
    m_store.failUntil(0);
    for (const auto& [id, config] : m_configs) m_transport.setModel(id, {}, m_clock.world());
    healStep();
}

void Simulator::healStep() {
    for (const auto& [id, config] : m_configs) give(ResumeDestination{id, "simulation"});
    const std::vector<Pointer> dead = m_store.deadLetters();
    if (!dead.empty()) give(RewindDeadLetters{dead, "simulation", "all is well again"});
    plan(m_clock.world() + kHealEvery, What::heal);
}

bool Simulator::drained() const {
    const DeliveryCounters totals = m_auditor.totals();
    return m_kernel && totals.waiting == 0 && totals.dead == 0 && m_flights.empty();
}

}  // namespace

std::string SimulationReport::failure() const {
    std::string text;
    for (const Violation& violation : violations) {
        text += violation.promise + " at " +
                std::to_string(static_cast<double>(violation.at) / static_cast<double>(kSecond)) +
                " s: " + violation.what + "\n";
    }
    if (text.empty()) return text;
    return text + "step " + std::to_string(steps) + ", " + again(options.seed);
}

SimulationReport runSimulation(const SimulationOptions& options) {
    const SeedNote note(options.seed);
    return Simulator(options).run();
}

}  // namespace lanes::sim
