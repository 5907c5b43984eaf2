// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data_care.h"

#include "engine/store/data_directory.h"
#include "engine/store/order_ledger.h"
#include "engine/store/salvage_books.h"
#include "engine/store/salvage_source.h"
#include "engine/store/schema.h"
#include "engine/store/set_replacement.h"
#include "engine/store/store_options.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace lanes {

namespace store {

namespace {

using Kind = SalvageFinding::Kind;

struct TableWords {
    const char* table;
    const char* meaning;
};

/// What it means that rows of a table are lost. The checkpoint and its positions are missing from
/// the list: they are made again.
constexpr TableWords kMeanings[] = {
    {"journal", "attempts and operations are missing in the history; what is in doubt because of "
                "it is a dead letter"},
    {"dead_letters", "what the list of dead letters said of some is made from the journal again"},
    {"destinations", "a destination without events may be missing"},
    {"operations", "records of what operators did are missing"},
    {"operation_sets", "the events of some operations are not known any more"},
    {"operation_skips", "what some operations skipped is not known any more"},
    {"lane_holds", "users that were held may be delivered to; hold them again"},
    {"event_versions", "edited payloads may be missing; the original is sent instead"},
    {"dead_letter_notes", "notes on dead letters are missing"},
    {"sources", "write keys of some senders may be missing; make new ones for them"},
    {"quarantine", "some events that were rejected are not known any more"},
    {"trimmed", "counts of events that retention removed begin anew"},
};

bool exists(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0;
}

void addRange(SalvageReport& report, std::uint64_t first, std::uint64_t last, bool certain) {
    if (first > last) return;
    SalvageFinding finding;
    finding.kind = Kind::lostEvents;
    finding.first = Sequence(first);
    finding.last = Sequence(last);
    const std::string numbers = first == last ? "event " + std::to_string(first)
                                              : "events " + std::to_string(first) + " to " +
                                                    std::to_string(last);
    finding.text = certain ? numbers + " were accepted and nothing is left of them"
                           : "nothing is left of " + numbers +
                                 ", as far as they were there: numbers may be unused, and what is "
                                 "finished is removed after a while";
    report.findings.push_back(std::move(finding));
}

/// Numbers for which neither an event nor a pointer can be read.
void reportLostEvents(SQLite::Database& database, const SalvageEvidence& evidence,
                      SalvageReport& report) {
    const std::uint64_t last = evidence.found.sequence;
    SQLite::Statement next(database, "SELECT MIN(seq) FROM events WHERE seq>=?");
    const auto nextEvent = [&](std::uint64_t from) {
        next.reset();
        next.bind(1, toColumn(from));
        return next.executeStep() && !next.isColumnNull(0) ? asUnsigned(next.getColumn(0))
                                                           : last + 1;
    };
    const auto events = evidence.lost.find("events");
    const auto pointers = evidence.lost.find("pointers");
    if (events != evidence.lost.end() && pointers != evidence.lost.end()) {
        for (const auto& one : events->second) {
            for (const auto& other : pointers->second) {
                auto from = static_cast<std::uint64_t>(std::max(one.first, other.first));
                const auto to = std::min(
                    static_cast<std::uint64_t>(std::min(one.last, other.last)), last);
                while (from <= to) {
                    const auto event = nextEvent(from);
                    addRange(report, from, std::min(to, event - 1), false);
                    from = event + 1;
                }
            }
        }
    }
    if (evidence.marked.sequence > last) {
        report.lost += evidence.marked.sequence - last;
        addRange(report, last + 1, evidence.marked.sequence, true);
    }
}

/// Nothing but the log holds events, and it is not as the mark says: all may be of another store.
void reportDoubtfulLog(const SalvageEvidence& evidence, SalvageReport& report) {
    SalvageFinding finding;
    finding.kind = Kind::doubtful;
    finding.first = Sequence(1);
    finding.last = Sequence(evidence.marked.sequence);
    finding.text = "the write-ahead log does not end as the mark beside it says, and the data file "
                   "holds no event to compare it with. If it belongs to another store, events 1 "
                   "to " + std::to_string(evidence.marked.sequence) + " are lost";
    report.findings.push_back(std::move(finding));
    ++report.doubtful;
}

void reportLosses(SQLite::Database& database, const SalvageEvidence& evidence,
                  const SalvageSource& source, SalvageReport& report) {
    reportLostEvents(database, evidence, report);
    if (source.logDoubtful()) reportDoubtfulLog(evidence, report);
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto add = [&](Kind kind, std::string text) {
        SalvageFinding finding;
        finding.kind = kind;
        finding.text = std::move(text);
        report.findings.push_back(std::move(finding));
    };
    for (const auto& [table, meaning] : kMeanings) {
        const auto lost = evidence.lost.find(table);
        if (lost == evidence.lost.end()) continue;
        add(Kind::lostRows, std::to_string(lost->second.size()) + " places of the table " +
                                table + " are unreadable: " + meaning);
    }
    if (evidence.marked.journal > evidence.found.journal)
        add(Kind::lostRows, "the last rows of the journal are missing, up to " +
                                std::to_string(evidence.marked.journal) +
                                ": events that were delivered just before may be delivered again");
    if (source.logLeftOut())
        add(Kind::other, "the write-ahead log was left out, because it does not belong to the data "
                         "file");
}

/// Reads the set into the draft. Throws SQLite::Exception.
Result<SalvageReport> readIntoDraft(const std::string& directory, const UserNames& names) {
    const std::string path = dataFile(directory);
    auto source = SalvageSource::open(path);
    if (!source) return source.error();
    removeDraft(directory);
    const std::string draft = draftFile(directory);
    if (const auto created = createDataFile(draft); !created) return created.error();
    SalvageReport report;
    report.logUsed = source.value().logUsed();
    SQLite::Database database(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX);
    // A draft is synced once, at its end.
    database.exec("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;"
                  "BEGIN");
    const auto evidence = source.value().copyTo(database);
    SalvageBooks(database, evidence, report, names, StoreOptions().now()).settle();
    reportLosses(database, evidence, source.value(), report);
    const auto verdict = verifyLog(database);
    database.exec("COMMIT");
    if (verdict.unbalanced > 0)
        return Error{Error::Code::damaged, "what could be read does not add up (" +
                                               verdict.findings.back() +
                                               "); nothing was changed"};
    report.orderFindings = verdict.orderViolations;
    if (report.events == 0 && report.destinations == 0 && report.journalRows == 0 &&
        !evidence.lost.empty())
        return Error{Error::Code::damaged,
                     "nothing can be read of the data file " + path +
                         "; nothing was changed. Put a backup in its place with: rivora-lanes "
                         "restore FILE"};
    return report;
}

}  // namespace

}  // namespace store

std::variant<SalvageReport, std::string> salvageDataDirectory(const std::string& directory,
                                                              const UserNames& names) {
    const std::string path = store::dataFile(directory);
    auto lock = store::DirectoryLock::take(directory);
    if (!lock) return lock.error().detail;
    const auto finished = store::finishReplacement(directory);
    if (!finished) return finished.error().detail;
    if (!store::exists(path) && !store::exists(path + "-wal"))
        return "there is no data file " + path + "; name the data directory with --data-dir";
    auto read = [&]() -> Result<SalvageReport> {
        try {
            return store::readIntoDraft(directory, names);
        } catch (const SQLite::Exception& exception) {
            return store::describe(exception, store::draftFile(directory));
        }
    }();
    if (!read) {
        store::removeDraft(directory);
        return read.error().detail;
    }
    auto report = std::move(read.value());
    const auto place = store::replaceSet(directory);
    if (!place) return place.error().detail;
    report.setAside = place.value();
    return report;
}

}  // namespace lanes
