// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/order_ledger.h"

#include "engine/core/check.h"
#include "engine/store/connection.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <map>
#include <sys/stat.h>
#include <utility>

namespace lanes::store {

namespace {

constexpr std::size_t kFindings = 100;
/// Rows may not crowd out what the books say.
constexpr std::size_t kRowFindings = 90;

void note(VerifyReport& report, std::string finding, std::size_t limit = kFindings) {
    if (report.findings.size() < limit) report.findings.push_back(std::move(finding));
}

std::string textOf(Sequence sequence) { return std::to_string(sequence.value); }

std::string nameOf(const Pointer& pointer) {
    return "event " + textOf(pointer.sequence) + " at destination " +
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
                            "SELECT destination, COUNT(*) FROM dead_letters"
                            " WHERE rewound_by=0 GROUP BY destination");
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

}  // namespace

VerifyReport verifyLog(SQLite::Database& database) {
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
    scanJournal(database, 0, [&](const JournalFact& fact) {
        order.apply(fact.row, fact);
        replayed.apply(fact);
    });
    compareBooks(database, replayed, report);
    return report;
}

/// The few destinations of a log get small numbers.
std::uint16_t OrderLedger::destinationOf(DestinationId id) {
    const auto known = std::find(m_destinations.begin(), m_destinations.end(), id);
    const auto number = static_cast<std::uint16_t>(known - m_destinations.begin());
    if (known == m_destinations.end()) {
        CHECK(m_destinations.size() < 0xffff);
        m_destinations.push_back(id);
    }
    return number;
}

/// Where a lane stands in the index, or would stand.
std::size_t OrderLedger::placeOf(std::uint16_t destination, UserId user) const {
    const auto mask = m_index.size() - 1;
    // Fingerprints of users are as good as random.
    auto at = (user.value ^ (destination * 0x9e3779b97f4a7c15)) & mask;
    for (; m_index[at] != kNone; at = (at + 1) & mask) {
        const Lane& lane = m_lanes[m_index[at]];
        if (lane.user == user && lane.destination == destination) break;
    }
    return at;
}

void OrderLedger::growIndex() {
    m_index.assign(std::max<std::size_t>(64, m_index.size() * 2), kNone);
    for (std::uint32_t number = 0; number < m_lanes.size(); ++number) {
        const Lane& lane = m_lanes[number];
        if (lane.user) m_index[placeOf(lane.destination, lane.user)] = number;
    }
}

std::uint32_t OrderLedger::laneOf(std::uint16_t destination, UserId user) {
    const auto fresh = static_cast<std::uint32_t>(m_lanes.size());
    if (user) {
        if (m_lanes.size() * 2 >= m_index.size()) growIndex();
        auto& place = m_index[placeOf(destination, user)];
        if (place != kNone) return place;
        place = fresh;
    }
    // No user: ordered with nothing, a lane of its own.
    CHECK(fresh < 1u << 29);
    m_lanes.push_back({user, destination});
    m_report.lanes = m_lanes.size();
    return fresh;
}

void OrderLedger::addPointer(Pointer pointer, UserId user) {
    CHECK(m_slots.empty() || Sequence(m_slots.back().sequence) <= pointer.sequence);
    const auto index = static_cast<std::uint32_t>(m_slots.size());
    CHECK(index < kNone);
    Slot slot;
    slot.sequence = pointer.sequence;
    slot.destination = destinationOf(pointer.destination);
    const auto number = laneOf(slot.destination, user);
    slot.lane = number & 0x1fffffff;
    m_slots.push_back(slot);
    Lane& lane = m_lanes[number];
    (lane.last == kNone ? lane.head : m_slots[lane.last].next) = index;
    lane.last = index;
}

/// The slot of a pointer; kNone if there is none. A log has few gaps, so the sequence itself says
/// where to look, and what is left is a short walk or, after long gaps, a search.
std::uint32_t OrderLedger::find(const Pointer& pointer) const {
    if (m_slots.empty()) return kNone;
    const auto before = [](const Slot& slot, Sequence sequence) {
        return slot.sequence < sequence;
    };
    const auto first = Sequence(m_slots.front().sequence).value;
    const auto last = Sequence(m_slots.back().sequence).value;
    const auto wanted = pointer.sequence.value;
    if (wanted < first || wanted > last) return kNone;
    const auto share = last == first ? 0.0
                                     : static_cast<double>(wanted - first) /
                                           static_cast<double>(last - first);
    const auto guess = m_slots.begin() + static_cast<std::ptrdiff_t>(
                                             share * static_cast<double>(m_slots.size() - 1));
    auto low = m_slots.begin();
    auto high = m_slots.end();
    for (std::ptrdiff_t step = 4;; step *= 4) {  // around the guess, wider and wider
        const bool lowHolds = guess - m_slots.begin() <= step ||
                              before(*(guess - step), pointer.sequence);
        const bool highHolds = m_slots.end() - guess <= step ||
                               !before(*(guess + step), pointer.sequence);
        if (!lowHolds || !highHolds) continue;
        if (guess - m_slots.begin() > step) low = guess - step;
        if (m_slots.end() - guess > step) high = guess + step;
        break;
    }
    auto found = std::lower_bound(low, high, pointer.sequence, before);
    for (; found != m_slots.end() && found->sequence == pointer.sequence; ++found)
        if (m_destinations[found->destination] == pointer.destination)
            return static_cast<std::uint32_t>(found - m_slots.begin());
    return kNone;
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
    const auto index = find(fact.pointer);
    if (index == kNone) {
        ++m_report.unbalanced;
        note(m_report, "journal row " + std::to_string(position) + " is about " +
                           nameOf(fact.pointer) + ", which was never accepted",
             kRowFindings);
        return;
    }
    auto& slot = m_slots[index];
    switch (fact.kind) {
    case JournalKind::attempt:
        applyAttempt(position, fact, index);
        return;
    case JournalKind::rewound:
        slot.rewound = true;
        return;
    case JournalKind::deadLettered:
    case JournalKind::discarded:
    case JournalKind::returned:
        slot.finished = true;
        return;
    }
}

void OrderLedger::applyAttempt(std::uint64_t position, const JournalFact& fact,
                               std::uint32_t index) {
    auto& slot = m_slots[index];
    auto& lane = m_lanes[slot.lane];
    while (lane.head != kNone && m_slots[lane.head].finished) lane.head = m_slots[lane.head].next;
    if (!slot.rewound && index > lane.head) {
        violation(position, fact.pointer,
                  "was tried before event " + textOf(m_slots[lane.head].sequence) +
                      " of its lane was finished");
    }
    if (fact.outcome != Outcome::delivered) return;
    if (!slot.delivered && !slot.rewound && index < lane.lastDelivered) {
        violation(position, fact.pointer,
                  "was delivered after event " + textOf(m_slots[lane.lastDelivered].sequence) +
                      " of its lane");
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
        auto report = store::verifyLog(*database);
        database->exec("COMMIT");
        return report;
    } catch (const SQLite::Exception& exception) {
        return store::describe(exception, path).detail;
    }
}

}  // namespace lanes
