// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/store/connection.h"
#include "engine/store/log_writer.h"
#include "engine/store/page_scan.h"
#include "engine/store/pending_ledger.h"
#include "engine/store/recovery.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::store {

/// What a damaged set said besides its rows.
struct SalvageEvidence {
    /// Of destinations whose row of the checkpoint is as it was written.
    std::map<DestinationId, DestinationLedger> checkpoint;
    CheckpointMarks checkpointAt;
    /// Largest numbers seen anywhere, the mark beside the file included.
    LogPositions given;
    LogPositions found;   ///< largest numbers of rows that could be read
    LogPositions marked;  ///< what the mark says was committed
    std::uint32_t lastDestination = 0;
    std::map<std::string, std::vector<KeyRange>, std::less<>> lost;  ///< by table

    [[nodiscard]] bool whole(std::string_view table) const { return !lost.contains(table); }
};

/// Reads the rows of a damaged set, each checked for what it can be, and copies them.
class SalvageSource {
public:
    /// Decides whether the write-ahead log is of use: a log of another time makes a whole file a
    /// broken one. Reads everything once or twice.
    [[nodiscard]] static Result<SalvageSource> open(const std::string& path);

    [[nodiscard]] bool logUsed() const { return m_file.logPages() > 0; }
    [[nodiscard]] bool logLeftOut() const { return m_log == Log::leftOut; }
    /// It is not the log that the mark speaks of, and the data file has no event to compare.
    [[nodiscard]] bool logDoubtful() const { return m_log == Log::doubtful; }
    /// Copies all rows into a fresh file, inside a transaction. Throws SQLite::Exception.
    [[nodiscard]] SalvageEvidence copyTo(SQLite::Database& database) const;

private:
    enum class Log : std::uint8_t { fitting, leftOut, doubtful };

    SalvageSource(PageFile file, std::string path, Log log)
        : m_file(std::move(file)), m_path(std::move(path)), m_log(log) {}

    PageFile m_file;
    std::string m_path;
    Log m_log;
};

}  // namespace lanes::store
