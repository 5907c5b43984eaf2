// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/salvage_source.h"

#include "engine/store/destination_columns.h"
#include "engine/store/encoding.h"
#include "engine/store/log_mark.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

namespace lanes::store {

namespace {

std::uint64_t unsignedAt(const PageRecord& record, std::size_t column) {
    return static_cast<std::uint64_t>(record.values[column].integer);
}

bool within(const PageRecord& record, std::size_t column, std::int64_t first, std::int64_t last) {
    const auto value = record.values[column].integer;
    return first <= value && value <= last;
}

constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();

bool plausibleDestination(const PageRecord& record) {
    const auto& values = record.values;
    // Those of an older version have fewer columns.
    const auto bytes = [&values](std::size_t at) {
        return at < values.size() ? std::string_view(values[at].bytes) : std::string_view();
    };
    DestinationConfig config;
    return record.row <= kMost32 &&
           decodeColumns({bytes(6), bytes(7), bytes(8), bytes(9), bytes(16), bytes(17), bytes(18)},
                         config) &&
           (values.size() <= 15 ||
            within(record, 15, 0, static_cast<int>(BodyFormat::cloudEventsStructured)));
}

bool plausiblePointer(const PageRecord& record) {
    std::vector<Target> targets;
    return decodeTargets(record.values[2].bytes, targets) &&
           std::all_of(targets.begin(), targets.end(),
                       [](const Target& target) { return target.destination.value != 0; });
}

bool plausibleJournal(const PageRecord& record) {
    return within(record, 1, 0, static_cast<int>(JournalKind::returned)) &&
           within(record, 2, 1, kMost32) && within(record, 3, 1, kMost64) &&
           within(record, 4, 1, kMost32) && within(record, 5, 0, kMost32) &&
           within(record, 8, 0, static_cast<int>(Outcome::unknown)) && within(record, 9, 0, 999) &&
           within(record, 10, 0, static_cast<int>(Cause::lastChance));
}

/// What a row can be, beyond the kinds of its columns.
bool plausible(std::string_view table, const PageRecord& record) {
    if (table == "destinations") return plausibleDestination(record);
    if (table == "pointers") return plausiblePointer(record);
    if (table == "journal") return plausibleJournal(record);
    if (table == "events")
        return within(record, 3, 0, static_cast<int>(UserKey::Kind::anonymous));
    if (table == "dead_letters")
        return within(record, 1, 1, kMost32) && within(record, 2, 1, kMost64) &&
               within(record, 4, 0, static_cast<int>(UserKey::Kind::anonymous)) &&
               within(record, 12, 1, kMost32) &&
               within(record, 13, 0, static_cast<int>(Outcome::unknown));
    if (table == "operations" && record.values.size() > 10)
        return within(record, 9, 0, static_cast<int>(OperationKind::undo)) &&
               within(record, 10, 0, static_cast<int>(OperationState::stopped));
    if (table == "sources") {
        std::vector<std::string> keys;
        return record.row <= kMost32 && decodeTexts(record.values[2].bytes, keys);
    }
    return true;
}

/// How well a file reads: with its write-ahead log, or without.
struct Verdict {
    std::uint64_t faults = 0;
    bool endsAsMarked = false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> events;  ///< sequence and hash

