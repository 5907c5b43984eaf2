// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/command_output.h"
#include "app/control_client.h"

// The commands about sources and rejected events, on a running instance.
namespace lanes::app {

/// The key is made here and printed once; the instance gets its fingerprint only.
[[nodiscard]] Exit addSource(ControlClient& client, const AddSource& add,
                             const CommandOutput& output);
[[nodiscard]] Exit rotateSource(ControlClient& client, const RotateSource& rotate,
                                const CommandOutput& output);
[[nodiscard]] Exit listSources(ControlClient& client, const CommandOutput& output);
[[nodiscard]] Exit dropSource(ControlClient& client, const DropSource& drop,
                              const CommandOutput& output);
[[nodiscard]] Exit listQuarantine(ControlClient& client, const ListQuarantine& list,
                                  const CommandOutput& output);
[[nodiscard]] Exit showQuarantined(ControlClient& client, const ShowQuarantined& show,
                                   const CommandOutput& output);
[[nodiscard]] Exit retryRejected(ControlClient& client, const RetryRejected& retry,
                                 const CommandOutput& output);
[[nodiscard]] Exit discardRejected(ControlClient& client, const DiscardRejected& discard,
                                   const CommandOutput& output);

}  // namespace lanes::app
