// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/engine.h"
#include "tests/support/plan_of_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace lanes::test {

/// What the store of a test holds.
struct ScriptedStore {
    std::vector<DeadLetterRow> dead;
    std::vector<EventRow> events;
    std::vector<OperationRow> operations;  ///< newest first
    std::vector<QuarantineRow> quarantine;
    std::vector<OperationEventRow> operationEvents;
    std::map<LaneKey, std::uint64_t> later;  ///< events that lanes delivered after a dead letter
    std::uint64_t newcomers = 0;
};

/// Reads it as the store's reader would.
class ScriptedReader : public PageReader {
public:
    explicit ScriptedReader(ScriptedStore store) : m_store(std::move(store)) {}

    DeadLetterPage deadLetters(const DeadLetterQuery& query) override {
        DeadLetterPage page;
        page.complete = true;
        bool behind = !query.after.has_value();
        for (const auto& row : m_store.dead) {
            if (!matches(query.filter, row)) continue;
            if (behind && page.rows.size() == query.limit) {
                page.complete = false;
                break;
            }
            if (behind) page.rows.push_back(row);
            if (!behind && row.key() == *query.after) behind = true;
        }
        if (!page.complete && !page.rows.empty()) page.resume = page.rows.back().key();
        return page;
    }
    AttemptPage attempts(const AttemptQuery&) override { return {{}, true, 0, {}, false}; }
    LaneEventPage laneEvents(const LaneEventQuery&) override { return {{}, true, {}, {}, false}; }
    FoundEvents findEvents(const std::string&, const std::string&) override { return {}; }
    std::optional<EventRow> event(Sequence sequence) override {
        for (const auto& event : m_store.events)
            if (event.sequence == sequence) return event;
        return {};
    }
    std::optional<std::string> editedPayload(Pointer) override { return std::nullopt; }
    QuarantinePage quarantine(const QuarantineQuery& query) override {
        QuarantinePage page;
        for (const auto& row : m_store.quarantine)
            if (!query.before || row.id < query.before) page.rows.push_back(row);
        page.complete = true;
        return page;
    }
    std::optional<QuarantineRow> quarantined(QuarantineId id) override {
        for (const auto& row : m_store.quarantine)
            if (row.id == id) return row;
        return std::nullopt;
    }
    OperationPage operations(const OperationQuery& query) override {
        OperationPage page;
        for (const auto& row : m_store.operations)
            if ((!query.before || row.id < query.before) && page.rows.size() < query.limit)
                page.rows.push_back(row);
        page.complete = page.rows.size() < query.limit;
        return page;
    }
    OperationEventPage operationEvents(const OperationEventQuery& query) override {
        OperationEventPage page;
        for (const auto& row : m_store.operationEvents)
            if (row.position >= query.from && page.rows.size() < query.limit)
                page.rows.push_back(row);
        page.complete = page.rows.size() < query.limit;
        return page;
    }
    RewindPlan planRewind(const RewindScope& scope) override {
        return planOfRows(m_store.dead, scope, m_store.later);
    }
    LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>& from) override {
        LanePlan plan;
        plan.plannedAt = 1;
        plan.lastOperation = OperationId(7);
        for (const auto& [lane, sequence] : from) {
            plan.lanes.push_back({lane, {{sequence, 1}}});
            ++plan.dead;
            if (const auto found = m_store.later.find(lane); found != m_store.later.end())
                plan.delivered += found->second;
        }
        return plan;
    }
    std::uint64_t countDeadSince(const DeadLetterFilter&, WallMicros) override {
        return m_store.newcomers;
    }
    void interrupt() override {}

private:
    ScriptedStore m_store;
};

/// An engine that answers what the test says and remembers what it was told. Answers come through
/// the event loop, as the real one's do.
class ScriptedEngine : public Engine {
public:
    ScriptedEngine() {
        state.lifecycle = Lifecycle::running;
        state.intake.listening = true;
        state.intake.port = 7420;
    }

    void start() override {
        started = true;
        QMetaObject::invokeMethod(
            this, [this] { emit lifecycleChanged(state.lifecycle); }, Qt::QueuedConnection);
    }
    void stop() override { stopped = true; }
    [[nodiscard]] std::shared_ptr<const EngineSnapshot> snapshot() const override {
        return std::make_shared<EngineSnapshot>(state);
    }
    CommandId submit(Command command) override {
        const CommandId id(++m_lastCommand);
        commands.push_back(command);
        QMetaObject::invokeMethod(
            this, [this, id, command] { emit commandFinished(id, answer(command)); },
            Qt::QueuedConnection);
        return id;
    }
    void readLanes(LanePageRequest request) override {
        QMetaObject::invokeMethod(
            this,
            [this, request] {
                LanePage page;
                page.request = request;
                page.total = lanes.size();
                for (const auto& lane : lanes)
                    if (page.rows.size() < request.limit) page.rows.push_back(lane);
                emit lanesRead(page);
            },
            Qt::QueuedConnection);
    }
    void watchLanes(std::vector<LaneKey>) override {}
    CommandId sendTest(DestinationConfig) override { return CommandId(++m_lastCommand); }
    void cancelTest(CommandId) override {}
    [[nodiscard]] std::unique_ptr<PageReader> openPageReader() const override {
        return std::make_unique<ScriptedReader>(store);
    }
    [[nodiscard]] std::vector<DestinationConfig> destinations() const override { return configs; }
    [[nodiscard]] std::string writeKey() const override { return "key-for-tests"; }

    /// Adds a destination that is known and healthy.
    void addDestination(std::uint32_t id, const std::string& name) {
        DestinationConfig config;
        config.id = DestinationId(id);
        config.name = name;
        config.url = "http://127.0.0.1:9/" + name;
        configs.push_back(config);
        DestinationSnapshot shown;
        shown.id = config.id;
        shown.name = name;
        shown.url = config.url;
        state.destinations.push_back(shown);
    }
    void addDeadLetters(std::uint32_t destination, std::uint64_t first, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at) {
            DeadLetterRow row;
            row.pointer = {DestinationId(destination), Sequence(first + at)};
            row.userId = UserId(first + at);
            row.user = {UserKey::Kind::user, "user-" + std::to_string(first + at)};
            row.diedAt = static_cast<WallMicros>(1'000'000 - first - at);
            row.reason = "the window is over";
            store.dead.push_back(row);
        }
    }

    EngineSnapshot state;
    std::vector<DestinationConfig> configs;
    std::vector<LaneRow> lanes;
    ScriptedStore store;
    std::vector<Command> commands;
    std::function<CommandResult(const Command&)> answer = [](const Command& command) {
        CommandResult result;
        if (const auto* rewind = std::get_if<RewindDeadLetters>(&command))
            result.asked = result.done = rewind->pointers.size();
        if (const auto* whole = std::get_if<RewindLanes>(&command))
            result.asked = result.done = whole->lanes.size();
        if (const auto* discard = std::get_if<DiscardDeadLetters>(&command))
            result.asked = result.done = discard->pointers.size();
        return result;
    };
    bool started = false;
    bool stopped = false;

private:
    std::uint64_t m_lastCommand = 0;
};

}  // namespace lanes::test
