// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/event_formats.h"

#include "engine/config.h"
#include "engine/intake/native_event.h"
#include "engine/json_check.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanes {

namespace {

/// A parser that grew beyond this is given up after the request, with its memory.
constexpr std::size_t kKeptCapacity = 256u << 10;

}  // namespace

class NativeReader::Private {
public:
    void add(std::string_view text, ReadEvents* out);
    std::variant<ReadEvents, RequestFault> readJson(std::string_view body);
    std::variant<ReadEvents, RequestFault> readLines(std::string_view body);

    simdjson::ondemand::parser parser;
};

void NativeReader::Private::add(std::string_view text, ReadEvents* out) {
    const std::size_t index = out->events.size() + out->rejected.size();
    NativeEvent event;
    event.index = index;
    if (auto wrong = readNativeEvent(parser, text, &event))
        out->rejected.push_back({index, std::move(wrong->code), std::move(wrong->detail)});
    else
        out->events.push_back(std::move(event));
}

namespace {

RequestFault tooMany() {
    return {413, "too_many_events",
            "there are more than " + std::to_string(limits::kEventsPerRequest) +
                " events; send them in several requests"};
}

}  // namespace

std::variant<ReadEvents, RequestFault> NativeReader::Private::readJson(std::string_view body) {
    std::vector<std::string_view> elements;
    if (const auto fault = checkJson(body, &elements))
        return RequestFault{400, "bad_json", faultText(*fault)};
    ReadEvents out;
    const std::string_view text = trimmedJson(body);
    out.single = text.front() != '[';
    if (out.single) {
        add(text, &out);
        return out;
    }
    if (elements.size() > limits::kEventsPerRequest) return tooMany();
    out.events.reserve(elements.size());
    for (const std::string_view element : elements) add(element, &out);
    return out;
}

std::variant<ReadEvents, RequestFault> NativeReader::Private::readLines(std::string_view body) {
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
                {index, "bad_json", "line " + std::to_string(line) + ": " + faultText(*fault)});
        } else {
            add(text, &out);
        }
    }
    // Not one line is JSON: this is no list of events at all.
    if (broken > 0 && broken == out.rejected.size() && out.events.empty())
        return RequestFault{400, "bad_json", out.rejected.front().detail};
    return out;
}

NativeReader::NativeReader() : d(std::make_unique<Private>()) {}

NativeReader::~NativeReader() = default;

std::variant<ReadEvents, RequestFault> NativeReader::read(std::string body, EventFormat format) {
    body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
    if (trimmedJson(body).empty()) return RequestFault{400, "bad_json", "the body is empty"};
    auto out = format == EventFormat::json ? d->readJson(body) : d->readLines(body);
    if (d->parser.capacity() > kKeptCapacity) d->parser = simdjson::ondemand::parser();
    return out;
}

}  // namespace lanes
