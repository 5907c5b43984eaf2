// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/delivery_kernel.h"
#include "engine/runtime/huge_pages.h"
#include "tests/bench/delivered.h"

#include <malloc.h>

#include <deque>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes::bench {

namespace {

constexpr DestinationId kDestination{1};
/// A backlog has grown over this many seconds.
constexpr std::uint64_t kBacklogSeconds = 1000;

/// How the lanes lie in memory compared with the order in which they are served.
enum class Layout {
    byAge,      ///< as events arrived: a backlog that grew during one outage
    scattered,  ///< every lane far from the one served before it: the hard case for the cache
};

/// A fingerprint is as good as random; this spreads the numbers in the same way.
UserId userOf(std::uint64_t number) { return UserId(number * 0x9e3779b97f4a7c15 + 1); }

/// A kernel with waiting lanes, and a world that delivers everything at once.
class Backlog {
public:
    /// Without `memory` the lanes are on the heap, where they can be counted.
    Backlog(std::uint64_t lanes, Layout layout,
            std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
        : m_kernel(std::make_unique<DeliveryKernel>(1, memory)) {
        RecoveredDestination destination;
        destination.config.id = kDestination;
        destination.config.name = "bench";
        destination.config.url = "http://127.0.0.1/";
        destination.state.knownGood = 64;
        m_kernel->recoverDestination(destination, 0);
        m_moment.now = static_cast<Micros>(2 * kBacklogSeconds) * kSecond;
        Random random(7);
        for (std::uint64_t user = 1; user <= lanes; ++user) {
            const auto second = layout == Layout::byAge ? user * kBacklogSeconds / (lanes + 1)
                                                        : random.below(kBacklogSeconds);
            accept(userOf(user), static_cast<Micros>(second) * kSecond);
        }
        flush();
    }

    /// Queues an event of a user, whose window began at `clock`.
    void accept(UserId user, Micros clock) {
        m_accepted.events.push_back({Sequence(++m_sequence), user, {{kDestination, clock}}});
        if (m_accepted.events.size() == 500) flush();
    }
    void flush() {
        if (!m_accepted.events.empty()) step(std::exchange(m_accepted, {}));
    }

    /// Delivers at least `count` events; each delivered event is replaced by a new one of the same
    /// user, so that the number of waiting lanes stays what it is. Events and commits come in
    /// groups, as from the store.
    void deliver(std::uint64_t count) {
        for (std::uint64_t done = 0; done < count;) {
            pass(5 * kMillisecond);
            const auto round = std::exchange(m_starts, {});
            for (const auto& start : round) accept(start.user, m_moment.now);
            flush();
            for (const auto& start : round) answer(start);
            commit();
            done += round.size();
        }
    }

    /// The same, with a step for each accepted event and for each commit.
    void deliverInSteps(std::uint64_t count) {
        for (std::uint64_t done = 0; done < count;) {
            for (const auto& start : std::exchange(m_starts, {})) {
                pass(80);
                accept(start.user, m_moment.now);
                flush();
                answer(start);
                commit();
                ++done;
            }
        }
    }

    [[nodiscard]] const DeliveryKernel& kernel() const { return *m_kernel; }

private:
    void pass(Micros time) {
        m_moment.now += time;
        if (m_kernel->nextWakeup(m_moment.now) <= m_moment.now) step(input::TimePassed{});
    }
    void answer(const StartAttempt& start) { step(input::AttemptFinished{delivered(start)}); }
    void commit() {
        if (m_ticket) step(input::StoreCommitted{std::exchange(m_ticket, 0)});
    }
    void step(Input input) {
        m_effects.clear();
        m_kernel->step(std::move(input), m_moment, m_effects);
        m_starts.insert(m_starts.end(), m_effects.starts.begin(), m_effects.starts.end());
        if (m_effects.writes.ticket) m_ticket = m_effects.writes.ticket;
    }

    std::unique_ptr<DeliveryKernel> m_kernel;
    Moment m_moment;
    Effects m_effects;
    std::vector<StartAttempt> m_starts;
    input::EventsAccepted m_accepted;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_ticket = 0;
};

double nanosecondsPerDelivery(Backlog& backlog) {
    constexpr std::uint64_t kDeliveries = 100'000;
    const auto before = threadCpuSeconds();
    backlog.deliver(kDeliveries);
    return (threadCpuSeconds() - before) * 1e9 / static_cast<double>(kDeliveries);
}

double bytesInUse() { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); }

constexpr std::uint64_t kFew = 10'000;

BenchCase deliveryCase(Backlog& few, std::uint64_t lanes, Layout layout, int runs) {
    BenchCase one;
    one.name = "kernel: one delivery at " + grouped(lanes) + " waiting lanes, " +
               (layout == Layout::byAge ? "in order of age" : "scattered in memory");
    one.unit = "ns CPU";
    one.bareIs = "the same with " + grouped(kFew) + " waiting lanes";
    HugePages memory;
    Backlog backlog(lanes, layout, &memory);
    backlog.deliver(20'000);
    few.deliver(20'000);
    measure(one, runs, [&] { return nanosecondsPerDelivery(backlog); },
            [&] { return nanosecondsPerDelivery(few); });
    return one;
}

/// What a delivery comes to without health, clocks, records or a bound on anything.
class PlainLanes {
public:
    explicit PlainLanes(std::uint64_t lanes) {
        for (std::uint64_t user = 1; user <= lanes; ++user) {
            const auto id = userOf(user).value;
            m_lanes[id].push_back(user);
            m_ready.push_back(id);
        }
    }
    void deliver(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto id = m_ready.front();
            m_ready.pop_front();
            m_lanes.find(id)->second.push_back(i);                // accepted
            m_delivered += m_lanes.find(id)->second.front() > 0;  // answered
            auto& lane = m_lanes.find(id)->second;                // durable
            lane.erase(lane.begin());
            m_ready.push_back(id);
        }
    }

private:
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> m_lanes;
    std::deque<std::uint64_t> m_ready;
    std::uint64_t m_delivered = 0;
};

BenchCase stepsCase(std::uint64_t lanes, int runs) {
    constexpr std::uint64_t kDeliveries = 100'000;
    BenchCase one;
    one.name = "kernel: steps at " + grouped(lanes) + " waiting lanes; accept, answer and commit " +
               "are one each";
    one.unit = "steps/s CPU";
    one.bareIs = "the same three acts on a std::unordered_map of queues";
    one.higherIsBetter = true;
    HugePages memory;
    Backlog backlog(lanes, Layout::scattered, &memory);
    PlainLanes plain(lanes);
    backlog.deliver(20'000);
    const auto perSecond = [](const auto& deliver) {
        const auto before = threadCpuSeconds();
        deliver();
        return 3 * static_cast<double>(kDeliveries) / (threadCpuSeconds() - before);
    };
    measure(one, runs, [&] { return perSecond([&] { backlog.deliverInSteps(kDeliveries); }); },
            [&] { return perSecond([&] { plain.deliver(kDeliveries); }); });
    return one;
}

/// Both sides once: memory does not vary from run to run.
BenchCase memoryCase() {
    constexpr std::uint64_t kLanes = 1'000'000;
    BenchCase one;
    one.name = "memory: a waiting lane with one event";
    one.unit = "bytes";
    one.bareIs = "std::unordered_map from a 64-bit key to a std::vector of one sequence";
    auto before = bytesInUse();
    {
        const Backlog backlog(kLanes, Layout::byAge);
        one.ours.push_back((bytesInUse() - before) / static_cast<double>(kLanes));
    }
    before = bytesInUse();
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> plain;
    for (std::uint64_t user = 1; user <= kLanes; ++user)
        plain[userOf(user).value].push_back(user);
    one.bare.push_back((bytesInUse() - before) / static_cast<double>(kLanes));
    return one;
}

BenchCase furtherEventCase() {
    constexpr std::uint64_t kLanes = 100'000;
    constexpr std::uint64_t kEvents = 20;
    BenchCase one;
    one.name = "memory: each further event of a lane";
    one.unit = "bytes";
    one.bareIs = "the sequence and a 64-bit time, packed";
    Backlog backlog(kLanes, Layout::byAge);
    const auto before = static_cast<double>(backlog.kernel().laneBytes());
    for (std::uint64_t round = 0; round < kEvents; ++round)
        for (std::uint64_t user = 1; user <= kLanes; ++user) backlog.accept(userOf(user), kSecond);
    backlog.flush();
    one.ours.push_back((static_cast<double>(backlog.kernel().laneBytes()) - before) /
                       static_cast<double>(kLanes * kEvents));
    one.bare.push_back(16);
    return one;
}

}  // namespace

std::vector<BenchCase> benchLanes(int runs) {
    std::vector<BenchCase> cases;
    for (const auto layout : {Layout::byAge, Layout::scattered}) {
        HugePages memory;
        Backlog few(kFew, layout, &memory);
        for (const std::uint64_t lanes : {1'000'000, 10'000'000})
            cases.push_back(deliveryCase(few, lanes, layout, runs));
    }
    for (const std::uint64_t lanes : {10'000, 10'000'000}) cases.push_back(stepsCase(lanes, runs));
    cases.push_back(memoryCase());
    cases.push_back(furtherEventCase());
    return cases;
}

}  // namespace lanes::bench
