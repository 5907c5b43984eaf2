// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace lanes::store {

/// The pages of a data file, read without SQLite, which gives a damaged file up as a whole. Nothing
/// is written. Where the write-ahead log has a newer state of a page, that is the page.
class PageFile {
public:
    enum class Log { used, ignored };

    PageFile(PageFile&& other) noexcept;
    PageFile(const PageFile&) = delete;
    ~PageFile();

    [[nodiscard]] static Result<PageFile> open(const std::string& path, Log log);

    [[nodiscard]] std::size_t pageSize() const { return m_pageSize; }
    /// Bytes of a page that SQLite fills.
    [[nodiscard]] std::size_t usableSize() const { return m_pageSize - m_reserved; }
    [[nodiscard]] std::uint32_t pageCount() const { return m_pageCount; }
    /// Pages are counted from 1. False if the page is not there or cannot be read.
    [[nodiscard]] bool read(std::uint32_t page, std::string& bytes) const;
    /// Pages that come from the write-ahead log.
    [[nodiscard]] std::size_t logPages() const { return m_logged.size(); }

private:
    PageFile() = default;
    void readHeader();
    void readLog(const std::string& path);

    int m_file = -1;
    int m_log = -1;
    std::size_t m_pageSize = 4096;
    std::size_t m_reserved = 0;
    std::uint32_t m_pageCount = 0;
    std::unordered_map<std::uint32_t, std::int64_t> m_logged;  ///< offset of the newest state
};

/// Big-endian number of a file of SQLite's. The bytes must be there.
[[nodiscard]] std::uint32_t bigEndian(const std::string& bytes, std::size_t at, std::size_t size);

}  // namespace lanes::store
