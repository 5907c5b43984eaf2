// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/request_reader.h"

#include <boost/beast/core/string.hpp>

namespace lanes::http {

namespace beast = boost::beast;

void RequestReader::on_request_impl(beast::http::verb, View method, View target, int version,
                                    ErrorCode& error) {
    error = {};
    m_request.method.assign(method.data(), method.size());
    m_request.target.assign(target.data(), target.size());
    m_request.headers.reserve(12);
    m_http10 = version < 11;
}

void RequestReader::on_response_impl(int, View, int, ErrorCode& error) {
    error = beast::http::error::bad_version;
}

void RequestReader::on_field_impl(beast::http::field field, View name, View value,
                                  ErrorCode& error) {
    error = {};
    if (m_headerDone) return;
    if (field == beast::http::field::host) {
        ++m_hosts;
    } else if (field == beast::http::field::content_length) {
        m_hasLength = true;
    } else if (field == beast::http::field::transfer_encoding) {
        ++m_transferCodings;
        m_plainChunked = m_transferCodings == 1 && beast::iequals(value, "chunked");
    } else if (field == beast::http::field::expect) {
        m_hasExpectation = true;
        m_unknownExpectation = m_unknownExpectation || !beast::iequals(value, "100-continue");
    }
    m_request.headers.emplace_back(std::string(name.data(), name.size()),
                                   std::string(value.data(), value.size()));
}

void RequestReader::on_header_impl(ErrorCode& error) {
    error = {};
    m_headerDone = true;
}

void RequestReader::on_body_init_impl(const boost::optional<std::uint64_t>& length,
                                      ErrorCode& error) {
    error = {};
    // The length was checked against the body limit already.
    if (length) m_request.body.reserve(static_cast<std::size_t>(*length));
}

std::size_t RequestReader::on_body_impl(View body, ErrorCode& error) {
    error = {};
    m_request.body.append(body.data(), body.size());
    return body.size();
}

void RequestReader::on_chunk_header_impl(std::uint64_t, View, ErrorCode& error) {
    error = {};
}

std::size_t RequestReader::on_chunk_body_impl(std::uint64_t, View body, ErrorCode& error) {
    return on_body_impl(body, error);
}

void RequestReader::on_finish_impl(ErrorCode& error) {
    error = {};
}

}  // namespace lanes::http
