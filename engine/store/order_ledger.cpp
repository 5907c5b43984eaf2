// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/order_ledger.h"

#include "engine/store/connection.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <map>
#include <sys/stat.h>
#include <tuple>
#include <utility>

namespace lanes::store {

namespace {

constexpr std::size_t kFindings = 100;
/// Rows may not crowd out what the books say.
constexpr std::size_t kRowFindings = 90;

void note(VerifyReport& report, std::string finding, std::size_t limit = kFindings) {
    if (report.findings.size() < limit) report.findings.push_back(std::move(finding));
}

std::string nameOf(const Pointer& pointer) {
    return "event " + std::to_string(pointer.sequence.value) + " at destination " +
           std::to_string(pointer.destination.value);
}

std::string textOf(const DeliveryCounters& counters) {
    return "accepted " + std::to_string(counters.accepted) + ", delivered " +
           std::to_string(counters.delivered) + ", waiting " + std::to_string(counters.waiting) +
           ", dead " + std::to_string(counters.dead) + ", discarded " +
           std::to_string(counters.discarded);
}

std::map<DestinationId, std::uint64_t> countDeadLetters(SQLite::Database& database) {
    std::map<DestinationId, std::uint64_t> counts;
    SQLite::Statement query(database,
                            "SELECT destination, COUNT(*) FROM dead_letters GROUP BY destination");
    while (query.executeStep())
        counts[DestinationId(query.getColumn(0).getUInt())] = asUnsigned(query.getColumn(1));
    return counts;
}

void compareBooks(SQLite::Database& database, const PendingLedger& replayed,
                  VerifyReport& report) {
    PendingLedger stored;
    if (!loadLedger(database, stored)) {
        ++report.unbalanced;
        note(report, "the stored checkpoint is damaged; the log itself tells what is pending");
        return;
    }
    auto dead = countDeadLetters(database);
    for (const auto& [id, truth] : replayed.destinations()) {
        const auto* books = stored.find(id);
        const std::string name = "destination " + std::to_string(id.value);
        if (books == nullptr || books->counters() != truth.counters() ||
            !truth.counters().balanced()) {
            ++report.unbalanced;
            note(report, name + ": the log says " + textOf(truth.counters()) +
                             "; the books say " +
                             textOf(books == nullptr ? DeliveryCounters() : books->counters()));
        } else if (!books->sameOpenEvents(truth)) {
            ++report.unbalanced;
            note(report, name + ": other events wait than the log says");
        } else if (dead[id] != truth.counters().dead) {
            ++report.unbalanced;
            note(report, name + ": " + std::to_string(truth.counters().dead) +
                             " dead letters in the log, " + std::to_string(dead[id]) +
                             " in the list");
        }
    }
}

VerifyReport verify(SQLite::Database& database) {
    VerifyReport report;
    OrderLedger order(report);
    PendingLedger replayed;
    startLedger(database, replayed);
    scanPointers(database, 0,
                 [&](Sequence sequence, UserId user, const std::vector<Target>& targets) {
                     for (const auto& target : targets)
                         order.addPointer({target.destination, sequence}, user);
                     replayed.accept(sequence, targets);
                 });
    order.arrange();
    scanJournal(database, 0, [&](const JournalFact& fact) {
        order.apply(fact.row, fact);
        replayed.apply(fact);
    });
    compareBooks(database, replayed, report);
    return report;
}

}  // namespace

void OrderLedger::addPointer(Pointer pointer, UserId user) {
    m_unsorted.push_back({user.value, pointer.sequence.value, pointer.destination.value});
}

void OrderLedger::arrange() {
    std::sort(m_unsorted.begin(), m_unsorted.end(), [](const Unsorted& a, const Unsorted& b) {
        return std::tie(a.destination, a.user, a.sequence) <
               std::tie(b.destination, b.user, b.sequence);
    });
    m_slots.reserve(m_unsorted.size());
    m_places.reserve(m_unsorted.size());
    const Unsorted* before = nullptr;
    for (const auto& entry : m_unsorted) {
        const auto index = static_cast<std::uint32_t>(m_slots.size());
        // No user: ordered with nothing, a lane of its own.
        const bool sameLane = before != nullptr && entry.user != 0 &&
                              before->user == entry.user &&
                              before->destination == entry.destination;
        if (!sameLane) m_lanes.push_back({index, index, index});
        m_lanes.back().end = index + 1;
        Slot slot;
        slot.sequence = entry.sequence;
        slot.lane = static_cast<std::uint32_t>(m_lanes.size() - 1);
        m_slots.push_back(slot);
        m_places.push_back({entry.sequence, entry.destination, index});
        before = &entry;
    }
    m_unsorted = {};
    std::sort(m_places.begin(), m_places.end(), [](const Place& a, const Place& b) {
        return std::tie(a.destination, a.sequence) < std::tie(b.destination, b.sequence);
    });
    m_report.lanes = m_lanes.size();
}

const OrderLedger::Place* OrderLedger::find(const Pointer& pointer) const {
    const auto wanted = std::tuple(pointer.destination.value, pointer.sequence.value);
    const auto found = std::lower_bound(
        m_places.begin(), m_places.end(), wanted, [](const Place& place, const auto& key) {
            return std::tuple(place.destination, place.sequence) < key;
        });
    if (found == m_places.end() || std::tuple(found->destination, found->sequence) != wanted)
        return nullptr;
    return &*found;
}

void OrderLedger::violation(std::uint64_t position, const Pointer& pointer,
                            const std::string& what) {
    ++m_report.orderViolations;
    note(m_report, "journal row " + std::to_string(position) + ": " + nameOf(pointer) + " " + what,
         kRowFindings);
}

void OrderLedger::apply(std::uint64_t position, const JournalFact& fact) {
    if (fact.kind == JournalKind::attempt) ++m_report.attempts;
    if (fact.kind == JournalKind::rewound) ++m_report.markedRewinds;
    const auto* place = find(fact.pointer);
    if (place == nullptr) {
        ++m_report.unbalanced;
        note(m_report, "journal row " + std::to_string(position) + " is about " +
                           nameOf(fact.pointer) + ", which was never accepted",
             kRowFindings);
        return;
    }
    auto& slot = m_slots[place->slot];
    switch (fact.kind) {
    case JournalKind::attempt:
        applyAttempt(position, fact, place->slot);
        return;
    case JournalKind::rewound:
        slot.rewound = true;
        return;
    case JournalKind::deadLettered:
    case JournalKind::discarded:
        slot.finished = true;
        return;
    }
}

void OrderLedger::applyAttempt(std::uint64_t position, const JournalFact& fact,
                               std::uint32_t index) {
    auto& slot = m_slots[index];
    auto& lane = m_lanes[slot.lane];
    while (lane.head < lane.end && m_slots[lane.head].finished) ++lane.head;
    if (!slot.rewound && index > lane.head) {
        violation(position, fact.pointer,
                  "was tried before event " + std::to_string(m_slots[lane.head].sequence) +
                      " of its lane was finished");
    }
    if (fact.outcome != Outcome::delivered) return;
    if (!slot.delivered && !slot.rewound && index < lane.lastDelivered) {
        violation(position, fact.pointer,
                  "was delivered after event " +
                      std::to_string(m_slots[lane.lastDelivered].sequence) + " of its lane");
    }
    slot.delivered = true;
    slot.finished = true;
    lane.lastDelivered = std::max(lane.lastDelivered, index);
}

}  // namespace lanes::store

namespace lanes {

std::variant<VerifyReport, std::string> verifyDataDirectory(const std::string& directory) {
    const std::string path = store::dataFile(directory);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return "there is no data file " + path + "; name the data directory with --data-dir";
    try {
        const auto database = store::openForReading(path);
        database->exec("BEGIN");
        const auto version = store::checkVersion(*database, path);
        if (!version) return version.error().detail;
        auto report = store::verify(*database);
        database->exec("COMMIT");
        return report;
    } catch (const SQLite::Exception& exception) {
        return store::describe(exception, path).detail;
    }
}

}  // namespace lanes
