// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/core/result.h"
#include "engine/core/store.h"
#include "engine/intake/event_line.h"
#include "engine/intake/import_record.h"
#include "engine/intake/import_report.h"
#include "engine/intake/import_source.h"
#include "engine/intake/line_splitter.h"
#include "engine/snapshot.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lanes {

/// An event of a file, checked. `event.targets` is empty, as with what comes over HTTP.
struct ImportedEvent {
    NewEvent event;
    std::vector<std::string> destinations;  ///< that it names; empty: all whose filter matches
    RejectedLine line;  ///< its text only if it names destinations, which may not be there
};

/// Consecutive lines of a file.
struct ImportBatch {
    std::vector<ImportedEvent> events;
    std::vector<RejectedLine> rejected;
    std::uint64_t blank = 0;
    std::uint64_t lines = 0;
    std::uint64_t position = 0;  ///< in the text, behind the last of them that ended
    /// The file ended behind it. It holds nothing but the last line, if that has no line end: such
    /// a line may become longer, so it is read again next time.
    bool last = false;
};

/// What became of the events of a batch.
struct ImportOutcome {
    bool stored = false;  ///< false: the store had a fault and kept nothing of it
    std::uint64_t accepted = 0;
    std::uint64_t duplicates = 0;
    std::vector<RejectedLine> rejected = {};  ///< they name destinations that are not there
};

/// What the import needs of the engine. All are called on the import's thread.
struct ImportPorts {
    /// Takes the events of a batch for storing. `FileImport::settle` is due for it.
    std::function<void(std::shared_ptr<const ImportBatch>)> submit;
    /// Once: the file is open and the import goes on, or a sentence says why not.
    std::function<void(const std::string& error)> opened;
    /// Once, as the last call; not if it was not opened.
    std::function<void()> ended;
    std::function<WallMicros()> wallClock;
};

/// Reads the events of one file on a thread of its own.
///
/// One batch is being stored while the next one is read, never more: memory stays flat whatever the
/// file, live senders get their turn at each commit, and a batch that the store gives back is
/// handed over again before any later one, so that the order of lines is the order of acceptance.
///
/// A line without an id gets one from the file's path, its number and its text. So reading a line
/// twice stores it once, equal lines of a file are different events, and it does not matter which
/// other lines were taken.
class FileImport {
public:
    /// \param number of the import, for the snapshot.
    FileImport(std::uint64_t number, StartImport request, const std::string& dataDirectory,
               ImportPorts ports);
    /// Leaves at once; what is being stored is not waited for.
    ~FileImport();
    FileImport(const FileImport&) = delete;
    FileImport& operator=(const FileImport&) = delete;

    // Any thread:
    void start();
    /// Ends it when what is being stored is durable.
    void cancel();
    void settle(ImportOutcome outcome);
    /// Nothing is given to the store until it is called with an empty text.
    void setStoreFault(const std::string& fault);
    [[nodiscard]] ImportSnapshot snapshot() const;

private:
    using Clock = std::chrono::steady_clock;

    void run();
    [[nodiscard]] Result<Nothing> begin();
    [[nodiscard]] Result<Nothing> resume(bool sameFile);
    [[nodiscard]] Result<Nothing> transfer();
    [[nodiscard]] Result<ImportBatch> readBatch();
    [[nodiscard]] Result<bool> fill();
    void take(const SplitLine& line, ImportBatch& batch);
    void takeEvent(const SplitLine& line, std::string_view text, ImportBatch& batch);
    [[nodiscard]] std::string idOf(const SplitLine& line, std::string_view text) const;
    /// False if it has to leave while the store has a fault.
    [[nodiscard]] bool submit(const std::shared_ptr<const ImportBatch>& batch);
    /// Nothing if it left before the batch was stored.
    [[nodiscard]] std::optional<ImportOutcome> outcomeOf(
        const std::shared_ptr<const ImportBatch>& batch);
    [[nodiscard]] Result<Nothing> count(const ImportBatch& batch, ImportOutcome outcome);
    [[nodiscard]] Result<Nothing> remember();
    void show(const ImportBatch* tail, const ImportOutcome& outcome);
    void end(const Result<Nothing>& result);
    [[nodiscard]] bool leaving() const { return m_cancelled || m_abandoned; }

    const StartImport m_request;
    const ImportPorts m_ports;
    const ImportRecords m_records;

    // Of the import's thread:
    std::unique_ptr<ImportSource> m_source;
    std::unique_ptr<ImportReport> m_report;
    ImportRecord m_record;
    std::optional<LineSplitter> m_splitter;
    EventLineReader m_reader;
    std::vector<char> m_buffer;
    std::uint64_t m_position = 0;  ///< behind the last line that was read and ended
    bool m_finished = false;
    Clock::time_point m_remembered{};
    Clock::time_point m_rated{};
    std::uint64_t m_ratedLines = 0;

    // Shared:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<ImportOutcome> m_outcome;
    std::string m_fault;
    ImportSnapshot m_shown;
    std::atomic<bool> m_cancelled{false};
    std::atomic<bool> m_abandoned{false};

    std::thread m_thread;
};

}  // namespace lanes
