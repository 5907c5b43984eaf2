// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/page_file.h"

#include "engine/store/connection.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lanes::store {

namespace {

constexpr std::size_t kFileHeader = 100;
constexpr std::size_t kLogHeader = 32;
constexpr std::size_t kFrameHeader = 24;

bool isPageSize(std::size_t size) {
    return size >= 512 && size <= 65'536 && std::has_single_bit(size);
}

bool readAt(int descriptor, std::int64_t offset, std::size_t size, std::string& bytes) {
    bytes.resize(size);
    return ::pread(descriptor, bytes.data(), size, offset) == static_cast<ssize_t>(size);
}

/// The running sum over the frames of a write-ahead log.
class LogSum {
public:
    explicit LogSum(bool bigEndian) : m_bigEndian(bigEndian) {}

    void add(std::string_view bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            m_first += word(bytes, at) + m_second;
            m_second += word(bytes, at + 4) + m_first;
        }
    }
    [[nodiscard]] bool is(const std::string& bytes, std::size_t at) const {
        return bigEndian(bytes, at, 4) == m_first && bigEndian(bytes, at + 4, 4) == m_second;
    }

private:
    [[nodiscard]] std::uint32_t word(std::string_view bytes, std::size_t at) const {
        std::uint32_t value = 0;
        for (std::size_t n = 0; n < 4; ++n) {
            const auto byte = static_cast<unsigned char>(bytes[at + (m_bigEndian ? n : 3 - n)]);
            value = value << 8 | byte;
        }
        return value;
    }

    bool m_bigEndian;
    std::uint32_t m_first = 0;
    std::uint32_t m_second = 0;
};

}  // namespace

std::uint32_t bigEndian(const std::string& bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < size; ++n)
        value = value << 8 | static_cast<unsigned char>(bytes[at + n]);
    return value;
}

PageFile::PageFile(PageFile&& other) noexcept
    : m_file(std::exchange(other.m_file, -1)),
      m_log(std::exchange(other.m_log, -1)),
      m_pageSize(other.m_pageSize),
      m_reserved(other.m_reserved),
      m_pageCount(other.m_pageCount),
      m_logged(std::move(other.m_logged)) {}

PageFile::~PageFile() {
    if (m_file >= 0) ::close(m_file);
    if (m_log >= 0) ::close(m_log);
}

Result<PageFile> PageFile::open(const std::string& path, Log log) {
    PageFile file;
    // A file that is missing is as one without pages: all may be in its write-ahead log.
    file.m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file.m_file < 0 && errno != ENOENT)
        return Error{Error::Code::readOnly,
                     "the data file " + path + " cannot be read (" + std::strerror(errno) + ")"};
    if (file.m_file >= 0) {
        if (::fstat(file.m_file, &status) != 0 || !S_ISREG(status.st_mode))
            return Error{Error::Code::damaged, path + " is not a regular file; move it away"};
        file.readHeader();
        file.m_pageCount = static_cast<std::uint32_t>(
            static_cast<std::size_t>(status.st_size) / file.m_pageSize);
    }
    if (log == Log::used) file.readLog(path + "-wal");
    return file;
}

void PageFile::readHeader() {
    std::string header;
    if (!readAt(m_file, 0, kFileHeader, header)) return;
    const std::size_t size = bigEndian(header, 16, 2) == 1 ? 65'536 : bigEndian(header, 16, 2);
    // Any other size is damage; all files of this program have SQLite's usual one.
    if (isPageSize(size)) m_pageSize = size;
    const auto reserved = static_cast<unsigned char>(header[20]);
    if (reserved <= 32 && header.compare(0, 15, "SQLite format 3") == 0) m_reserved = reserved;
}

/// Takes what was committed, up to the first frame that is not as it was written.
void PageFile::readLog(const std::string& path) {
    m_log = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    std::string header;
    if (m_log < 0 || !readAt(m_log, 0, kLogHeader, header)) return;
    const auto magic = bigEndian(header, 0, 4);
    const std::size_t pageSize = bigEndian(header, 8, 4);
    if ((magic & ~1u) != 0x377f0682 || !isPageSize(pageSize)) return;
    if (pageSize != m_pageSize && m_pageCount > 0) return;
    LogSum sum((magic & 1) != 0);
    sum.add(std::string_view(header).substr(0, 24));
    if (!sum.is(header, 24)) return;
    m_pageSize = pageSize;

    std::unordered_map<std::uint32_t, std::int64_t> open;
    std::string frame;
    std::int64_t offset = kLogHeader;
    for (; readAt(m_log, offset, kFrameHeader + pageSize, frame);
         offset += static_cast<std::int64_t>(kFrameHeader + pageSize)) {
        if (frame.compare(8, 8, header, 16, 8) != 0) break;  // of an earlier round
        sum.add(std::string_view(frame).substr(0, 8));
        sum.add(std::string_view(frame).substr(kFrameHeader));
        if (!sum.is(frame, 16)) break;
        open[bigEndian(frame, 0, 4)] = offset + static_cast<std::int64_t>(kFrameHeader);
        const auto committedPages = bigEndian(frame, 4, 4);
        if (committedPages == 0) continue;
        for (const auto& [page, at] : open) m_logged[page] = at;
        open.clear();
        m_pageCount = committedPages;
    }
}

bool PageFile::read(std::uint32_t page, std::string& bytes) const {
    if (page == 0 || page > m_pageCount) return false;
    if (const auto logged = m_logged.find(page); logged != m_logged.end())
        return readAt(m_log, logged->second, m_pageSize, bytes);
    const auto offset = std::uint64_t{page - 1} * m_pageSize;
    return m_file >= 0 && readAt(m_file, static_cast<std::int64_t>(offset), m_pageSize, bytes);
}

}  // namespace lanes::store
