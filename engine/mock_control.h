// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The built-in mock destinations and the traffic generator, as the demonstration sees them.
namespace lanes {

/// How a mock destination answers. Fields combine: a slow destination may also fail now and then.
struct MockBehaviour {
    enum class Mode : std::uint8_t {
        answer,     ///< answers with `status`, after the latency, some with errors
        hang,       ///< reads the request and never answers
        down,       ///< does not listen: connections are refused
        reset,      ///< reads the request and resets the connection
        truncated,  ///< 200 with a body that is cut
    };
    Mode mode = Mode::answer;
    std::uint16_t status = 200;        ///< of a good answer
    double latencyMs = 20;             ///< median
    double latencySigma = 0.4;         ///< log-normal; 0 = constant
    double errorShare = 0;             ///< 0..1 of requests answered with errorStatus
    std::uint16_t errorStatus = 500;
    int retryAfterSeconds = -1;        ///< sent with 429 and 503 answers if >= 0
    double capacityPerSecond = 0;      ///< above it: 429; 0 = no limit
    std::string poisonUser;            ///< events of this user text always get 500

    friend bool operator==(const MockBehaviour&, const MockBehaviour&) = default;
};

/// What a mock destination saw, from its own ledger.
struct MockReport {
    std::uint32_t mock = 0;
    std::string name;
    std::string url;
    MockBehaviour behaviour;
    std::uint64_t requests = 0;
    std::uint64_t accepted = 0;         ///< answered 2xx
    std::uint64_t duplicates = 0;       ///< same lane and sequence accepted before
    std::uint64_t orderViolations = 0;  ///< sequence below one accepted before, no rewind
    std::uint64_t rewinds = 0;          ///< requests marked as rewound
    std::uint64_t badSignatures = 0;
    std::uint64_t overlaps = 0;         ///< two requests of one lane at once
    std::uint64_t peakPerSecond = 0;    ///< most requests in any second
};

/// Load of the traffic generator: events over HTTP to the intake, as a real sender would.
struct TrafficShape {
    bool running = false;
    double eventsPerSecond = 20;
    std::uint32_t users = 200;
    double zipf = 0.8;        ///< skew of the users; 0 = all alike
    std::uint64_t seed = 1;

    friend bool operator==(const TrafficShape&, const TrafficShape&) = default;
};

struct TrafficReport {
    TrafficShape shape;
    std::uint64_t sent = 0;      ///< events
    std::uint64_t accepted = 0;  ///< answered 202
    std::uint64_t refused = 0;   ///< answered otherwise or not at all; sent again
    std::string lastError;
};

struct MockLogLine {
    WallMicros at = 0;
    std::string lane;
    std::uint64_t sequence = 0;
    std::uint32_t attempt = 0;
    std::string type;
    std::uint16_t status = 0;  ///< 0 = no answer was sent
};

/// Owns mock destinations and the generator on a thread of its own. Calls return at once; the
/// reports come a few times a second while anything happens.
class MockControl : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Starts a mock destination on a free loopback port and returns its URL. Blocks until it
    /// listens (a few milliseconds; for start-up only). `secret` ("whsec_...") may be empty; with
    /// one every signature is checked. `port` 0 = any free one.
    virtual std::string addMock(const std::string& name, const MockBehaviour& behaviour,
                                const std::string& secret, std::uint64_t seed,
                                std::uint16_t port) = 0;
    /// Changes the behaviour for requests that arrive from now on; `mock` is the position of
    /// addMock (0, 1, ...). Leaving `hang` drops the connections that hang.
    virtual void setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) = 0;
    /// Starts, changes or stops (`running` false) the traffic to an intake.
    virtual void setTraffic(const TrafficShape& shape, std::uint16_t intakePort,
                            const std::string& writeKey) = 0;
    [[nodiscard]] virtual std::vector<MockReport> mocks() const = 0;
    [[nodiscard]] virtual TrafficReport traffic() const = 0;
    /// The newest lines, at most 200, newest first.
    [[nodiscard]] virtual std::vector<MockLogLine> log(std::uint32_t mock) const = 0;

signals:
    void reported();
};

[[nodiscard]] std::unique_ptr<MockControl> makeMockControl();

}  // namespace lanes
