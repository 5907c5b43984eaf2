// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/http_server.h"

#include <boost/beast/http/basic_parser.hpp>

#include <string>

namespace lanes::http {

/// Reads one request into a `Request` with Beast's strict parser. What Beast lets pass though it
/// leaves two readings open (unknown transfer codings, several hosts) is noted in the flags for
/// `ServerConnection` to refuse. Trailers are checked and dropped: a trailer must not be able to
/// stand in for a header.
class RequestReader : public boost::beast::http::basic_parser<true> {
public:
    [[nodiscard]] Request& request() { return m_request; }
    [[nodiscard]] int hosts() const { return m_hosts; }
    [[nodiscard]] bool hasLength() const { return m_hasLength; }
    [[nodiscard]] int transferCodings() const { return m_transferCodings; }
    /// The only transfer coding is exactly "chunked".
    [[nodiscard]] bool plainChunked() const { return m_plainChunked; }
    [[nodiscard]] bool hasExpectation() const { return m_hasExpectation; }
    /// There is an expectation other than 100-continue.
    [[nodiscard]] bool unknownExpectation() const { return m_unknownExpectation; }
    [[nodiscard]] bool http10() const { return m_http10; }

private:
    using ErrorCode = boost::beast::error_code;
    using View = boost::beast::string_view;

    void on_request_impl(boost::beast::http::verb verb, View method, View target, int version,
                         ErrorCode& error) override;
    void on_response_impl(int code, View reason, int version, ErrorCode& error) override;
    void on_field_impl(boost::beast::http::field field, View name, View value,
                       ErrorCode& error) override;
    void on_header_impl(ErrorCode& error) override;
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode& error) override;
    std::size_t on_body_impl(View body, ErrorCode& error) override;
    void on_chunk_header_impl(std::uint64_t size, View extensions, ErrorCode& error) override;
    std::size_t on_chunk_body_impl(std::uint64_t remaining, View body, ErrorCode& error) override;
    void on_finish_impl(ErrorCode& error) override;

    Request m_request;
    int m_hosts = 0;
    int m_transferCodings = 0;
    bool m_hasLength = false;
    bool m_plainChunked = false;
    bool m_hasExpectation = false;
    bool m_unknownExpectation = false;
    bool m_http10 = false;
    bool m_headerDone = false;
};

}  // namespace lanes::http
