// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_model.h"

#include "engine/store/connection.h"
#include "engine/store/lane_event_reader.h"
#include "engine/verify.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <iterator>

namespace lanes::test {

namespace {

std::string waitingDifference(const OpenStore& open, const Model& model) {
    if (open.pending.size() != model.waiting.size())
        return std::to_string(open.pending.size()) + " wait instead of " +
               std::to_string(model.waiting.size());
    Sequence before;
    for (const auto& pending : open.pending) {
        const auto name = std::to_string(pending.pointer.sequence.value);
        if (pending.pointer.sequence < before) return name + " is out of order";
        before = pending.pointer.sequence;
        const auto found =
            model.waiting.find({pending.pointer.sequence, pending.pointer.destination});
        if (found == model.waiting.end()) return name + " does not wait";
        const auto& truth = found->second;
        if (pending.user != truth.user || pending.attempts != truth.attempts ||
            pending.life != truth.life || pending.operation != truth.operation ||
            pending.clock != truth.clock || pending.lastOutcome != truth.lastOutcome ||
            pending.lastStatus != truth.lastStatus)
            return name + " waits otherwise";
    }
    return {};
}

std::string destinationsDifference(const OpenStore& open, const Model& model) {
    std::size_t dead = 0;
    for (const auto& destination : open.recovery.destinations) {
        const auto counters = model.counters.find(destination.config.id);
        const auto truth =
            counters == model.counters.end() ? DeliveryCounters() : counters->second;
        if (!(destination.counters == truth)) return "the counts differ";
        for (const auto& pointer : destination.dead) {
            const auto found = model.dead.find({pointer.sequence, destination.config.id});
            if (found == model.dead.end()) return "a dead letter too many";
            if (found->second.user != pointer.user || found->second.life != pointer.life)
                return "a dead letter differs";
            ++dead;
        }
    }
    return dead == model.dead.size() ? "" : "a dead letter is missing";
}

std::string operationsDifference(const Recovery& recovery, const Model& model) {
    if (recovery.lastOperation != model.lastOperation) return "the last operation differs";
    std::set<OperationId> open;
    for (const auto& operation : recovery.operations) open.insert(operation.row.id);
    return open == model.openOperations ? "" : "the operations that go on differ";
}

/// What operators did to a destination and to its lanes.
std::string actsDifference(const Recovery& recovery, const Model& model) {
    std::size_t holds = 0;
    for (const auto& destination : recovery.destinations) {
        const auto id = destination.config.id;
        const auto state = model.states.find(id);
        if (!(destination.state ==
              (state == model.states.end() ? DestinationState() : state->second)))
            return "a pause differs";
        for (const auto& hold : destination.holds) {
            const auto found = model.holds.find({id, hold.from, hold.lane.user});
            if (found == model.holds.end()) return "a hold too many";
            if (!(found->second == hold)) return "a hold differs";
            ++holds;
        }
    }
    if (holds != model.holds.size()) return "a hold is missing";
    return recovery.versions.size() == model.versions.size() ? "" : "an edit differs";
}

std::string versionsDifference(EventReader& reader, const Model& model) {
    for (const auto& [place, versions] : model.versions) {
        const auto event = reader.readFor({place.second, place.first});
        if (!event || event->payload != versions.rbegin()->second)
            return "the edit of event " + std::to_string(place.first.value) + " is lost";
    }
    return {};
}

/// Events are never removed here, so the log holds what the model holds, row by row.
std::string logDifference(const OpenStore& open, const Model& model) {
    const auto reader = open.store->openEventReader();
    if (!reader) return "the log cannot be read";
    for (const auto sequence : model.events) {
        const auto event = reader->read(sequence);
        if (!event || event->payload.empty())
            return "event " + std::to_string(sequence.value) + " is lost";
    }
    if (auto lost = versionsDifference(*reader, model); !lost.empty()) return lost;
    try {
        const auto database = store::openForReading(store::dataFile(open.directory));
        const auto rows = store::queryNumber(*database, "SELECT COUNT(*) FROM journal");
        if (rows == static_cast<std::int64_t>(model.journalRows)) return {};
        return std::to_string(rows) + " journal rows instead of " +
               std::to_string(model.journalRows);
    } catch (const SQLite::Exception& exception) {
        return exception.what();
    }
}

}  // namespace

WriteBatch Workload::step(Model& model) {
    WriteBatch batch;
    const auto rows = m_random.below(8);
    Touched touched;
    for (std::uint64_t row = 0; row < rows; ++row) addEntry(model, batch, touched);
    model.journalRows += batch.journal.size();
    if (m_random.chance(0.2)) addOperation(model, batch);
    if (m_random.chance(0.2)) hold(model, batch);
    if (m_random.chance(0.1)) pause(model, batch);
    const auto events = m_random.below(6);
    for (std::uint64_t n = 0; n < events; ++n) {
        std::vector<std::uint32_t> targets;
        for (std::uint32_t id = 1; id <= kDestinations; ++id) {
            if (m_random.chance(0.5)) targets.push_back(id);
        }
        batch.events.push_back(
            newEvent("id-" + std::to_string(++m_ids), 1 + m_random.below(9), targets));
    }
    return batch;
}

void Workload::accepted(Model& model, const IntakeCommit& commit) {
    for (const auto& event : commit.events) {
        model.events.insert(event.sequence);
        for (const auto& target : event.targets) {
            Model::Waiting waiting;
            waiting.user = event.user;
            model.waiting[{event.sequence, target.destination}] = waiting;
            ++model.counters[target.destination].accepted;
            ++model.counters[target.destination].waiting;
        }
    }
}

template <typename Map>
auto Workload::pick(Map& map) {
    auto it = map.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(m_random.below(map.size())));
    return it;
}

