// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data_care.h"
#include "engine/store/salvage_source.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lanes::store {

/// Makes books of the rows that a salvage could copy: decides what waits, what is finished and what
/// is in doubt, and writes that into the new file, so that order and counts can be proved again.
///
/// An event whose last journal row is lost is finished if the checkpoint or the list of dead
/// letters says so. If neither does, but a later event of its lane was tried, it was finished
/// somehow: it becomes a dead letter, because sending it could repeat it behind its successor.
/// Otherwise it waits: what may be sent twice stands behind everything that was sent.
///
/// About 80 bytes a pointer in memory.
class SalvageBooks {
public:
    SalvageBooks(SQLite::Database& database, const SalvageEvidence& evidence,
                 SalvageReport& report, const UserNames& names, WallMicros now);

    /// Inside a transaction. Throws SQLite::Exception.
    void settle();

private:
    using Targets = std::set<std::uint32_t>;
    enum class Listed : std::uint8_t { no, dead, hidden };  ///< in the list of dead letters
    /// An event at a destination.
    struct Place {
        std::uint64_t sequence = 0;
        std::uint32_t destination = 0;
        Listed listed = Listed::no;
        UserId user;
        std::uint64_t begun = 0;    ///< first row of its first life; 0 = none
        std::uint64_t lastRow = 0;
        std::uint64_t died = 0;     ///< row that made it a dead letter last
        std::uint64_t ended = 0;    ///< first row by which it left its lane; 0 = none
        bool rewound = false;       ///< has a row that says so
    };
    /// Rows to write about a place, in a hole before `deadline` if there is one.
    struct Verdict {
        Place* place = nullptr;
        std::uint64_t deadline = 0;  ///< 0 = any later row will do
        bool wasDelivered = false;   ///< it has to be taken back first
        std::string reason;
    };

    void execute(const char* sql, std::initializer_list<std::int64_t> values);
    // salvage_pointers.cpp: what is missing of destinations and pointers
    void settleDestinations();
    void addLostDestination(DestinationId id);
    void pauseLostState(DestinationId id, const std::string& reason);
    void rebuildPointers();
    void rebuildPointer(SQLite::Statement& event, const std::map<std::uint64_t, Targets>& seen);
    [[nodiscard]] std::map<std::uint64_t, Targets> targetsSeen();
    // salvage_books.cpp: what became of each event
    void readPlaces();
    void readJournal();
    void readList();
    void judgeLanes();
    [[nodiscard]] bool isOver(const Place& place) const;
    void judgeEnd(Place& place, bool finished, std::uint64_t deadline);
    void judge(Place& place, bool finishedLater, std::uint64_t deadline);
    void judgeWaiting(Place& place, bool finishedLater, std::uint64_t deadline);
    void giveUpPayload(const Place& place, bool open);
    void doubt(Place& place, std::uint64_t deadline, bool wasDelivered, std::string reason);
    void writeVerdicts();
    [[nodiscard]] std::uint64_t takeHole(std::uint64_t after, std::uint64_t before);
    void writeRow(std::uint64_t id, JournalKind kind, const Place& place, std::uint32_t life,
                  const std::string& reason);
    void dropFinished();
    void settleList();
    void list(const Place& place, const std::string& reason);
    void count();

    [[nodiscard]] Place* find(Pointer pointer);
    void note(SalvageFinding::Kind kind, Pointer pointer, std::string text,
              std::string eventId = {});

    SQLite::Database& m_database;
    const SalvageEvidence& m_evidence;
    SalvageReport& m_report;
    const UserNames& m_names;
    const WallMicros m_now;
    std::vector<Place> m_places;  ///< by sequence and destination
    std::map<std::uint64_t, std::uint64_t> m_holes;  ///< in the numbers of the journal: last, first
    std::vector<Verdict> m_verdicts;
    /// How what is no longer a target is counted.
    enum class Dropped : std::uint8_t { delivered, discarded, never };
    std::map<Pointer, Dropped> m_dropped;
    std::set<std::uint64_t> m_withoutPayload;
    std::set<Pointer> m_guessed;        ///< targets of events whose targets are lost
    PendingLedger m_ledger;
    std::uint64_t m_lastJournal = 0;
    std::map<Pointer, std::string> m_reasons;  ///< of dead letters that are to be listed
};

}  // namespace lanes::store
