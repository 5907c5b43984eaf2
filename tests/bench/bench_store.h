// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite_store.h"
#include "tests/bench/bench_case.h"

#include <QTemporaryDir>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// What the benchmarks of the store share: the same rows for both sides, a directory on the disk
// that is measured, and somebody who waits for commits.
namespace lanes::bench {

/// A payload of 300 bytes.
[[nodiscard]] const std::string& payload();
[[nodiscard]] std::string userText(std::uint64_t i);
/// As good as random: neighbours are far apart in any index.
[[nodiscard]] std::string eventId(std::uint64_t i);
[[nodiscard]] UserId userId(std::uint64_t i);
/// Event number `i`, for destinations 1 to `destinations`.
[[nodiscard]] NewEvent benchEvent(std::uint64_t i, std::uint32_t destinations);
[[nodiscard]] DestinationConfig benchDestination(std::uint32_t id);

/// Beside the current directory, so that the disk that is measured can be chosen.
class Directory {
public:
    Directory();
    [[nodiscard]] std::string path() const { return m_directory.path().toStdString(); }

private:
    QTemporaryDir m_directory;
};

/// A log of `events` events that were delivered long ago, in a new data file.
void writeDeliveredLog(const std::string& directory, std::uint64_t events,
                       std::uint32_t destinations);

/// Bytes that this process has caused to be written to the disk (/proc/self/io, write_bytes).
[[nodiscard]] std::uint64_t diskBytesWritten();

/// Counts what is durable, and lets the sender wait for it.
class Meter : public StoreListener {
public:
    void committed(CommitReport report) override;
    void statusChanged(StoreStatus status) override;
    void waitForEvents(std::uint64_t count);
    void waitForTicket(std::uint64_t ticket);
    /// The largest ticket that is durable.
    [[nodiscard]] std::uint64_t ticket();
    /// When an intake batch was durable, in seconds of the monotonic clock; removes it.
    [[nodiscard]] double committedAt(std::uint64_t intake);

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_events = 0;
    std::uint64_t m_ticket = 0;
    std::map<std::uint64_t, double> m_intakes;
};

/// The program's store, open in a directory.
class OurStore {
public:
    explicit OurStore(const std::string& directory, Recovery recovery = {});
    ~OurStore() { m_store.close(); }
    OurStore(const OurStore&) = delete;
    OurStore& operator=(const OurStore&) = delete;

    void addDestinations(std::uint32_t count);
    /// Gives a batch of events; its number.
    std::uint64_t submitEvents(std::vector<NewEvent> events);
    void submit(WriteBatch batch) { m_store.submit(std::move(batch)); }
    [[nodiscard]] Meter& meter() { return m_meter; }
    [[nodiscard]] StoreSnapshot stats() const { return m_store.stats(); }
    /// The largest write-ahead log seen by the calls of `watchWal`, in bytes.
    void watchWal();
    [[nodiscard]] std::uint64_t largestWal() const { return m_largestWal; }

private:
    const std::string m_directory;
    Meter m_meter;
    SqliteStore m_store;
    std::uint64_t m_intake = 0;
    std::uint64_t m_largestWal = 0;
};

/// How large the write-ahead log became, against its limit.
[[nodiscard]] BenchCase walCase(const std::string& where);

}  // namespace lanes::bench