void Workload::addEntry(Model& model, WriteBatch& batch, Touched& touched) {
    if (!model.rewound.empty() && m_random.chance(0.1)) {
        undo(model, batch, touched);
        return;
    }
    if (!model.delivered.empty() && m_random.chance(0.05)) {
        redeliver(model, batch, touched);
        return;
    }
    const bool onDead = !model.dead.empty() && m_random.chance(0.3);
    auto& map = onDead ? model.dead : model.waiting;
    if (map.empty()) return;
    const auto chosen = pick(map);
    const auto key = chosen->first;
    if (!touched.insert(key).second) return;
    JournalEntry entry;
    entry.pointer = {key.second, key.first};
    entry.user = chosen->second.user;
    entry.life = chosen->second.life;
    if (onDead) {
        const auto state = chosen->second;
        map.erase(chosen);
        act(model, batch, entry, state);
    } else {
        attempt(model, entry, chosen->second);
    }
    batch.journal.push_back(entry);
}

/// An operator gives a dead letter up or rewinds it, perhaps with another payload.
void Workload::act(Model& model, WriteBatch& batch, JournalEntry& entry, Model::Waiting state) {
    const Model::Place key{entry.pointer.sequence, entry.pointer.destination};
    auto& counters = model.counters[key.second];
    --counters.dead;
    entry.outcome = state.lastOutcome;
    entry.status = state.lastStatus;
    if (m_random.chance(0.3)) {
        entry.kind = JournalKind::discarded;
        ++counters.discarded;
        return;
    }
    entry.kind = JournalKind::rewound;
    model.rewound[key] = {state, false};
    entry.life = ++state.life;
    entry.clock = state.clock = static_cast<Micros>(m_random.below(1'000'000));
    entry.operation = state.operation = OperationId(1 + m_random.below(5));
    state.attempts = 0;
    ++counters.waiting;
    ++model.rewinds;
    model.waiting[key] = state;
    if (!m_random.chance(0.3)) return;
    const auto payload = "edit " + std::to_string(++model.edits);
    model.versions[key][state.operation] = payload;
    batch.versions.push_back({entry.pointer, state.operation, kTestTime, payload});
}

