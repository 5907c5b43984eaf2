// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_line.h"

#include "engine/intake/line_splitter.h"
#include "engine/intake/native_event.h"
#include "engine/intake/segment_event.h"
#include "engine/json_check.h"

#include <simdjson.h>

#include <algorithm>
#include <array>

namespace lanes {

namespace ondemand = simdjson::ondemand;

static_assert(LineSplitter::kPadding >= simdjson::SIMDJSON_PADDING);

class EventLineReader::Private {
public:
    /// It has what only the SDKs' events have, and no payload. Known that it is JSON.
    bool looksLikeSegment(std::string_view text) {
        constexpr std::array<std::string_view, 6> kTheirs = {"messageId",  "userId", "anonymousId",
                                                             "properties", "traits", "context"};
        ondemand::document document;
        ondemand::object object;
        const simdjson::padded_string_view padded(text.data(), text.size(),
                                                  text.size() + simdjson::SIMDJSON_PADDING);
        if (parser.iterate(padded).get(document) || document.get_object().get(object)) return false;
        bool theirs = false;
        for (auto entry : object) {
            ondemand::field field;
            std::string_view key;
            if (std::move(entry).get(field) || field.unescaped_key().get(key)) return false;
            if (key == "payload") return false;
            theirs = theirs || std::find(kTheirs.begin(), kTheirs.end(), key) != kTheirs.end();
        }
        return theirs;
    }

    ImportFormat format = ImportFormat::automatic;
    ondemand::parser parser;
};

EventLineReader::EventLineReader(ImportFormat format) : d(std::make_unique<Private>()) {
    d->format = format;
}

EventLineReader::~EventLineReader() = default;

std::optional<EventFault> EventLineReader::read(std::string_view text, IncomingEvent* event) {
    if (const auto fault = checkJson(text, nullptr))
        return EventFault{"bad_json", faultText(*fault)};
    if (d->format == ImportFormat::segment) return readSegmentEvent(d->parser, text, {}, event);
    auto fault = readNativeEvent(d->parser, text, event);
    // A native event is never an SDK's, which has fields that the other may not have.
    if (!fault || d->format == ImportFormat::native || !d->looksLikeSegment(text)) return fault;
    *event = IncomingEvent();
    return readSegmentEvent(d->parser, text, {}, event);
}

}  // namespace lanes
