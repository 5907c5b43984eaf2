// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint.h"

#include "engine/store/encoding.h"
#include "engine/store/recovery.h"

#include <SQLiteCpp/Column.h>

#include <algorithm>
#include <limits>

namespace lanes::store {

namespace {

/// Of a block's row: sequences have 48 bits.
constexpr int kBlockBits = 41;

std::int64_t rowOf(DestinationId id, std::uint64_t block) {
    return toColumn((std::uint64_t{id.value} << kBlockBits) | block);
}

/// Null if there is no such destination.
std::pair<DestinationLedger*, std::uint64_t> placeOf(std::uint64_t row, PendingLedger& ledger) {
    const DestinationId id(static_cast<std::uint32_t>(row >> kBlockBits));
    return {ledger.find(id), row & ((std::uint64_t{1} << kBlockBits) - 1)};
}

void writeRow(SQLite::Database& database, DestinationId id, const CheckpointRow& row) {
    SQLite::Statement write(database,
                            "INSERT OR REPLACE INTO checkpoint VALUES(?,?,?,?,?,?,x'',?)");
    write.bind(1, id.value);
    write.bind(2, toColumn(row.accepted));
    write.bind(3, toColumn(row.delivered));
    write.bind(4, toColumn(row.discarded));
    write.bindNoCopy(5, row.pending.data(), static_cast<int>(row.pending.size()));
    write.bindNoCopy(6, row.dead.data(), static_cast<int>(row.dead.size()));
    write.bind(7, toColumn(row.hash(id)));
    write.exec();
}

void writeMarks(SQLite::Database& database, const LogPositions& positions) {
    SQLite::Statement mark(database, "INSERT OR REPLACE INTO marks(value, name) VALUES(?,?)");
    const auto hash = hashOf(CheckpointMarks{positions.sequence, positions.journal});
    for (const auto& [name, value] : {std::pair{"sequence", positions.sequence},
                                      std::pair{"journal", positions.journal},
                                      std::pair{kCheckpointHash, hash}}) {
        mark.reset();
        mark.bind(1, toColumn(value));
        mark.bindNoCopy(2, name);
        mark.exec();
    }
}

}  // namespace

CheckpointPass::CheckpointPass(PendingLedger& ledger, const LogPositions& committed)
    : m_positions(committed) {
    for (auto& [id, destination] : ledger.destinations()) {
        if (!destination.changed()) continue;
        m_rows.emplace_back(id, destination.save());
        for (const auto block : destination.triedBlocks().takeChanged())
            m_blocks.emplace_back(id, block);
        destination.markSaved();
    }
}

void CheckpointPass::write(SQLite::Database& database, const PendingLedger& ledger,
                           std::size_t blocks) {
    m_next = m_done + std::min(blocks, m_blocks.size() - m_done);
    SQLite::Statement write(database, "INSERT OR REPLACE INTO tried_blocks VALUES(?,?,?)");
    SQLite::Statement remove(database, "DELETE FROM tried_blocks WHERE id=?");
    for (auto at = m_done; at < m_next; ++at) {
        const auto [id, block] = m_blocks[at];
        const auto* destination = ledger.find(id);
        if (destination == nullptr) continue;  // removed meanwhile, with its rows
        const auto& bytes = destination->triedBlocks().bytes(block);
        auto& statement = bytes.empty() ? remove : write;
        statement.reset();
        statement.bind(1, rowOf(id, block));
        if (!bytes.empty()) {
            statement.bindNoCopy(2, bytes.data(), static_cast<int>(bytes.size()));
            statement.bind(3, toColumn(stableHash(bytes)));
        }
        statement.exec();
    }
    m_endWritten = m_next == m_blocks.size();
    if (!m_endWritten) return;
    for (const auto& [id, row] : m_rows) {
        if (ledger.find(id) != nullptr) writeRow(database, id, row);
    }
    writeMarks(database, m_positions);
}

bool CheckpointPass::confirm() {
    m_done = m_next;
    return m_endWritten;
}

void CheckpointPass::abandon(PendingLedger& ledger) const {
    for (const auto& [id, row] : m_rows) {
        if (auto* destination = ledger.find(id)) destination->markChanged();
    }
    for (const auto& [id, block] : m_blocks) {
        if (auto* destination = ledger.find(id)) destination->triedBlocks().putBack(block);
    }
}

bool loadTried(SQLite::Database& database, PendingLedger& ledger) {
    SQLite::Statement query(database, "SELECT id, data, hash FROM tried_blocks ORDER BY id");
    while (query.executeStep()) {
        const auto [destination, block] = placeOf(asUnsigned(query.getColumn(0)), ledger);
        if (destination == nullptr) continue;
        const auto bytes = asView(query.getColumn(1));
        if (stableHash(bytes) != asUnsigned(query.getColumn(2)) ||
            !destination->triedBlocks().restore(block, bytes))
            return false;
    }
    return true;
}

void replaceTried(SQLite::Database& database, PendingLedger& ledger) {
    SQLite::Statement query(database, "SELECT id FROM tried_blocks");
    while (query.executeStep()) {
        const auto [destination, block] = placeOf(asUnsigned(query.getColumn(0)), ledger);
        if (destination != nullptr) destination->triedBlocks().putBack(block);
    }
}

void removeTried(SQLite::Database& database, DestinationId id) {
    SQLite::Statement remove(database, "DELETE FROM tried_blocks WHERE id>=? AND id<?");
    remove.bind(1, rowOf(id, 0));
    remove.bind(2, rowOf(DestinationId(id.value + 1), 0));
    remove.exec();
}

void writeCheckpoint(SQLite::Database& database, PendingLedger& ledger,
                     const LogPositions& committed) {
    CheckpointPass(ledger, committed)
        .write(database, ledger, std::numeric_limits<std::size_t>::max());
}

}  // namespace lanes::store
