// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/intake/event_fields.h"
#include "engine/intake/event_formats.h"

#include <simdjson.h>

#include <optional>
#include <string_view>

namespace lanes {

/// Reads one event in the form of Segment's and RudderStack's SDKs: track, identify, page, screen,
/// group or alias. Its payload is the whole object as it stands, its id the `messageId`, its user
/// the `userId` and else the `anonymousId`; times in it decide nothing. `text` is as for
/// readNativeEvent.
/// \param type of the event if it names none itself; if it names another one, that is a fault.
///     Empty where nothing but the event says it.
[[nodiscard]] std::optional<EventFault> readSegmentEvent(simdjson::ondemand::parser& parser,
                                                         std::string_view text,
                                                         std::string_view type,
                                                         IncomingEvent* event);

}  // namespace lanes
