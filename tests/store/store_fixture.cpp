// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/verify.h"

#include <chrono>
#include <filesystem>
#include <unistd.h>

namespace lanes::test {

using namespace std::chrono_literals;

void RecordingListener::committed(CommitReport report) {
    const std::lock_guard lock(m_mutex);
    if (report.ticket != 0) m_tickets.push_back(report.ticket);
    for (auto& intake : report.intakes) m_intakes[intake.intake] = std::move(intake);
    m_changed.notify_all();
}

void RecordingListener::statusChanged(StoreStatus status) {
    const std::lock_guard lock(m_mutex);
    m_writable = status.writable;
    m_fault = std::move(status.fault);
    if (!m_writable && !m_fault.empty()) ++m_faults;
    m_changed.notify_all();
}

bool RecordingListener::waitUntil(const std::function<bool()>& condition) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, 10s, condition);
}

bool RecordingListener::waitForTicket(std::uint64_t ticket) {
    return waitUntil([&] { return !m_tickets.empty() && m_tickets.back() >= ticket; });
}

IntakeCommit RecordingListener::waitForIntake(std::uint64_t intake) {
    if (!waitUntil([&] { return m_intakes.contains(intake); })) return {};
    const std::lock_guard lock(m_mutex);
    return m_intakes[intake];
}

bool RecordingListener::waitForWritable(bool writable) {
    return waitUntil([&] { return m_writable == writable; });
}

bool RecordingListener::waitForFault(const std::string& part) {
    return waitUntil([&] { return m_fault.find(part) != std::string::npos; });
}

std::string RecordingListener::lastFault() const {
    const std::lock_guard lock(m_mutex);
    return m_fault;
}

int RecordingListener::faults() const {
    const std::lock_guard lock(m_mutex);
    return m_faults;
}

std::uint64_t RecordingListener::lastTicket() const {
    const std::lock_guard lock(m_mutex);
    return m_tickets.empty() ? 0 : m_tickets.back();
}

std::vector<std::uint64_t> RecordingListener::tickets() const {
    const std::lock_guard lock(m_mutex);
    return m_tickets;
}

OpenStore::OpenStore(StoreOptions options) : directory(options.directory) {
    recovery.pending = [this](const PendingPointer& pointer) { pending.push_back(pointer); };
    store = std::make_unique<SqliteStore>(std::move(options), listener);
    const auto opened = store->open(recovery);
    if (!opened) {
        error = opened.error().detail;
        code = opened.error().code;
    }
}

OpenStore::~OpenStore() {
    store->close();
}

bool OpenStore::commit(WriteBatch batch) {
    batch.ticket = ++ticket;
    store->submit(std::move(batch));
    return listener.waitForTicket(ticket);
}

IntakeCommit OpenStore::accept(std::vector<NewEvent> events) {
    WriteBatch batch;
    batch.ticket = ++ticket;
    batch.intake = ticket;
    batch.events = std::move(events);
    store->submit(std::move(batch));
    return listener.waitForIntake(ticket);
}

const RecoveredDestination* OpenStore::destination(std::uint32_t id) const {
    for (const auto& destination : recovery.destinations) {
        if (destination.config.id == DestinationId(id)) return &destination;
    }
    return nullptr;
}

const char* temporaryTemplate() {
    return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/lanes-XXXXXX" : "/tmp/lanes-XXXXXX";
}

StoreOptions optionsFor(const std::string& directory) {
    StoreOptions options;
    options.directory = directory;
    options.retryInterval = 50 * kMillisecond;
    options.busyMilliseconds = 50;
    // The disk of the machine that runs the tests may be almost full; that is no matter here.
    options.diskSpace = [] { return store::DiskSpace{1ull << 40, 1ull << 41}; };
    options.wallNow = [] { return kTestTime; };
    return options;
}

DestinationConfig destinationConfig(std::uint32_t id) {
    DestinationConfig config;
    config.id = DestinationId(id);
    config.name = "destination-" + std::to_string(id);
    config.url = "http://127.0.0.1:9/" + std::to_string(id);
    return config;
}

WriteBatch destinationsBatch(std::uint32_t count) {
    WriteBatch batch;
    for (std::uint32_t id = 1; id <= count; ++id)
        batch.destinations.push_back(destinationConfig(id));
    return batch;
}

NewEvent newEvent(const std::string& id, std::uint64_t user,
                  const std::vector<std::uint32_t>& destinations) {
    NewEvent event;
    event.source = "test";
    event.id = id;
    event.user = {UserKey::Kind::user, "user-" + std::to_string(user)};
    event.userId = UserId(user);
    event.type = "order.created";
    event.contentType = "application/json";
    event.payload = "{\"id\":\"" + id + "\"}";
    event.acceptedAt = kTestTime;
    for (const auto destination : destinations)
        event.targets.push_back({DestinationId(destination), 7 * kSecond});
    return event;
}

JournalEntry journalEntry(JournalKind kind, std::uint32_t destination, Sequence sequence,
                          Outcome outcome) {
    JournalEntry entry;
    entry.kind = kind;
    entry.pointer = {DestinationId(destination), sequence};
    entry.attempt = 1;
    entry.at = kTestTime + kSecond;
    entry.duration = 1500;
    entry.outcome = outcome;
    entry.status = outcome == Outcome::delivered ? 200 : 503;
    return entry;
}

WriteBatch journalBatch(std::vector<JournalEntry> entries) {
    WriteBatch batch;
    batch.journal = std::move(entries);
    return batch;
}

JournalEntry actEntry(JournalKind kind, std::uint32_t destination, Sequence sequence,
                      std::uint64_t operation, std::uint32_t life, Outcome outcome) {
    auto entry = journalEntry(kind, destination, sequence, outcome);
    entry.operation = OperationId(operation);
    entry.life = life;
    return entry;
}

OperationRow operationRow(std::uint64_t id, OperationKind kind, OperationState state) {
    OperationRow row;
    row.id = OperationId(id);
    row.at = kTestTime;
    row.who = "ann";
    row.action = "act";
    row.kind = kind;
    row.state = state;
    return row;
}

OperationSet operationSet(std::vector<OperationMember> members) {
    return std::make_shared<const std::vector<OperationMember>>(std::move(members));
}

std::string copyAsKilled(const std::string& directory, const std::string& name) {
    const auto copy = std::filesystem::path(directory).parent_path() / name;
    std::filesystem::create_directory(copy);
    for (const char* file : {"lanes.db", "lanes.db-wal", "lanes.db-mark"})
        std::filesystem::copy_file(directory + "/" + file, copy / file);
    return copy.string();
}

std::string faultOf(const std::string& directory) {
    const auto verdict = verifyDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&verdict)) return *error;
    const auto& report = std::get<VerifyReport>(verdict);
    return report.clean() ? std::string() : report.findings.back();
}

}  // namespace lanes::test
