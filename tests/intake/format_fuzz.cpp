// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/format_fuzz.h"

#include "engine/config.h"
#include "engine/intake/cloud_event.h"
#include "engine/intake/event_fields.h"
#include "engine/intake/event_formats.h"
#include "engine/intake/event_line.h"
#include "engine/intake/gzip.h"
#include "engine/intake/header_values.h"
#include "engine/intake/line_splitter.h"
#include "engine/json_check.h"
#include "engine/payload_check.h"

#include <simdjson.h>

#include <algorithm>
#include <set>
#include <vector>

namespace lanes::test {

namespace {

bool isUtf8(std::string_view text) {
    return simdjson::validate_utf8(text.data(), text.size());
}

bool isGoodText(std::string_view text, std::size_t limit) {
    return !text.empty() && text.size() <= limit && !hasControl(text) && isUtf8(text);
}

/// What the store and everything behind it rely on.
std::string brokenEvent(const IncomingEvent& event, std::string_view input) {
    if (!isGoodText(event.type, limits::kEventTypeBytes)) return "a bad type";
    if (!event.id.empty() && !isGoodText(event.id, limits::kEventIdBytes)) return "a bad id";
    if (event.user.kind != UserKey::Kind::none &&
        !isGoodText(event.user.text, limits::kUserKeyBytes))
        return "a bad user";
    if (event.user.kind == UserKey::Kind::none && !event.user.text.empty())
        return "a user of no kind";
    if (event.source.empty() || hasControl(event.source)) return "a bad source";
    if (event.contentType.empty() || hasControl(event.contentType)) return "a bad content type";
    if (event.payload.size() > limits::kEventBytes) return "a large payload";
    if (!isUtf8(event.payload)) return "a payload that is not UTF-8";
    if (saysJson(event.contentType) && !event.payload.empty() && checkJson(event.payload, nullptr))
        return "a payload that is not the JSON that it says";
    if (input.find(event.payload) == std::string_view::npos) return "a payload that nobody sent";
    if (event.named == event.destinations.empty()) return "named and no names, or names unnamed";
    for (const std::string& name : event.destinations)
        if (!isGoodText(name, limits::kEventIdBytes)) return "a bad name of a destination";
    return {};
}

FuzzResult judge(const ReadResult& result, std::string_view input) {
    FuzzResult out;
    if (const auto* fault = std::get_if<RequestFault>(&result)) {
        if (fault->status < 400 || fault->status > 499 || fault->detail.empty())
            out.broken = "a fault without a status or without words";
        return out;
    }
    const auto& read = std::get<ReadEvents>(result);
    std::set<std::size_t> places;
    for (const IncomingEvent& event : read.events) {
        places.insert(event.index);
        if (out.broken.empty()) out.broken = brokenEvent(event, input);
    }
    for (const EventRejection& rejection : read.rejected) {
        places.insert(rejection.index);
        if (rejection.code.empty() || rejection.detail.empty() || !isUtf8(rejection.detail))
            out.broken = "a rejection without a code or without words";
    }
    const std::size_t all = read.events.size() + read.rejected.size();
    if (places.size() != all || (all > 0 && *places.rbegin() != all - 1))
        out.broken = "places that are not 0 to n";
    if (read.single && all != 1) out.broken = "a single event that is not one";
    out.taken = !read.events.empty();
    return out;
}

FuzzResult fuzzBody(EventFormat format, std::string_view input) {
    // Kept over the calls, as in the server: what one request leaves behind must not matter.
    static IntakeReader reader;
    return judge(
        reader.read(std::string(input), format, format == EventFormat::segmentEvent ? "track" : ""),
        input);
}

FuzzResult fuzzBinary(std::string_view input) {
    http::Request request;
    const std::size_t end = std::min(input.find("\n\n"), input.size());
    for (std::size_t at = 0; at < end;) {
        const std::size_t stop = std::min(input.find('\n', at), end);
        const std::string_view line = input.substr(at, stop - at);
        const std::size_t colon = std::min(line.find(':'), line.size());
        request.headers.emplace_back(line.substr(0, colon),
                                     line.substr(std::min(colon + 1, line.size())));
        at = stop + 1;
    }
    request.body = input.substr(std::min(end + 2, input.size()));
    return judge(readBinaryCloudEvent(std::move(request)), input);
}

FuzzResult fuzzHeaders(std::string_view input) {
    FuzzResult out;
    const auto attribute = decodeAttribute(input);
    if (attribute && (!isUtf8(*attribute) || attribute->size() > input.size()))
        out.broken = "an attribute that is not UTF-8 or has grown";
    const auto key = readIdempotencyKey(input);
    const auto visible = [](char c) { return c >= ' ' && c < 0x7f; };
    if (key && (key->empty() || key->size() > input.size() ||
                !std::all_of(key->begin(), key->end(), visible)))
        out.broken = "a bad key";
    const MediaType type = readMediaType(input);
    if (type.name != lower(type.name) || type.name.find(';') != std::string::npos)
        out.broken = "a bad media type";
    out.taken = attribute.has_value();
    return out;
}

FuzzResult fuzzGzip(std::string_view input) {
    constexpr std::size_t kLimit = 4096;
    std::string text;
    FuzzResult out;
    out.taken = inflateGzip(input, kLimit, &text) == Inflated::whole;
    if (text.size() > kLimit || (!out.taken && !text.empty())) out.broken = "too much came out";
    return out;
}

/// The lines of a text that comes in pieces of `step` bytes, with their numbers, as one text.
std::string linesOf(std::string_view text, std::size_t step) {
    constexpr std::size_t kLimit = 64;
    LineSplitter splitter(kLimit);
    std::string out;
    const auto add = [&out](const SplitLine& line) {
        out += std::to_string(line.number) + '@' + std::to_string(line.end) +
               (line.tooLong ? "L" : "") + (line.ended ? "E" : "");
        if (!line.tooLong) out.append(line.text);
        out += '|';
    };
    std::string piece;
    for (std::size_t at = 0; at < text.size(); at += step) {
        piece = text.substr(at, step);
        const std::size_t size = piece.size();
        piece.append(LineSplitter::kPadding, '?');
        splitter.feed(std::string_view(piece).substr(0, size));
        while (const auto line = splitter.next()) add(*line);
    }
    if (const auto line = splitter.rest()) add(*line);
    return out;
}

FuzzResult fuzzSplitter(std::string_view input) {
    FuzzResult out;
    if (input.empty()) return out;
    const auto step = static_cast<unsigned char>(input.front()) % 32u + 1u;
    const std::string_view text = input.substr(1);
    if (linesOf(text, step) != linesOf(text, text.size() + 1))
        out.broken = "lines that depend on how the text was cut";
    out.taken = !text.empty();
    return out;
}

FuzzResult fuzzEventLines(std::string_view input) {
    static EventLineReader reader(ImportFormat::automatic);
    FuzzResult out;
    std::string text(trimmedJson(input));
    const std::size_t size = text.size();
    text.append(LineSplitter::kPadding, '}');
    IncomingEvent event;
    const auto fault = reader.read(std::string_view(text).substr(0, size), &event);
    out.taken = !fault;
    if (out.taken)
        out.broken = brokenEvent(event, input);
    else if (fault->code.empty() || fault->detail.empty() || !isUtf8(fault->detail))
        out.broken = "a fault without a code or without words";
    return out;
}

}  // namespace

FuzzResult fuzz(FuzzTarget target, std::string_view input) {
    switch (target) {
        case FuzzTarget::nativeJson: return fuzzBody(EventFormat::json, input);
        case FuzzTarget::nativeLines: return fuzzBody(EventFormat::ndjson, input);
        case FuzzTarget::segmentEvent: return fuzzBody(EventFormat::segmentEvent, input);
        case FuzzTarget::segmentBatch: return fuzzBody(EventFormat::segmentBatch, input);
        case FuzzTarget::cloudEvent: return fuzzBody(EventFormat::cloudEvent, input);
        case FuzzTarget::cloudEventBatch: return fuzzBody(EventFormat::cloudEventBatch, input);
        case FuzzTarget::cloudEventBinary: return fuzzBinary(input);
        case FuzzTarget::headerValues: return fuzzHeaders(input);
        case FuzzTarget::gzip: return fuzzGzip(input);
        case FuzzTarget::lineSplitter: return fuzzSplitter(input);
        case FuzzTarget::eventLines: return fuzzEventLines(input);
    }
    return {};
}

}  // namespace lanes::test
