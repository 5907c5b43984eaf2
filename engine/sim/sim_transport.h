// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/core/transport.h"
#include "engine/types.h"

#include <cstdint>
#include <vector>

namespace lanes::sim {

/// How a modelled destination is, for now.
struct DestinationModel {
    enum class Mode : std::uint8_t {
        answer,  ///< serves with its workers
        refuse,  ///< connections are refused
        hang,    ///< reads and never answers
        reset,   ///< reads and resets; half of the events are taken all the same
        gone,    ///< 410
    };
    Mode mode = Mode::answer;
    int status = 200;               ///< of an answer without an error
    double errorShare = 0;          ///< of 500 among the answers
    double capacityPerSecond = 0;   ///< token bucket, 429 beyond it; 0 = none
    int retryAfterSeconds = -1;     ///< with 429 and 503; -1 = absent
    std::uint32_t poisonEvery = 0;  ///< users whose id is a multiple get 500; 0 = none
    std::uint32_t workers = 20;
    std::uint32_t queue = 40;  ///< requests that may wait for a worker; 503 beyond it
    double serviceMs = 50;     ///< mean of a log-normal, sigma 0.8326
    double burn = 0;           ///< share of a service that refusing a request costs
    /// The destination comes back slowly: its speed goes from a tenth to all of it in this time.
    Micros warmUp = 0;
    /// It flaps: up for a while, refusing connections for a while, again and again; 0 = not.
    Micros up = 0;
    Micros down = 0;

    /// Of one request that need not wait for a worker.
    [[nodiscard]] Micros meanAnswer() const;
    /// Requests at once that keep its workers busy: some of them are on their way.
    [[nodiscard]] std::uint32_t requestsAtOnce() const;
};

/// How one attempt will go.
struct Verdict {
    Micros takes = 0;
    AttemptResult result;
    /// The destination takes the event, whatever we hear of it.
    bool received = false;
};

/// The destinations of a simulation, in virtual time. Everything is decided when a request starts.
class SimTransport {
public:
    explicit SimTransport(std::uint64_t seed) : m_random(seed) {}

    void setModel(DestinationId destination, const DestinationModel& model, Micros now);
    [[nodiscard]] Verdict begin(const StartAttempt& start, Micros now);

    /// Whole attempt; our own deadline.
    static constexpr Micros kDeadline = 10 * kSecond;

private:
    struct Destination {
        DestinationModel model;
        std::vector<Micros> freeAt;   ///< of each worker
        std::vector<Micros> waiting;  ///< when requests that found no worker begin to be served
        double tokens = 0;
        Micros tokensAt = 0;
        Micros since = 0;  ///< it is like this
    };

    void serve(Destination& destination, const StartAttempt& start, Micros now, Verdict& verdict);
    void refuse(Destination& destination, int status, Micros now, Verdict& verdict);
    void answer(const Destination& destination, int status, Micros takes, Verdict& verdict);
    [[nodiscard]] bool takeToken(Destination& destination, Micros now);
    [[nodiscard]] Micros service(const Destination& destination, Micros now);
    [[nodiscard]] Destination& at(DestinationId id);

    Random m_random;
    std::vector<Destination> m_destinations;  ///< by id
};

}  // namespace lanes::sim
