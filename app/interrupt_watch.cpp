// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt_watch.h"

#include <array>
#include <csignal>

namespace lanes::app {

namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t g_interrupted = 0;  // the only thing that the handler can reach

void note(int) {
    g_interrupted = 1;
}

}  // namespace

InterruptWatch::InterruptWatch() {
    g_interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = note;
    ::sigemptyset(&action.sa_mask);
    // SA_RESETHAND: the second signal has its usual effect.
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    for (const int number : kSignals) ::sigaction(number, &action, nullptr);
}

InterruptWatch::~InterruptWatch() {
    for (const int number : kSignals) std::signal(number, SIG_DFL);
}

bool InterruptWatch::interrupted() const {
    return g_interrupted != 0;
}

}  // namespace lanes::app
