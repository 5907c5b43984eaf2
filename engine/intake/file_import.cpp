// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/file_import.h"

#include "engine/config.h"
#include "engine/core/check.h"
#include "engine/user_id.h"

#include <QByteArrayView>
#include <QCryptographicHash>

#include <algorithm>
#include <utility>

namespace lanes {

namespace {

using namespace std::chrono_literals;

/// Bytes that are read at once: large against a system call, small against the memory.
constexpr std::size_t kChunkBytes = 64u << 10;
/// What a crash costs: lines of so long are read again.
constexpr auto kRememberInterval = 1s;
constexpr auto kRateInterval = 500ms;
/// Before a batch is handed over again that a store without a fault gave back.
constexpr auto kSoon = 100ms;

std::string reportPathOf(const StartImport& request) {
    return request.reportPath.empty() ? request.path + ".rejected.ndjson" : request.reportPath;
}

std::string beginningOf(std::string_view text) {
    return std::string(text.substr(0, limits::kImportReportedBytes));
}

void reject(const SplitLine& line, std::string code, std::string detail, ImportBatch& batch) {
    batch.rejected.push_back({line.number, std::move(code), std::move(detail),
                              beginningOf(line.text),
                              line.tooLong || line.text.size() > limits::kImportReportedBytes});
}

}  // namespace

FileImport::FileImport(std::uint64_t number, StartImport request, const std::string& dataDirectory,
                       ImportPorts ports)
    : m_request(std::move(request)),
      m_ports(std::move(ports)),
      m_records(dataDirectory),
      m_reader(m_request.format),
      m_buffer(kChunkBytes + LineSplitter::kPadding) {
    CHECK(m_ports.submit && m_ports.opened && m_ports.ended && m_ports.wallClock);
    m_shown.number = number;
    m_shown.state = ImportState::running;
    m_shown.file = m_request.path;
}

FileImport::~FileImport() {
    {
        const std::lock_guard lock(m_mutex);
        m_abandoned = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void FileImport::start() {
    m_thread = std::thread([this] { run(); });
}

void FileImport::cancel() {
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
    }
    m_changed.notify_all();
}

void FileImport::settle(ImportOutcome outcome) {
    {
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
    }
    m_changed.notify_all();
}

void FileImport::setStoreFault(const std::string& fault) {
    {
        const std::lock_guard lock(m_mutex);
        m_fault = fault;
    }
    m_changed.notify_all();
}

ImportSnapshot FileImport::snapshot() const {
    const std::lock_guard lock(m_mutex);
    return m_shown;
}

void FileImport::run() {
    const auto begun = begin();
    m_ports.opened(begun.ok() ? std::string() : begun.error().detail);
    if (!begun) return;
    auto result = transfer();
    m_record.finished = m_finished;
    m_record.orderly = true;
    auto kept = remember();
    // A place that is not kept costs time and no event.
    if (result.ok() && !kept.ok()) result = std::move(kept);
    end(result);
    m_ports.ended();
}

// --- Where it begins

Result<Nothing> FileImport::begin() {
    auto opened = ImportSource::open(m_request.path);
    if (!opened) return opened.error();
    m_source = std::move(opened.value());
    m_record = m_records.load(m_source->path(), m_request.source);
    const bool sameFile = !m_record.fingerprint.empty() &&
                          m_source->fingerprint(m_record.knownAt) == m_record.fingerprint;
    if (const auto resumed = resume(sameFile); !resumed) return resumed.error();
    m_record.finished = false;
    m_record.orderly = false;
    m_record.report = m_report->path();
    if (const auto kept = remember(); !kept) return kept.error();
    // A packed text has to be read from its beginning; the lines before are skipped.
    if (m_source->skipTo(m_record.position))
        m_splitter.emplace(limits::kEventBytes, m_record.lines, m_record.position);
    else
        m_splitter.emplace(limits::kEventBytes);
    m_position = m_record.position;
    m_rated = Clock::now();
    m_ratedLines = m_record.lines;
    show(nullptr, {});
    return Nothing{};
}

/// Makes the record that of the lines which are not to be read again.
Result<Nothing> FileImport::resume(bool sameFile) {
    const bool anew = !sameFile || m_request.fromBeginning;
    const std::string report = reportPathOf(m_request);
    // The report of another file is somebody's work to do: it goes only if that is asked for.
    const bool known = m_record.report == report && (sameFile || m_request.fromBeginning);
    m_report = std::make_unique<ImportReport>(
        report, ImportReport::Left{known, m_record.orderly, m_record.reportBytes});
    if (const auto prepared = m_report->prepare(anew); !prepared) return prepared.error();
    const bool finished = m_record.finished;
    if (anew) {
        ImportRecord fresh;
        fresh.path = m_record.path;
        fresh.source = m_record.source;
        m_record = std::move(fresh);
    } else if (finished) {
        m_record.skippedLines = m_record.lines;
        m_record.blank = m_record.accepted = m_record.duplicates = m_record.rejected = 0;
    }
    const std::lock_guard lock(m_mutex);
    m_shown.resumedAt = anew || finished ? 0 : m_record.lines;
    return Nothing{};
}

// --- Reading and storing

Result<Nothing> FileImport::transfer() {
    auto read = readBatch();
    while (read.ok() && !leaving()) {
        const auto batch = std::make_shared<const ImportBatch>(std::move(read.value()));
        if (!submit(batch)) break;
        // Read on while that is being stored.
        if (!batch->last) read = readBatch();
        auto outcome = outcomeOf(batch);
        if (!outcome) break;
        if (const auto counted = count(*batch, std::move(*outcome)); !counted)
            return counted.error();
        m_finished = batch->last;
        if (m_finished) break;
    }
    if (!read.ok()) return read.error();
    return Nothing{};
}

Result<ImportBatch> FileImport::readBatch() {
    ImportBatch batch;
    batch.position = m_position;
    std::size_t bytes = 0;
    while (batch.lines < limits::kImportBatchLines && bytes < limits::kImportBatchBytes) {
        if (const auto line = m_splitter->next()) {
            if (line->end <= m_record.position) continue;
            bytes += line->text.size();
            m_position = batch.position = line->end;
            take(*line, batch);
            continue;
        }
        if (leaving()) break;
        const auto more = fill();
        if (!more) return more.error();
        if (more.value()) continue;
        if (batch.lines > 0) break;  // what has ended goes first
        batch.last = true;
        if (const auto line = m_splitter->rest()) take(*line, batch);
        break;
    }
    return batch;
}

/// False at the end of the file.
Result<bool> FileImport::fill() {
    auto got = m_source->read(m_buffer.data(), kChunkBytes);
    if (got.ok() && got.value() == 0) {
        if (const auto same = m_source->check(); !same) return same.error();
        got = m_source->read(m_buffer.data(), kChunkBytes);  // it may have grown
    }
    if (!got) return got.error();
    m_splitter->feed({m_buffer.data(), got.value()});
    const std::lock_guard lock(m_mutex);
    m_shown.bytesRead = m_source->bytesRead();
    m_shown.bytesTotal = m_source->bytesTotal();
    return got.value() > 0;
}

void FileImport::take(const SplitLine& line, ImportBatch& batch) {
    ++batch.lines;
    const std::string_view text = trimmedJson(line.text);
    if (line.tooLong)
        reject(line, "too_large", "line " + std::to_string(line.number) + " is longer than 1 MiB",
               batch);
    else if (text.empty())
        ++batch.blank;
    else
        takeEvent(line, text, batch);
}

void FileImport::takeEvent(const SplitLine& line, std::string_view text, ImportBatch& batch) {
    IncomingEvent read;
    if (auto fault = m_reader.read(text, &read)) {
        if (!line.ended && fault->code == "bad_json") {
            fault->code = "cut_line";
            fault->detail +=
                "; the line has no end: if the file is still being written, import "
                "it again later and it goes on with this line";
        }
        reject(line, std::move(fault->code), std::move(fault->detail), batch);
        return;
    }
    ImportedEvent out;
    out.line.number = line.number;
    out.destinations = std::move(read.destinations);
    if (!out.destinations.empty()) {
        out.line.text = beginningOf(line.text);
        out.line.cut = line.text.size() > limits::kImportReportedBytes;
    }
    NewEvent& event = out.event;
    event.source = !m_request.source.empty() ? m_request.source : std::move(read.source);
    event.id = read.id.empty() ? idOf(line, text) : std::move(read.id);
    event.user = std::move(read.user);
    event.userId = fingerprint(event.user, event.id);
    event.type = std::move(read.type);
    event.contentType = std::move(read.contentType);
    event.payload = std::move(read.payload);
    event.acceptedAt = m_ports.wallClock();
    batch.events.push_back(std::move(out));
}

/// 130 bits of hash, and the number, which people can look up.
std::string FileImport::idOf(const SplitLine& line, std::string_view text) const {
    static constexpr char kAlphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
    constexpr std::size_t kDigits = 26;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(m_source->path().data(), std::ssize(m_source->path())));
    hash.addData(QByteArrayView("\0", 1));
    hash.addData(QByteArrayView(text.data(), std::ssize(text)));
    const QByteArray bytes = hash.result();
    std::string id = "file-";
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
        const std::size_t bit = digit * 5;
        const auto high = static_cast<unsigned char>(bytes[static_cast<qsizetype>(bit / 8)]);
        const auto low = static_cast<unsigned char>(bytes[static_cast<qsizetype>(bit / 8 + 1)]);
        const unsigned pair = (unsigned{high} << 8) | low;
        id += kAlphabet[(pair >> (11 - bit % 8)) & 31];
    }
    return id + "-" + std::to_string(line.number);
}

