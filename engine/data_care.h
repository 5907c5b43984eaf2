// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

// What can be done with the data file of a directory while no engine runs on it: copy it, put a
// copy in its place, keep what is readable of a damaged one, or start empty. The present set (data
// file, write-ahead log, shared memory, mark) is only ever moved aside, never changed or deleted.
// All functions block; each takes the lock of the directory, and the text of a failure is for an
// operator.
namespace lanes {

struct BackupRequest {
    std::string file;      ///< made as `<file>.part`, mode 0600, and renamed when it is complete
    bool replace = false;  ///< an existing file is replaced; otherwise it is refused
};

struct BackupReport {
    std::string file;
    std::uint64_t bytes = 0;
    Sequence lastEvent;  ///< the last one that is in it
};

/// Told how much is copied, 0..1; false: the backup is given up.
using BackupProgress = std::function<bool(double share)>;

/// Copies the data file as it is between two commits, and checks the copy.
[[nodiscard]] std::variant<BackupReport, std::string> backUpDataDirectory(
    const std::string& directory, const BackupRequest& request,
    const BackupProgress& progress = nullptr);

struct RestoreReport {
    std::string setAside;  ///< directory with the set that was in place; empty if there was none
    Sequence lastEvent;    ///< the last one that is in the copy
    Sequence lastGiven;    ///< the last number ever given; new events get later ones
    std::uint64_t waiting = 0;
    std::uint64_t deadLetters = 0;
};

/// Checks a backup (structure, schema, books, order) and puts it in the place of the set. Events
/// that were delivered since the backup are delivered again, with the same ids; events that were
/// accepted since are not in it.
[[nodiscard]] std::variant<RestoreReport, std::string> restoreDataDirectory(
    const std::string& directory, const std::string& file);

/// Something that a salvage could not bring back as it was.
struct SalvageFinding {
    enum class Kind : std::uint8_t {
        lostEvents,      ///< nothing is left of them; the range may hold numbers never given
        lostPayload,     ///< the event was accepted, what was to be sent is unreadable
        lostTargets,     ///< where it was to go is unreadable: a dead letter where it may go
        doubtful,        ///< it may have been delivered: a dead letter
        lostRows,        ///< rows of a table: `text` says which
        destination,     ///< came back paused, because its settings or state are unreadable
        other,
    };
    Kind kind = Kind::other;
    Sequence first;  ///< 0: it is not about events
    Sequence last;
    DestinationId destination;  ///< 0: all, or unknown
    std::string eventId;        ///< of the sender, where it is known
    std::string text;           ///< a sentence
};

struct SalvageReport {
    std::string setAside;
    bool logUsed = false;  ///< the write-ahead log was there and could be used
    std::uint64_t events = 0;
    std::uint64_t journalRows = 0;
    std::uint64_t destinations = 0;
    std::uint64_t waiting = 0;
    std::uint64_t deadLetters = 0;
    /// Events, once for each destination, of the kind lostPayload; and those that were accepted and
    /// of which nothing is left.
    std::uint64_t lost = 0;
    std::uint64_t doubtful = 0;  ///< dead letters of the kinds doubtful and lostTargets
    std::uint64_t orderFindings = 0;  ///< of the order ledger, in what the file says of the past
    std::vector<SalvageFinding> findings;  ///< all about events, in their order

    /// Nothing is missing and nothing in doubt.
    [[nodiscard]] bool complete() const { return findings.empty(); }
};

/// The name of a user's lanes, as \ref fingerprint gives it.
using UserNames = std::function<UserId(const UserKey& user, const std::string& eventId)>;

/// Reads all that can be read of a damaged set into a new data file and puts that in its place.
/// \param names for events whose pointers are unreadable
[[nodiscard]] std::variant<SalvageReport, std::string> salvageDataDirectory(
    const std::string& directory, const UserNames& names);

struct SetAsideReport {
    std::string place;  ///< directory with the set
};

/// Puts an empty data file in the place of the set.
[[nodiscard]] std::variant<SetAsideReport, std::string> startEmpty(const std::string& directory);

}  // namespace lanes
