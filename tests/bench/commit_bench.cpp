// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "tests/bench/bare_sqlite.h"
#include "tests/bench/bench_store.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kGroup = 100;
constexpr double kInterval = 0.020;  // seconds between groups: 5,000 events a second
constexpr std::uint64_t kGroups = 1'500;
/// Ids that wait for their run at the beginning, so that a run is written in the middle.
constexpr std::uint64_t kWaiting = 200'000;

struct Latency {
    double p99 = 0;    // ms
    double worst = 0;  // ms
};

Latency latencyOf(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {seconds[seconds.size() * 99 / 100] * 1000, seconds.back() * 1000};
}

/// Calls act(group, due) on time, however long the one before took.
template <typename Act>
void paced(Act act) {
    const auto begin = wallSeconds();
    for (std::uint64_t group = 0; group < scaled(kGroups); ++group) {
        const auto due = begin + static_cast<double>(group) * kInterval;
        const auto left = due - wallSeconds();
        if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
        act(group, due);
    }
}

std::vector<NewEvent> eventsFrom(std::uint64_t first, std::uint64_t count) {
    std::vector<NewEvent> events;
    events.reserve(count);
    for (auto i = first; i < first + count; ++i) events.push_back(benchEvent(i, 1));
    return events;
}

/// Acknowledgements of the events from `first` on.
std::vector<JournalEntry> acksFrom(std::uint64_t first) {
    std::vector<JournalEntry> journal;
    for (auto i = first; i < first + kGroup; ++i) {
        JournalEntry entry;
        entry.pointer = {DestinationId(1), Sequence(i + 1)};
        entry.user = userId(i);
        entry.attempt = 1;
        entry.at = StoreOptions().now();
        entry.duration = 5 * kMillisecond;
        entry.status = 200;
        journal.push_back(std::move(entry));
    }
    return journal;
}

class OurCommits {
public:
    OurCommits(const std::string& directory, std::uint64_t log) : m_store(directory), m_next(log) {
        for (std::uint64_t i = 0; i < scaled(kWaiting); i += 10 * kGroup, m_next += 10 * kGroup)
            m_store.submitEvents(eventsFrom(m_next, 10 * kGroup));
        m_store.meter().waitForEvents(m_next - log);
        m_begun = log;
    }

    Latency latency() {
        std::vector<double> due;
        std::vector<std::uint64_t> intakes;
        paced([&](std::uint64_t, double at) {
            WriteBatch batch;
            batch.ticket = ++m_ticket;
            batch.journal = acksFrom(m_next - kGroup);
            m_store.submit(std::move(batch));
            intakes.push_back(m_store.submitEvents(eventsFrom(m_next, kGroup)));
            due.push_back(at);
            m_next += kGroup;
            m_store.watchWal();
        });
        m_store.meter().waitForEvents(m_next - m_begun);
        for (std::size_t i = 0; i < due.size(); ++i)
            due[i] = m_store.meter().committedAt(intakes[i]) - due[i];
        return latencyOf(std::move(due));
    }
    [[nodiscard]] std::uint64_t largestWal() const { return m_store.largestWal(); }

private:
    OurStore m_store;
    std::uint64_t m_next = 0;
    std::uint64_t m_begun = 0;
    std::uint64_t m_ticket = 1;
};

Latency bareLatency(BareSqlite& bare, std::int64_t& row) {
    std::vector<double> seconds;
    paced([&](std::uint64_t, double due) {
        bare.begin();
        for (std::uint64_t i = 0; i < kGroup; ++i) {
            ++row;
            bare.addEvent(row, eventId(static_cast<std::uint64_t>(row)), userText(0), payload());
            bare.addAck(row);
        }
        bare.commit();
        seconds.push_back(wallSeconds() - due);
    });
    return latencyOf(std::move(seconds));
}

}  // namespace

std::vector<BenchCase> benchCommits(int runs) {
    const auto log = scaled(5'000'000);
    BenchCase p99;
    p99.name = "store: 99 % of commits of 100 events and 100 acknowledgements end within, at 5,000 "
               "events/s in a log of " + grouped(log) + " events";
    p99.unit = "ms";
    p99.bareIs = "the same rows by SQLite's C API with its automatic checkpoint, no index";
    BenchCase worst = p99;
    worst.name = "store: the longest of these commits";
    const Directory directory;
    writeDeliveredLog(directory.path() + "/data", log, 1);
    OurCommits ours(directory.path() + "/data", log);
    BareSqlite bare(directory.path() + "/bare.db");
    std::int64_t row = 0;
    for (int run = 0; run < runs; ++run) {
        const auto our = ours.latency();
        const auto plain = bareLatency(bare, row);
        p99.ours.push_back(our.p99);
        p99.bare.push_back(plain.p99);
        worst.ours.push_back(our.worst);
        worst.bare.push_back(plain.worst);
    }
    auto wal = walCase("commits");
    wal.ours.push_back(static_cast<double>(ours.largestWal()) / (1 << 20));
    return {p99, worst, wal};
}

}  // namespace lanes::bench
