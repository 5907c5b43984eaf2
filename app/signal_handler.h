// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>

class QSocketNotifier;

namespace lanes::app {

/// Turns SIGTERM, SIGINT and SIGHUP into a call on the thread of the event loop. A signal handler
/// may do almost nothing, so it writes one byte into a pipe that the loop watches. The second
/// signal ends the process at once, for those who cannot wait. One of these per process.
class SignalHandler : public QObject {
public:
    explicit SignalHandler(std::function<void()> onSignal, QObject* parent = nullptr);
    ~SignalHandler() override;

private:
    std::function<void()> m_onSignal;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace lanes::app
