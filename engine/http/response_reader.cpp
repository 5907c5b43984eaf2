// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/response_reader.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace lanes::http {

namespace beast = boost::beast;

namespace {

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

/// Bytes of "HTTP/1.1 200".
constexpr std::size_t kStatusEnd = 12;

bool startsLikeAnAnswer(std::string_view bytes) {
    constexpr std::string_view start = "HTTP/1.";
    return start.starts_with(bytes.substr(0, start.size()));
}

/// The first line ends, but not as HTTP wants it: the end of such a header would never be found.
bool lacksReturn(std::string_view bytes) {
    const auto end = bytes.find('\n');
    return end != std::string_view::npos && (end == 0 || bytes[end - 1] != '\r');
}

}  // namespace

/// Collects what matters of one message; Beast's grammar decides what is a message.
class ResponseReader::Parser : public beast::http::basic_parser<false> {
public:
    explicit Parser(const ClientLimits& limits) : m_kept(limits.responseKeptBytes) {
        eager(true);
        header_limit(static_cast<std::uint32_t>(limits.headerBytes));
        // The reader stops by what came, not by what was announced. (None as a limit would refuse
        // every length in Beast of Boost 1.74.)
        body_limit(std::numeric_limits<std::uint64_t>::max());
    }

    int status = 0;
    bool headerWhole = false;
    std::size_t bodyBytes = 0;
    std::vector<Header> headers;
    std::string body;

private:
    using error_code = beast::error_code;

    void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int,
                         error_code&) override {}
    void on_response_impl(int code, beast::string_view, int, error_code&) override {
        status = code;
    }
    void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                       error_code&) override {
        // Trailers come after the header and are not asked for.
        if (!headerWhole) headers.emplace_back(view(name), view(value));
    }
    void on_header_impl(error_code&) override { headerWhole = true; }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(beast::string_view bytes, error_code&) override {
        keep(bytes);
        return bytes.size();
    }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, error_code&) override {
        keep(bytes);
        return bytes.size();
    }
    void on_finish_impl(error_code&) override {}

    void keep(beast::string_view bytes) {
        bodyBytes += bytes.size();
        if (body.size() < m_kept)
            body.append(bytes.data(), std::min(bytes.size(), m_kept - body.size()));
    }

    std::size_t m_kept;
};

struct ResponseReader::Content {
    explicit Content(const ClientLimits& given) : limits(given) {}

    const ClientLimits limits;
    std::optional<Parser> parser;
    std::string input;            ///< bytes that the parser has not consumed yet
    std::size_t headerBytes = 0;  ///< consumed of the present header
    int interims = 0;
    bool unusable = false;
    int unusableStatus = 0;
    std::string error;
};

ResponseReader::ResponseReader(const ClientLimits& limits)
    : m_content(std::make_unique<Content>(limits)) {
    restart();
}

ResponseReader::~ResponseReader() = default;

void ResponseReader::restart() {
    auto& c = *m_content;
    c.parser.emplace(c.limits);
    c.input.clear();
    c.headerBytes = 0;
    c.interims = 0;
    c.unusable = false;
    c.unusableStatus = 0;
    c.error.clear();
}

ResponseReader::State ResponseReader::broken(const std::string& why) {
    auto& c = *m_content;
    if (c.parser->headerWhole) return State::cut;
    c.unusable = true;
    c.error = why;
    return State::unusable;
}

ResponseReader::State ResponseReader::take(std::string_view bytes) {
    auto& c = *m_content;
    c.input.append(bytes);
    while (!c.input.empty()) {
        // Beast looks at a line only when the whole header has come; a peer that speaks something
        // else might wait for us meanwhile.
        if (c.headerBytes == 0 && !c.parser->headerWhole) {
            if (!startsLikeAnAnswer(c.input) || lacksReturn(c.input))
                return broken("What came back is not an HTTP answer.");
            // Some servers leave out the space before an empty reason. Their 200 taken as garbage
            // would have every event delivered again and again.
            if (c.input.size() > kStatusEnd && c.input[kStatusEnd] == '\r')
                c.input.insert(kStatusEnd, 1, ' ');
        }
        beast::error_code error;
        const auto used = c.parser->put(boost::asio::buffer(c.input.data(), c.input.size()), error);
        c.headerBytes = c.parser->is_header_done() ? 0 : c.headerBytes + used;
        c.input.erase(0, used);

        if (error && error != beast::http::error::need_more) {
            if (error == beast::http::error::header_limit)
                return broken("The header of the answer is larger than " +
                              std::to_string(c.limits.headerBytes / 1024) + " KiB.");
            return broken("What came back is not an HTTP answer (" + error.message() + ").");
        }
        if (c.parser->bodyBytes > c.limits.responseReadBytes) return State::enough;
        if (c.parser->is_done()) {
            const auto state = afterMessage();
            if (state != State::more) return state;
            continue;
        }
        // Beast limits the start line and the fields each for itself, and a line of a chunk not at
        // all; the sum is ours to watch.
        if (c.headerBytes + c.input.size() > c.limits.headerBytes)
            return broken("The header of the answer is larger than " +
                          std::to_string(c.limits.headerBytes / 1024) + " KiB.");
        if (error || used == 0) break;
    }
    return State::more;
}

ResponseReader::State ResponseReader::afterMessage() {
    auto& c = *m_content;
    const int status = c.parser->status;
    const bool interim = status >= 100 && status < 200 && status != 101;
    if (!interim) return State::complete;
    if (++c.interims > c.limits.interimAnswers) {
        c.unusable = true;
        c.unusableStatus = status;
        c.error = "More than " + std::to_string(c.limits.interimAnswers) +
                  " interim answers came and no final one.";
        return State::unusable;
    }
    c.headerBytes = 0;
    c.parser.emplace(c.limits);
    return State::more;
}

ResponseReader::State ResponseReader::end() {
    auto& parser = *m_content->parser;
    if (!parser.headerWhole) return State::silent;
    beast::error_code error;
    parser.put_eof(error);
    return error ? State::cut : State::complete;
}

bool ResponseReader::answered() const {
    return m_content->unusable || m_content->parser->headerWhole;
}

int ResponseReader::status() const {
    const auto& c = *m_content;
    if (c.unusable) return c.unusableStatus;
    return c.parser->headerWhole ? c.parser->status : 0;
}

bool ResponseReader::begun() const {
    const auto& c = *m_content;
    return c.interims > 0 || c.headerBytes > 0 || !c.input.empty();
}

bool ResponseReader::reusable() const {
    const auto& c = *m_content;
    return !c.unusable && c.input.empty() && c.parser->is_done() && c.parser->status != 101 &&
           c.parser->keep_alive();
}

const std::string& ResponseReader::error() const {
    return m_content->error;
}

std::vector<Header> ResponseReader::takeHeaders() {
    return std::move(m_content->parser->headers);
}

std::string ResponseReader::takeBody() {
    return std::move(m_content->parser->body);
}

}  // namespace lanes::http
