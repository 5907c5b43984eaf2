// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "tests/bench/bare_sqlite.h"
#include "tests/bench/bench_store.h"

#include <string>
#include <utility>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kGroup = 1'000;
constexpr std::uint64_t kEvents = 200'000;  // of one run
constexpr std::uint32_t kDestinations = 2;

/// The program's store on a long log; each run makes it longer.
class OurIngest {
public:
    OurIngest(const std::string& directory, std::uint64_t before)
        : m_directory(directory), m_next(before) {}

    /// Events a second. One group waits while another one is committed.
    double perSecond() {
        OurStore store(m_directory);
        const auto end = m_next + scaled(kEvents);
        const auto first = m_next;
        const auto before = wallSeconds();
        for (; m_next < end; m_next += kGroup) {
            std::vector<NewEvent> group;
            group.reserve(kGroup);
            for (std::uint64_t i = 0; i < kGroup; ++i)
                group.push_back(benchEvent(m_next + i, kDestinations));
            store.submitEvents(std::move(group));
            if (m_next - first >= kGroup) store.meter().waitForEvents(m_next - first - kGroup);
            store.watchWal();
        }
        store.meter().waitForEvents(m_next - first);
        const auto seconds = wallSeconds() - before;
        m_largestWal = std::max(m_largestWal, store.largestWal());
        return static_cast<double>(m_next - first) / seconds;
    }
    [[nodiscard]] std::uint64_t largestWal() const { return m_largestWal; }

private:
    const std::string m_directory;
    std::uint64_t m_next;
    std::uint64_t m_largestWal = 0;
};

class BareIngest {
public:
    BareIngest(const std::string& path, std::uint64_t before) : m_bare(path), m_next(before) {}

    double perSecond() {
        const auto first = m_next;
        const auto before = wallSeconds();
        for (const auto end = m_next + scaled(kEvents); m_next < end;) {
            m_bare.begin();
            for (std::uint64_t i = 0; i < kGroup; ++i, ++m_next) add();
            m_bare.commit();
        }
        return static_cast<double>(m_next - first) / (wallSeconds() - before);
    }
    /// The log before the first run, as quickly as it can be written.
    void prepare(std::uint64_t events) {
        m_bare.execute("PRAGMA synchronous=OFF");
        for (m_next = 0; m_next < events;) {
            m_bare.begin();
            for (std::uint64_t i = 0; i < 50 * kGroup && m_next < events; ++i, ++m_next) add();
            m_bare.commit();
        }
        m_bare.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        m_bare.execute("PRAGMA synchronous=FULL");
    }

private:
    void add() {
        m_bare.addEvent(static_cast<std::int64_t>(m_next + 1), eventId(m_next), userText(m_next),
                        payload());
    }

    BareSqlite m_bare;
    std::uint64_t m_next;
};

}  // namespace

std::vector<BenchCase> benchIngest(int runs) {
    const auto log = scaled(5'000'000);
    BenchCase one;
    one.name = "store: events of 300 bytes for two destinations made durable, groups of 1,000, in "
               "a log of " + grouped(log) + " events";
    one.unit = "events/s";
    one.bareIs = "the same rows by SQLite's C API in a file of the same length, no duplicate "
                 "check, no index";
    one.higherIsBetter = true;
    const Directory directory;
    const auto ours = directory.path() + "/data";
    writeDeliveredLog(ours, log, kDestinations);
    BareIngest bare(directory.path() + "/bare.db", log);
    bare.prepare(log);
    OurIngest ingest(ours, log);
    measure(one, runs, [&] { return ingest.perSecond(); }, [&] { return bare.perSecond(); });
    auto wal = walCase("ingest");
    wal.ours.push_back(static_cast<double>(ingest.largestWal()) / (1 << 20));
    return {one, wal};
}

}  // namespace lanes::bench
