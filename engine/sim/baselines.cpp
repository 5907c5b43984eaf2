// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/baselines.h"

#include "engine/config.h"
#include "engine/core/random.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace lanes::sim {

namespace {

constexpr Micros kLongestWait = kHour;
constexpr std::uint8_t kLevels = 13;  // 2^12 s is longer than an hour

Micros waitAfter(std::uint8_t failures) {
    const auto exponent = std::min<int>(failures, kLevels) - 1;
    return std::min(kLongestWait, kSecond << std::max(exponent, 0));
}

std::uint8_t oneMore(std::uint8_t failures) {
    return failures < kLevels ? static_cast<std::uint8_t>(failures + 1) : failures;
}

bool windowOver(const LabWire& wire, LabEvent event, Micros now) {
    return now - wire.acceptedAt(event) >= DeliveryPolicy().window;
}

struct Due {
    Micros at = 0;
    std::uint32_t what = 0;  // event or user
    friend bool operator>(const Due& a, const Due& b) {
        return a.at != b.at ? a.at > b.at : a.what > b.what;
    }
};
using DueHeap = std::priority_queue<Due, std::vector<Due>, std::greater<>>;

class QueueSender : public LabSender {
public:
    QueueSender(const LabScenario& scenario, LabWire& wire)
        : m_wire(&wire), m_limit(scenario.queueInFlight) {}

    void accepted(LabEvent event, std::uint32_t, Micros now) override {
        m_failures.push_back(0);
        m_ready.push_back(event);
        timePassed(now);
    }

    void answered(std::uint64_t tag, const LabAnswer& answer, Micros now) override {
        --m_inFlight;
        const auto event = static_cast<LabEvent>(tag);
        if (!answer.delivered()) retryLater(event, answer.retryAfter, now);
        timePassed(now);
    }

    void timePassed(Micros now) override {
        for (auto& level : m_waiting)
            for (; !level.empty() && level.front().at <= now; level.pop_front())
                m_ready.push_back(level.front().what);
        for (; !m_asked.empty() && m_asked.top().at <= now; m_asked.pop())
            m_ready.push_back(m_asked.top().what);
        while (m_inFlight < m_limit && !m_ready.empty()) {
            ++m_inFlight;
            const LabEvent event = m_ready.front();
            m_ready.pop_front();
            m_wire->send(event, event);
        }
    }

    [[nodiscard]] Micros nextWakeup(Micros) const override {
        if (m_inFlight >= m_limit) return kNever;
        Micros next = m_asked.empty() ? kNever : m_asked.top().at;
        for (const auto& level : m_waiting)
            if (!level.empty()) next = std::min(next, level.front().at);
        return next;
    }

private:
    void retryLater(LabEvent event, Micros retryAfter, Micros now) {
        if (windowOver(*m_wire, event, now)) {
            m_wire->gaveUp(event);
            return;
        }
        std::uint8_t& failures = m_failures[event];
        failures = oneMore(failures);
        const Micros wait = waitAfter(failures);
        if (retryAfter > wait)
            m_asked.push({now + retryAfter, event});
        else
            m_waiting[failures].push_back({now + wait, event});
    }

    LabWire* m_wire;
    std::uint32_t m_limit;
    std::uint32_t m_inFlight = 0;
    std::vector<std::uint8_t> m_failures;  // by event
    std::deque<LabEvent> m_ready;
    // By failures: all of one queue wait equally long, so each is in order of time by itself.
    std::array<std::deque<Due>, kLevels + 1> m_waiting;
    DueHeap m_asked;  // Retry-After
};

class StrictSender : public LabSender {
public:
    StrictSender(const LabScenario& scenario, LabWire& wire)
        : m_wire(&wire), m_places(scenario.strictInFlight), m_busy(scenario.users) {
        for (std::uint32_t place = 0; place < scenario.strictInFlight; ++place)
            m_free.push_back(place);
    }

    void accepted(LabEvent event, std::uint32_t, Micros now) override {
        m_queue.push_back(event);
        timePassed(now);
    }

    void answered(std::uint64_t tag, const LabAnswer& answer, Micros now) override {
        const auto at = static_cast<std::uint32_t>(tag);
        Place& place = m_places[at];
        const bool over = !answer.delivered() && windowOver(*m_wire, place.event, now);
        if (over) m_wire->gaveUp(place.event);
        if (over || answer.delivered()) {
            m_free.push_back(at);
            letNextOf(m_wire->userOf(place.event));
        } else {
            place.failures = oneMore(place.failures);
            m_waiting.push({now + std::max(waitAfter(place.failures), answer.retryAfter), at});
        }
        timePassed(now);
    }

