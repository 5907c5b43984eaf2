// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

// An engine that only does what a test tells it, for models and widgets; and a plausible picture
// of a busy afternoon for looking at the window.
namespace lanes::test {

/// What the fake store holds; shared with readers on other threads.
struct FakeStore {
    std::mutex mutex;
    std::vector<DeadLetterRow> deadLetters;               ///< newest death first
    std::map<Pointer, std::vector<AttemptRow>> attempts;  ///< of one event, newest first
    std::vector<AttemptRow> log;                          ///< of all events, newest first
    std::map<Sequence, EventRow> events;
    std::map<Pointer, std::string> edited;  ///< payloads in place of those of the events
    std::vector<OperationRow> operations;  ///< newest first
    std::vector<QuarantineRow> quarantine;  ///< newest first
    std::map<OperationId, std::vector<OperationEventRow>> operationEvents;
    std::string fault;   ///< not empty: pages of attempts and operations fail with it
    WallMicros now = 0;  ///< ages are told from here; the engine sets it when it publishes
    /// Rows that one question looks at for a filter; 0 = all.
    std::size_t lookedAtOnce = 0;
    /// Called on the reader's thread before a page of dead letters is read.
    std::function<void()> beforePage;
    std::map<LaneKey, std::uint64_t> later;  ///< events that lanes delivered after a dead letter
};

class FakeEngine : public Engine {
    Q_OBJECT

public:
    explicit FakeEngine(QObject* parent = nullptr);

    // What a test sets and reads.
    EngineSnapshot state;        ///< published as it is by `publish`
    std::vector<LaneRow> lanes;  ///< all lanes, in the order that pages show
    std::vector<DestinationConfig> configs;
    std::vector<Command> submitted;
    std::vector<LanePageRequest> pageRequests;
    std::vector<LaneKey> watchedKeys;
    std::shared_ptr<FakeStore> store;
    /// True: pages wait until `answerPages`.
    bool holdPages = false;
    /// How far looks for a filter come; nothing: to the end.
    std::optional<std::size_t> lanesLookedAt;
    /// How a command is answered; by default it is done and changes the state.
    std::function<CommandResult(const Command&)> answer;

    std::vector<DestinationConfig> tests;  ///< that were asked for; answered by the test itself
    std::vector<CommandId> cancelledTests;

    /// Publishes `state` with the next number and the watched lanes.
    void publish();
    void setLifecycle(Lifecycle lifecycle);
    /// Answers all page requests that wait.
    void answerPages();
    DestinationSnapshot& addDestination(const std::string& name,
                                        HealthState health = HealthState::healthy);
    LaneRow& addLane(DestinationId destination, std::uint64_t user);
    DeadLetterRow& addDeadLetter(DestinationId destination, std::uint64_t user);
    /// An attempt that has just ended: the newest of the log, and counted.
    AttemptRow& addAttempt(DestinationId destination, std::uint64_t user,
                           Outcome outcome = Outcome::delivered);
    /// An operation that was asked for just now; the newest one.
    OperationRow& addOperation(OperationKind kind, const std::string& action);
    /// Sums up the destinations.
    void updateTotals();

    void start() override;
    void stop() override;
    std::shared_ptr<const EngineSnapshot> snapshot() const override;
    CommandId submit(Command command) override;
    void readLanes(LanePageRequest request) override;
    void watchLanes(std::vector<LaneKey> keys) override;
    std::unique_ptr<PageReader> openPageReader() const override;
    CommandId sendTest(DestinationConfig config) override;
    void cancelTest(CommandId test) override;
    std::vector<DestinationConfig> destinations() const override;
    std::string writeKey() const override;

private:
    CommandResult perform(const Command& command);
    CommandResult note(const NoteDeadLetters& command);
    CommandResult takeOut(const std::vector<Pointer>& pointers, bool discard);
    LanePage pageFor(const LanePageRequest& request) const;
    LaneLook lookAt(std::vector<LaneRow>& rows, const Filter& filter) const;

    std::shared_ptr<const EngineSnapshot> m_published;
    std::vector<LanePageRequest> m_heldPages;
    std::uint64_t m_commands = 0;
    std::uint64_t m_sequence = 1000;
};

/// Remembers what it was told and reports it back.
class FakeMockControl : public MockControl {
    Q_OBJECT

public:
    using MockControl::MockControl;

    std::vector<MockReport> reports;
    TrafficReport trafficReport;
    std::vector<MockLogLine> lines;

    std::string addMock(const std::string& name, const MockBehaviour& behaviour,
                        const std::string& secret, std::uint64_t seed, std::uint16_t port) override;
    void setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) override;
    void setTraffic(const TrafficShape& shape, std::uint16_t intakePort,
                    const std::string& writeKey) override;
    std::vector<MockReport> mocks() const override;
    TrafficReport traffic() const override;
    std::vector<MockLogLine> log(std::uint32_t mock) const override;
};

/// Some 900 attempts and two dozen operations, one of them under way, for the destinations and dead
/// letters that are there.
void fillRecordsPlausibly(FakeEngine& engine, WallMicros now);
/// Five destinations in five states, some 1 300 lanes and 60 dead letters, from one seed.
void fillPlausibly(FakeEngine& engine, FakeMockControl* mocks, WallMicros now);
/// One second of that afternoon more.
void advancePlausibly(FakeEngine& engine, WallMicros now);

}  // namespace lanes::test