    /// Whether both have an event of the same number that is not the same.
    [[nodiscard]] bool contradicts(const Verdict& other) const {
        return std::any_of(events.begin(), events.end(), [&other](const auto& event) {
            const auto found =
                std::lower_bound(other.events.begin(), other.events.end(), event,
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
            return found != other.events.end() && found->first == event.first &&
                   found->second != event.second;
        });
    }
};

Verdict judge(const PageFile& file, const LogMark::Content& mark) {
    Verdict verdict;
    LogPositions found;
    bool right = mark.event == 0;
    PageScan scan(file);
    scan.run([&](const TableShape& table, const PageRecord& record) {
        if (!plausible(table.name, record)) return false;
        const auto row = static_cast<std::uint64_t>(record.row);
        if (table.name == "journal") found.journal = std::max(found.journal, row);
        if (table.name != "events") return true;
        found.sequence = std::max(found.sequence, row);
        const auto hash = eventHash(record.values[1].bytes, record.values[2].bytes);
        verdict.events.emplace_back(row, hash);
        right = right || (row == mark.rows.sequence && hash == mark.event);
        return true;
    });
    std::sort(verdict.events.begin(), verdict.events.end());
    verdict.faults = scan.faults();
    verdict.endsAsMarked = right && found.sequence >= mark.rows.sequence &&
                           found.journal >= mark.rows.journal;
    return verdict;
}

bool bindValue(SQLite::Statement& statement, int index, const PageValue& value) {
    switch (value.kind) {
    case PageValue::Kind::null:
        statement.bind(index);
        break;
    case PageValue::Kind::integer:
        statement.bind(index, value.integer);
        break;
    case PageValue::Kind::real:
        statement.bind(index, value.real);
        break;
    case PageValue::Kind::text:
        statement.bind(index, std::string(value.bytes));
        break;
    case PageValue::Kind::blob:
        statement.bind(index, value.bytes.data(), static_cast<int>(value.bytes.size()));
        break;
    }
    return true;
}

/// Inserts rows of one table; columns that an older file lacks get their defaults.
class RowWriter {
public:
    RowWriter(SQLite::Database& database, std::string_view table) : m_database(database) {
        m_table = table;
        SQLite::Statement columns(database, "SELECT name FROM pragma_table_info(?) ORDER BY cid");
        columns.bind(1, m_table);
        while (columns.executeStep()) m_columns.push_back(columns.getColumn(0).getString());
    }

    void write(const TableShape& table, const PageRecord& record) {
        auto& insert = insertFor(record.values.size());
        insert.reset();
        for (std::size_t n = 0; n < record.values.size(); ++n) {
            PageValue value = record.values[n];
            if (table.columns[n] == 'k') value = {PageValue::Kind::integer, record.row, 0, {}};
            bindValue(insert, static_cast<int>(n) + 1, value);
        }
        insert.exec();
    }

private:
    SQLite::Statement& insertFor(std::size_t columns) {
        auto& statement = m_inserts[columns];
        if (!statement) {
            std::string names;
            std::string marks;
            for (std::size_t n = 0; n < columns; ++n) {
                names += (n > 0 ? "," : "") + m_columns[n];
                marks += n > 0 ? ",?" : "?";
            }
            statement = std::make_unique<SQLite::Statement>(
                m_database, "INSERT OR IGNORE INTO " + m_table + "(" + names + ") VALUES(" + marks +
                                ")");
        }
        return *statement;
    }

