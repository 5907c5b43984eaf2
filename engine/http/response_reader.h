// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/client_exchange.h"
#include "engine/http/http_limits.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::http {

/// Reads the answer to one request out of a stream of bytes: interim answers are read over, a
/// final one decides. Memory is bounded by the limits whatever the peer sends.
class ResponseReader {
public:
    enum class State {
        more,      ///< not over
        complete,  ///< a whole answer
        enough,    ///< more body than is read; the rest does not matter
        cut,       ///< the final header is whole, the body is not or is malformed
        unusable,  ///< this can be no answer, see `error`
        silent,    ///< the peer closed before a final header was whole
    };

    explicit ResponseReader(const ClientLimits& limits);
    ~ResponseReader();
    ResponseReader(const ResponseReader&) = delete;
    ResponseReader& operator=(const ResponseReader&) = delete;

    /// Ready for the answer to the next request.
    void restart();
    /// Takes what came. Not to be called again after it said anything but `more`.
    State take(std::string_view bytes);
    /// The peer closed its side.
    State end();

    /// True as soon as the final header was read whole.
    [[nodiscard]] bool answered() const;
    /// Of the final answer. Where an answer is unusable: 0, or the interim status that was one too
    /// many.
    [[nodiscard]] int status() const;
    /// True if something of a header was read, but not all of it.
    [[nodiscard]] bool begun() const;
    /// True if the connection may be used again: framing and headers allow it, and nothing came
    /// after the answer.
    [[nodiscard]] bool reusable() const;
    [[nodiscard]] const std::string& error() const;
    [[nodiscard]] std::vector<Header> takeHeaders();
    [[nodiscard]] std::string takeBody();

private:
    class Parser;
    struct Content;

    State broken(const std::string& why);
    State afterMessage();

    std::unique_ptr<Content> m_content;
};

}  // namespace lanes::http
