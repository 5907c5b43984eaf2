// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lanes::app {

/// Notes the first SIGINT, SIGTERM or SIGHUP for a command that blocks and looks from time to time;
/// the second one ends the process at once. One of these per process.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    [[nodiscard]] bool interrupted() const;
};

}  // namespace lanes::app
