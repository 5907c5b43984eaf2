// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"

#include "tests/support/plan_of_rows.h"

#include <QMetaObject>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace lanes::test {

namespace {

class FakeReader : public PageReader {
public:
    explicit FakeReader(std::shared_ptr<FakeStore> store) : m_store(std::move(store)) {}

    DeadLetterPage deadLetters(const DeadLetterQuery& query) override {
        std::unique_lock lock(m_store->mutex);
        if (const auto wait = m_store->beforePage) {
            lock.unlock();
            wait();
            lock.lock();
        }
        DeadLetterPage page;
        bool started = !query.after;
        std::size_t looked = 0;
        page.complete = true;
        for (const auto& row : m_store->deadLetters) {
            if (!started) {
                started = row.key() == *query.after;
                continue;
            }
            const bool enough = m_store->lookedAtOnce != 0 && looked >= m_store->lookedAtOnce;
            if (page.rows.size() == query.limit || enough) {
                page.complete = false;
                break;
            }
            ++looked;
            page.resume = row.key();
            if (fits(query.filter, row)) page.rows.push_back(row);
        }
        if (page.complete) page.resume.reset();
        return page;
    }

    LaneEventPage laneEvents(const LaneEventQuery&) override { return {{}, true, {}, {}, false}; }

    FoundEvents findEvents(const std::string&, const std::string&) override { return {}; }

    AttemptPage attempts(const AttemptQuery& query) override {
        const std::scoped_lock lock(m_store->mutex);
        AttemptPage page;
        if (!m_store->fault.empty()) {
            page.error = m_store->fault;
            return page;
        }
        page.complete = true;
        if (!query.sequence) return logPage(query);
        const auto it = m_store->attempts.find({query.destination, query.sequence});
        if (it != m_store->attempts.end()) page.rows = it->second;
        return page;
    }

    std::optional<EventRow> event(Sequence sequence) override {
        const std::scoped_lock lock(m_store->mutex);
        const auto it = m_store->events.find(sequence);
        if (it == m_store->events.end()) return std::nullopt;
        return it->second;
    }

    std::optional<std::string> editedPayload(Pointer pointer) override {
        const std::scoped_lock lock(m_store->mutex);
        const auto it = m_store->edited.find(pointer);
        if (it == m_store->edited.end()) return std::nullopt;
        return it->second;
    }

    QuarantinePage quarantine(const QuarantineQuery& query) override {
        const std::scoped_lock lock(m_store->mutex);
        QuarantinePage page;
        for (const auto& row : m_store->quarantine)
            if ((!query.before || row.id < query.before) && page.rows.size() < query.limit)
                page.rows.push_back(row);
        page.complete = page.rows.size() < query.limit;
        for (auto& row : page.rows) row.body.clear();
        return page;
    }
    std::optional<QuarantineRow> quarantined(QuarantineId id) override {
        const std::scoped_lock lock(m_store->mutex);
        for (const auto& row : m_store->quarantine)
            if (row.id == id) return row;
        return std::nullopt;
    }
    OperationPage operations(const OperationQuery& query) override {
        const std::scoped_lock lock(m_store->mutex);
        if (!m_store->fault.empty()) return {{}, false, m_store->fault, false};
        const auto wanted = [&query](const OperationRow& row) {
            return row.id > query.after && (!query.before || row.id < query.before);
        };
        const bool up = query.after && !query.before;
        return pageOf<OperationPage>(m_store->operations, wanted, query.limit, up);
    }

    OperationEventPage operationEvents(const OperationEventQuery& query) override {
        const std::scoped_lock lock(m_store->mutex);
        if (!m_store->fault.empty()) return {{}, false, m_store->fault, false};
        const auto wanted = [&query](const OperationEventRow& row) {
            return row.position >= query.from;
        };
        return pageOf<OperationEventPage>(m_store->operationEvents[query.operation], wanted,
                                          query.limit, false);
    }

