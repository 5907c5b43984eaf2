// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/line_splitter.h"

#include <algorithm>

namespace lanes {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineSplitter::LineSplitter(std::size_t limit, std::uint64_t lines, std::uint64_t offset)
    : m_limit(limit), m_lines(lines), m_offset(offset) {}

void LineSplitter::feed(std::string_view piece) {
    m_piece = piece;
}

std::optional<SplitLine> LineSplitter::next() {
    if (m_given) {
        m_held.clear();
        m_size = 0;
        m_given = false;
    }
    const std::size_t size = m_piece.find('\n');
    if (size == std::string_view::npos) {
        hold(m_piece);
        m_offset += m_piece.size();
        m_piece = {};
        return std::nullopt;
    }
    const std::string_view text = m_piece.substr(0, size);
    m_piece.remove_prefix(size + 1);
    m_offset += size + 1;
    ++m_lines;
    if (m_size == 0) return line(text, size, size > 0 ? text.back() : '\0', m_lines);
    hold(text);
    m_given = true;
    return line(m_held, m_size, m_last, m_lines);
}

std::optional<SplitLine> LineSplitter::rest() {
    if (m_given || m_size == 0) return std::nullopt;
    SplitLine last = line(m_held, m_size, m_last, m_lines + 1);
    last.ended = false;
    return last;
}

void LineSplitter::hold(std::string_view piece) {
    if (piece.empty()) return;
    m_size += piece.size();
    m_last = piece.back();
    // A byte order mark and the CR of a line end do not count against the limit.
    const std::size_t most = m_limit + kByteOrderMark.size() + 1;
    const std::size_t room = most - std::min(most, m_held.size());
    m_held.append(piece.substr(0, room));
    m_held.reserve(m_held.size() + kPadding);
}

SplitLine LineSplitter::line(std::string_view text, std::uint64_t size, char last,
                             std::uint64_t number) const {
    SplitLine out;
    out.number = number;
    out.end = m_offset;
    out.ended = true;
    const bool whole = text.size() == size;
    if (last == '\r') {
        --size;
        if (whole) text.remove_suffix(1);
    }
    if (number == 1 && text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        text.remove_prefix(kByteOrderMark.size());
        size -= kByteOrderMark.size();
    }
    out.tooLong = size > m_limit;
    out.text = text;
    return out;
}

}  // namespace lanes
