// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signal_handler.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace lanes::app {

namespace {

constexpr std::array<int, 3> kSignals = {SIGTERM, SIGINT, SIGHUP};

int g_pipe[2] = {-1, -1};  // the only thing that a signal handler can reach

void wake(int) {
    const int before = errno;
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(g_pipe[1], &byte, 1);
    errno = before;
}

}  // namespace

SignalHandler::SignalHandler(std::function<void()> onSignal, QObject* parent)
    : QObject(parent), m_onSignal(std::move(onSignal)) {
    if (::pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;
    m_notifier = std::make_unique<QSocketNotifier>(g_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(g_pipe[0], &byte, 1) == 1) {
        }
        m_onSignal();
    });
    struct sigaction action = {};
    action.sa_handler = wake;
    ::sigemptyset(&action.sa_mask);
    // SA_RESETHAND: the second signal has its usual effect.
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    for (const int number : kSignals) ::sigaction(number, &action, nullptr);
}

SignalHandler::~SignalHandler() {
    for (const int number : kSignals) std::signal(number, SIG_DFL);
    m_notifier.reset();
    for (int& end : g_pipe)
        if (end >= 0) ::close(std::exchange(end, -1));
}

}  // namespace lanes::app