    RewindPlan planRewind(const RewindScope& scope) override {
        const std::scoped_lock lock(m_store->mutex);
        std::vector<DeadLetterRow> dead = m_store->deadLetters;
        if (const auto* filter = std::get_if<DeadLetterFilter>(&scope)) {
            std::erase_if(dead, [&](const DeadLetterRow& row) { return !fits(*filter, row); });
            auto plan = planOfRows(dead, DeadLetterFilter{}, m_store->later);
            plan.plannedAt = m_store->now;
            return plan;
        }
        return planOfRows(dead, scope, m_store->later);
    }

    LanePlan planLanes(const std::vector<std::pair<LaneKey, Sequence>>&) override { return {}; }

    std::uint64_t countDeadSince(const DeadLetterFilter& filter, WallMicros since) override {
        const std::scoped_lock lock(m_store->mutex);
        std::uint64_t count = 0;
        for (const auto& row : m_store->deadLetters)
            if (row.diedAt >= since && fits(filter, row)) ++count;
        return count;
    }

    void interrupt() override {}

private:
    /// The first (up: the last) rows that are wanted, in their order.
    template <typename Page, typename Row, typename Wanted>
    static Page pageOf(const std::vector<Row>& all, Wanted wanted, std::size_t limit, bool up) {
        std::vector<Row> rows;
        std::copy_if(all.begin(), all.end(), std::back_inserter(rows), wanted);
        Page page;
        page.complete = rows.size() <= limit;
        if (!page.complete && up)
            rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(limit));
        else if (!page.complete)
            rows.resize(limit);
        page.rows = std::move(rows);
        return page;
    }

    [[nodiscard]] AttemptPage logPage(const AttemptQuery& query) const {
        const auto wanted = [&query, this](const AttemptRow& row) {
            const WallMicros ended = row.startedAt + row.duration;
            return (!query.destination || row.pointer.destination == query.destination) &&
                   match(query.filter, row, m_store->now, nullptr) != Match::no &&
                   row.position > query.after &&
                   (query.before == 0 || row.position < query.before) &&
                   (query.endedFrom == 0 || ended >= query.endedFrom) &&
                   (query.endedBefore == 0 || ended < query.endedBefore);
        };
        const bool up = query.after != 0 && query.before == 0;
        auto page = pageOf<AttemptPage>(m_store->log, wanted, query.limit, up);
        if (!page.complete)
            page.resume = up ? page.rows.front().position : page.rows.back().position;
        return page;
    }

    [[nodiscard]] bool fits(const DeadLetterFilter& filter, const DeadLetterRow& row) const {
        const auto event = m_store->events.find(row.pointer.sequence);
        static const std::string none;
        const auto& payload = event == m_store->events.end() ? none : event->second.payload;
        return matches(filter, row, m_store->now, &payload);
    }

    std::shared_ptr<FakeStore> m_store;
};

}  // namespace

FakeEngine::FakeEngine(QObject* parent)
    : Engine(parent),
      store(std::make_shared<FakeStore>()),
      m_published(std::make_shared<const EngineSnapshot>()) {}

void FakeEngine::publish() {
    ++state.number;
    state.watched.clear();
    for (const LaneRow& lane : lanes)
        if (std::find(watchedKeys.begin(), watchedKeys.end(), lane.key) != watchedKeys.end())
            state.watched.push_back(lane);
    {
        const std::scoped_lock lock(store->mutex);
        store->now = state.at;
    }
    m_published = std::make_shared<const EngineSnapshot>(state);
    emit snapshotPublished();
}

void FakeEngine::setLifecycle(Lifecycle lifecycle) {
    state.lifecycle = lifecycle;
    publish();
    emit lifecycleChanged(lifecycle);
}

void FakeEngine::start() {
    setLifecycle(Lifecycle::running);
}

void FakeEngine::stop() {
    setLifecycle(Lifecycle::stopped);
}

std::shared_ptr<const EngineSnapshot> FakeEngine::snapshot() const {
    return m_published;
}

