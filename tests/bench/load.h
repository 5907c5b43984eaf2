// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanes::bench {

inline constexpr int kInFlight = 64;           // what a destination allows by default
inline constexpr std::size_t kBodyBytes = 300;  // a usual event

/// A local receiver on a thread of its own that answers every request with 204.
class Receiver {
public:
    Receiver();
    ~Receiver();
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    [[nodiscard]] std::string url() const;

private:
    class Thread;
    Thread* m_thread;
};

struct Load {
    double perSecond = 0;           ///< requests answered, by the clock on the wall
    double cpuSecondsPer1000 = 0;   ///< of the sending thread
};

/// POSTs through a plain libcurl multi loop, `kInFlight` at once over kept connections.
[[nodiscard]] Load curlLoad(const std::string& url, int requests);

/// Requests a second of wrk with the same body and as many connections; nothing without wrk.
[[nodiscard]] std::optional<double> wrkPerSecond(const std::string& url);

}  // namespace lanes::bench
