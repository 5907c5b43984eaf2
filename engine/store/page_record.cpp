// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/page_record.h"

#include <algorithm>
#include <bit>

namespace lanes::store {

namespace {

/// Larger than any row that this program writes; a larger number is damage.
constexpr std::uint64_t kLargestRecord = 64u << 20;

bool varint(std::string_view bytes, std::size_t& at, std::uint64_t& value) {
    value = 0;
    for (int n = 0; n < 9; ++n) {
        if (at >= bytes.size()) return false;
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        if (n == 8) {
            value = value << 8 | byte;
            return true;
        }
        value = value << 7 | (byte & 0x7f);
        if ((byte & 0x80) == 0) return true;
    }
    return true;
}

std::int64_t signedNumber(std::string_view bytes) {
    std::uint64_t value = static_cast<unsigned char>(bytes.front()) & 0x80 ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
}

/// Bytes of a value by its type; none for the types that SQLite keeps for itself.
std::optional<std::uint64_t> sizeOf(std::uint64_t type) {
    constexpr std::uint64_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type < 10) return kSizes[type];
    if (type < 12) return std::nullopt;
    return (type - 12) / 2;
}

PageValue valueOf(std::uint64_t type, std::string_view bytes) {
    using Kind = PageValue::Kind;
    if (type == 0) return {};
    if (type >= 12) return {type % 2 == 0 ? Kind::blob : Kind::text, 0, 0, bytes};
    if (type >= 8) return {Kind::integer, static_cast<std::int64_t>(type - 8), 0, {}};
    const std::int64_t number = signedNumber(bytes);
    if (type == 7) return {Kind::real, 0, std::bit_cast<double>(number), {}};
    return {Kind::integer, number, 0, {}};
}

bool decode(PageRecord& record) {
    const std::string_view bytes = record.payload;
    std::size_t at = 0;
    std::uint64_t header = 0;
    if (!varint(bytes, at, header) || header > bytes.size() || header < at) return false;
    std::size_t content = static_cast<std::size_t>(header);
    record.values.clear();
    const auto types = bytes.substr(0, content);
    while (at < types.size()) {
        std::uint64_t type = 0;
        if (!varint(types, at, type)) return false;
        const auto size = sizeOf(type);
        if (!size || *size > bytes.size() - content) return false;
        record.values.push_back(
            valueOf(type, bytes.substr(content, static_cast<std::size_t>(*size))));
        content += static_cast<std::size_t>(*size);
    }
    return content == bytes.size();
}

PageKind kindOf(unsigned char type) {
    switch (type) {
    case 0x0d:
        return PageKind::tableLeaf;
    case 0x05:
        return PageKind::tableInner;
    case 0x0a:
        return PageKind::indexLeaf;
    case 0x02:
        return PageKind::indexInner;
    default:
        return PageKind::other;
    }
}

bool isInner(PageKind kind) {
    return kind == PageKind::tableInner || kind == PageKind::indexInner;
}

bool isTable(PageKind kind) {
    return kind == PageKind::tableLeaf || kind == PageKind::tableInner;
}

}  // namespace

TreePage::TreePage(const PageFile& file, std::uint32_t number)
    : m_file(file), m_header(number == 1 ? 100 : 0) {
    if (!file.read(number, m_bytes)) return;
    m_kind = kindOf(static_cast<unsigned char>(m_bytes[m_header]));
    if (m_kind == PageKind::other) return;
    m_cells = bigEndian(m_bytes, m_header + 3, 2);
    const std::size_t cells = m_header + (isInner(m_kind) ? 12u : 8u) + 2 * m_cells;
    if (cells > file.usableSize()) m_kind = PageKind::other;
}

std::size_t TreePage::cellAt(std::size_t cell) const {
    return bigEndian(m_bytes, m_header + (isInner(m_kind) ? 12u : 8u) + 2 * cell, 2);
}

bool TreePage::number(std::size_t& at, std::uint64_t& value) const {
    return varint(std::string_view(m_bytes).substr(0, m_file.usableSize()), at, value);
}

std::uint32_t TreePage::child(std::size_t cell) const {
    const std::size_t at = cell == m_cells ? m_header + 8 : cellAt(cell);
    return at + 4 <= m_file.usableSize() ? bigEndian(m_bytes, at, 4) : 0;
}

std::optional<std::int64_t> TreePage::key(std::size_t cell) const {
    std::size_t at = cellAt(cell);
    std::uint64_t value = 0;
    if (m_kind == PageKind::tableInner) at += 4;
    if (m_kind == PageKind::tableLeaf && !number(at, value)) return std::nullopt;
    if (!isTable(m_kind) || !number(at, value)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

bool TreePage::record(std::size_t cell, PageRecord& record,
                      const std::function<void(std::uint32_t)>& used) const {
    std::size_t at = cellAt(cell);
    if (isInner(m_kind)) at += 4;
    std::uint64_t size = 0;
    std::uint64_t key = 0;
    const std::uint64_t most =
        std::min(kLargestRecord, std::uint64_t{m_file.pageCount()} * m_file.pageSize());
    if (!number(at, size) || size > most) return false;
    if (m_kind == PageKind::tableLeaf && !number(at, key)) return false;
    record.row = static_cast<std::int64_t>(key);
    return payload(at, size, record.payload, used) && decode(record);
}

bool TreePage::payload(std::size_t at, std::uint64_t size, std::string& out,
                       const std::function<void(std::uint32_t)>& used) const {
    const std::size_t usable = m_file.usableSize();
    const std::size_t most = m_kind == PageKind::tableLeaf ? usable - 35
                                                           : (usable - 12) * 64 / 255 - 23;
    std::size_t here = static_cast<std::size_t>(size);
    if (here > most) {
        const std::size_t least = (usable - 12) * 32 / 255 - 23;
        const std::size_t fitting = least + (here - least) % (usable - 4);
        here = fitting <= most ? fitting : least;
    }
    const bool overflows = here < size;
    if (at + here + (overflows ? 4 : 0) > usable) return false;
    out.assign(m_bytes, at, here);
    std::uint32_t next = overflows ? bigEndian(m_bytes, at + here, 4) : 0;
    std::string page;
    while (out.size() < size) {
        if (next == 0 || !m_file.read(next, page)) return false;
        used(next);
        next = bigEndian(page, 0, 4);
        out.append(page, 4, std::min(usable - 4, static_cast<std::size_t>(size) - out.size()));
    }
    return next == 0;
}

}  // namespace lanes::store
