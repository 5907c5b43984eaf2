// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/delivery_kernel.h"
#include "engine/sim/lab_sender.h"

#include <utility>

namespace lanes::sim {

namespace {

constexpr DestinationId kDestination{1};
constexpr WallMicros kWallBegan = 1'700'000'000 * kSecond;

AttemptResult resultOf(std::uint64_t tag, const LabAnswer& answer) {
    AttemptResult result;
    result.attempt = AttemptId(tag);
    result.duration = answer.takes;
    result.status = answer.status;
    result.retryAfter = answer.retryAfter;
    if (answer.status != 0) {
        result.reach = AttemptResult::Reach::answered;
    } else if (answer.outcome == Outcome::unreachable) {
        result.reach = AttemptResult::Reach::notSent;
    } else {
        result.reach = AttemptResult::Reach::sent;
        result.deadline = answer.outcome == Outcome::overloaded;
    }
    return result;
}

class LanesSender : public LabSender {
public:
    LanesSender(const LabScenario& scenario, std::uint64_t seed, LabWire& wire)
        : m_wire(&wire), m_kernel(seed) {
        RecoveredDestination destination;
        destination.config.id = kDestination;
        destination.config.name = scenario.name;
        destination.config.policy.maxInFlight = scenario.lanesInFlight;
        m_kernel.recoverDestination(destination, 0);
    }

    void accepted(LabEvent event, std::uint32_t user, Micros now) override {
        input::EventsAccepted accepted;
        // The retry clock runs with the engine, which is never paused here.
        accepted.events.push_back(
            {Sequence(std::uint64_t{event} + 1), UserId(std::uint64_t{user} + 1),
             {{kDestination, now}}});
        step(std::move(accepted), now);
    }

    void answered(std::uint64_t tag, const LabAnswer& answer, Micros now) override {
        step(input::AttemptFinished{resultOf(tag, answer)}, now);
    }

    void timePassed(Micros now) override { step(input::TimePassed{}, now); }

    [[nodiscard]] Micros nextWakeup(Micros now) const override {
        return m_kernel.nextWakeup(now);
    }

private:
    void step(Input input, Micros now) {
        const Moment moment{now, kWallBegan + now};
        m_effects.clear();
        m_kernel.step(std::move(input), moment, m_effects);
        obey();
        while (m_effects.writes.ticket != 0) {
            const std::uint64_t ticket = m_effects.writes.ticket;
            m_effects.clear();
            m_kernel.step(input::StoreCommitted{ticket}, moment, m_effects);
            obey();
        }
    }

    void obey() {
        for (const JournalEntry& entry : m_effects.writes.journal)
            if (entry.kind == JournalKind::deadLettered)
                m_wire->gaveUp(eventOf(entry.pointer.sequence));
        for (const StartAttempt& start : m_effects.starts)
            m_wire->send(eventOf(start.pointer.sequence), start.attempt.value);
    }

    static LabEvent eventOf(Sequence sequence) {
        return static_cast<LabEvent>(sequence.value - 1);
    }

    LabWire* m_wire;
    DeliveryKernel m_kernel;
    Effects m_effects;
};

}  // namespace

std::unique_ptr<LabSender> makeLanesSender(const LabScenario& scenario, std::uint64_t seed,
                                           LabWire& wire) {
    return std::make_unique<LanesSender>(scenario, seed, wire);
}

}  // namespace lanes::sim
