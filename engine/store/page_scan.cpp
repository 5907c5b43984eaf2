// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/page_scan.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lanes::store {

namespace {

constexpr TableShape kShapes[] = {
    {"marks", "tn", 2, true},
    {"destinations", "kttnnnbbbbnnnrnnbbb", 13},
    {"destination_state", "knrnnnttn", 8},
    {"events", "kttntttnb", 9},
    {"pointers", "knbn", 3},
    {"journal", "knnnnnnnnnnnnttb", 16},
    {"dead_letters", "knnnntttnnnnnnnttnn", 18},
    {"operations", "knttttnnnnntrnnnnn", 9},
    {"operation_sets", "nnb", 3, false, 2},
    {"operation_skips", "nnn", 3, true, 2},
    {"lane_holds", "nnnnnttt", 8, true, 2},
    {"event_versions", "nnnnb", 5, false, 2},
    {"dead_letter_notes", "nnntt", 5, true, 3},
    {"checkpoint", "knnnbbbn", 8},
    {"trimmed", "knnn", 4},
    {"sources", "ktbnt", 5},
    {"quarantine", "kntntttbn", 9},
};

/// Deeper than any tree of 4 GB pages is; a deeper one goes in circles.
constexpr int kDeepest = 24;
constexpr std::int64_t kLastKey = std::numeric_limits<std::int64_t>::max();

bool isOfKind(char letter, PageValue::Kind kind) {
    using Kind = PageValue::Kind;
    switch (letter) {
    case 'k':
        return kind == Kind::null;
    case 'n':
        return kind == Kind::integer;
    case 'r':
        return kind == Kind::integer || kind == Kind::real;
    case 't':
        return kind == Kind::text;
    default:
        return kind == Kind::blob;
    }
}

bool fits(const TableShape& table, const PageRecord& record) {
    const auto& values = record.values;
    if (values.size() < table.least || values.size() > table.columns.size()) return false;
    if (!table.byRecord && record.row <= 0) return false;
    return std::equal(values.begin(), values.end(), table.columns.begin(),
                      [](const PageValue& value, char letter) {
                          return isOfKind(letter, value.kind);
                      });
}

bool contains(const std::vector<KeyRange>& ranges, std::int64_t key) {
    return std::any_of(ranges.begin(), ranges.end(), [key](const KeyRange& range) {
        return range.first <= key && key <= range.last;
    });
}

}  // namespace

std::span<const TableShape> tableShapes() {
    return kShapes;
}

PageScan::PageScan(const PageFile& file) : m_file(file), m_used(file.pageCount() + 1, false) {}

const std::vector<KeyRange>& PageScan::lost(std::string_view table) const {
    static const std::vector<KeyRange> none;
    const auto found = m_lost.find(table);
    return found == m_lost.end() ? none : found->second;
}

std::uint64_t PageScan::faults() const {
    std::uint64_t count = m_schemaRead ? 0 : 1;
    for (const auto& [table, ranges] : m_lost) count += ranges.size();
    return count;
}

void PageScan::run(const Visit& visit) {
    readSchema();
    for (const auto& table : kShapes) {
        const auto root = m_roots.find(table.name);
        Walk walk{table, visit, 0};
        if (root == m_roots.end() && table.since > m_version) continue;
        if (root == m_roots.end())
            lose(table, {1, kLastKey});
        else if (table.byRecord)
            walkIndex(walk, root->second, 0);
        else
            walkTable(walk, root->second, {1, kLastKey}, 0);
    }
    findLost(visit);
}

/// The list of tables is a table itself, on the first page.
void PageScan::readSchema() {
    static constexpr TableShape kSchema{"the list of tables", "tttnt", 5};
    const Visit note = [this](const TableShape&, const PageRecord& record) {
        if (record.values[0].bytes == "table")
            m_roots.emplace(record.values[1].bytes,
                            static_cast<std::uint32_t>(record.values[3].integer));
        return true;
    };
    Walk walk{kSchema, note, 0};
    walkTable(walk, 1, {1, kLastKey}, 0);
    m_lost.erase(kSchema.name);
    std::string header;
    if (m_file.read(1, header)) m_version = bigEndian(header, 60, 4);
    m_schemaRead = std::all_of(std::begin(kShapes), std::end(kShapes), [this](const auto& table) {
        return table.since > m_version || m_roots.contains(table.name);
    });
}

bool PageScan::claim(std::uint32_t page) {
    if (page == 0 || page >= m_used.size() || m_used[page]) return false;
    m_used[page] = true;
    return true;
}

std::function<void(std::uint32_t)> PageScan::noteUsed() {
    return [this](std::uint32_t page) {
        if (page < m_used.size()) m_used[page] = true;
    };
}

void PageScan::lose(const TableShape& table, KeyRange keys) {
    if (keys.first > keys.last) return;
    m_lost[table.name].push_back(keys);
}