    SQLite::Database& m_database;
    std::string m_table;
    std::vector<std::string> m_columns;
    std::map<std::size_t, std::unique_ptr<SQLite::Statement>> m_inserts;
};

/// Notes what is no row of the new file, and the largest numbers.
class EvidenceCollector {
public:
    void note(std::string_view table, const PageRecord& record) {
        const auto row = static_cast<std::uint64_t>(record.row);
        auto& given = m_evidence.given;
        if (table == "marks") return noteMark(record);
        if (table == "checkpoint") return noteCheckpoint(record);
        auto& found = m_evidence.found;
        if (table == "events") found.sequence = std::max(found.sequence, row);
        if (table == "events" || table == "pointers")
            given.sequence = std::max(given.sequence, row);
        if (table == "journal") {
            found.journal = std::max(found.journal, row);
            given.journal = std::max(given.journal, row);
            given.sequence = std::max(given.sequence, unsignedAt(record, 3));
        }
        if (table == "dead_letters") given.sequence = std::max(given.sequence,
                                                               unsignedAt(record, 2));
        if (table == "destinations" || table == "destination_state" || table == "trimmed")
            m_evidence.lastDestination =
                std::max(m_evidence.lastDestination, static_cast<std::uint32_t>(row));
    }
    [[nodiscard]] SalvageEvidence take() {
        // With another position the sets would say of later events that they are finished.
        if (m_checkpointHash && *m_checkpointHash != hashOf(m_evidence.checkpointAt)) {
            m_evidence.checkpoint.clear();
            m_evidence.checkpointAt = {};
        }
        return std::move(m_evidence);
    }

private:
    void noteMark(const PageRecord& record) {
        const auto name = record.values[0].bytes;
        const auto value = unsignedAt(record, 1);
        if (name == "sequence") m_evidence.checkpointAt.sequence = value;
        if (name == "journal") m_evidence.checkpointAt.journal = value;
        if (name == kCheckpointHash) m_checkpointHash = value;
        if (name == "destination" && value <= static_cast<std::uint64_t>(kMost32))
            m_evidence.lastDestination =
                std::max(m_evidence.lastDestination, static_cast<std::uint32_t>(value));
    }
    void noteCheckpoint(const PageRecord& record) {
        const DestinationId id(static_cast<std::uint32_t>(record.row));
        CheckpointRow row;
        row.accepted = unsignedAt(record, 1);
        row.delivered = unsignedAt(record, 2);
        row.discarded = unsignedAt(record, 3);
        row.pending = record.values[4].bytes;
        row.dead = record.values[5].bytes;
        row.tried = record.values[6].bytes;
        DestinationLedger ledger;
        if (row.hash(id) == unsignedAt(record, 7) && ledger.load(row))
            m_evidence.checkpoint.emplace(id, std::move(ledger));
    }

    SalvageEvidence m_evidence;
    std::optional<std::uint64_t> m_checkpointHash;
};

}  // namespace

Result<SalvageSource> SalvageSource::open(const std::string& path) {
    auto with = PageFile::open(path, PageFile::Log::used);
    if (!with) return with.error();
    if (with.value().logPages() == 0)
        return SalvageSource(std::move(with.value()), path, Log::fitting);
    auto without = PageFile::open(path, PageFile::Log::ignored);
    if (!without) return without.error();
    const auto mark = LogMark::readBeside(path);
    const Verdict whole = judge(with.value(), mark);
    if (whole.faults == 0 && whole.endsAsMarked)
        return SalvageSource(std::move(with.value()), path, Log::fitting);
    const Verdict bare = judge(without.value(), mark);
    // A log that belongs to the file never makes it worse, nor another event of one.
    const bool worse = bare.faults < whole.faults && bare.endsAsMarked >= whole.endsAsMarked;
    if (worse || bare.contradicts(whole))
        return SalvageSource(std::move(without.value()), path, Log::leftOut);
    const bool doubtful = mark.event != 0 && !whole.endsAsMarked && bare.events.empty();
    return SalvageSource(std::move(with.value()), path, doubtful ? Log::doubtful : Log::fitting);
}

SalvageEvidence SalvageSource::copyTo(SQLite::Database& database) const {
    EvidenceCollector collector;
    std::map<std::string_view, RowWriter> writers;
    PageScan scan(m_file);
    scan.run([&](const TableShape& table, const PageRecord& record) {
        if (!plausible(table.name, record)) return false;
        collector.note(table.name, record);
        if (table.name == "marks" || table.name == "checkpoint") return true;
        writers.try_emplace(table.name, database, table.name).first->second.write(table, record);
        return true;
    });
    auto evidence = collector.take();
    for (const auto& table : tableShapes()) {
        if (!scan.lost(table.name).empty())
            evidence.lost.emplace(table.name, scan.lost(table.name));
    }
    if (!evidence.whole("marks")) evidence.checkpoint.clear();  // it is not known what they hold of
    auto& given = evidence.given;
    evidence.marked = LogMark::readBeside(m_path).rows;
    given.sequence = std::max({given.sequence, evidence.marked.sequence,
                               evidence.checkpointAt.sequence});
    given.journal = std::max({given.journal, evidence.marked.journal,
                              evidence.checkpointAt.journal});
    return evidence;
}

}  // namespace lanes::store
