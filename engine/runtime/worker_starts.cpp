// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/engine_worker.h"

#include "engine/delivery/http_transport.h"

#include <algorithm>
#include <utility>

// From what the kernel wants started to requests with their payloads.
namespace lanes {

namespace {

/// Attempts that are made ready, and bytes that are read from the log for them, before other
/// things have their turn: together a few milliseconds.
constexpr std::size_t kStartsAtOnce = 256;
constexpr std::size_t kReadAtOnce = 4u << 20;

/// What could not be read was not sent, so it is no attempt; what is not there will never be.
AttemptResult notSentResult(const StartAttempt& start, bool unread) {
    AttemptResult result;
    result.attempt = start.attempt;
    if (unread)
        result.reach = AttemptResult::Reach::notMade;
    else
        result.error = "The event is not in the log.";
    return result;
}

std::shared_ptr<const SentEvent> sentEvent(EventRow row) {
    return std::make_shared<const SentEvent>(SentEvent{
        std::move(row.source), std::move(row.id), std::move(row.user), std::move(row.type),
        std::move(row.contentType), std::make_shared<const std::string>(std::move(row.payload)),
        row.acceptedAt});
}

}  // namespace

/// A part of what is to be started: its events are read in one go, and the thread is free again
/// after a few of them.
void EngineWorker::startSome() {
    m_startScheduled = false;
    if (m_transport == nullptr) return;
    const auto count = std::min(m_starts.size(), kStartsAtOnce);
    const auto end = m_starts.begin() + static_cast<std::ptrdiff_t>(count);
    const bool all = readAhead({m_starts.begin(), end});
    std::vector<AttemptRequest> requests;
    std::vector<AttemptResult> notSent;
    requests.reserve(count);
    auto next = m_starts.begin();
    for (; next != end; ++next) {
        // What there was no room for is read with the next part.
        if (!all && next != m_starts.begin() && !m_edited.contains(next->pointer) &&
            m_cache.find(next->pointer.sequence) == nullptr)
            break;
        if (auto request = requestOf(*next)) {
            requests.push_back(std::move(*request));
            continue;
        }
        const bool unread = m_reader->failed();
        if (unread) m_unreadAt = m_clock.now();
        notSent.push_back(notSentResult(*next, unread));
    }
    m_starts.erase(m_starts.begin(), next);
    if (!requests.empty())
        QMetaObject::invokeMethod(
            m_transport, [transport = m_transport, batch = std::move(requests)]() mutable {
                transport->start(std::move(batch));
            });
    if (!notSent.empty())
        QMetaObject::invokeMethod(
            this, [this, notSent] { attemptsFinished(notSent); }, Qt::QueuedConnection);
    if (!m_starts.empty() && !std::exchange(m_startScheduled, true))
        QMetaObject::invokeMethod(this, &EngineWorker::startSome, Qt::QueuedConnection);
}

/// Into the cache, in the order of the log. False if there were more bytes than are read in one go.
bool EngineWorker::readAhead(const std::vector<StartAttempt>& starts) {
    std::vector<Sequence> wanted;
    for (const auto& start : starts)
        if (!m_edited.contains(start.pointer) && m_cache.find(start.pointer.sequence) == nullptr)
            wanted.push_back(start.pointer.sequence);
    if (wanted.size() < 2) return true;
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::size_t bytes = 0;
    m_reader->readAll(wanted, [&](EventRow row) {
        bytes += row.payload.size();
        remember(std::move(row));
        return bytes < kReadAtOnce;
    });
    return bytes < kReadAtOnce;
}

std::optional<AttemptRequest> EngineWorker::requestOf(const StartAttempt& start) {
    if (m_edited.contains(start.pointer)) {
        auto row = m_reader->readFor(start.pointer);
        if (!row) return std::nullopt;
        return AttemptRequest{start, sentEvent(*std::move(row))};
    }
    auto event = eventOf(start.pointer.sequence);
    if (event == nullptr) return std::nullopt;
    return AttemptRequest{start, std::move(event)};
}

std::shared_ptr<const SentEvent> EngineWorker::eventOf(Sequence sequence) {
    if (auto event = m_cache.find(sequence)) return event;
    auto row = m_reader->read(sequence);
    if (!row) return nullptr;
    remember(*std::move(row));
    return m_cache.find(sequence);
}

void EngineWorker::remember(EventRow row) {
    const auto sequence = row.sequence;
    m_cache.put(sequence, sentEvent(std::move(row)));
}

}  // namespace lanes
