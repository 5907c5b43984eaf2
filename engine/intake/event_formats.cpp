// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"

#include "engine/config.h"
#include "engine/core/check.h"
#include "engine/intake/cloud_event.h"
#include "engine/intake/native_event.h"
#include "engine/intake/segment_event.h"
#include "engine/json_check.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanes {

namespace ondemand = simdjson::ondemand;

namespace {

/// A parser that grew beyond this is given up after the request, with its memory.
constexpr std::size_t kKeptCapacity = 256u << 10;

RequestFault badJson(std::string detail) {
    return {400, "bad_json", std::move(detail)};
}

RequestFault tooMany() {
    return {413, "too_many_events",
            "there are more than " + std::to_string(limits::kEventsPerRequest) +
                " events; send them in several requests"};
}

/// The value of "batch", checked to be there once.
std::variant<std::string_view, RequestFault> batchOf(ondemand::parser& parser,
                                                     std::string_view body) {
    std::string_view batch;
    bool seen = false;
    const auto read = [&](std::string_view key, ondemand::value value) {
        ondemand::array array;
        if (key != "batch") return std::optional<EventFault>();
        if (std::exchange(seen, true))
            return std::optional(EventFault{"duplicate_field", "\"batch\" is there twice"});
        if (value.get_array().get(array) || array.raw_json().get(batch))
            return std::optional(badField("batch", "must be a list of events"));
        return std::optional<EventFault>();
    };
    if (auto wrong = readEventObject(parser, body, read)) {
        // What is said of an event that is no object is said here of the whole body.
        if (wrong->code == "not_an_object") wrong->detail = "the body is a JSON object";
        return RequestFault{400, std::move(wrong->code), std::move(wrong->detail)};
    }
    if (!seen) return RequestFault{400, "missing_field", "\"batch\" is missing"};
    return trimmedJson(batch);
}

}  // namespace

class IntakeReader::Private {
public:
    using ReadOne = std::optional<EventFault> (Private::*)(std::string_view, IncomingEvent*);

    std::optional<EventFault> readNative(std::string_view text, IncomingEvent* event) {
        return readNativeEvent(parser, text, event);
    }
    std::optional<EventFault> readSegment(std::string_view text, IncomingEvent* event) {
        return readSegmentEvent(parser, text, type, event);
    }
    std::optional<EventFault> readCloud(std::string_view text, IncomingEvent* event) {
        return readCloudEvent(parser, text, event);
    }

    void add(std::string_view text, ReadOne readOne, ReadEvents* out);
    ReadResult readList(const std::vector<std::string_view>& elements, ReadOne readOne);
    ReadResult readJson(std::string_view body, EventFormat format);
    ReadResult readLines(std::string_view body);
    ReadResult readBatch(std::string_view body);

    ondemand::parser parser;
    std::string_view type;
};

void IntakeReader::Private::add(std::string_view text, ReadOne readOne, ReadEvents* out) {
    const std::size_t index = out->events.size() + out->rejected.size();
    IncomingEvent event;
    event.index = index;
    auto wrong = tooLarge(text.size());
    if (!wrong) wrong = (this->*readOne)(text, &event);
    if (wrong)
        out->rejected.push_back({index, std::move(wrong->code), std::move(wrong->detail),
                                 std::move(event.id), std::string(text)});
    else
        out->events.push_back(std::move(event));
}

ReadResult IntakeReader::Private::readList(const std::vector<std::string_view>& elements,
                                           ReadOne readOne) {
    if (elements.size() > limits::kEventsPerRequest) return tooMany();
    ReadEvents out;
    out.events.reserve(elements.size());
    for (const std::string_view element : elements) add(element, readOne, &out);
    return out;
}

/// What is one JSON text and not a batch in an envelope.
ReadResult IntakeReader::Private::readJson(std::string_view body, EventFormat format) {
    std::vector<std::string_view> elements;
    if (const auto fault = checkJson(body, &elements)) return badJson(faultText(*fault));
    const std::string_view text = trimmedJson(body);
    const ReadOne readOne = format == EventFormat::json           ? &Private::readNative
                            : format == EventFormat::segmentEvent ? &Private::readSegment
                                                                  : &Private::readCloud;
    const bool list = text.front() == '[';
    if (format == EventFormat::cloudEventBatch && !list)
        return badJson("a batch is an array of CloudEvents");
    if (list && (format == EventFormat::json || format == EventFormat::cloudEventBatch))
        return readList(elements, readOne);
    ReadEvents out;
    out.single = true;
    add(text, readOne, &out);
    return out;
}

ReadResult IntakeReader::Private::readLines(std::string_view body) {
    ReadEvents out;
    std::size_t broken = 0;
    std::size_t line = 0;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        const std::string_view text = trimmedJson(body.substr(at, end - at));
        at = end + 1;
        ++line;
        if (text.empty()) continue;
        const std::size_t index = out.events.size() + out.rejected.size();
        if (index >= limits::kEventsPerRequest) return tooMany();
        if (const auto fault = checkJson(text, nullptr)) {
            ++broken;
            out.rejected.push_back(
                {index, "bad_json", "line " + std::to_string(line) + ": " + faultText(*fault),
                 {}, std::string(text)});
        } else {
            add(text, &Private::readNative, &out);
        }
    }
    // Not one line is JSON: this is no list of events at all.
    if (broken > 0 && broken == out.rejected.size() && out.events.empty())
        return badJson(out.rejected.front().detail);
    return out;
}

ReadResult IntakeReader::Private::readBatch(std::string_view body) {
    if (const auto fault = checkJson(body, nullptr)) return badJson(faultText(*fault));
    auto batch = batchOf(parser, trimmedJson(body));
    if (auto* fault = std::get_if<RequestFault>(&batch)) return std::move(*fault);
    std::vector<std::string_view> elements;
    // Known to be right; this cuts it into its elements.
    static_cast<void>(checkJson(std::get<std::string_view>(batch), &elements));
    return readList(elements, &Private::readSegment);
}

IntakeReader::IntakeReader() : d(std::make_unique<Private>()) {}

IntakeReader::~IntakeReader() = default;

ReadResult IntakeReader::read(std::string body, EventFormat format, std::string_view type) {
    CHECK(format != EventFormat::cloudEventBinary);
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    if (trimmedJson(body).empty()) return badJson("the body is empty");
    d->type = type;
    auto out = format == EventFormat::ndjson         ? d->readLines(body)
               : format == EventFormat::segmentBatch ? d->readBatch(body)
                                                     : d->readJson(body, format);
    d->type = {};
    if (d->parser.capacity() > kKeptCapacity) d->parser = ondemand::parser();
    return out;
}

}  // namespace lanes
