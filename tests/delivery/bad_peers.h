// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"
#include "engine/types.h"
#include "tests/support/raw_receiver.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::test {

/// How a scripted peer speaks: in pieces that are drawn, so that no answer always comes in one.
class PeerVoice {
public:
    PeerVoice(RawPeer& peer, Random& random) : m_peer(peer), m_random(random) {}

    /// False if the client left before all of it was taken.
    bool say(std::string_view bytes);
    /// The same bytes again and again, until so many are sent or the client leaves.
    void pour(std::string_view bytes, std::size_t total);
    /// The beginning of the bytes, at least `least` of them and not all.
    void sayAPart(std::string_view bytes, std::size_t least = 1);
    /// Keeps silent for up to so long.
    void wait(std::chrono::milliseconds most);

private:
    RawPeer& m_peer;
    Random& m_random;
};

/// A peer that does not do what HTTP asks for, and what its attempt must come to.
struct BadPeer {
    using Play = std::function<void(RawPeer&, PeerVoice&)>;

    const char* name = "";  ///< a sentence
    Play play = {};         ///< called when the first bytes of a request are there
    std::vector<Outcome> outcomes = {};
    int status = 0;
    bool cut = false;
    bool deadline = false;  ///< our own deadline ends it, which is short for this one
    Micros retryAfter = -1;
    const char* location = "";
    int requests = 1;                   ///< that the peer reads
    std::chrono::milliseconds rest{0};  ///< before the next attempt
    std::size_t payload = 0;            ///< bytes of the request's body besides its frame
    bool atAccept = false;              ///< plays when the connection is made
    bool plainOnly = false;             ///< there is no such peer behind TLS
};

[[nodiscard]] const std::vector<BadPeer>& badPeers();

}  // namespace lanes::test
