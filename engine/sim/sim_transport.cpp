// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_transport.h"

#include <algorithm>
#include <cmath>

namespace lanes::sim {

namespace {

constexpr Micros kRoundTrip = 20 * kMillisecond;
constexpr double kServiceSigma = 0.8326;

}  // namespace

void SimTransport::setModel(DestinationId id, const DestinationModel& model, Micros now) {
    Destination& destination = m_destinations[id];
    destination.model = model;
    destination.freeAt.assign(std::max(1u, model.workers), now);
    destination.waiting.clear();
    destination.tokens = std::max(1.0, model.capacityPerSecond);
    destination.tokensAt = now;
}

Verdict SimTransport::begin(const StartAttempt& start, Micros now) {
    Destination& destination = m_destinations[start.pointer.destination];
    Verdict verdict;
    verdict.result.attempt = start.attempt;
    switch (destination.model.mode) {
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
        answer(destination, 429, kRoundTrip, verdict);
        return;
    }
    std::erase_if(destination.waiting, [now](Micros begins) { return begins <= now; });
    const auto worker = std::min_element(destination.freeAt.begin(), destination.freeAt.end());
    const Micros begins = std::max(now, *worker);
    if (begins > now) {
        if (destination.waiting.size() >= model.queue) {
            answer(destination, 503, kRoundTrip, verdict);
            return;
        }
        destination.waiting.push_back(begins);
    }
    // A log-normal's mean is its median times exp(sigma^2 / 2).
    const double median = model.serviceMs / std::exp(kServiceSigma * kServiceSigma / 2);
    const Micros ends = begins + static_cast<Micros>(m_random.logNormal(median, kServiceSigma) *
                                                     static_cast<double>(kMillisecond));
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