DestinationSnapshot& FakeEngine::addDestination(const std::string& name, HealthState health) {
    DestinationSnapshot destination;
    destination.id = DestinationId(static_cast<std::uint32_t>(state.destinations.size() + 1));
    destination.name = name;
    destination.url = "https://" + name + ".example/hook";
    destination.health = health;
    destination.maxInFlight = 64;
    destination.budget = 32;
    destination.knownGood = 32;
    destination.window = 72 * kHour;
    DestinationConfig config;
    config.id = destination.id;
    config.name = destination.name;
    config.url = destination.url;
    configs.push_back(config);
    state.destinations.push_back(destination);
    return state.destinations.back();
}

LaneRow& FakeEngine::addLane(DestinationId destination, std::uint64_t user) {
    LaneRow lane;
    lane.key = {destination, UserId(user)};
    lane.user = {UserKey::Kind::user, "user-" + std::to_string(user)};
    lane.head = Sequence(++m_sequence);
    lane.eventId = "evt_" + std::to_string(m_sequence);
    lane.type = "order.updated";
    lane.backlog = 1;
    lane.window = 72 * kHour;
    lane.deadLettersIn = 71 * kHour;
    lanes.push_back(lane);
    return lanes.back();
}

DeadLetterRow& FakeEngine::addDeadLetter(DestinationId destination, std::uint64_t user) {
    const std::scoped_lock lock(store->mutex);
    DeadLetterRow row;
    row.pointer = {destination, Sequence(++m_sequence)};
    row.userId = UserId(user);
    row.user = {UserKey::Kind::user, "user-" + std::to_string(user)};
    row.eventId = "evt_" + std::to_string(m_sequence);
    row.type = "order.updated";
    row.attempts = 14;
    row.lastOutcome = Outcome::failed;
    row.lastStatus = 500;
    row.reason = "the retry window of 72 h is over";
    row.bytes = 412;
    row.diedAt = state.at - static_cast<WallMicros>(store->deadLetters.size()) * kMinute;
    row.firstTriedAt = row.diedAt - 72 * kHour;
    store->deadLetters.push_back(row);
    for (auto& d : state.destinations)
        if (d.id == destination) {
            ++d.counters.dead;
            ++d.counters.accepted;
        }
    updateTotals();
    return store->deadLetters.back();
}

