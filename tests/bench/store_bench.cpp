// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/store/sqlite_store.h"
#include "tests/bench/bare_sqlite.h"

#include <QDir>
#include <QTemporaryDir>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace lanes::bench {

namespace {

constexpr DestinationId kDestination{1};
/// What waits for the disk at any moment, on both sides: the store takes it in small batches and
/// groups them itself, the yardstick puts as much into one transaction.
constexpr std::uint64_t kOutstanding = 500;
constexpr std::uint64_t kEventsPerRequest = 50;
constexpr std::uint64_t kRows = 50'000;

const std::string& payload() {
    static const std::string text = "{\"note\":\"" + std::string(289, 'x') + "\"}";
    return text;
}

std::string userText(std::uint64_t i) { return "user-" + std::to_string(i % 10'000); }
std::string eventId(std::uint64_t i) { return "event-" + std::to_string(i * 0x9e3779b97f4a7c15); }

void giveUp(const std::string& why) {
    std::fprintf(stderr, "rivora-lanes-bench: %s\n", why.c_str());
    std::exit(3);
}

/// Beside the current directory, so that the disk that is measured can be chosen.
class Directory {
public:
    Directory() : m_directory(QDir::current().filePath(QStringLiteral("bench-XXXXXX"))) {
        if (!m_directory.isValid()) giveUp("no directory can be made here");
    }
    [[nodiscard]] std::string path() const { return m_directory.path().toStdString(); }

private:
    QTemporaryDir m_directory;
};

/// Counts what is durable, and lets the sender wait for it.
class Meter : public StoreListener {
public:
    void committed(CommitReport report) override {
        const std::lock_guard lock(m_mutex);
        m_ticket = std::max(m_ticket, report.ticket);
        for (const auto& intake : report.intakes) {
            if (!intake.stored) giveUp("the store gave events back");
            m_events += intake.events.size();
        }
        m_changed.notify_one();
    }
    void statusChanged(StoreStatus status) override {
        if (!status.writable) giveUp(status.fault);
    }
    void waitForEvents(std::uint64_t count) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_events >= count; });
    }
    void waitForTicket(std::uint64_t ticket) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_ticket >= ticket; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_events = 0;
    std::uint64_t m_ticket = 0;
};

/// The program's store in a fresh directory, with one destination.
class OurStore {
public:
    OurStore() : m_store(options(), m_meter) {
        Recovery recovery;
        recovery.pending = [](const PendingPointer&) {};
        if (const auto opened = m_store.open(recovery); !opened) giveUp(opened.error().detail);
        WriteBatch batch;
        batch.ticket = ++m_ticket;
        DestinationConfig config;
        config.id = kDestination;
        config.name = "bench";
        config.url = "http://127.0.0.1/";
        batch.destinations.push_back(config);
        m_store.submit(std::move(batch));
        m_meter.waitForTicket(m_ticket);
    }
    ~OurStore() { m_store.close(); }
    OurStore(const OurStore&) = delete;
    OurStore& operator=(const OurStore&) = delete;

    /// Seconds until `kRows` events are durable.
    double ingest() {
        const auto before = wallSeconds();
        for (std::uint64_t sent = 0; sent < kRows;) {
            WriteBatch batch;
            batch.intake = ++m_intake;
            for (std::uint64_t i = 0; i < kEventsPerRequest; ++i, ++sent)
                batch.events.push_back(event(sent));
            m_store.submit(std::move(batch));
            if (sent >= kOutstanding) m_meter.waitForEvents(sent - kOutstanding);
        }
        m_meter.waitForEvents(kRows);
        return wallSeconds() - before;
    }

    /// Seconds until `kRows` acknowledgements, one a batch as the kernel makes them, are durable.
    double acknowledge() {
        const auto first = m_ticket;
        const auto before = wallSeconds();
        for (std::uint64_t i = 0; i < kRows; ++i) {
            WriteBatch batch;
            batch.ticket = ++m_ticket;
            JournalEntry entry;
            entry.pointer = {kDestination, Sequence(i + 1)};
            entry.user = event(i).userId;
            entry.attempt = 1;
            entry.at = 1'700'000'000'000'000;
            entry.duration = 5 * kMillisecond;
            entry.status = 200;
            batch.journal.push_back(std::move(entry));
            m_store.submit(std::move(batch));
            if (i + 1 >= kOutstanding) m_meter.waitForTicket(first + i + 1 - kOutstanding);
        }
        m_meter.waitForTicket(m_ticket);
        return wallSeconds() - before;
    }

private:
    StoreOptions options() const {
        StoreOptions options;
        options.directory = m_directory.path() + "/data";
        return options;
    }
    static NewEvent event(std::uint64_t i) {
        NewEvent event;
        event.source = "native";
        event.id = eventId(i);
        event.user = {UserKey::Kind::user, userText(i)};
        event.userId = UserId((i % 10'000 + 1) * 0x9e3779b97f4a7c15);
        event.type = "bench.event";
        event.contentType = "application/json";
        event.payload = payload();
        event.acceptedAt = 1'700'000'000'000'000;
        event.targets = {{kDestination, 0}};
        return event;
    }

    Directory m_directory;
    Meter m_meter;
    SqliteStore m_store;
    std::uint64_t m_intake = 0;
    std::uint64_t m_ticket = 0;
};

/// Seconds for `kRows` rows in transactions of `kOutstanding`.
template <typename AddRow>
double bareSeconds(BareSqlite& bare, AddRow addRow) {
    const auto before = wallSeconds();
    for (std::uint64_t i = 0; i < kRows; i += kOutstanding) {
        bare.begin();
        for (std::uint64_t row = i; row < i + kOutstanding; ++row) addRow(row);
        bare.commit();
    }
    return wallSeconds() - before;
}

double bareIngest() {
    const Directory directory;
    BareSqlite bare(directory.path() + "/bare.db");
    const auto seconds = bareSeconds(bare, [&](std::uint64_t row) {
        bare.addEvent(static_cast<std::int64_t>(row + 1), eventId(row), userText(row), payload());
    });
    return kRows / seconds;
}

double bareAck() {
    const Directory directory;
    BareSqlite bare(directory.path() + "/bare.db");
    const auto seconds = bareSeconds(
        bare, [&](std::uint64_t row) { bare.addAck(static_cast<std::int64_t>(row + 1)); });
    return kRows / seconds;
}

}  // namespace

std::vector<BenchCase> benchIngest(int runs) {
    BenchCase one;
    one.name = "store: events of 300 bytes made durable, requests of 50, 500 waiting at most";
    one.unit = "events/s";
    one.bareIs = "the same rows by SQLite's C API, 500 a transaction, no duplicate check, no index";
    one.higherIsBetter = true;
    measure(one, runs, [] {
        OurStore store;
        return kRows / store.ingest();
    }, bareIngest);
    return {one};
}

std::vector<BenchCase> benchAck(int runs) {
    BenchCase one;
    one.name = "store: acknowledgements made durable, 500 waiting at most";
    one.unit = "acks/s";
    one.bareIs = "the same rows by SQLite's C API, 500 a transaction, no index";
    one.higherIsBetter = true;
    measure(one, runs, [] {
        OurStore store;
        store.ingest();
        return kRows / store.acknowledge();
    }, bareAck);
    return {one};
}

}  // namespace lanes::bench
