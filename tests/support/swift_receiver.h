// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/raw_receiver.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanes::test {

/// Answers every request with an empty 200, on one thread without Qt, so that it is quicker than
/// whoever sends and no yardstick measures the receiver instead of the sender. What TLS needs is
/// kept for all connections together, as servers do it, and it tells which handshakes resumed a
/// session.
///
/// It believes its clients: a header is at most as long as is sent at once, and the length is
/// written as `Content-Length: `.
class SwiftReceiver {
public:
    struct Behaviour {
        std::chrono::milliseconds latency{0};  ///< from the whole request to the answer
        bool closes = false;                   ///< hangs up after each answer
        std::optional<Identity> tls = {};
        bool only12 = false;  ///< TLS 1.2 at most, where the ticket is part of the handshake
    };

    explicit SwiftReceiver(Behaviour behaviour);
    ~SwiftReceiver();
    SwiftReceiver(const SwiftReceiver&) = delete;
    SwiftReceiver& operator=(const SwiftReceiver&) = delete;

    /// "http://127.0.0.1:port/" or https.
    [[nodiscard]] std::string url() const;
    [[nodiscard]] std::uint16_t port() const;
    /// Whole requests so far.
    [[nodiscard]] std::uint64_t requests() const;
    /// TLS handshakes that were completed, and how many of them resumed a session.
    [[nodiscard]] std::uint64_t handshakes() const;
    [[nodiscard]] std::uint64_t resumed() const;
    /// From now on tickets that were given before are not accepted any more.
    void forgetTickets();
    /// While it hangs, requests are read and never answered.
    void setHanging(bool hangs);

private:
    class Loop;
    std::unique_ptr<Loop> m_loop;
};

}  // namespace lanes::test
