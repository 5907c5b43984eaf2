// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/backup_runner.h"

#include <utility>

namespace lanes::store {

namespace {

Error notMade(const std::string& file, const std::string& why) {
    return {Error::Code::unavailable, "the backup " + file + " was not made: " + why};
}

}  // namespace

BackupRunner::~BackupRunner() {
    m_cancelled = true;
    if (m_thread.joinable()) m_thread.join();
}

void BackupRunner::ask(BackupRequest request, Done done) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_asked && !m_status.running) {
            m_cancelled = false;
            m_status = BackupStatus();
            m_status.running = true;
            m_status.file = request.file;
            m_asked = std::move(request);
            m_done = std::move(done);
            return;
        }
    }
    done(notMade(request.file, "another one is being made; wait for it or cancel it"));
}

BackupStatus BackupRunner::status() const {
    const std::lock_guard lock(m_mutex);
    return m_status;
}

bool BackupRunner::wantsWork() const {
    if (m_copy && !m_checking) return true;
    if (m_checking) return m_finished;
    const std::lock_guard lock(m_mutex);
    return m_asked.has_value();
}

void BackupRunner::work(SQLite::Database* source, const std::string& path) {
    if (m_checking) {
        if (!m_finished) return;
        m_thread.join();
        return end(*std::exchange(m_result, std::nullopt));
    }
    if (m_cancelled) return giveUp("it was cancelled");
    if (source == nullptr) return giveUp("the data file cannot be written now; wait for that");
    if (!m_copy) return begin(*source, path);
    copy();
}

void BackupRunner::begin(SQLite::Database& source, const std::string& path) {
    std::optional<BackupRequest> request;
    {
        const std::lock_guard lock(m_mutex);
        request = std::exchange(m_asked, std::nullopt);
    }
    if (!request) return;
    auto begun = BackupCopy::begin(source, path, *request);
    if (!begun) return end(begun.error());
    m_copy = std::move(begun.value());
}

void BackupRunner::copy() {
    const auto step = m_copy->step();
    if (!step) return end(step.error());
    {
        const std::lock_guard lock(m_mutex);
        m_status.share = m_copy->share();
    }
    if (!step.value()) return;
    m_checking = true;
    m_finished = false;
    m_thread = std::thread([this] {
        m_result = m_copy->finish(m_cancelled);
        m_finished = true;
    });
}

void BackupRunner::loseSource() {
    if (!m_copy || m_checking) return;
    giveUp("the data file could not be written meanwhile; nothing else is affected. Make it again");
}

void BackupRunner::stop() {
    m_cancelled = true;
    if (m_checking) {
        m_thread.join();
        return end(*std::exchange(m_result, std::nullopt));
    }
    if (status().running) giveUp("the program ended; make it again");
}

void BackupRunner::giveUp(const std::string& why) {
    {
        const std::lock_guard lock(m_mutex);
        m_asked.reset();
    }
    end(notMade(status().file, why));
}

void BackupRunner::end(const Result<BackupReport>& result) {
    m_copy.reset();
    m_checking = false;
    Done done;
    {
        const std::lock_guard lock(m_mutex);
        m_status.running = false;
        m_status.error = result ? std::string() : result.error().detail;
        m_status.share = result ? 1 : m_status.share;
        m_status.bytes = result ? result.value().bytes : 0;
        m_status.lastEvent = result ? result.value().lastEvent : Sequence();
        done = std::exchange(m_done, nullptr);
    }
    if (done) done(result);
}

}  // namespace lanes::store
