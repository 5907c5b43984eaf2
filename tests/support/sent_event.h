// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/transport.h"

#include <memory>
#include <string>
#include <utility>

namespace lanes::test {

/// An event that is to be sent; whoever has just made it may still change it.
inline std::shared_ptr<SentEvent> sentEvent(std::string id, std::string payload = "{}") {
    auto event = std::make_shared<SentEvent>();
    event->source = "native";
    event->id = std::move(id);
    event->type = "order.created";
    event->payload = std::make_shared<const std::string>(std::move(payload));
    return event;
}

}  // namespace lanes::test
