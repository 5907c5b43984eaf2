// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/intake/event_fields.h"
#include "engine/intake/event_formats.h"

#include <memory>
#include <optional>
#include <string_view>

namespace lanes {

/// Reads events that stand one a line. One thread; it keeps its buffers from call to call.
class EventLineReader {
public:
    explicit EventLineReader(ImportFormat format);
    ~EventLineReader();

    /// Checks and reads one line without white space around it, which is followed by
    /// `LineSplitter::kPadding` readable bytes.
    [[nodiscard]] std::optional<EventFault> read(std::string_view text, IncomingEvent* event);

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace lanes
