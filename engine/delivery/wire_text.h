// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"

#include <string>

// An exchange as text for people, line by line and with '\n'. What a header carries that mostly is
// secret is not in it. Bytes of the peer stand in it as they came.
namespace lanes {

/// Request line, headers, an empty line and the body.
[[nodiscard]] std::string textOf(const http::ClientRequest& request);
/// Status, headers, an empty line and the first bytes of the body; empty if there was no answer.
[[nodiscard]] std::string textOf(const http::ExchangeResult& exchange);

}  // namespace lanes
