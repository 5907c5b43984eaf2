// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

// A plausible busy afternoon: numbers that fit together, from a fixed seed.
namespace lanes::test {

namespace {

// mt19937 is the same on every machine; the standard distributions are not.
std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
}

constexpr std::array kTypes = {"order.created",    "order.updated",     "order.cancelled",
                               "invoice.paid",     "customer.updated",  "subscription.renewed",
                               "shipment.started", "shipment.delivered"};

std::string userName(std::mt19937& random) {
    static constexpr std::array names = {"anna", "bela", "chen",   "dilan", "emre", "fatou",
                                         "gita", "hugo", "ingrid", "jonas", "kaya", "lena"};
    return std::string(names[below(random, names.size())]) + "-" +
           std::to_string(1000 + below(random, 9000));
}

void makeDestinations(FakeEngine& engine, WallMicros now) {
    struct Shape {
        const char* name;
        HealthState health;
        std::uint64_t waiting, lanes, dead;
        std::uint32_t inFlight;
        double budget;
    };
    static constexpr std::array shapes = {
        Shape{"crm", HealthState::degraded, 204'331, 1120, 0, 1, 1},
        Shape{"billing", HealthState::healthy, 41, 38, 3, 12, 48},
        Shape{"analytics", HealthState::recovering, 8'204, 96, 0, 8, 8},
        Shape{"partner-webhook", HealthState::throttled, 1'911, 64, 57, 4, 6},
        Shape{"warehouse", HealthState::paused, 412, 40, 0, 0, 16},
    };
    for (const Shape& shape : shapes) {
        DestinationSnapshot& d = engine.addDestination(shape.name, shape.health);
        d.counters.waiting = shape.waiting;
        d.counters.delivered = 1'000'000 + shape.waiting * 3;
        d.counters.accepted = d.counters.delivered + shape.waiting;
        d.lanes = shape.lanes;
        d.lanesBackingOff = shape.lanes * 9 / 10;
        d.inFlight = shape.inFlight;
        d.budget = shape.budget;
        d.lastDeliveredAt = now - 3 * kSecond;
        d.attempts = d.counters.delivered;
        d.outcomes[0] = d.counters.delivered;
        d.latency.counts[7] = 4000;
        d.latency.counts[8] = 2000;
        if (shape.health == HealthState::paused) {
            d.pausedBy = "anna";
            d.pauseReason = "schema migration until 15:00";
            d.pausedAt = now - 42 * kMinute;
        }
        if (shape.health == HealthState::degraded) {
            d.lastError = "503 Service Unavailable";
            d.lastChange = {now - 90 * kSecond, 40, 1, "cut 40 to 1: 31 of 52 answers were 503"};
            d.nextProbeIn = kSecond / 2;
        }
    }
}

void makeLane(FakeEngine& engine, std::mt19937& random, const DestinationSnapshot& d,
              std::uint64_t user, Micros age, WallMicros now) {
    LaneRow& lane = engine.addLane(d.id, user);
    lane.user.text = userName(random);
    lane.type = kTypes[below(random, kTypes.size())];
    lane.headAge = age;
    lane.acceptedAt = now - age;
    lane.deadLettersIn = lane.window - age;
    lane.backlog = 1 + below(random, 4) * below(random, 90);
    lane.attempts = 3 + below(random, 12);
    lane.state = LaneState::backingOff;
    lane.nextAttemptIn = (1 + below(random, 240)) * kSecond;
    lane.lastOutcome = Outcome::overloaded;
    lane.lastStatus = 503;
    switch (d.health) {
        case HealthState::healthy:
            lane.state = LaneState::inFlight;
            lane.attempts = 0;
            lane.nextAttemptIn = -1;
            lane.inFlightFor = below(random, 90) * kMillisecond;
            lane.lastOutcome.reset();
            lane.lastStatus = 0;
            break;
        case HealthState::throttled:
            lane.lastOutcome = Outcome::throttled;
            lane.lastStatus = 429;
            break;
        case HealthState::recovering:
            lane.state = below(random, 3) == 0 ? LaneState::inFlight : LaneState::ready;
            lane.nextAttemptIn = -1;
            if (lane.state == LaneState::inFlight)
                lane.inFlightFor = below(random, 300) * kMillisecond;
            break;
        case HealthState::paused:
            lane.state = LaneState::ready;
            lane.nextAttemptIn = -1;
            break;
        case HealthState::degraded:
            if (below(random, 9) == 0) {
                lane.lastOutcome = Outcome::unreachable;
                lane.lastStatus = 0;
            }
            break;
    }
}

void makeHistory(FakeEngine& engine, Pointer pointer, const UserKey& user, const std::string& id,
                 const std::string& type, std::uint32_t attempts, WallMicros now) {
    const std::scoped_lock lock(engine.store->mutex);
    EventRow event;
    event.sequence = pointer.sequence;
    event.id = id;
    event.user = user;
    event.type = type;
    event.contentType = "application/json";
    event.payload =
        "{\n  \"order_id\": 90071992547409931,\n  \"status\": \"updated\",\n"
        "  \"customer\": \"" +
        user.text +
        "\",\n  \"total\": \"129.90\",\n"
        "  \"currency\": \"EUR\"\n}\n";
    event.acceptedAt = now - 3 * kHour;
    event.destinations = {pointer.destination};
    engine.store->events[pointer.sequence] = event;
    std::vector<AttemptRow> rows;
    for (std::uint32_t n = attempts; n > 0; --n) {
        AttemptRow row;
        row.position = pointer.sequence.value * 100 + n;
        row.pointer = pointer;
        row.number = n;
        row.startedAt = now - static_cast<WallMicros>(attempts - n) * 8 * kMinute - 4 * kSecond;
        row.duration = (40 + n * 13) * kMillisecond;
        row.outcome = n % 5 == 0 ? Outcome::unreachable : Outcome::overloaded;
        row.status = n % 5 == 0 ? 0 : 503;
        row.error = n % 5 == 0 ? "connection refused" : "";
        row.response = n % 5 == 0 ? "" : "upstream connect error or disconnect";
        row.cause = n == attempts ? Cause::probe : Cause::automatic;
        rows.push_back(row);
    }
    engine.store->attempts[pointer] = std::move(rows);
}

}  // namespace

void fillPlausibly(FakeEngine& engine, FakeMockControl* mocks, WallMicros now) {
    std::mt19937 random(7);
    engine.state.at = now;
    engine.state.lifecycle = Lifecycle::running;
    engine.state.intake.listening = true;
    engine.state.intake.port = 7420;
    engine.state.intake.acceptedEvents = 1'284'331;
    makeDestinations(engine, now);
    const auto destinations = engine.state.destinations;
    std::uint64_t user = 0;
    for (int i = 0; i < 1358; ++i) {
        // Most lanes are those of the destination that is ill.
        const auto& d = destinations[i % 7 < 3 ? 0 : static_cast<std::size_t>(i % 5)];
        const Micros age = (1358 - i) * 9 * kSecond + below(random, 5) * kSecond;
        makeLane(engine, random, d, ++user, d.health == HealthState::healthy ? age / 60 : age, now);
    }
    std::stable_sort(engine.lanes.begin(), engine.lanes.end(),
                     [](const LaneRow& a, const LaneRow& b) { return a.headAge > b.headAge; });
    for (int i = 0; i < 300; ++i) {
        const LaneRow& lane = engine.lanes[static_cast<std::size_t>(i)];
        makeHistory(engine, {lane.key.destination, lane.head}, lane.user, lane.eventId, lane.type,
                    lane.attempts, now);
    }
    for (int i = 0; i < 60; ++i) {
        DeadLetterRow& letter =
            engine.addDeadLetter(destinations[i % 20 == 0 ? 1 : 3].id, 5000 + i % 37u);
        letter.user.text = userName(random);
        letter.type = kTypes[below(random, kTypes.size())];
        letter.attempts = 60 + below(random, 400);
        letter.bytes = 180 + below(random, 4000);
        if (i % 3 == 0) engine.store->later[{letter.pointer.destination, letter.userId}] = 7;
        if (i % 5 == 0) letter.lastOutcome = Outcome::unknown;
        if (i % 7 == 0) {
            letter.life = 2;
            letter.rewoundAt = letter.diedAt - 73 * kHour;
        }
        if (i % 9 == 2)
            letter.note = {"Ticket 4711: their mapping is wrong, fixed on Monday", "anna",
                           letter.diedAt + (now - letter.diedAt) / 2};
        if (i % 4 == 0) {
            letter.lastOutcome = Outcome::refused;
            letter.lastStatus = 422;
            letter.reason = "refused for longer than the retry window";
            letter.lastError = "unprocessable: field total must be a number";
        }
        makeHistory(engine, letter.pointer, letter.user, letter.eventId, letter.type, 24,
                    letter.diedAt);
    }
    engine.updateTotals();
    fillRecordsPlausibly(engine, now);
    if (!mocks) return;
    for (const auto& d : destinations) mocks->addMock(d.name, {}, {}, 1, 0);
    mocks->reports[0].behaviour.errorShare = 0.9;
    mocks->reports[0].behaviour.errorStatus = 503;
    for (auto& report : mocks->reports) {
        report.requests = 40'112;
        report.accepted = 38'204;
    }
    mocks->trafficReport.shape.running = true;
    mocks->trafficReport.sent = 42'118;
    mocks->trafficReport.accepted = 42'118;
    for (std::uint32_t i = 0; i < 60; ++i)
        mocks->lines.push_back({now - i * 300 * kMillisecond, userName(random), 90'000 - i,
                                1 + i % 4, kTypes[i % kTypes.size()],
                                static_cast<std::uint16_t>(i % 3 == 0 ? 503 : 200)});
}

void advancePlausibly(FakeEngine& engine, WallMicros now) {
    const double t = static_cast<double>(now / kSecond % 100'000);
    engine.state.at = now;
    engine.state.engineTime += kSecond;
    int place = 0;
    for (auto& d : engine.state.destinations) {
        const double wave = 1 + 0.25 * std::sin(t / 17 + place) + 0.1 * std::sin(t / 3.1 + place);
        const auto in = static_cast<std::uint64_t>(20 * wave);
        const bool ill = d.health == HealthState::degraded;
        const bool paused = d.health == HealthState::paused;
        const auto out = paused ? 0 : ill ? std::min<std::uint64_t>(1, in) : in;
        const std::uint64_t bad = paused ? 0 : ill ? 1 : d.health == HealthState::throttled ? 5 : 0;
        d.counters.accepted += in;
        d.counters.delivered += out;
        d.counters.waiting += in - out;
        d.attempts += out + bad;
        d.outcomes[0] += out;
        d.outcomes[static_cast<std::size_t>(ill ? Outcome::overloaded : Outcome::throttled)] += bad;
        d.latency.counts[6] += out / 2;
        d.latency.counts[7] += out - out / 2;
        if (d.health == HealthState::recovering) d.budget = std::min(48.0, d.budget * 1.02);
        ++place;
    }
    engine.updateTotals();
}

}  // namespace lanes::test
