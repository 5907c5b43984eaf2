// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/page_file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The pages of a B-tree and the records in them, as SQLite's file format lays them out. Every
// number comes from a file that may be damaged, so each is checked before it is used.
namespace lanes::store {

struct PageValue {
    enum class Kind : std::uint8_t { null, integer, real, text, blob };
    Kind kind = Kind::null;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view bytes;  ///< of text and blob
};

/// A record with its key. The values point into `payload`.
struct PageRecord {
    std::int64_t row = 0;  ///< 0 in a tree that is ordered by the record itself
    std::string payload;
    std::vector<PageValue> values;
};

enum class PageKind : std::uint8_t { tableLeaf, tableInner, indexLeaf, indexInner, other };

/// One page of a tree.
class TreePage {
public:
    /// `file` must outlive it.
    TreePage(const PageFile& file, std::uint32_t number);

    [[nodiscard]] PageKind kind() const { return m_kind; }
    [[nodiscard]] std::size_t cells() const { return m_cells; }
    /// Of an inner page: the page below on the left of a cell, on the right of the last for
    /// `cells()`; 0 if it cannot be read.
    [[nodiscard]] std::uint32_t child(std::size_t cell) const;
    /// Of a table: the key of a cell.
    [[nodiscard]] std::optional<std::int64_t> key(std::size_t cell) const;
    /// Of a leaf, and of an inner page of an index. Follows the chain of overflow pages and names
    /// each to `used`. False if it is not a record.
    [[nodiscard]] bool record(std::size_t cell, PageRecord& record,
                              const std::function<void(std::uint32_t)>& used) const;

private:
    [[nodiscard]] std::size_t cellAt(std::size_t cell) const;
    /// Reads a number of variable length and moves on; false at the end of the page.
    [[nodiscard]] bool number(std::size_t& at, std::uint64_t& value) const;
    [[nodiscard]] bool payload(std::size_t at, std::uint64_t size, std::string& out,
                               const std::function<void(std::uint32_t)>& used) const;

    const PageFile& m_file;
    std::string m_bytes;
    PageKind m_kind = PageKind::other;
    std::size_t m_header = 0;  ///< where it begins
    std::size_t m_cells = 0;
};

}  // namespace lanes::store