/// A waiting event becomes a dead letter, is delivered, or fails.
void Workload::attempt(Model& model, JournalEntry& entry, Model::Waiting& state) {
    const Model::Place key{entry.pointer.sequence, entry.pointer.destination};
    auto& counters = model.counters[key.second];
    model.rewound.erase(key);
    if (m_random.chance(0.2)) {
        entry.kind = JournalKind::deadLettered;
        entry.attempt = state.attempts;
        entry.outcome = state.lastOutcome;
        entry.status = state.lastStatus;
        --counters.waiting;
        ++counters.dead;
        model.dead[key] = state;
        model.waiting.erase(key);
        return;
    }
    entry.attempt = state.attempts + 1;
    entry.operation = state.operation;
    if (m_random.chance(0.5)) {
        entry.status = 200;
        --counters.waiting;
        ++counters.delivered;
        model.delivered[key] = state;
        model.waiting.erase(key);
        return;
    }
    entry.outcome = static_cast<Outcome>(1 + m_random.below(6));
    entry.status = static_cast<std::uint16_t>(400 + m_random.below(199));
    state.attempts = entry.attempt;
    state.lastOutcome = entry.outcome;
    state.lastStatus = entry.status;
}

/// An untried rewind is taken back.
void Workload::undo(Model& model, WriteBatch& batch, Touched& touched) {
    const auto chosen = pick(model.rewound);
    const auto key = chosen->first;
    if (!touched.insert(key).second) return;
    const auto [state, delivered] = chosen->second;
    JournalEntry entry;
    entry.kind = JournalKind::returned;
    entry.pointer = {key.second, key.first};
    entry.life = state.life + 1;
    entry.outcome = delivered ? Outcome::delivered : Outcome::unknown;
    batch.journal.push_back(entry);
    // An edit goes with the rewind that made it.
    if (const auto edited = model.versions.find(key); edited != model.versions.end()) {
        if (!delivered) edited->second.erase(model.waiting[key].operation);
        if (edited->second.empty()) model.versions.erase(edited);
    }
    model.rewound.erase(chosen);
    model.waiting.erase(key);
    auto& counters = model.counters[key.second];
    --counters.waiting;
    ++(delivered ? counters.delivered : counters.dead);
    (delivered ? model.delivered : model.dead)[key] = state;
    ++model.undone;
}

/// A delivered event goes back to its lane.
void Workload::redeliver(Model& model, WriteBatch& batch, Touched& touched) {
    const auto chosen = pick(model.delivered);
    const auto key = chosen->first;
    if (!touched.insert(key).second) return;
    auto state = chosen->second;
    model.rewound[key] = {state, true};
    model.delivered.erase(chosen);
    state.attempts = 0;
    ++state.life;
    state.operation = OperationId(1 + m_random.below(5));
    state.clock = static_cast<Micros>(m_random.below(1'000'000));
    state.lastOutcome = Outcome::delivered;
    state.lastStatus = 200;
    JournalEntry entry;
    entry.kind = JournalKind::rewound;
    entry.pointer = {key.second, key.first};
    entry.user = state.user;
    entry.life = state.life;
    entry.operation = state.operation;
    entry.clock = state.clock;
    entry.status = 200;
    batch.journal.push_back(entry);
    model.waiting[key] = state;
    auto& counters = model.counters[key.second];
    --counters.delivered;
    ++counters.waiting;
    ++model.redeliveries;
}

/// An operation begins, or one that goes on ends.
void Workload::addOperation(Model& model, WriteBatch& batch) {
    OperationRecord record;
    if (!model.openOperations.empty() && m_random.chance(0.5)) {
        const auto id = *model.openOperations.begin();
        model.openOperations.erase(id);
        record.row = operationRow(id.value, OperationKind::rewind, OperationState::finished);
    } else {
        const std::uint64_t id = model.lastOperation.value + 1;
        model.lastOperation = OperationId(id);
        model.openOperations.insert(model.lastOperation);
        record.row = operationRow(id, OperationKind::rewind, OperationState::moving);
        std::vector<OperationMember> members;
        for (const auto& [key, state] : model.dead)
            members.push_back({{key.second, key.first}, state.user, state.life});
        record.set = operationSet(std::move(members));
    }
    batch.operations.push_back(std::move(record));
}