AttemptRow& FakeEngine::addAttempt(DestinationId destination, std::uint64_t user, Outcome outcome) {
    const std::scoped_lock lock(store->mutex);
    AttemptRow row;
    row.position = store->log.empty() ? 1 : store->log.front().position + 1;
    row.pointer = {destination, Sequence(row.position + 10'000)};
    row.number = 1;
    row.startedAt = state.at - 40 * kMillisecond;
    row.duration = 40 * kMillisecond;
    row.outcome = outcome;
    row.status = outcome == Outcome::delivered ? 200 : outcome == Outcome::overloaded ? 503 : 0;
    row.user = {UserKey::Kind::user, "user-" + std::to_string(user)};
    row.eventId = "evt_" + std::to_string(row.pointer.sequence.value);
    row.type = "order.updated";
    for (auto& d : state.destinations)
        if (d.id == destination) ++d.attempts;
    return *store->log.insert(store->log.begin(), row);
}

OperationRow& FakeEngine::addOperation(OperationKind kind, const std::string& action) {
    const std::scoped_lock lock(store->mutex);
    OperationRow row;
    row.id = OperationId(store->operations.empty() ? 1 : store->operations.front().id.value + 1);
    row.at = state.at;
    row.who = "anna";
    row.kind = kind;
    row.action = action;
    return *store->operations.insert(store->operations.begin(), row);
}

void FakeEngine::updateTotals() {
    state.totals = {};
    state.inFlight = 0;
    state.lanes = 0;
    for (const auto& d : state.destinations) {
        state.totals += d.counters;
        state.inFlight += d.inFlight;
        state.lanes += d.lanes;
    }
}

CommandId FakeEngine::submit(Command command) {
    const CommandId id(++m_commands);
    submitted.push_back(command);
    QMetaObject::invokeMethod(
        this,
        [this, id, command = std::move(command)] {
            const CommandResult result = answer ? answer(command) : perform(command);
            publish();
            emit commandFinished(id, result);
        },
        Qt::QueuedConnection);
    return id;
}

CommandResult FakeEngine::perform(const Command& command) {
    CommandResult result;
    const auto find = [this](DestinationId id) -> DestinationSnapshot* {
        for (auto& d : state.destinations)
            if (d.id == id) return &d;
        return nullptr;
    };
    if (const auto* pause = std::get_if<PauseDestination>(&command)) {
        if (auto* d = find(pause->destination)) {
            d->health = HealthState::paused;
            d->pausedBy = pause->by;
            d->pauseReason = pause->reason;
            d->pausedAt = state.at;
        }
    } else if (const auto* resume = std::get_if<ResumeDestination>(&command)) {
        if (auto* d = find(resume->destination)) {
            d->health = HealthState::recovering;
            d->pausedAt = 0;
        }
    } else if (const auto* rewind = std::get_if<RewindDeadLetters>(&command)) {
        return takeOut(rewind->pointers, false);
    } else if (const auto* discard = std::get_if<DiscardDeadLetters>(&command)) {
        return takeOut(discard->pointers, true);
    } else if (const auto* edit = std::get_if<EditAndRewind>(&command)) {
        result = takeOut({edit->pointer}, false);
        result.operation = OperationId(17);
    } else if (const auto* noted = std::get_if<NoteDeadLetters>(&command)) {
        return note(*noted);
    } else if (const auto* set = std::get_if<SetDestination>(&command)) {
        if (!set->config.id) {
            result.destination = addDestination(set->config.name).id;
            configs.back() = set->config;
            configs.back().id = result.destination;
        }
    }
    return result;
}

CommandResult FakeEngine::note(const NoteDeadLetters& command) {
    const std::scoped_lock lock(store->mutex);
    CommandResult result;
    result.asked = command.pointers.size();
    const std::set<Pointer> asked(command.pointers.begin(), command.pointers.end());
    for (auto& row : store->deadLetters) {
        if (!asked.contains(row.pointer)) continue;
        row.note = {command.text, command.by, state.at};
        ++result.done;
    }
    result.skipped = result.asked - result.done;
    return result;
}

CommandResult FakeEngine::takeOut(const std::vector<Pointer>& pointers, bool discard) {
    const std::scoped_lock lock(store->mutex);
    CommandResult result;
    result.asked = pointers.size();
    const std::set<Pointer> asked(pointers.begin(), pointers.end());
    result.done = std::erase_if(
        store->deadLetters, [&](const DeadLetterRow& row) { return asked.contains(row.pointer); });
    result.skipped = result.asked - result.done;
    for (const Pointer& pointer : asked)
        for (auto& d : state.destinations)
            if (d.id == pointer.destination && d.counters.dead > 0) {
                --d.counters.dead;
                ++(discard ? d.counters.discarded : d.counters.waiting);
            }
    updateTotals();
    return result;
}

LaneLook FakeEngine::lookAt(std::vector<LaneRow>& rows, const Filter& filter) const {
    LaneLook look;
    look.lanes = rows.size();
    look.complete = !lanesLookedAt || *lanesLookedAt >= rows.size();
    if (!look.complete) rows.resize(*lanesLookedAt);
    look.looked = rows.size();
    const auto conditions = filter.conditions();
    for (std::size_t n = 0; n < conditions.size(); ++n) {
        auto others = conditions;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
        const auto rest = Filter::allOf(others).value_or(Filter());
        look.fittingWithout.push_back(static_cast<std::uint64_t>(
            std::count_if(rows.begin(), rows.end(), [&](const LaneRow& row) {
                return match(rest, row, true) == Match::yes;
            })));
    }
    std::erase_if(rows,
                  [&](const LaneRow& row) { return match(filter, row, true) != Match::yes; });
    look.fitting = rows.size();
    return look;
}

LanePage FakeEngine::pageFor(const LanePageRequest& request) const {
    LanePage page;
    page.request = request;
    std::vector<LaneRow> rows;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(rows), [&](const LaneRow& lane) {
        return (!request.destination || lane.key.destination == request.destination) &&
               (!request.user || lane.key.user == request.user);
    });
    const auto by = [&](auto field) {
        std::stable_sort(rows.begin(), rows.end(), [&](const LaneRow& a, const LaneRow& b) {
            return request.descending ? field(a) > field(b) : field(a) < field(b);
        });
    };
    switch (request.order) {
        case LaneOrder::headAge: break;  // as the test put them
        case LaneOrder::backlog: by([](const LaneRow& l) { return l.backlog; }); break;
        case LaneOrder::attempts: by([](const LaneRow& l) { return l.attempts; }); break;
        case LaneOrder::nextAttempt: by([](const LaneRow& l) { return l.nextAttemptIn; }); break;
        case LaneOrder::deadLettersIn: by([](const LaneRow& l) { return l.deadLettersIn; }); break;
        case LaneOrder::destination: by([](const LaneRow& l) { return l.key.destination; }); break;
    }
    if (!request.filter.isEverything()) page.look = lookAt(rows, request.filter);
    page.total = rows.size();
    const auto first = std::min<std::size_t>(request.offset, rows.size());
    const auto last = std::min<std::size_t>(first + request.limit, rows.size());
    page.rows.assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                     rows.begin() + static_cast<std::ptrdiff_t>(last));
    return page;
}

