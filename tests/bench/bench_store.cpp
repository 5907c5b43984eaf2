// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_store.h"

#include "engine/store/checkpoint.h"
#include "engine/store/connection.h"
#include "engine/store/encoding.h"
#include "engine/store/index_writer.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"

#include <QDir>

#include <SQLiteCpp/Transaction.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kUsers = 10'000;

/// Now, or retention would be at work as well.
WallMicros acceptedAt() {
    static const WallMicros now = StoreOptions().now();
    return now;
}

void writeEvents(SQLite::Database& database, std::uint64_t events, std::uint32_t destinations) {
    SQLite::Statement insert(database, "INSERT INTO events VALUES(?,'native',?,1,?,'bench.event',"
                                       "'application/json',?,?)");
    SQLite::Statement pointer(database,
                              "INSERT INTO pointers(seq, user, targets) VALUES(?,?,?)");
    const auto targets = store::encodeTargets(benchEvent(0, destinations).targets);
    for (std::uint64_t i = 0; i < events; ++i) {
        const auto id = eventId(i);
        const auto user = userText(i);
        insert.bind(1, store::toColumn(i + 1));
        insert.bindNoCopy(2, id);
        insert.bindNoCopy(3, user);
        insert.bind(4, acceptedAt());
        insert.bindNoCopy(5, payload().data(), static_cast<int>(payload().size()));
        insert.exec();
        insert.reset();
        pointer.bind(1, store::toColumn(i + 1));
        pointer.bind(2, store::toColumn(userId(i).value));
        pointer.bindNoCopy(3, targets.data(), static_cast<int>(targets.size()));
        pointer.exec();
        pointer.reset();
    }
}

}  // namespace

const std::string& payload() {
    static const std::string text = "{\"note\":\"" + std::string(289, 'x') + "\"}";
    return text;
}

std::string userText(std::uint64_t i) { return "user-" + std::to_string(i % kUsers); }

std::string eventId(std::uint64_t i) { return "event-" + std::to_string(i * 0x9e3779b97f4a7c15); }

UserId userId(std::uint64_t i) { return UserId((i % kUsers + 1) * 0x9e3779b97f4a7c15); }

NewEvent benchEvent(std::uint64_t i, std::uint32_t destinations) {
    NewEvent event;
    event.source = "native";
    event.id = eventId(i);
    event.user = {UserKey::Kind::user, userText(i)};
    event.userId = userId(i);
    event.type = "bench.event";
    event.contentType = "application/json";
    event.payload = payload();
    event.acceptedAt = acceptedAt();
    for (std::uint32_t id = 1; id <= destinations; ++id)
        event.targets.push_back({DestinationId(id), kSecond});
    return event;
}

DestinationConfig benchDestination(std::uint32_t id) {
    DestinationConfig config;
    config.id = DestinationId(id);
    config.name = "bench-" + std::to_string(id);
    config.url = "http://127.0.0.1/";
    return config;
}

Directory::Directory() : m_directory(QDir::current().filePath(QStringLiteral("bench-XXXXXX"))) {
    if (!m_directory.isValid()) giveUp("no directory can be made here");
}

void writeDeliveredLog(const std::string& directory, std::uint64_t events,
                       std::uint32_t destinations) {
    {
        OurStore store(directory);
        store.addDestinations(destinations);
    }
    const auto database = store::openForWriting(store::dataFile(directory), 1000);
    database->exec("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF;"
                   "PRAGMA cache_size=-400000");
    SQLite::Transaction transaction(*database);
    writeEvents(*database, events, destinations);
    store::buildIndexes(*database);
    store::PendingLedger ledger;
    for (std::uint32_t id = 1; id <= destinations; ++id) ledger.add(DestinationId(id));
    const auto targets = benchEvent(0, destinations).targets;
    for (std::uint64_t sequence = 1; sequence <= events; ++sequence) {
        ledger.accept(Sequence(sequence), targets);
        for (const auto& target : targets) {
            store::JournalFact delivered;
            delivered.pointer = {target.destination, Sequence(sequence)};
            ledger.apply(delivered);
        }
    }
    store::writeCheckpoint(*database, ledger, {events, 0});
    transaction.commit();
}

std::uint64_t diskBytesWritten() {
    std::ifstream file("/proc/self/io");
    std::string name;
    std::uint64_t value = 0;
    while (file >> name >> value)
        if (name == "write_bytes:") return value;
    giveUp("/proc/self/io cannot be read");
}

void Meter::committed(CommitReport report) {
    const auto now = wallSeconds();
    const std::lock_guard lock(m_mutex);
    m_ticket = std::max(m_ticket, report.ticket);
    for (const auto& intake : report.intakes) {
        if (!intake.stored) giveUp("the store gave events back");
        m_events += intake.events.size();
        m_intakes[intake.intake] = now;
    }
    m_changed.notify_one();
}

void Meter::statusChanged(StoreStatus status) {
    if (!status.writable) giveUp(status.fault);
}

void Meter::waitForEvents(std::uint64_t count) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_events >= count; });
}

void Meter::waitForTicket(std::uint64_t ticket) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_ticket >= ticket; });
}

std::uint64_t Meter::ticket() {
    const std::lock_guard lock(m_mutex);
    return m_ticket;
}

double Meter::committedAt(std::uint64_t intake) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_intakes.find(intake);
    if (found == m_intakes.end()) giveUp("a batch was never committed");
    const auto at = found->second;
    m_intakes.erase(found);
    return at;
}

OurStore::OurStore(const std::string& directory, Recovery recovery)
    : m_directory(directory), m_store([&] {
          StoreOptions options;
          options.directory = directory;
          return options;
      }(), m_meter) {
    if (!recovery.pending) recovery.pending = [](const PendingPointer&) {};
    if (const auto opened = m_store.open(recovery); !opened) giveUp(opened.error().detail);
}

void OurStore::addDestinations(std::uint32_t count) {
    WriteBatch batch;
    batch.ticket = 1;
    for (std::uint32_t id = 1; id <= count; ++id)
        batch.destinations.push_back(benchDestination(id));
    m_store.submit(std::move(batch));
    m_meter.waitForTicket(1);
}

std::uint64_t OurStore::submitEvents(std::vector<NewEvent> events) {
    WriteBatch batch;
    batch.intake = ++m_intake;
    batch.events = std::move(events);
    m_store.submit(std::move(batch));
    return m_intake;
}

void OurStore::watchWal() {
    struct stat status {};
    if (::stat((store::dataFile(m_directory) + "-wal").c_str(), &status) == 0)
        m_largestWal = std::max(m_largestWal, static_cast<std::uint64_t>(status.st_size));
}

BenchCase walCase(const std::string& where) {
    BenchCase one;
    one.name = where + ": largest write-ahead log";
    one.unit = "MiB";
    one.bareIs = "its limit";
    one.bare = {static_cast<double>(limits::kWalBytes) / (1 << 20)};
    return one;
}

}  // namespace lanes::bench
