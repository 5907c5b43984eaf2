// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <string>

namespace lanes {

/// How far the import of a file has come: everything before it is durable. What comes after it may
/// be durable too; reading it again does no harm, because each event has the id that it had.
struct ImportRecord {
    std::string path;            ///< with all links followed
    std::string source;          ///< as it was given
    std::uint64_t position = 0;  ///< in the text, behind a line end
    std::uint64_t lines = 0;     ///< that end before it
    /// A position in the file and what stands before it, by which the file is known again.
    std::uint64_t knownAt = 0;
    std::string fingerprint;
    bool finished = false;  ///< the end of the file was reached
    bool orderly = false;   ///< nothing was read after this was written
    std::string report;     ///< path of the report, empty if there is none
    std::uint64_t reportBytes = 0;
    // Of the lines before the position; what was read by a finished import is only in the first:
    std::uint64_t skippedLines = 0;
    std::uint64_t blank = 0;
    std::uint64_t accepted = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t rejected = 0;
};

/// The records of all imports: small files in the folder `imports` of the data directory, one for
/// each file and source. They are not part of the database, because a lost one costs only time.
class ImportRecords {
public:
    explicit ImportRecords(const std::string& dataDirectory);

    /// An empty one if the file was never imported, or what was written of it cannot be read.
    [[nodiscard]] ImportRecord load(const std::string& path, const std::string& source) const;
    /// A crash at any moment leaves the new one or the one before. Forgets the records that were
    /// not used for longest if there are more than `limits::kImportRecords`.
    [[nodiscard]] Result<Nothing> save(const ImportRecord& record) const;

private:
    [[nodiscard]] std::string fileOf(const std::string& path, const std::string& source) const;
    void forgetOldest() const;

    std::string m_directory;
};

}  // namespace lanes