/// A user is held, or let go again.
void Workload::hold(Model& model, WriteBatch& batch) {
    const auto open = std::find_if(model.holds.begin(), model.holds.end(),
                                   [](const auto& hold) { return hold.second.open(); });
    if (open != model.holds.end() && m_random.chance(0.5)) {
        open->second.to = model.clock += kSecond;
        batch.holds.push_back(open->second);
        ++model.ended;
        return;
    }
    LaneHold hold;
    hold.lane = {DestinationId(1 + static_cast<std::uint32_t>(m_random.below(kDestinations))),
                 UserId(1 + m_random.below(9))};
    hold.from = model.clock += kSecond;
    hold.at = kTestTime + hold.from;
    hold.user = "user-" + std::to_string(hold.lane.user.value);
    hold.by = "ann";
    hold.reason = "asked to";
    model.holds[{hold.lane.destination, hold.from, hold.lane.user}] = hold;
    batch.holds.push_back(std::move(hold));
}

/// A destination is paused, or resumed; its retry clock is stored with that.
void Workload::pause(Model& model, WriteBatch& batch) {
    const DestinationId id(1 + static_cast<std::uint32_t>(m_random.below(kDestinations)));
    auto& state = model.states[id];
    const auto clock = state.clock + kSecond;
    const bool paused = !state.paused;
    state = {};
    state.clock = clock;
    state.knownGood = m_random.between(2, 64);
    state.paused = paused;
    if (paused) {
        state.pausedAt = kTestTime + clock;
        state.pausedBy = "ann";
        state.pauseReason = "mending";
    }
    batch.states.push_back({id, state});
    ++model.pauses;
}

std::string difference(const OpenStore& open, const Model& model) {
    if (!open.error.empty()) return open.error;
    const auto last = model.events.empty() ? Sequence() : *model.events.rbegin();
    if (open.recovery.lastSequence < last) return "a sequence would be given again";
    for (const auto& found :
         {waitingDifference(open, model), destinationsDifference(open, model),
          operationsDifference(open.recovery, model), actsDifference(open.recovery, model),
          logDifference(open, model)}) {
        if (!found.empty()) return found;
    }
    return {};
}

std::string booksOf(const std::string& directory) {
    const auto verdict = verifyDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&verdict)) return *error;
    const auto& report = std::get<VerifyReport>(verdict);
    return report.unbalanced == 0 ? std::string() : report.findings.back();
}

std::string indexesOf(const std::string& directory) {
    const auto database = store::openForReading(store::dataFile(directory));
    store::JournalHistory history(*database);
    store::LaneEventReader events(*database, history);
    store::IndexReader users(*database, store::IndexKind::users);
    try {
        SQLite::Statement all(*database, "SELECT e.seq, e.source, e.id, p.user FROM events e"
                                         " JOIN pointers p ON p.seq=e.seq");
        const auto lastOfUsers = store::indexedUpTo(*database, store::IndexKind::users);
        while (all.executeStep()) {
            const auto sequence = store::asUnsigned(all.getColumn(0));
            const auto found = events.find(all.getColumn(1).getString(),
                                           all.getColumn(2).getString());
            if (found != std::vector<Sequence>{Sequence(sequence)})
                return "event " + std::to_string(sequence) + " is not found by its id";
            const auto ofUser = users.find(store::asUnsigned(all.getColumn(3)));
            if (sequence <= lastOfUsers &&
                std::find(ofUser.begin(), ofUser.end(), sequence) == ofUser.end())
                return "event " + std::to_string(sequence) + " is not found by its user";
        }
        history.refresh();
        SQLite::Statement journal(*database, "SELECT id, seq FROM journal");
        while (journal.executeStep()) {
            const auto id = store::asUnsigned(journal.getColumn(0));
            const auto rows = history.of(Sequence(store::asUnsigned(journal.getColumn(1))));
            const auto same = [id](const auto& row) { return row.id == id; };
            if (std::count_if(rows.begin(), rows.end(), same) != 1)
                return "journal row " + std::to_string(id) + " is not found by its event";
        }
    } catch (const SQLite::Exception& exception) {
        return exception.what();
    }
    return {};
}

std::string lookInto(const std::string& directory) {
    const auto books = booksOf(directory);
    if (!books.empty()) return books;
    const auto indexes = indexesOf(directory);
    if (!indexes.empty()) return indexes;
    const auto database = store::openForReading(store::dataFile(directory));
    const auto integrity = database->execAndGet("PRAGMA integrity_check").getString();
    return integrity == "ok" ? std::string() : integrity;
}

}  // namespace lanes::test
