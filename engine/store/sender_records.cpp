// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/sender_records.h"

#include "engine/store/encoding.h"

#include <SQLiteCpp/Column.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <string>

namespace lanes::store {

namespace {

/// The columns of a row without its body, in the order of `quarantineRow`.
constexpr const char* kColumns =
    "SELECT id, at, source, format, code, detail, event_id, bytes FROM quarantine ";

QuarantineRow quarantineRow(SQLite::Statement& query) {
    QuarantineRow row;
    row.id = QuarantineId(asUnsigned(query.getColumn(0)));
    row.at = query.getColumn(1).getInt64();
    row.source = query.getColumn(2).getString();
    row.form = static_cast<EventForm>(query.getColumn(3).getInt());
    row.code = query.getColumn(4).getString();
    row.detail = query.getColumn(5).getString();
    row.eventId = query.getColumn(6).getString();
    row.bytes = asUnsigned(query.getColumn(7));
    return row;
}

std::int64_t mark(SQLite::Database& database, const char* name) {
    SQLite::Statement query(database, "SELECT value FROM marks WHERE name=?");
    query.bindNoCopy(1, name);
    return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

void setMark(SQLite::Database& database, const char* name, std::int64_t value) {
    SQLite::Statement write(database, "INSERT OR REPLACE INTO marks VALUES(?,?)");
    write.bindNoCopy(1, name);
    write.bind(2, value);
    write.exec();
}

}  // namespace

std::vector<SourceConfig> readSources(SQLite::Database& database) {
    std::vector<SourceConfig> sources;
    SQLite::Statement query(database,
                            "SELECT id, name, keys, added_at, added_by FROM sources ORDER BY id");
    while (query.executeStep()) {
        SourceConfig source;
        source.id = SourceId(query.getColumn(0).getUInt());
        source.name = query.getColumn(1).getString();
        if (!decodeTexts(asView(query.getColumn(2)), source.keys))
            throw SQLite::Exception("the keys of source " + source.name + " are unreadable",
                                    SQLITE_CORRUPT);
        source.addedAt = query.getColumn(3).getInt64();
        source.addedBy = query.getColumn(4).getString();
        sources.push_back(std::move(source));
    }
    return sources;
}

QuarantinePage readQuarantine(SQLite::Database& database, const QuarantineQuery& query) {
    QuarantinePage page;
    SQLite::Statement rows(database, std::string(kColumns) + "WHERE id<? ORDER BY id DESC LIMIT ?");
    const auto before =
        query.before ? toColumn(query.before.value) : std::numeric_limits<std::int64_t>::max();
    const auto limit = std::min<std::size_t>(query.limit, limits::kPageRows);
    rows.bind(1, before);
    rows.bind(2, static_cast<std::int64_t>(limit));
    while (rows.executeStep()) page.rows.push_back(quarantineRow(rows));
    page.complete = page.rows.size() < limit;
    return page;
}

std::optional<QuarantineRow> readQuarantined(SQLite::Database& database, QuarantineId id) {
    SQLite::Statement query(database, std::string(kColumns) + "WHERE id=?");
    query.bind(1, toColumn(id.value));
    if (!query.executeStep()) return std::nullopt;
    auto row = quarantineRow(query);
    SQLite::Statement body(database, "SELECT body FROM quarantine WHERE id=?");
    body.bind(1, toColumn(id.value));
    if (body.executeStep()) row.body = body.getColumn(0).getString();
    return row;
}

void settleSenderMarks(SQLite::Database& database) {
    const auto number = [&](const char* sql) { return queryNumber(database, sql); };
    setMark(database, "source",
            std::max(mark(database, "source"), number("SELECT MAX(id) FROM sources")));
    setMark(database, "quarantine",
            std::max(mark(database, "quarantine"), number("SELECT MAX(id) FROM quarantine")));
    setMark(database, "quarantined", number("SELECT COUNT(*) FROM quarantine"));
}

void writeSource(SQLite::Database& database, const SourceConfig& source) {
    SQLite::Statement write(database, "INSERT OR REPLACE INTO sources VALUES(?,?,?,?,?)");
    const auto keys = encodeTexts(source.keys);
    write.bind(1, source.id.value);
    write.bindNoCopy(2, source.name);
    write.bindNoCopy(3, keys.data(), static_cast<int>(keys.size()));
    write.bind(4, source.addedAt);
    write.bindNoCopy(5, source.addedBy);
    write.exec();
    if (mark(database, "source") < source.id.value) setMark(database, "source", source.id.value);
}

void removeSource(SQLite::Database& database, SourceId id) {
    SQLite::Statement remove(database, "DELETE FROM sources WHERE id=?");
    remove.bind(1, id.value);
    remove.exec();
}

void quarantine(SQLite::Database& database, std::span<const QuarantineEntry> entries) {
    if (entries.empty()) return;
    auto last = mark(database, "quarantine");
    SQLite::Statement insert(database, "INSERT INTO quarantine VALUES(?,?,?,?,?,?,?,?,?)");
    for (const auto& entry : entries) {
        const auto kept = std::min(entry.body.size(), limits::kQuarantinedBytes);
        insert.reset();
        insert.bind(1, ++last);
        insert.bind(2, entry.at);
        insert.bindNoCopy(3, entry.source);
        insert.bind(4, static_cast<int>(entry.form));
        insert.bindNoCopy(5, entry.code);
        insert.bindNoCopy(6, entry.detail);
        insert.bindNoCopy(7, entry.eventId);
        insert.bindNoCopy(8, entry.body.data(), static_cast<int>(kept));
        insert.bind(9, static_cast<std::int64_t>(entry.body.size()));
        insert.exec();
    }
    setMark(database, "quarantine", last);
    auto rows = mark(database, "quarantined") + static_cast<std::int64_t>(entries.size());
    constexpr auto most = static_cast<std::int64_t>(limits::kQuarantined);
    if (rows > most) {
        SQLite::Statement trim(database,
                               "DELETE FROM quarantine WHERE id IN"
                               " (SELECT id FROM quarantine ORDER BY id LIMIT ?)");
        trim.bind(1, rows - most);
        rows -= trim.exec();
    }
    setMark(database, "quarantined", rows);
}

void release(SQLite::Database& database, std::span<const QuarantineId> ids) {
    if (ids.empty()) return;
    SQLite::Statement remove(database, "DELETE FROM quarantine WHERE id=?");
    std::int64_t removed = 0;
    for (const auto id : ids) {
        remove.reset();
        remove.bind(1, toColumn(id.value));
        removed += remove.exec();
    }
    setMark(database, "quarantined", mark(database, "quarantined") - removed);
}

}  // namespace lanes::store