bool FileImport::submit(const std::shared_ptr<const ImportBatch>& batch) {
    if (batch->events.empty()) return true;
    {
        std::unique_lock lock(m_mutex);
        if (!m_fault.empty()) {
            m_shown.state = ImportState::waiting;
            m_shown.error = m_fault;
            m_changed.wait(lock, [this] { return m_fault.empty() || leaving(); });
            m_shown.state = ImportState::running;
            m_shown.error.clear();
        }
        if (leaving()) return false;
        m_outcome.reset();
    }
    m_ports.submit(batch);
    return true;
}

std::optional<ImportOutcome> FileImport::outcomeOf(
    const std::shared_ptr<const ImportBatch>& batch) {
    if (batch->events.empty()) return ImportOutcome{true};
    while (true) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_outcome || m_abandoned; });
            if (!m_outcome) return std::nullopt;
            if (m_outcome->stored) return std::exchange(m_outcome, std::nullopt);
            // The fault may be over already.
            m_changed.wait_for(lock, kSoon, [this] { return !m_fault.empty() || leaving(); });
        }
        if (!submit(batch)) return std::nullopt;
    }
}

Result<Nothing> FileImport::count(const ImportBatch& batch, ImportOutcome outcome) {
    auto& rejected = outcome.rejected;
    rejected.insert(rejected.end(), batch.rejected.begin(), batch.rejected.end());
    std::sort(rejected.begin(), rejected.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    for (const auto& line : rejected) m_report->add(line);
    if (const auto written = m_report->write(false); !written) return written.error();
    if (batch.last) {
        show(&batch, outcome);
        return Nothing{};
    }
    m_record.position = batch.position;
    m_record.lines += batch.lines;
    m_record.blank += batch.blank;
    m_record.accepted += outcome.accepted;
    m_record.duplicates += outcome.duplicates;
    m_record.rejected += rejected.size();
    show(nullptr, {});
    if (Clock::now() - m_remembered < kRememberInterval) return Nothing{};
    if (const auto same = m_source->check(); !same) return same.error();
    // If it fails, a crash costs more time; the next second tries again.
    (void)remember();
    return Nothing{};
}

Result<Nothing> FileImport::remember() {
    if (const auto written = m_report->write(true); !written) return written.error();
    m_record.reportBytes = m_report->bytes();
    m_record.knownAt = std::max(m_record.knownAt, m_source->bytesRead());
    m_record.fingerprint = m_source->fingerprint(m_record.knownAt);
    m_remembered = Clock::now();
    return m_records.save(m_record);
}

// --- What is seen of it

/// `tail`: the last batch, which is not in the record.
void FileImport::show(const ImportBatch* tail, const ImportOutcome& outcome) {
    const auto now = Clock::now();
    const std::lock_guard lock(m_mutex);
    m_shown.bytesRead = m_source->bytesRead();
    m_shown.bytesTotal = m_source->bytesTotal();
    m_shown.lines = m_record.lines;
    m_shown.skippedLines = m_record.skippedLines;
    m_shown.blank = m_record.blank;
    m_shown.accepted = m_record.accepted + outcome.accepted;
    m_shown.duplicates = m_record.duplicates + outcome.duplicates;
    m_shown.rejected = m_record.rejected + outcome.rejected.size();
    if (tail != nullptr) {
        m_shown.lines += tail->lines;
        m_shown.blank += tail->blank;
    }
    if (m_report->bytes() > 0) m_shown.report = m_report->path();
    if (now - m_rated < kRateInterval) return;
    const std::chrono::duration<double> seconds = now - m_rated;
    m_shown.linesPerSecond = static_cast<double>(m_shown.lines - m_ratedLines) / seconds.count();
    m_rated = now;
    m_ratedLines = m_shown.lines;
}

void FileImport::end(const Result<Nothing>& result) {
    const std::lock_guard lock(m_mutex);
    m_shown.state = m_finished    ? ImportState::finished
                    : result.ok() ? ImportState::cancelled
                                  : ImportState::failed;
    m_shown.linesPerSecond = 0;
    m_shown.error = result.ok() ? std::string() : result.error().detail;
}

}  // namespace lanes
