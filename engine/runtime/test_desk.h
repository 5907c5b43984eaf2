// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/config.h"
#include "engine/core/transport.h"
#include "engine/test_delivery.h"

#include <QObject>
#include <QThread>

#include <map>
#include <vector>

namespace lanes {

class HttpTransport;

/// Sends test deliveries on a thread and through connections of its own, so that nothing of them
/// can reach the kernel. It lives on the thread of the engine's owner.
class TestDesk : public QObject {
    Q_OBJECT

public:
    /// At once; one is made by hand.
    static constexpr std::size_t kMost = 8;

    explicit TestDesk(QObject* parent = nullptr);
    ~TestDesk() override;

    /// `finished` follows, later than this call.
    void send(CommandId test, DestinationConfig config);
    void cancel(CommandId test);
    /// Ends all; nothing is reported any more.
    void stop();

signals:
    void finished(lanes::CommandId test, const lanes::TestResult& result);

private:
    void begin();
    void refuse(CommandId test, std::string error);
    void take(const std::vector<AttemptResult>& results);

    QThread m_thread;
    HttpTransport* m_transport = nullptr;  ///< lives on m_thread; null until the first test
    std::map<CommandId, bool> m_running;   ///< with whether it was cancelled
};

}  // namespace lanes