void PageScan::walkTable(Walk& walk, std::uint32_t page, KeyRange keys, int depth) {
    keys.first = std::max(keys.first, walk.last + 1);
    if (depth > kDeepest || !claim(page)) return lose(walk.table, keys);
    const TreePage tree(m_file, page);
    if (tree.kind() == PageKind::tableInner) return walkInner(walk, tree, keys, depth);
    const bool emptyRoot = depth == 0 && tree.kind() == PageKind::tableLeaf && tree.cells() == 0;
    if (emptyRoot) return;
    if (tree.kind() == PageKind::tableLeaf && walkLeaf(walk, tree, keys)) return;
    m_used[page] = false;  // it is something else, or nothing
    lose(walk.table, keys);
}

void PageScan::walkInner(Walk& walk, const TreePage& page, KeyRange keys, int depth) {
    const auto bound = [&](std::size_t cell, std::int64_t above) {
        const auto key = page.key(cell);
        return key && *key >= above && *key <= keys.last ? key : std::nullopt;
    };
    std::int64_t from = keys.first;
    for (std::size_t cell = 0; cell < page.cells(); ++cell) {
        // A key that cannot be right is left out: the page below ends before the next one.
        std::optional<std::int64_t> last;
        for (std::size_t next = cell; next < page.cells() && !last; ++next)
            last = bound(next, from);
        walkTable(walk, page.child(cell), {from, last.value_or(keys.last)}, depth + 1);
        if (const auto key = bound(cell, from)) from = *key + 1;
    }
    walkTable(walk, page.child(page.cells()), {from, keys.last}, depth + 1);
}

/// False if not one of its rows is of the table.
bool PageScan::walkLeaf(Walk& walk, const TreePage& page, KeyRange keys) {
    std::vector<KeyRange> holes;
    std::int64_t from = keys.first;
    bool hole = false;
    bool any = false;
    PageRecord record;
    for (std::size_t cell = 0; cell < page.cells(); ++cell) {
        const auto key = page.key(cell);  // keys are counted from 1
        // Where one row is out of line with the rest, it is that row which is damaged.
        const std::int64_t here = key.value_or(0);
        const std::int64_t next = cell + 1 < page.cells() ? page.key(cell + 1).value_or(0) : 0;
        const bool inLine = here >= from && here <= keys.last && !(next >= from && next <= here);
        if (!inLine || !page.record(cell, record, noteUsed()) || !fits(walk.table, record) ||
            !walk.visit(walk.table, record)) {
            hole = true;
            continue;
        }
        if (hole) holes.push_back({from, here - 1});
        hole = false;
        any = true;
        walk.last = here;
        from = here + 1;
    }
    if (!any) return false;
    if (hole) holes.push_back({from, keys.last});
    for (const auto& range : holes) lose(walk.table, range);
    return true;
}

void PageScan::walkIndex(Walk& walk, std::uint32_t page, int depth) {
    if (depth > kDeepest || !claim(page)) return lose(walk.table, {0, 0});
    const TreePage tree(m_file, page);
    const bool inner = tree.kind() == PageKind::indexInner;
    if (!inner && tree.kind() != PageKind::indexLeaf) {
        m_used[page] = false;
        return lose(walk.table, {0, 0});
    }
    PageRecord record;
    for (std::size_t cell = 0; cell < tree.cells(); ++cell) {
        if (inner) walkIndex(walk, tree.child(cell), depth + 1);
        if (!tree.record(cell, record, noteUsed()) || !fits(walk.table, record) ||
            !walk.visit(walk.table, record))
            lose(walk.table, {0, 0});
    }
    if (inner) walkIndex(walk, tree.child(tree.cells()), depth + 1);
}

/// Free pages hold rows that were deleted. They are listed on some of them.
std::vector<bool> PageScan::freePages() const {
    std::vector<bool> free(m_used.size(), false);
    std::string bytes;
    if (!m_file.read(1, bytes)) return free;
    std::uint32_t trunk = bigEndian(bytes, 32, 4);
    while (trunk != 0 && trunk < free.size() && !free[trunk] && m_file.read(trunk, bytes)) {
        free[trunk] = true;
        const std::size_t count = bigEndian(bytes, 4, 4);
        if (count > m_file.usableSize() / 4 - 2) break;
        for (std::size_t n = 0; n < count; ++n) {
            const auto page = bigEndian(bytes, 8 + 4 * n, 4);
            if (page < free.size()) free[page] = true;
        }
        trunk = bigEndian(bytes, 0, 4);
    }
    return free;
}

void PageScan::findLost(const Visit& visit) {
    const bool any = std::any_of(std::begin(kShapes), std::end(kShapes), [this](const auto& table) {
        return !table.byRecord && !lost(table.name).empty();
    });
    if (!any) return;
    const auto free = freePages();
    PageRecord record;
    const auto ignore = [](std::uint32_t) {};
    for (std::uint32_t page = 2; page < m_used.size(); ++page) {
        if (m_used[page] || free[page]) continue;
        const TreePage tree(m_file, page);
        if (tree.kind() != PageKind::tableLeaf) continue;
        for (std::size_t cell = 0; cell < tree.cells(); ++cell) {
            if (!tree.record(cell, record, ignore)) continue;
            for (const auto& table : kShapes) {
                if (table.byRecord || !contains(lost(table.name), record.row)) continue;
                if (!fits(table, record)) continue;
                (void)visit(table, record);
                break;
            }
        }
    }
}

}  // namespace lanes::store
