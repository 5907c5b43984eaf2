// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanes {

/// Keeps web pages out. A server on the loopback address is reached by every page that a browser
/// shows: by forms, by scripts, and past the same-origin rule by a name that is bound again to
/// 127.0.0.1. So Host must be ours, there must be no Origin and no sign of a foreign site.
/// A sentence why the request is refused with 403; nothing if it may pass.
[[nodiscard]] std::optional<std::string> refuseSender(const http::Request& request,
                                                      std::uint16_t port);

/// The write key that the request shows, by `Authorization: Bearer <key>` or Basic with the key as
/// user; empty if it shows none.
[[nodiscard]] std::string shownWriteKey(const http::Request& request);

/// Whether they are the same and not empty. The time that this takes does not depend on `key`.
[[nodiscard]] bool sameWriteKey(std::string_view given, std::string_view key);

}  // namespace lanes
