// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/core/random.h"
#include "engine/core/zipf.h"
#include "engine/mock/intake_client.h"
#include "engine/mock/user_stories.h"
#include "engine/mock_control.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lanes::mock {

/// Sends made-up events to an intake as a careful sender does: in order, over real HTTP, and again
/// until they are accepted. One request at a time keeps the order of every user. One thread.
class TrafficGenerator : public QObject {
    Q_OBJECT

public:
    /// Events of one request: small arrays, as senders make them.
    static constexpr std::size_t kBatch = 100;
    /// Events made and not yet accepted. When it is full no more are made, so that nothing is lost.
    static constexpr std::size_t kWaiting = 20'000;
    /// More than one connection can carry, so that a mistyped rate does no harm.
    static constexpr double kEventsPerSecond = 50'000;

    explicit TrafficGenerator(QObject* parent = nullptr);

    /// Starts, changes or stops the making of events. What was made before is still sent: it has
    /// happened. Another seed, or a start after a stop with another seed, begins other stories.
    void set(const TrafficShape& shape, std::uint16_t intakePort, const std::string& writeKey);

    [[nodiscard]] const TrafficReport& report() const { return m_report; }
    /// Events made and not yet accepted.
    [[nodiscard]] std::size_t waiting() const { return m_queue.size() + m_batch.size(); }
    /// Rises whenever the report changed.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }

private:
    void make();
    void send();
    void answered(const IntakeAnswer& answer);
    void countAnswer(const IntakeAnswer& answer);
    void waitAndSendAgain(const IntakeAnswer& answer);

    TrafficReport m_report;
    std::uint16_t m_port = 0;
    std::string m_writeKey;
    IntakeClient m_client;
    QTimer m_makeTimer;
    QTimer m_againTimer;
    QElapsedTimer m_clock;
    double m_nextAt = 0;  ///< seconds of m_clock at which the next event happens
    Random m_random{1};
    std::optional<UserStories> m_stories;
    std::optional<Zipf> m_users;
    std::deque<std::string> m_queue;   ///< made, not yet sent; JSON
    std::vector<std::string> m_batch;  ///< sent, not yet accepted; JSON
    int m_againMs = 0;
    std::uint64_t m_revision = 1;
};

}  // namespace lanes::mock