void FakeEngine::readLanes(LanePageRequest request) {
    pageRequests.push_back(request);
    if (holdPages) {
        m_heldPages.push_back(request);
        return;
    }
    QMetaObject::invokeMethod(
        this, [this, request] { emit lanesRead(pageFor(request)); }, Qt::QueuedConnection);
}

void FakeEngine::answerPages() {
    const auto held = std::exchange(m_heldPages, {});
    for (const auto& request : held) emit lanesRead(pageFor(request));
}

void FakeEngine::watchLanes(std::vector<LaneKey> keys) {
    watchedKeys = std::move(keys);
}

std::unique_ptr<PageReader> FakeEngine::openPageReader() const {
    return std::make_unique<FakeReader>(store);
}

CommandId FakeEngine::sendTest(DestinationConfig config) {
    tests.push_back(std::move(config));
    return CommandId(++m_commands);
}

void FakeEngine::cancelTest(CommandId test) {
    cancelledTests.push_back(test);
}

std::vector<DestinationConfig> FakeEngine::destinations() const {
    return configs;
}

std::string FakeEngine::writeKey() const {
    return "key";
}

std::string FakeMockControl::addMock(const std::string& name, const MockBehaviour& behaviour,
                                     const std::string&, std::uint64_t, std::uint16_t) {
    MockReport report;
    report.mock = static_cast<std::uint32_t>(reports.size());
    report.name = name;
    report.url = "http://127.0.0.1:" + std::to_string(9000 + reports.size()) + "/";
    report.behaviour = behaviour;
    reports.push_back(report);
    return report.url;
}

void FakeMockControl::setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) {
    reports.at(mock).behaviour = behaviour;
    emit reported();
}

void FakeMockControl::setTraffic(const TrafficShape& shape, std::uint16_t, const std::string&) {
    trafficReport.shape = shape;
    emit reported();
}

std::vector<MockReport> FakeMockControl::mocks() const {
    return reports;
}

TrafficReport FakeMockControl::traffic() const {
    return trafficReport;
}

std::vector<MockLogLine> FakeMockControl::log(std::uint32_t) const {
    return lines;
}

}  // namespace lanes::test
