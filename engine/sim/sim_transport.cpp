// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_transport.h"

#include <algorithm>
#include <cmath>

namespace lanes::sim {

namespace {

constexpr Micros kRoundTrip = 20 * kMillisecond;
constexpr double kServiceSigma = 0.8326;
constexpr double kColdSpeed = 0.1;

}  // namespace

Micros DestinationModel::meanAnswer() const {
    return kRoundTrip + static_cast<Micros>(serviceMs * static_cast<double>(kMillisecond));
}

std::uint32_t DestinationModel::requestsAtOnce() const {
    const double travel = static_cast<double>(kRoundTrip) / static_cast<double>(kMillisecond);
    return static_cast<std::uint32_t>(workers * (1 + travel / serviceMs));
}

SimTransport::Destination& SimTransport::at(DestinationId id) {
    if (m_destinations.size() <= id.value) m_destinations.resize(id.value + 1);
    return m_destinations[id.value];
}

void SimTransport::setModel(DestinationId id, const DestinationModel& model, Micros now) {
    Destination& destination = at(id);
    destination.model = model;
    destination.freeAt.assign(std::max(1u, model.workers), now);
    destination.waiting.clear();
    destination.tokens = std::max(1.0, model.capacityPerSecond);
    destination.tokensAt = now;
    destination.since = now;
}

Verdict SimTransport::begin(const StartAttempt& start, Micros now) {
    Destination& destination = at(start.pointer.destination);
    const DestinationModel& model = destination.model;
    Verdict verdict;
    verdict.result.attempt = start.attempt;
    const bool flaps = model.down > 0;
    const bool down = flaps && (now - destination.since) % (model.up + model.down) >= model.up;
    switch (down ? DestinationModel::Mode::refuse : model.mode) {
        case DestinationModel::Mode::answer: serve(destination, start, now, verdict); break;
        case DestinationModel::Mode::refuse:
            verdict.takes = 1 + static_cast<Micros>(m_random.exponential(0.5) * kMillisecond);
            verdict.result.reach = AttemptResult::Reach::notSent;
            verdict.result.error = "connection refused";
            break;
        case DestinationModel::Mode::hang:
            verdict.takes = kDeadline;
            verdict.result.reach = AttemptResult::Reach::sent;
            verdict.result.deadline = true;
            verdict.result.error = "no answer in time";
            verdict.received = m_random.chance(0.5);
            break;
        case DestinationModel::Mode::reset:
            verdict.takes = kRoundTrip;
            verdict.result.reach = m_random.chance(0.2) ? AttemptResult::Reach::partlySent
                                                        : AttemptResult::Reach::sent;
            verdict.result.error = "connection reset";
            verdict.received =
                verdict.result.reach == AttemptResult::Reach::sent && m_random.chance(0.5);
            break;
        case DestinationModel::Mode::gone: answer(destination, 410, kRoundTrip, verdict); break;
    }
    verdict.result.duration = verdict.takes;
    return verdict;
}

void SimTransport::serve(Destination& destination, const StartAttempt& start, Micros now,
                         Verdict& verdict) {
    const DestinationModel& model = destination.model;
    if (!takeToken(destination, now)) {
        refuse(destination, 429, now, verdict);
        return;
    }
    std::erase_if(destination.waiting, [now](Micros begins) { return begins <= now; });
    const auto worker = std::min_element(destination.freeAt.begin(), destination.freeAt.end());
    const Micros begins = std::max(now, *worker);
    if (begins > now) {
        if (destination.waiting.size() >= model.queue) {
            refuse(destination, 503, now, verdict);
            return;
        }
        destination.waiting.push_back(begins);
    }
    const Micros ends = begins + service(destination, begins);
    *worker = ends;
    const bool poison = model.poisonEvery > 0 && start.user.value % model.poisonEvery == 0;
    const bool fails = m_random.chance(model.errorShare);
    const Micros takes = ends - now + kRoundTrip;
    const int status = poison || fails ? 500 : model.status;
    if (takes >= kDeadline) {
        verdict.takes = kDeadline;
        verdict.result.reach = AttemptResult::Reach::sent;
        verdict.result.deadline = true;
        verdict.result.error = "no answer in time";
        verdict.received = status / 100 == 2;
        return;
    }
    answer(destination, status, takes, verdict);
}

/// Too much: a destination that is metastable pays for saying so, too.
void SimTransport::refuse(Destination& destination, int status, Micros now, Verdict& verdict) {
    if (destination.model.burn > 0) {
        const auto worker = std::min_element(destination.freeAt.begin(), destination.freeAt.end());
        const auto cost = static_cast<double>(service(destination, now)) * destination.model.burn;
        *worker = std::max(now, *worker) + static_cast<Micros>(cost);
    }
    answer(destination, status, kRoundTrip, verdict);
}

Micros SimTransport::service(const Destination& destination, Micros now) {
    const DestinationModel& model = destination.model;
    // A log-normal's mean is its median times exp(sigma^2 / 2).
    static const double medianOfMean = 1 / std::exp(kServiceSigma * kServiceSigma / 2);
    const double mean = model.serviceMs * static_cast<double>(kMillisecond);
    double takes = m_random.logNormal(mean * medianOfMean, kServiceSigma);
    if (now - destination.since < model.warmUp) {
        const double warm =
            static_cast<double>(now - destination.since) / static_cast<double>(model.warmUp);
        takes /= kColdSpeed + (1 - kColdSpeed) * warm;
    }
    return static_cast<Micros>(takes);
}

void SimTransport::answer(const Destination& destination, int status, Micros takes,
                          Verdict& verdict) {
    verdict.takes = takes;
    verdict.result.reach = AttemptResult::Reach::answered;
    verdict.result.status = status;
    verdict.received = status / 100 == 2;
    if (!verdict.received) verdict.result.error = "answered " + std::to_string(status);
    const int retryAfter = destination.model.retryAfterSeconds;
    if (retryAfter >= 0 && (status == 429 || status == 503))
        verdict.result.retryAfter = retryAfter * kSecond;
}

bool SimTransport::takeToken(Destination& destination, Micros now) {
    const double rate = destination.model.capacityPerSecond;
    if (!(rate > 0)) return true;
    const double earned =
        rate * static_cast<double>(now - destination.tokensAt) / static_cast<double>(kSecond);
    destination.tokens = std::min(std::max(1.0, rate), destination.tokens + earned);
    destination.tokensAt = now;
    if (destination.tokens < 1) return false;
    destination.tokens -= 1;
    return true;
}

}  // namespace lanes::sim
