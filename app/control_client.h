// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"
#include "app/data_directory.h"

#include <QLocalSocket>

#include <chrono>
#include <memory>
#include <string>

namespace lanes::app {

/// The asking side of the control socket. It blocks, so it is for commands and tests, never for the
/// thread of a window.
class ControlClient {
public:
    /// True if an instance answers on this directory within the time.
    [[nodiscard]] bool connectTo(const DataDirectory& directory, std::chrono::milliseconds time);
    /// Gives a request and waits for its answer; a failure if the instance ends meanwhile.
    [[nodiscard]] ControlAnswer call(const ControlRequest& request,
                                     std::chrono::milliseconds time = kAnswerTime);

    /// A rewind of a million dead letters takes longest.
    static constexpr std::chrono::milliseconds kAnswerTime{120'000};

private:
    QLocalSocket m_socket;
};

}  // namespace lanes::app
