// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/intake/event_fields.h"
#include "engine/intake/event_formats.h"

#include <simdjson.h>

#include <optional>
#include <string_view>

namespace lanes {

/// Reads one native event from `text`, which is one JSON value (see checkJson) and is followed by
/// `simdjson::SIMDJSON_PADDING` readable bytes.
[[nodiscard]] std::optional<EventFault> readNativeEvent(simdjson::ondemand::parser& parser,
                                                        std::string_view text,
                                                        IncomingEvent* event);

/// A native event as a sender would write it, with its payload as it stands.
[[nodiscard]] std::string nativeText(const IncomingEvent& event);

}  // namespace lanes
