// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace lanes {

/// A file that is read from its beginning to its end, plain or packed with gzip, and that must be
/// the same file all the while: it may grow, but not shrink, change behind what was read, or be
/// replaced by another one. One thread.
class ImportSource {
public:
    /// Never waits: what is no regular file is refused. The error says what to do.
    [[nodiscard]] static Result<std::unique_ptr<ImportSource>> open(const std::string& path);
    virtual ~ImportSource();
    ImportSource(const ImportSource&) = delete;
    ImportSource& operator=(const ImportSource&) = delete;

    /// With all links followed.
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// The next bytes of the text, unpacked; 0 at the end, behind which more may come later.
    [[nodiscard]] virtual Result<std::size_t> read(char* to, std::size_t room) = 0;
    /// Goes on behind the first `offset` bytes of the text by itself, or says that the text has to
    /// be read up to there.
    [[nodiscard]] virtual bool skipTo(std::uint64_t offset) = 0;

    /// Bytes of the file that were read, as they lie on the disk.
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }
    /// Size of the file at the last check.
    [[nodiscard]] std::uint64_t bytesTotal() const { return m_bytesTotal; }
    /// Whether it is still the file that it was.
    [[nodiscard]] Result<Nothing> check();
    /// Hash of what stands before a position in the file, or empty if it is not that long: what
    /// another file at the same place will hardly have.
    [[nodiscard]] std::string fingerprint(std::uint64_t before) const;

protected:
    ImportSource(std::string path, int descriptor);
    /// From the file itself.
    [[nodiscard]] Result<std::size_t> readRaw(char* to, std::size_t room);
    void seekRaw(std::uint64_t position);

private:
    [[nodiscard]] std::string bytesBefore(std::uint64_t position) const;

    std::string m_path;
    int m_descriptor;
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_bytesTotal = 0;
    std::string m_tail;  ///< what was read last
};

}  // namespace lanes
