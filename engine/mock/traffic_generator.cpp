// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/traffic_generator.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QString>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::mock {

namespace {

/// Events are made in slices of this length: shorter than anybody sees, longer than a commit.
constexpr int kMakeMs = 10;
/// After a long hold-up (a busy machine) this much of the past is made up for, not more.
constexpr double kCatchUpSeconds = 1.0;
/// Wait before the same events are sent again: doubling, and short, because somebody watches.
constexpr int kAgainFirstMs = 100;
constexpr int kAgainLongestMs = 2'000;
/// A Retry-After is followed up to here; the intake's own are a second or two.
constexpr int kRetryAfterLongestSeconds = 30;

double within(double value, double low, double high) {
    return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

TrafficShape usable(TrafficShape shape) {
    shape.eventsPerSecond = within(shape.eventsPerSecond, 0, TrafficGenerator::kEventsPerSecond);
    shape.users = std::clamp<std::uint32_t>(shape.users, 1, UserStories::kUsers);
    shape.zipf = within(shape.zipf, 0, 5);
    return shape;
}

/// The intake has read the events and will never take them: sending them again is no use.
bool isFinalRefusal(unsigned status) {
    return status == 400 || status == 413 || status == 415 || status == 422;
}

}  // namespace

TrafficGenerator::TrafficGenerator(QObject* parent)
    : QObject(parent), m_client([this](const IntakeAnswer& answer) { answered(answer); }, this) {
    m_clock.start();
    m_makeTimer.setParent(this);
    m_makeTimer.setInterval(kMakeMs);
    m_makeTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_makeTimer, &QTimer::timeout, this, &TrafficGenerator::make);
    m_againTimer.setParent(this);
    m_againTimer.setSingleShot(true);
    connect(&m_againTimer, &QTimer::timeout, this, &TrafficGenerator::send);
}

void TrafficGenerator::set(const TrafficShape& shape, std::uint16_t intakePort,
                           const std::string& writeKey) {
    const TrafficShape before = std::exchange(m_report.shape, usable(shape));
    const TrafficShape& now = m_report.shape;
    ++m_revision;
    m_port = intakePort;
    m_writeKey = writeKey;
    if (!now.running) {
        m_makeTimer.stop();
        return;
    }
    if (!m_stories || before.seed != now.seed) {
        // Time and chance make the ids of this run its own; the stories come from the seed alone.
        const QString run = QString::number(QDateTime::currentMSecsSinceEpoch(), 36) +
                            QString::number(QRandomGenerator::global()->bounded(36 * 36), 36);
        m_stories.emplace(run.toStdString(), now.seed);
        m_random = Random(now.seed ^ 0x5eed);
    }
    if (!m_users || before.users != now.users || before.zipf != now.zipf)
        m_users.emplace(now.users, now.zipf);
    m_nextAt = static_cast<double>(m_clock.elapsed()) / 1000.0;
    m_makeTimer.start();
    m_againTimer.stop();
    send();
}

void TrafficGenerator::make() {
    const double rate = m_report.shape.eventsPerSecond;
    const double now = static_cast<double>(m_clock.elapsed()) / 1000.0;
    if (!(rate > 0)) {
        m_nextAt = now;
        return;
    }
    m_nextAt = std::max(m_nextAt, now - kCatchUpSeconds);
    while (m_nextAt <= now && waiting() < kWaiting) {
        m_queue.push_back(m_stories->next(m_users->pick(m_random)));
        m_nextAt += m_random.exponential(1.0 / rate);
    }
    send();
}

void TrafficGenerator::send() {
    if (m_client.busy() || m_againTimer.isActive()) return;
    if (m_batch.empty()) {
        const std::size_t count = std::min(kBatch, m_queue.size());
        for (std::size_t i = 0; i < count; ++i) {
            m_batch.push_back(std::move(m_queue.front()));
            m_queue.pop_front();
        }
        m_report.sent += count;
    }
    if (m_batch.empty()) return;
    std::string body = "[";
    for (const std::string& event : m_batch) {
        if (body.size() > 1) body += ',';
        body += event;
    }
    body += ']';
    ++m_revision;
    m_client.post(m_port, m_writeKey, body);
}

void TrafficGenerator::answered(const IntakeAnswer& answer) {
    ++m_revision;
    if (answer.status >= 200 && answer.status <= 299) {
        countAnswer(answer);
        m_batch.clear();
        m_againMs = 0;
        send();
        return;
    }
    m_report.refused += m_batch.size();
    m_report.lastError = answer.status == 0
                             ? "no answer from the intake: " + answer.error
                             : "the intake answered " + std::to_string(answer.status);
    if (isFinalRefusal(answer.status)) m_batch.clear();
    waitAndSendAgain(answer);
}

void TrafficGenerator::countAnswer(const IntakeAnswer& answer) {
    m_report.lastError.clear();
    const auto body = nlohmann::json::parse(answer.body, nullptr, false);
    std::size_t rejected = 0;
    if (body.is_object()) {
        const auto list = body.find("rejected");
        if (list != body.end() && list->is_array()) rejected = list->size();
    }
    rejected = std::min(rejected, m_batch.size());
    m_report.accepted += m_batch.size() - rejected;
    m_report.refused += rejected;
    if (rejected > 0)
        m_report.lastError = "the intake rejected " + std::to_string(rejected) + " events for good";
}

void TrafficGenerator::waitAndSendAgain(const IntakeAnswer& answer) {
    m_againMs = m_againMs == 0 ? kAgainFirstMs : std::min(2 * m_againMs, kAgainLongestMs);
    const int asked = std::min(answer.retryAfterSeconds, kRetryAfterLongestSeconds) * 1000;
    m_againTimer.start(std::max(asked, m_againMs));
}

}  // namespace lanes::mock
