// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanes {

/// One line of a text, without its line end (LF or CRLF) and without a byte order mark.
struct SplitLine {
    std::uint64_t number = 0;  ///< from 1
    std::uint64_t end = 0;     ///< offset in the text behind its line end
    std::string_view text;     ///< if it is too long, only its beginning
    bool tooLong = false;
    bool ended = false;  ///< by a line end; only the last one may lack it
};

/// Cuts a text that comes in pieces into lines, and never holds more than one line of the limit.
class LineSplitter {
public:
    /// Bytes behind each line's text that may be read: what the JSON library asks for.
    static constexpr std::size_t kPadding = 64;

    /// \param limit bytes of a line; longer ones are skipped.
    /// \param lines and \param offset: what was read of the text before.
    explicit LineSplitter(std::size_t limit, std::uint64_t lines = 0, std::uint64_t offset = 0);

    /// The next piece, followed by `kPadding` readable bytes, when `next` has given the last
    /// line of the one before. It must stay until then.
    void feed(std::string_view piece);
    /// The next line that has ended. Its text is good until the next call of anything.
    [[nodiscard]] std::optional<SplitLine> next();
    /// At the end of the text: what is left, if there is anything. It stays, so that more may
    /// follow when the text has grown.
    [[nodiscard]] std::optional<SplitLine> rest();

private:
    void hold(std::string_view piece);
    [[nodiscard]] SplitLine line(std::string_view text, std::uint64_t size, char last,
                                 std::uint64_t number) const;

    std::size_t m_limit;
    std::uint64_t m_lines;
    std::uint64_t m_offset;
    std::string_view m_piece;
    std::string m_held;        ///< beginning of a line that goes over pieces
    std::uint64_t m_size = 0;  ///< bytes of that line so far
    char m_last = '\0';        ///< the last one of them
    bool m_given = false;      ///< what is held was given away and can be forgotten
};

}  // namespace lanes
