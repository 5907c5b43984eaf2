// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/engine_load.h"

#include "engine/store/sqlite_store.h"
#include "engine/user_id.h"
#include "engine/verify.h"
#include "tests/bench/bench_case.h"
#include "tests/bench/load.h"

#include <QCoreApplication>
#include <QDir>
#include <QTimer>

#include <condition_variable>
#include <mutex>
#include <variant>

namespace lanes::bench {

namespace {

constexpr int kBatch = 1000;         // events
constexpr double kPatience = 60;     // seconds, for what takes a moment and must happen

/// Lets the writer of a log wait until all of it is durable.
class Durable : public StoreListener {
public:
    void committed(CommitReport report) override {
        const std::lock_guard lock(m_mutex);
        for (const auto& intake : report.intakes) {
            if (!intake.stored) giveUp("the store gave events back");
            m_intake = intake.intake;
        }
        m_changed.notify_one();
    }
    void statusChanged(StoreStatus status) override {
        if (!status.writable) giveUp(status.fault);
    }
    void waitFor(std::uint64_t intake) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_intake >= intake; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_intake = 0;
};

NewEvent eventOf(int user, int number, const std::vector<Target>& targets) {
    NewEvent event;
    event.source = "bench";
    event.id = "event-" + std::to_string(user) + "-" + std::to_string(number);
    event.user = {UserKey::Kind::user, "user-" + std::to_string(user)};
    event.userId = fingerprint(event.user, event.id);
    event.type = "bench.event";
    event.contentType = "application/json";
    event.payload = "{\"note\":\"" + std::string(kBodyBytes - 11, 'x') + "\"}";
    event.targets = targets;
    return event;
}

void writeLog(const std::string& directory, std::vector<DestinationConfig> destinations, int users,
              int eventsEach) {
    Durable durable;
    StoreOptions options;
    options.directory = directory;
    SqliteStore store(options, durable);
    Recovery recovery;
    recovery.pending = [](const PendingPointer&) {};
    if (const auto opened = store.open(recovery); !opened) giveUp(opened.error().detail);
    WriteBatch batch;
    std::vector<Target> targets;
    for (auto& config : destinations) {
        config.id = DestinationId(static_cast<std::uint32_t>(targets.size() + 1));
        targets.push_back({config.id, 0});
        StateChange change;
        change.destination = config.id;
        change.state.paused = true;
        change.state.pausedAt = 1;
        change.state.knownGood = config.policy.maxInFlight;  // the window opens at once
        batch.states.push_back(change);
        batch.destinations.push_back(config);
    }
    std::uint64_t intake = 0;
    for (int number = 0; number < eventsEach; ++number) {
        for (int user = 0; user < users; ++user) {
            batch.events.push_back(eventOf(user, number, targets));
            if (batch.events.size() < kBatch && user + 1 < users) continue;
            batch.intake = ++intake;
            store.submit(std::exchange(batch, {}));
            if (intake > 8) durable.waitFor(intake - 8);
        }
    }
    durable.waitFor(intake);
    store.close();
}

}  // namespace

EngineLoad::EngineLoad(std::vector<DestinationConfig> destinations, int users, int eventsEach)
    : m_directory(QDir::current().filePath(QStringLiteral("bench-XXXXXX"))) {
    if (!m_directory.isValid()) giveUp("no directory can be made here");
    EngineOptions options;
    options.dataDirectory = m_directory.filePath(QStringLiteral("data")).toStdString();
    options.intakeEnabled = false;
    options.seed = 1;
    writeLog(options.dataDirectory, std::move(destinations), users, eventsEach);
    m_engine = makeEngine(options);
    m_engine->start();
    waitUntil([this] { return m_engine->snapshot()->lifecycle == Lifecycle::running; },
              "the engine to run");
}

EngineLoad::~EngineLoad() {
    if (m_engine) m_engine->stop();
}

void EngineLoad::obey(Command command) {
    bool done = false;
    std::string error;
    const auto id = m_engine->submit(std::move(command));
    const auto connection = QObject::connect(
        m_engine.get(), &Engine::commandFinished, m_engine.get(),
        [&](CommandId finished, const CommandResult& result) {
            if (finished != id) return;
            done = true;
            error = result.error;
        });
    waitUntil([&] { return done; }, "a command");
    QObject::disconnect(connection);
    if (!error.empty()) giveUp(error);
}

void EngineLoad::pause(DestinationId id) {
    obey(PauseDestination{id, "bench", "measured"});
    waitUntil(
        [&] {
            const auto snapshot = m_engine->snapshot();
            for (const auto& one : snapshot->destinations)
                if (one.id == id) return one.inFlight == 0;
            return false;
        },
        "what is in flight");
}

double EngineLoad::perSecond(const std::function<std::uint64_t()>& received, int warmUp,
                             int requests) {
    const auto first = received() + static_cast<std::uint64_t>(warmUp);
    waitUntil([&] { return received() >= first; }, "the window to open");
    const auto from = received();
    const auto before = wallSeconds();
    const auto last = from + static_cast<std::uint64_t>(requests);
    waitUntil([&] { return received() >= last; }, "deliveries");
    return static_cast<double>(received() - from) / (wallSeconds() - before);
}

void EngineLoad::prove(std::uint64_t requests) {
    m_engine->stop();
    m_engine.reset();
    const auto verdict = verifyDataDirectory(
        m_directory.filePath(QStringLiteral("data")).toStdString());
    const auto* report = std::get_if<VerifyReport>(&verdict);
    if (report == nullptr || !report->clean() || report->attempts != requests)
        giveUp("what the engine delivered is not what its log says");
}

void EngineLoad::waitUntil(const std::function<bool()>& condition, const char* what) {
    const auto end = wallSeconds() + kPatience;
    QTimer look;
    look.setTimerType(Qt::PreciseTimer);
    look.start(1);
    while (!condition()) {
        if (wallSeconds() > end) giveUp(std::string("waited in vain for ") + what);
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

}  // namespace lanes::bench
