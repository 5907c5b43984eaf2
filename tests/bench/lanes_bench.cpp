// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/delivery_kernel.h"

#include <malloc.h>

#include <memory>
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

/// A kernel with waiting lanes, and a world that delivers everything at once.
class Backlog {
public:
    Backlog(std::uint64_t lanes, Layout layout) : m_kernel(std::make_unique<DeliveryKernel>(1)) {
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
            accept(user, static_cast<Micros>(second) * kSecond);
        }
        flush();
    }

    /// Queues an event of a user, whose window began at `clock`.
    void accept(std::uint64_t user, Micros clock) {
        // A fingerprint is as good as random; this spreads the numbers in the same way.
        const UserId id(user * 0x9e3779b97f4a7c15 + 1);
        m_accepted.events.push_back({Sequence(++m_sequence), id, {{kDestination, clock}}});
        if (m_accepted.events.size() == 500) flush();
    }
    void flush() {
        if (!m_accepted.events.empty()) step(std::exchange(m_accepted, {}));
    }

    /// Delivers at least `count` events; each delivered event is replaced by a new one of the same
    /// user, so that the number of waiting lanes stays what it is.
    void deliver(std::uint64_t count) {
        for (std::uint64_t done = 0; done < count;) {
            m_moment.now += 5 * kMillisecond;
            if (m_kernel->nextWakeup(m_moment.now) <= m_moment.now) step(input::TimePassed{});
            const auto round = std::exchange(m_starts, {});
            for (const auto& start : round)
                m_accepted.events.push_back(
                    {Sequence(++m_sequence), start.user, {{kDestination, m_moment.now}}});
            flush();
            for (const auto& start : round) {
                AttemptResult result;
                result.attempt = start.attempt;
                result.reach = AttemptResult::Reach::answered;
                result.status = 200;
                result.duration = 5 * kMillisecond;
                step(input::AttemptFinished{std::move(result)});
            }
            if (m_ticket) step(input::StoreCommitted{std::exchange(m_ticket, 0)});
            done += round.size();
        }
    }

    [[nodiscard]] const DeliveryKernel& kernel() const { return *m_kernel; }

private:
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

BenchCase deliveryCase(const std::string& lanes, std::uint64_t count, Layout layout, int runs) {
    BenchCase one;
    one.name = "kernel: one delivery at " + lanes + " waiting lanes, " +
               (layout == Layout::byAge ? "in order of age" : "scattered in memory");
    one.unit = "ns CPU";
    one.bareIs = "the same with 1,000 waiting lanes";
    Backlog backlog(count, layout);
    Backlog small(1'000, layout);
    backlog.deliver(20'000);
    small.deliver(20'000);
    measure(one, runs, [&] { return nanosecondsPerDelivery(backlog); },
            [&] { return nanosecondsPerDelivery(small); });
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
        plain[user * 0x9e3779b97f4a7c15 + 1].push_back(user);
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
        for (std::uint64_t user = 1; user <= kLanes; ++user) backlog.accept(user, kSecond);
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
        cases.push_back(deliveryCase("10,000", 10'000, layout, runs));
        cases.push_back(deliveryCase("1,000,000", 1'000'000, layout, runs));
    }
    cases.push_back(memoryCase());
    cases.push_back(furtherEventCase());
    return cases;
}

}  // namespace lanes::bench
