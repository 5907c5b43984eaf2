// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/data_care.h"
#include "engine/store/connection.h"
#include "engine/store/data_directory.h"

#include <SQLiteCpp/Backup.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace lanes::store {

/// A file that is removed, with what SQLite puts beside it, unless it is kept.
class PartFile {
public:
    explicit PartFile(std::string path) : m_path(std::move(path)) {}
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }
    void keep() { m_path.clear(); }

private:
    std::string m_path;
};

/// A copy of the data file in the making. Its pages are read through the connection that writes:
/// so nothing holds a read transaction that would let the write-ahead log grow, and SQLite puts
/// what is committed meanwhile into the copy as well, instead of beginning again. The copy is the
/// state after the last commit before its end.
///
/// All but `finish` on the thread of the source, between its transactions.
class BackupCopy {
public:
    /// Errors: the file exists, is the data file itself or cannot be made.
    [[nodiscard]] static Result<std::unique_ptr<BackupCopy>> begin(SQLite::Database& source,
                                                                   const std::string& sourcePath,
                                                                   const BackupRequest& request);
    /// Copies for a few milliseconds. True if all is copied; then the source is free.
    [[nodiscard]] Result<bool> step();
    [[nodiscard]] double share() const;
    /// After the last step, on any thread: checks the copy, makes it durable and gives it its name.
    /// \param cancelled it is given up when this becomes true
    [[nodiscard]] Result<BackupReport> finish(const std::atomic<bool>& cancelled);

private:
    BackupCopy(const BackupRequest& request, std::string part);
    [[nodiscard]] Result<Nothing> checkRoom() const;
    [[nodiscard]] Error failure(const SQLite::Exception& exception) const;

    BackupRequest m_request;
    PartFile m_part;
    std::string m_directory;  ///< of the copy
    bool m_sameDisk = false;  ///< as the data file
    std::unique_ptr<SQLite::Database> m_target;
    std::unique_ptr<SQLite::Backup> m_copy;  // ends before both connections
};

}  // namespace lanes::store
