// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/index_writer.h"

#include "engine/store/encoding.h"
#include "engine/store/row_scan.h"
#include "engine/store/store_options.h"

#include <algorithm>
#include <string>

namespace lanes::store {

namespace {

template <typename... Numbers>
void run(SQLite::Statement& statement, Numbers... numbers) {
    statement.reset();
    int index = 0;
    (statement.bind(++index, numbers), ...);
    statement.exec();
}

int numberOf(IndexKind kind) {
    return static_cast<int>(kind);
}

}  // namespace

RunWriter::RunWriter(SQLite::Database& database)
    : m_insertBlock(database, "INSERT OR REPLACE INTO index_blocks VALUES(?,?,?,?,?,?)"),
      m_insertRun(database, "INSERT INTO index_runs VALUES(?,?,?,?,?,?,?)"),
      m_deleteBlocks(database, "DELETE FROM index_blocks WHERE kind=? AND run=?"),
      m_deleteRun(database, "DELETE FROM index_runs WHERE kind=? AND run=?"),
      m_deleteUnfinished(database, "DELETE FROM index_blocks WHERE kind=? AND run>?") {}

std::size_t RunWriter::writeBlocks(IndexKind kind, const IndexRun& run,
                                   std::span<const IndexEntry> entries, std::size_t done,
                                   std::size_t limit) {
    std::string bytes;
    const auto before = done;
    while (done < entries.size() && done - before < limit) {
        const BlockPlace place{numberOf(kind), run.number,
                               done == 0 ? IndexEntry{} : entries[done]};
        done += encodeBlock(entries.subspan(done), place, run.firstRow, bytes);
        m_insertBlock.reset();
        m_insertBlock.bind(1, place.kind);
        m_insertBlock.bind(2, place.run);
        m_insertBlock.bind(3, toOrdered(place.from.key));
        m_insertBlock.bind(4, toColumn(place.from.row));
        m_insertBlock.bindNoCopy(5, bytes.data(), static_cast<int>(bytes.size()));
        m_insertBlock.bind(6, toColumn(sumOf(place, bytes)));
        m_insertBlock.exec();
    }
    return done - before;
}

void RunWriter::list(IndexKind kind, const IndexRun& of) {
    run(m_insertRun, numberOf(kind), of.number, toOrdered(of.lowKey), toOrdered(of.highKey),
        toColumn(of.firstRow), toColumn(of.lastRow), toColumn(of.entries));
}

void RunWriter::remove(IndexKind kind, std::int64_t number) {
    run(m_deleteBlocks, numberOf(kind), number);
    run(m_deleteRun, numberOf(kind), number);
}

void RunWriter::removeUnfinished(IndexKind kind, std::uint64_t mark) {
    run(m_deleteUnfinished, numberOf(kind), toColumn(mark));
}

IndexRun runOf(std::int64_t number, std::span<const IndexEntry> entries) {
    const auto [first, last] =
        std::minmax_element(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
            return a.row < b.row;
        });
    return {number, entries.front().key, entries.back().key, first->row, last->row, entries.size()};
}

LogIndexWriter::LogIndexWriter(SQLite::Database& database)
    : m_writer(database), m_mark(database, "UPDATE marks SET value=? WHERE name=?") {
    for (std::size_t n = 0; n < m_marks.size(); ++n)
        m_marks[n] = indexedUpTo(database, kIndexKinds[n]);
}

LogIndex::Slices LogIndexWriter::write(const LogIndex& index, std::size_t limit) {
    LogIndex::Slices done;
    for (std::size_t n = 0; n < m_marks.size(); ++n) {
        const auto kind = kIndexKinds[n];
        const auto& sorted = index.run(kind);
        if (!sorted.writing()) continue;
        const auto entries = sorted.frozen();
        const auto written = sorted.written();
        if (sorted.lastRow() <= m_marks[n]) {
            // Its last commit failed and is on the disk all the same.
            done.entries[n] = entries.size() - written;
            continue;
        }
        // Numbers are those of the first rows: they rise, and a restart gives the same ones.
        const IndexRun run{toColumn(sorted.firstRow()), entries.front().key, entries.back().key,
                           sorted.firstRow(),           sorted.lastRow(),    entries.size()};
        if (written == 0) m_writer.removeUnfinished(kind, m_marks[n]);
        done.entries[n] = m_writer.writeBlocks(kind, run, entries, written, limit);
        if (written + done.entries[n] < entries.size()) continue;
        finish(kind, run);
        m_marks[n] = run.lastRow;
        if (kind == IndexKind::ids) done.idRun = run.number;
    }
    return done;
}

void LogIndexWriter::finish(IndexKind kind, const IndexRun& run) {
    m_writer.list(kind, run);
    m_mark.reset();
    m_mark.bind(1, toColumn(run.lastRow));
    m_mark.bindNoCopy(2, markOf(kind));
    m_mark.exec();
}

void buildIndexes(SQLite::Database& database) {
    LogIndex index;
    index.setIdRun(StoreOptions().idRunEntries);
    LogIndexWriter writer(database);
    const auto write = [&](bool everything) {
        index.freeze(everything);
        while (index.writing()) index.advance(writer.write(index, kRunEntries));
    };
    RowScan events(database, "SELECT seq, source, id FROM events WHERE seq>? ORDER BY seq", 0);
    while (events.next()) {
        index.know(eventHash(events.bytes(1), events.bytes(2)), events.number<std::uint64_t>(0));
        index.confirm();
        write(false);
    }
    RowScan pointers(database, "SELECT user, seq FROM pointers WHERE seq>? ORDER BY seq", 0);
    while (pointers.next()) {
        index.addUser(pointers.number<std::uint64_t>(0), pointers.number<std::uint64_t>(1));
        write(false);
    }
    RowScan journal(database, "SELECT seq, id FROM journal WHERE id>? ORDER BY id", 0);
    while (journal.next()) {
        index.addJournal(journal.number<std::uint64_t>(0), journal.number<std::uint64_t>(1));
        write(false);
    }
    write(true);
}

}  // namespace lanes::store