    void timePassed(Micros now) override {
        for (; !m_waiting.empty() && m_waiting.top().at <= now; m_waiting.pop())
            m_wire->send(m_places[m_waiting.top().what].event, m_waiting.top().what);
        while (!m_free.empty() && !m_queue.empty()) {
            const std::uint32_t place = m_free.back();
            m_free.pop_back();
            const LabEvent event = m_queue.front();
            m_queue.pop_front();
            m_places[place] = {event, 0};
            const std::uint32_t user = m_wire->userOf(event);
            if (m_busy[user]) {
                m_behind.push_back(place);
            } else {
                m_busy[user] = true;
                m_wire->send(event, place);
            }
        }
    }

    [[nodiscard]] Micros nextWakeup(Micros) const override {
        return m_waiting.empty() ? kNever : m_waiting.top().at;
    }

private:
    struct Place {
        LabEvent event = 0;
        std::uint8_t failures = 0;
    };

    /// The event of a user has ended: the one behind it goes.
    void letNextOf(std::uint32_t user) {
        const auto behind = std::find_if(m_behind.begin(), m_behind.end(), [&](std::uint32_t at) {
            return m_wire->userOf(m_places[at].event) == user;
        });
        m_busy[user] = behind != m_behind.end();
        if (!m_busy[user]) return;
        const std::uint32_t place = *behind;
        m_behind.erase(behind);
        m_wire->send(m_places[place].event, place);
    }

    LabWire* m_wire;
    std::vector<Place> m_places;
    std::vector<std::uint32_t> m_free;
    std::vector<bool> m_busy;  // by user: an event is on its way
    std::vector<std::uint32_t> m_behind;  // places whose user is busy, in order
    std::deque<LabEvent> m_queue;
    DueHeap m_waiting;  // places
};

class BackoffLanesSender : public LabSender {
public:
    BackoffLanesSender(const LabScenario& scenario, std::uint64_t seed, LabWire& wire)
        : m_wire(&wire),
          m_limit(scenario.queueInFlight),
          m_random(seed),
          m_lanes(scenario.users) {}

    void accepted(LabEvent event, std::uint32_t user, Micros now) override {
        m_next.push_back(kNone);
        Lane& lane = m_lanes[user];
        if (lane.head == kNone) {
            lane.head = event;
            m_ready.push_back(user);
        } else {
            m_next[lane.tail] = event;
        }
        lane.tail = event;
        timePassed(now);
    }

    void answered(std::uint64_t tag, const LabAnswer& answer, Micros now) override {
        --m_inFlight;
        const auto user = static_cast<std::uint32_t>(tag);
        Lane& lane = m_lanes[user];
        if (answer.delivered()) {
            nextHead(lane, user);
        } else if (windowOver(*m_wire, lane.head, now)) {
            m_wire->gaveUp(lane.head);
            nextHead(lane, user);
        } else {
            lane.failures = oneMore(lane.failures);
            const auto longest = static_cast<double>(waitAfter(lane.failures));
            const auto wait = static_cast<Micros>(longest * m_random.unit());
            m_waiting.push({now + std::max(wait, answer.retryAfter), user});
        }
        timePassed(now);
    }

    void timePassed(Micros now) override {
        for (; !m_waiting.empty() && m_waiting.top().at <= now; m_waiting.pop())
            m_ready.push_back(m_waiting.top().what);
        while (m_inFlight < m_limit && !m_ready.empty()) {
            ++m_inFlight;
            const std::uint32_t user = m_ready.front();
            m_ready.pop_front();
            m_wire->send(m_lanes[user].head, user);
        }
    }

    [[nodiscard]] Micros nextWakeup(Micros) const override {
        return m_inFlight >= m_limit || m_waiting.empty() ? kNever : m_waiting.top().at;
    }

private:
    static constexpr LabEvent kNone = UINT32_MAX;
    struct Lane {
        LabEvent head = kNone;
        LabEvent tail = kNone;
        std::uint8_t failures = 0;
    };

    void nextHead(Lane& lane, std::uint32_t user) {
        lane.failures = 0;
        lane.head = m_next[lane.head];
        if (lane.head != kNone) m_ready.push_back(user);
    }

    LabWire* m_wire;
    std::uint32_t m_limit;
    std::uint32_t m_inFlight = 0;
    Random m_random;
    std::vector<Lane> m_lanes;     // by user
    std::vector<LabEvent> m_next;  // by event: the same user's next one
    std::deque<std::uint32_t> m_ready;
    DueHeap m_waiting;
};

}  // namespace

std::unique_ptr<LabSender> makeQueueSender(const LabScenario& scenario, LabWire& wire) {
    return std::make_unique<QueueSender>(scenario, wire);
}

std::unique_ptr<LabSender> makeStrictSender(const LabScenario& scenario, LabWire& wire) {
    return std::make_unique<StrictSender>(scenario, wire);
}

std::unique_ptr<LabSender> makeBackoffLanesSender(const LabScenario& scenario, std::uint64_t seed,
                                                  LabWire& wire) {
    return std::make_unique<BackoffLanesSender>(scenario, seed, wire);
}

}  // namespace lanes::sim
