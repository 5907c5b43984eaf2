// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/page_record.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// All rows that can still be read out of a damaged data file. A tree is walked from its root; a bad
// page costs its own rows, and a bad inner page none: what hangs below it is looked for among the
// pages that belong to nothing, and taken where its keys fill the hole.
namespace lanes::store {

/// A table as its rows look on the disk, one letter a column: k the key (stored as null), n a
/// whole number, r a number, t text, b bytes.
struct TableShape {
    std::string_view name;
    std::string_view columns;
    std::size_t least;     ///< columns in the first version; later ones may be missing
    bool byRecord = false;  ///< WITHOUT ROWID
    std::uint32_t since = 1;  ///< version of the schema that brought it
};

/// The tables that hold the truth; indexes, runs and histories follow from them.
[[nodiscard]] std::span<const TableShape> tableShapes();

/// Keys of a table of which nothing is known, both included.
struct KeyRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

class PageScan {
public:
    /// False: the row cannot be what it claims to be.
    using Visit = std::function<bool(const TableShape& table, const PageRecord& record)>;

    /// `file` must outlive it.
    explicit PageScan(const PageFile& file);

    /// Tells each readable row, those of a table together and, but for the lost and found ones,
    /// rising.
    void run(const Visit& visit);

    /// What is missing of a table, before the lost and found; of one without row numbers a single
    /// range that means nothing.
    [[nodiscard]] const std::vector<KeyRange>& lost(std::string_view table) const;
    /// Holes in all tables, and one more if the list of tables cannot be read.
    [[nodiscard]] std::uint64_t faults() const;

private:
    struct Walk {
        const TableShape& table;
        const Visit& visit;
        std::int64_t last;  ///< key of the last good row
    };

    void readSchema();
    void walkTable(Walk& walk, std::uint32_t page, KeyRange keys, int depth);
    void walkInner(Walk& walk, const TreePage& page, KeyRange keys, int depth);
    [[nodiscard]] bool walkLeaf(Walk& walk, const TreePage& page, KeyRange keys);
    void walkIndex(Walk& walk, std::uint32_t page, int depth);
    void findLost(const Visit& visit);
    void lose(const TableShape& table, KeyRange keys);
    [[nodiscard]] bool claim(std::uint32_t page);
    [[nodiscard]] std::vector<bool> freePages() const;
    [[nodiscard]] std::function<void(std::uint32_t)> noteUsed();

    const PageFile& m_file;
    std::map<std::string, std::uint32_t, std::less<>> m_roots;
    bool m_schemaRead = false;
    std::uint32_t m_version = 0;  ///< of the schema, as the file says
    std::vector<bool> m_used;
    std::map<std::string_view, std::vector<KeyRange>> m_lost;
};

}  // namespace lanes::store
