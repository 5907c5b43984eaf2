// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/intake/file_import.h"

#include <QByteArray>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanes::test {

inline constexpr int kPatience = 60'000;  // ms

/// The engine and its store, as an import sees them: it keeps what was stored, in order, and finds
/// ids that it has.
struct Desk {
    std::mutex mutex;
    std::vector<NewEvent> stored;
    std::set<std::pair<std::string, std::string>> ids;
    std::size_t batches = 0;
    std::size_t largest = 0;  ///< events of one batch
    bool counting = false;    ///< keeps numbers only
    std::uint64_t counted = 0;
    /// Batches that wait for `answer`; beyond `answered` ones they all do.
    std::size_t answered = SIZE_MAX;
    int givesBack = 0;
    std::deque<std::shared_ptr<const ImportBatch>> waiting;
    std::size_t mostWaiting = 0;
    std::string error = "not opened";
    bool ended = false;
    std::unique_ptr<FileImport> import;

    ~Desk() { import.reset(); }

    void start(const std::string& directory, const StartImport& request) {
        ImportPorts ports;
        ports.submit = [this](std::shared_ptr<const ImportBatch> batch) { take(std::move(batch)); };
        ports.opened = [this](const std::string& text) {
            const std::lock_guard lock(mutex);
            error = text;
            if (!error.empty()) ended = true;
        };
        ports.ended = [this] {
            const std::lock_guard lock(mutex);
            ended = true;
        };
        ports.wallClock = [] { return WallMicros{1'000'000}; };
        import = std::make_unique<FileImport>(1, request, directory, std::move(ports));
        import->start();
    }
    void take(std::shared_ptr<const ImportBatch> batch) {
        bool now = false;
        {
            const std::lock_guard lock(mutex);
            waiting.push_back(std::move(batch));
            mostWaiting = std::max(mostWaiting, waiting.size());
            now = batches < answered;
        }
        if (now) answer();
    }
    void answer() {
        ImportOutcome outcome;
        {
            const std::lock_guard lock(mutex);
            const auto batch = waiting.front();
            waiting.pop_front();
            outcome.stored = givesBack == 0;
            if (!outcome.stored) --givesBack;
            if (outcome.stored) keep(*batch, outcome);
        }
        import->settle(std::move(outcome));
    }
    void keep(const ImportBatch& batch, ImportOutcome& outcome) {
        ++batches;
        largest = std::max(largest, batch.events.size());
        if (counting) {
            counted += batch.events.size();
            outcome.accepted = batch.events.size();
            return;
        }
        for (const auto& imported : batch.events) {
            if (imported.destinations == std::vector<std::string>{"nowhere"}) {
                outcome.rejected.push_back(imported.line);
                outcome.rejected.back().code = "unknown_destination";
                continue;
            }
            const bool fresh = ids.emplace(imported.event.source, imported.event.id).second;
            ++(fresh ? outcome.accepted : outcome.duplicates);
            if (fresh) stored.push_back(imported.event);
        }
    }
    bool isOver() {
        const std::lock_guard lock(mutex);
        return ended;
    }
    bool waitForEnd() {
        return QTest::qWaitFor([this] { return isOver(); }, kPatience);
    }
    std::size_t waits() {
        const std::lock_guard lock(mutex);
        return waiting.size();
    }
    QByteArray payloads() {
        const std::lock_guard lock(mutex);
        QByteArray all;
        for (const auto& event : stored) all += QByteArray::fromStdString(event.payload) + ' ';
        return all.trimmed();
    }
};

inline QByteArray eventLine(int number, int users = 7) {
    return "{\"user\":\"u" + QByteArray::number(number % users) +
           "\",\"type\":\"t\",\"payload\":" + QByteArray::number(number) + "}";
}

/// By the program that everybody packs with.
inline QByteArray gzip(const QByteArray& text) {
    QProcess process;
    process.start(QStringLiteral("gzip"), {QStringLiteral("-c")});
    process.write(text);
    process.closeWriteChannel();
    process.waitForFinished(kPatience);
    return process.readAllStandardOutput();
}

}  // namespace lanes::test
