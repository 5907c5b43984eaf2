// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"

#include <algorithm>
#include <array>
#include <random>

// What a busy afternoon leaves in the log: attempts and operations that fit each other.
namespace lanes::test {

namespace {

constexpr int kAttempts = 900;
constexpr std::uint64_t kFirstPosition = 500'000;

std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
}

struct Result {
    Outcome outcome;
    std::uint16_t status;
    const char* error;
    const char* response;
};

constexpr std::array kGood = {Result{Outcome::delivered, 200, "", "{\"ok\":true}"},
                              Result{Outcome::delivered, 204, "", ""}};
constexpr std::array kBad = {
    Result{Outcome::overloaded, 503, "", "upstream connect error or disconnect/reset"},
    Result{Outcome::overloaded, 504, "", "<html><body><h1>Gateway timeout</h1></body></html>"},
    Result{Outcome::throttled, 429, "", "{\"error\":\"slow down\",\"retry_after\":3}"},
    Result{Outcome::failed, 500, "", "{\"error\":\"internal error\",\"trace\":\"b0c1f2\"}"},
    Result{Outcome::refused, 422, "", "unprocessable: field total must be a number"},
    Result{Outcome::unreachable, 0, "connection refused", ""},
    Result{Outcome::unknown, 0, "the connection was reset after the request was sent", ""}};

void makeAttempts(FakeEngine& engine, std::mt19937& random, WallMicros now) {
    const std::scoped_lock lock(engine.store->mutex);
    WallMicros at = now;
    for (int i = 0; i < kAttempts && !engine.lanes.empty(); ++i) {
        const LaneRow& lane = engine.lanes[below(random, 300)];
        const DestinationSnapshot& d = engine.state.destinations[lane.key.destination.value - 1];
        const bool ill = d.health == HealthState::degraded || d.health == HealthState::throttled;
        const bool bad = ill ? below(random, 8) != 0 : below(random, 40) == 0;
        const Result& result =
            bad ? kBad[below(random, kBad.size())] : kGood[below(random, kGood.size())];
        AttemptRow row;
        row.position = kFirstPosition - static_cast<std::uint64_t>(i);
        row.pointer = {lane.key.destination, lane.head};
        row.number = 1 + below(random, 9) * below(random, 3);
        row.life = below(random, 9) == 0 ? 2 : 1;
        row.duration = (9 + below(random, 60)) * kMillisecond;
        if (result.status == 504) row.duration = 30 * kSecond;
        row.startedAt = at - row.duration;
        row.outcome = result.outcome;
        row.status = result.status;
        row.error = result.error;
        row.response = result.response;
        row.cause = row.life > 1                        ? Cause::rewind
                    : d.health == HealthState::degraded ? Cause::probe
                                                        : Cause::automatic;
        if (row.life > 1) row.operation = OperationId(21);
        row.user = lane.user;
        row.eventId = lane.eventId;
        row.type = lane.type;
        engine.store->log.push_back(row);
        at -= (20 + below(random, 900)) * kMillisecond;
    }
}

OperationRow& act(FakeEngine& engine, OperationKind kind, const char* action, const char* scope,
                  const char* reason) {
    OperationRow& row = engine.addOperation(kind, action);
    row.scope = scope;
    row.reason = reason;
    return row;
}

void makeSettings(FakeEngine& engine, std::mt19937& random, WallMicros now) {
    static constexpr std::array acts = {"pause", "resume", "set destination", "hold", "release"};
    static constexpr std::array names = {"crm", "billing", "analytics", "warehouse"};
    static constexpr std::array people = {"anna", "bela", "chen"};
    for (int i = 0; i < 18; ++i) {
        OperationRow& row = act(engine, OperationKind::setting, acts[below(random, acts.size())],
                                names[below(random, names.size())],
                                i % 4 == 0 ? "schema migration until 15:00" : "");
        row.who = people[below(random, people.size())];
        row.at = now - (21 - i) * 47 * kMinute;
    }
}

void makeMoves(FakeEngine& engine, WallMicros now) {
    OperationRow& discard = act(engine, OperationKind::discard, "discard",
                                "57 status 410, partner-webhook", "the endpoint is gone");
    discard.at = now - 3 * kHour;
    discard.asked = discard.done = 57;
    OperationRow& stopped = act(engine, OperationKind::rewind, "rewind",
                                "3,200 dead letters of partner-webhook", "after the hotfix");
    stopped.at = now - 2 * kHour;
    stopped.who = "bela";
    stopped.state = OperationState::stopped;
    stopped.note = "the tracer stopped it: 4 of the first 10 were not delivered";
    stopped.tracer = 10;
    stopped.asked = 3200;
    stopped.done = 10;
    stopped.delivered = 6;
    stopped.deadAgain = 4;
    OperationRow& done = act(engine, OperationKind::rewind, "rewind", "871 selected dead letters",
                             "mapping is fixed");
    done.at = now - 40 * kMinute;
    done.asked = 871;
    done.done = 868;
    done.skipped = 3;
    done.delivered = 856;
    done.deadAgain = 12;
    OperationRow& running =
        act(engine, OperationKind::rewind, "rewind",
            "1,284 dead letters: status 503, partner-webhook", "partner says that it is back");
    running.at = now - 4 * kMinute;
    running.state = OperationState::moving;
    running.eventsPerSecond = 5;
    running.tracer = 10;
    running.asked = 1284;
    running.done = 917;
    running.skipped = 2;
    running.delivered = 871;
    running.deadAgain = 1;
    running.untried = 38;
}

void makeEvents(FakeEngine& engine, std::mt19937& random) {
    const std::scoped_lock lock(engine.store->mutex);
    for (const OperationRow& row : engine.store->operations) {
        auto& events = engine.store->operationEvents[row.id];
        for (std::uint64_t i = 0; i < row.asked; ++i) {
            const auto& letter = engine.store->deadLetters[i % engine.store->deadLetters.size()];
            OperationEventRow event;
            event.position = i;
            event.pointer = letter.pointer;
            event.user = letter.user;
            event.eventId = letter.eventId;
            event.type = letter.type;
            if (i >= row.done + row.skipped) {
                event.fate = OperationFate::planned;
            } else if (i % 400 == 7 && row.skipped > 0) {
                event.fate = OperationFate::skipped;
                event.reason = SkipReason::notDead;
            } else if (!row.rewinds()) {
                event.fate = OperationFate::discarded;
            } else {
                const bool again = i % 73 == 11 && row.deadAgain > 0;
                const bool waits = i + row.waiting() >= row.done;
                event.fate = again   ? OperationFate::deadAgain
                             : waits ? OperationFate::waiting
                                     : OperationFate::delivered;
                event.attempts = waits ? 0 : 1 + below(random, 3);
                event.lastOutcome = again ? Outcome::refused : Outcome::delivered;
                event.lastStatus = again ? 422 : 200;
            }
            events.push_back(event);
        }
    }
}

}  // namespace

void fillRecordsPlausibly(FakeEngine& engine, WallMicros now) {
    std::mt19937 random(11);
    makeAttempts(engine, random, now);
    makeSettings(engine, random, now);
    makeMoves(engine, now);
    makeEvents(engine, random);
    for (const OperationRow& row : engine.store->operations)
        if (row.state == OperationState::moving) engine.state.operations.push_back(row);
}

}  // namespace lanes::test
