// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/delivery/bad_peers.h"

#include "engine/delivery/retry_after.h"

#include <QByteArray>

#include <algorithm>

namespace lanes::test {

namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using Peers = std::vector<BadPeer>;

constexpr std::size_t kMebibyte = 1u << 20;
constexpr int kMostPieces = 4;

/// Reads the request and says this; the connection stays.
BadPeer::Play answer(std::string bytes) {
    return [bytes = std::move(bytes)](RawPeer& peer, PeerVoice& voice) {
        if (!peer.readRequest().empty()) voice.say(bytes);
    };
}

/// Reads the request, says this and hangs up in order.
BadPeer::Play answerAndClose(std::string bytes) {
    return [bytes = std::move(bytes)](RawPeer& peer, PeerVoice& voice) {
        if (!peer.readRequest().empty()) voice.say(bytes);
        peer.close();
    };
}

/// Reads the request, says this and then the same again and again.
BadPeer::Play flood(std::string start, std::string more, std::size_t total) {
    return [=](RawPeer& peer, PeerVoice& voice) {
        if (!peer.readRequest().empty() && voice.say(start)) voice.pour(more, total);
        peer.waitUntilClientLeaves();
    };
}

/// Reads the request, says the start, and drips the rest until the client has had enough.
BadPeer::Play drip(std::string start, std::string rest) {
    return [=](RawPeer& peer, PeerVoice& voice) {
        if (!peer.readRequest().empty() && voice.say(start)) peer.drip(rest, 10ms);
    };
}

BadPeer::Play answerBeforeTheBody(std::string bytes, bool close) {
    return [=](RawPeer& peer, PeerVoice& voice) {
        if (!peer.readHeader().empty()) voice.say(bytes);
        if (close)
            peer.close();
        else
            peer.skipBody();
    };
}

std::string withHeaders(const std::string& headers, int status = 200) {
    return "HTTP/1.1 " + std::to_string(status) + " Text\r\n" + headers +
           "Content-Length: 2\r\n\r\nok";
}

std::string bareStatus(const std::string& status) {
    return "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
}

void addCuts(Peers& peers) {
    const std::vector gone{Outcome::unreachable, Outcome::unknown};
    peers.push_back({.name = "it resets the connection at once",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             voice.wait(2ms);
                             peer.reset();
                         },
                     .outcomes = gone,
                     .requests = 0,
                     .atAccept = true});
    peers.push_back({.name = "it hangs up at once",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             voice.wait(2ms);
                             peer.close();
                         },
                     .outcomes = gone,
                     .requests = 0,
                     .atAccept = true});
    peers.push_back({.name = "it hangs up within the request",
                     .play = [](RawPeer& peer, PeerVoice&) { peer.close(); },
                     .outcomes = {Outcome::unknown},
                     .requests = 0,
                     .payload = kMebibyte});
    peers.push_back({.name = "it resets the connection within the request",
                     .play = [](RawPeer& peer, PeerVoice&) { peer.reset(); },
                     .outcomes = {Outcome::unknown},
                     .requests = 0,
                     .payload = kMebibyte});
    peers.push_back({.name = "it resets the connection after the request",
                     .play =
                         [](RawPeer& peer, PeerVoice&) {
                             peer.readRequest();
                             peer.reset();
                         },
                     .outcomes = {Outcome::unknown}});
    peers.push_back({.name = "it hangs up after the request",
                     .play = answerAndClose(""),
                     .outcomes = {Outcome::unknown}});
    peers.push_back({.name = "it hangs up within the header of its answer",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             peer.readRequest();
                             voice.sayAPart("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                             peer.close();
                         },
                     .outcomes = {Outcome::unknown}});
    peers.push_back({.name = "it hangs up within an interim answer",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             peer.readRequest();
                             voice.sayAPart("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", 10);
                             peer.close();
                         },
                     .outcomes = {Outcome::unknown}});
    peers.push_back({.name = "it hangs up within the body of its answer",
                     .play = answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
                     .outcomes = {Outcome::delivered},
                     .status = 200,
                     .cut = true});
    peers.push_back({.name = "it resets the connection within the body of its answer",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             peer.readRequest();
                             voice.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
                             peer.pause(20ms);  // a reset takes back what has not been read
                             peer.reset();
                         },
                     .outcomes = {Outcome::delivered},
                     .status = 200,
                     .cut = true});
    peers.push_back({.name = "it says 503 and resets the connection within the body",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             peer.readRequest();
                             voice.say("HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nabc");
                             peer.pause(20ms);
                             peer.reset();
                         },
                     .outcomes = {Outcome::overloaded},
                     .status = 503,
                     .cut = true});
    peers.push_back({.name = "its body ends with the connection",
                     .play = answerAndClose("HTTP/1.1 200 OK\r\n\r\nabc"),
                     .outcomes = {Outcome::delivered},
                     .status = 200});
}

void addSlowOnes(Peers& peers) {
    peers.push_back({.name = "it never answers",
                     .play =
                         [](RawPeer& peer, PeerVoice&) {
                             peer.readRequest();
                             peer.waitUntilClientLeaves();
                         },
                     .outcomes = {Outcome::overloaded},
                     .deadline = true});
    peers.push_back({.name = "it never reads a large request",
                     .play =
                         [](RawPeer& peer, PeerVoice&) {
                             peer.pause(1s);
                             peer.close();
                         },
                     .outcomes = {Outcome::overloaded},
                     .deadline = true,
                     .requests = 0,
                     .payload = 12 * kMebibyte});
    peers.push_back({.name = "it drips its header",
                     .play = drip("HTTP/1.1 200 OK\r\nX: ", std::string(10'000, 'x')),
                     .outcomes = {Outcome::overloaded},
                     .deadline = true});
    peers.push_back(
        {.name = "it drips its body",
         .play = drip("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n", std::string(10'000, 'x')),
         .outcomes = {Outcome::delivered},
         .status = 200,
         .cut = true,
         .deadline = true});
    peers.push_back({.name = "it drips chunks of one byte after a 500",
                     .play = drip("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n",
                                  [] {
                                      std::string chunks;
                                      for (int i = 0; i < 1000; ++i) chunks += "1\r\nx\r\n";
                                      return chunks;
                                  }()),
                     .outcomes = {Outcome::failed},
                     .status = 500,
                     .cut = true,
                     .deadline = true});
    peers.push_back({.name = "it drips interim answers",
                     .play = drip("",
                                  [] {
                                      std::string interims;
                                      for (int i = 0; i < 100; ++i)
                                          interims += "HTTP/1.1 102 Wait\r\n\r\n";
                                      return interims;
                                  }()),
                     .outcomes = {Outcome::overloaded},
                     .deadline = true});
    peers.push_back({.name = "it reads a large request slowly",
                     .play =
                         [](RawPeer& peer, PeerVoice& voice) {
                             if (!peer.readRequest(1ms).empty()) voice.say(bareStatus("200 OK"));
                         },
                     .outcomes = {Outcome::delivered},
                     .status = 200,
                     .payload = kMebibyte});
}

void addFloods(Peers& peers) {
    const std::string block(64 << 10, 'x');
    peers.push_back(
        {.name = "its body has 200 MB",
         .play = flood("HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n", block, 200'000'000),
         .outcomes = {Outcome::delivered},
         .status = 200});
    peers.push_back({.name = "its body has 200 MB and no length",
                     .play = flood("HTTP/1.1 200 OK\r\n\r\n", block, 200'000'000),
                     .outcomes = {Outcome::delivered},
                     .status = 200});
    peers.push_back({.name = "the body of its 500 has 200 MB in chunks",
                     .play = flood("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n",
                                   "10000\r\n" + block + "\r\n", 200'000'000),
                     .outcomes = {Outcome::failed},
                     .status = 500});
    peers.push_back({.name = "its header has 25 MB in one line",
                     .play = flood("HTTP/1.1 200 OK\r\nX: ", block, 25'000'000),
                     .outcomes = {Outcome::failed}});
    peers.push_back(
        {.name = "its header has 25 MB in many lines",
         .play = flood("HTTP/1.1 200 OK\r\n", "X-Line: 0123456789abcdef\r\n", 25'000'000),
         .outcomes = {Outcome::failed}});
    peers.push_back({.name = "its status line has 25 MB",
                     .play = flood("HTTP/1.1 200 ", block, 25'000'000),
                     .outcomes = {Outcome::failed}});
    peers.push_back({.name = "it sends interim answers without end",
                     .play = flood("", "HTTP/1.1 100 Continue\r\n\r\n", 25'000'000),
                     .outcomes = {Outcome::failed},
                     .status = 100});
    peers.push_back(
        {.name = "its interim answers have 25 MB of headers",
         .play = flood("HTTP/1.1 103 Hints\r\n", "Link: 0123456789abcdef\r\n", 25'000'000),
         .outcomes = {Outcome::failed}});
    const auto bomb = qCompress(QByteArray(64 << 20, '\0'), 9).mid(4).toStdString();
    peers.push_back({.name = "its body is a bomb of 64 MB when unpacked",
                     .play = answer("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n"
                                    "Content-Length: " +
                                    std::to_string(bomb.size()) + "\r\n\r\n" + bomb),
                     .outcomes = {Outcome::delivered},
                     .status = 200});
    peers.push_back({.name = "the extension of a chunk has no end",
                     .play = flood("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=",
                                   block, 25'000'000),
                     .outcomes = {Outcome::delivered},
                     .status = 200,
                     .cut = true});
    peers.push_back({.name = "its trailers have no end",
                     .play = flood("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                                   "X-Line: 0123456789abcdef\r\n", 25'000'000),
                     .outcomes = {Outcome::delivered},
                     .status = 200,
                     .cut = true});
}

void addOddStatuses(Peers& peers) {
    const auto add = [&peers](const char* name, const std::string& bytes, int status,
                              Outcome outcome = Outcome::failed) {
        peers.push_back({.name = name,
                         .play = answer(bytes),
                         .outcomes = {outcome},
                         .status = status,
                         .rest = bytes.ends_with("hello") ? 60ms : 0ms});
    };
    add("its status is 000", bareStatus("000 Zero"), 0);
    add("its status is 099", bareStatus("099 Low"), 99);
    add("its status is 600", bareStatus("600 High"), 600);
    add("its status is 999", bareStatus("999 High"), 999);
    add("its status has four digits", bareStatus("2000 OK"), 0);
    add("its status is a word", bareStatus("abc OK"), 0);
    add("its status has a sign", bareStatus("+20 OK"), 0);
    add("its status is 299", bareStatus("299 Fine"), 299, Outcome::delivered);
    add("its status has no reason", bareStatus("200"), 200, Outcome::delivered);
    add("its status has an empty reason", bareStatus("200 "), 200, Outcome::delivered);
    add("it says 100, 102 and 103 before its 200",
        "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" +
            bareStatus("200 OK"),
        200, Outcome::delivered);
    add("it switches to another protocol",
        "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x02hi",
        101);
    add("its 204 has a body", "HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello", 204,
        Outcome::delivered);
    add("its 304 has a body", "HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\nhello", 304);
    add("it speaks HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 200,
        Outcome::delivered);
    add("it asks who we are", withHeaders("WWW-Authenticate: Basic\r\n", 401), 401,
        Outcome::refused);
    add("it says 408", bareStatus("408 Late"), 408, Outcome::overloaded);
}

void addOtherTongues(Peers& peers) {
    const auto add = [&peers](const char* name, const std::string& bytes) {
        peers.push_back({.name = name, .play = answer(bytes), .outcomes = {Outcome::failed}});
    };
    add("it speaks HTTP/0.9", "<html>hello</html>");
    add("it speaks HTTP/2", "\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64"s);
    add("it speaks TLS where none is spoken", "\x15\x03\x01\x00\x02\x02\x46"s);
    add("it speaks of HTTP/3.0", "HTTP/3.0 200 OK\r\nContent-Length: 0\r\n\r\n");
    add("it speaks of HTTP/1.x", "HTTP/1.x 200 OK\r\nContent-Length: 0\r\n\r\n");
    add("it speaks garbage", "\xff\xfe\x00\x01garbage\r\n\r\n"s);
    add("it greets like a mail server", "220 mail.example ESMTP\r\n");
    add("it begins with empty lines", "\r\n\r\n" + bareStatus("200 OK"));
    add("its lines end without a return", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
    add("a line of its header ends without a return",
        "HTTP/1.1 200 OK\r\nServer: x\nContent-Length: 2\r\n\r\nok");
    add("a line of its header has no colon", withHeaders("Nonsense\r\n"));
    add("a name in its header has a space", withHeaders("X Y: 1\r\n"));
    add("a value in its header has a NUL", withHeaders("X: a\0b\r\n"s));
    add("a name in its header has a NUL", withHeaders("X\0Y: b\r\n"s));
}

void addFraming(Peers& peers) {
    const auto headers = [&peers](const char* name, const std::string& framing) {
        peers.push_back({.name = name,
                         .play = answer("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\nok"),
                         .outcomes = {Outcome::failed}});
    };
    headers("its length is negative", "Content-Length: -1");
    headers("its length is a word", "Content-Length: two");
    headers("its length is too large for a number", "Content-Length: 99999999999999999999999999");
    headers("it gives two lengths that differ", "Content-Length: 2\r\nContent-Length: 3");
    headers("it gives a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked");
    headers("it gives chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 2");

    const auto chunked = [&peers](const char* name, const std::string& body, bool cut) {
        const auto bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
        peers.push_back({.name = name,
                         .play = cut ? answerAndClose(bytes) : answer(bytes),
                         .outcomes = {Outcome::delivered},
                         .status = 200,
                         .cut = cut});
    };
    chunked("the size of a chunk is a word", "xyz\r\nhello\r\n0\r\n\r\n", true);
    chunked("the size of a chunk is negative", "-5\r\nhello\r\n0\r\n\r\n", true);
    chunked("a chunk is too large for a number", "fffffffffffffffff\r\nhello\r\n0\r\n\r\n", true);
    chunked("a chunk is larger than it says", "2\r\nhello\r\n0\r\n\r\n", true);
    chunked("the last chunk is missing", "5\r\nhello\r\n", true);
    chunked("it hangs up within a chunk", "5\r\nhel", true);
    chunked("it has extensions and trailers", "5;a=b\r\nhello\r\n0;c\r\nX: y\r\n\r\n", false);
    peers.push_back({.name = "a line of its header is folded",
                     .play = answer(withHeaders("X: a\r\n  b\r\n")),
                     .outcomes = {Outcome::delivered},
                     .status = 200});
}

void addConnections(Peers& peers) {
    const std::string fine = bareStatus("200 OK");
    const auto delivers = [&peers](const char* name, BadPeer::Play play) {
        peers.push_back({.name = name,
                         .play = std::move(play),
                         .outcomes = {Outcome::delivered},
                         .status = 200});
    };
    // What nobody asked for is told from an answer only while nothing is asked, and a close is seen
    // only when it has come.
    const auto rests = [&peers](const char* name, BadPeer::Play play) {
        peers.push_back({.name = name,
                         .play = std::move(play),
                         .outcomes = {Outcome::delivered},
                         .status = 200,
                         .rest = 60ms});
    };
    rests("it answers twice", answer(fine + bareStatus("500 Late")));
    rests("it answers once more a little later", [fine](RawPeer& peer, PeerVoice& voice) {
        if (peer.readRequest().empty()) return;
        voice.say(fine);
        peer.pause(5ms);
        voice.say(bareStatus("500 Late"));
    });
    rests("it adds garbage to its answer", answer(fine + "garbage"));
    delivers("it keeps and closes the connection in one breath",
             answer(withHeaders("Connection: keep-alive, close\r\n")));
    delivers("it says close and does not", answer(withHeaders("Connection: close\r\n")));
    rests("it says keep-alive and hangs up", [](RawPeer& peer, PeerVoice& voice) {
        peer.readRequest();
        voice.say(withHeaders("Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n"));
        peer.close();
    });
    delivers("it sets a cookie", answer(withHeaders("Set-Cookie: a=b; Path=/\r\n")));
    // Who hangs up on what it has not read resets the connection. Over TLS an answer that is still
    // in the kernel then cannot be decrypted any more, and the outcome is rightly unknown.
    const auto early = [&peers](const char* name, int status, bool close) {
        peers.push_back({.name = name,
                         .play = answerBeforeTheBody(withHeaders("", status), close),
                         .outcomes = {Outcome::refused},
                         .status = status,
                         .rest = close ? 60ms : 0ms,
                         .payload = 4 * kMebibyte,
                         .plainOnly = close});
    };
    early("it says 413 before it has read the body", 413, false);
    early("it says 413 before the body and hangs up", 413, true);
    early("it says 400 before it has read the body", 400, false);
    for (const auto& [name, status] : {std::pair("it points to itself with 301", 301),
                                       {"it points to itself with 302", 302},
                                       {"it points to itself with 303", 303},
                                       {"it points to itself with 307", 307},
                                       {"it points to itself with 308", 308}})
        peers.push_back({.name = name,
                         .play = answer(withHeaders("Location: /in\r\n", status)),
                         .outcomes = {Outcome::failed},
                         .status = status,
                         .location = "/in"});
    const auto later = [&peers](const char* name, const std::string& wish, Micros wait) {
        peers.push_back({.name = name,
                         .play = answer(withHeaders("Retry-After:" + wish + "\r\n", 429)),
                         .outcomes = {Outcome::throttled},
                         .status = 429,
                         .retryAfter = wait});
    };
    later("it asks for an hour", " 3600", 3600 * kSecond);
    later("it asks for a wait that is no number", " soon", -1);
    later("it asks for an empty wait", "", -1);
    later("it asks for a negative wait", " -5", -1);
    later("it asks for a time that is past", " Sun, 06 Nov 1994 08:49:37 GMT", 0);
    later("it asks for a thousand years", " 31557600000", kRetryAfterCap);
    later("it asks for a wait of too many digits", " " + std::string(300, '9'), kRetryAfterCap);
}

}  // namespace

bool PeerVoice::say(std::string_view bytes) {
    const auto pieces = m_random.below(kMostPieces);
    for (std::uint64_t n = 0; n < pieces && bytes.size() > 1; ++n) {
        const auto size = 1 + m_random.below(std::min<std::size_t>(bytes.size() - 1, 100));
        if (!m_peer.send(bytes.substr(0, size))) return false;
        bytes.remove_prefix(size);
        if (m_random.chance(0.3)) m_peer.pause(1ms);
    }
    return m_peer.send(bytes);
}

void PeerVoice::pour(std::string_view bytes, std::size_t total) {
    std::string block;
    while (block.size() < (64u << 10)) block += bytes;
    for (std::size_t sent = 0; sent < total && m_peer.send(block); sent += block.size()) {
    }
}

void PeerVoice::sayAPart(std::string_view bytes, std::size_t least) {
    say(bytes.substr(0, least + m_random.below(bytes.size() - least)));
}

void PeerVoice::wait(std::chrono::milliseconds most) {
    m_peer.pause(
        std::chrono::milliseconds(m_random.below(static_cast<std::uint64_t>(most.count()) + 1)));
}

const std::vector<BadPeer>& badPeers() {
    static const Peers all = [] {
        Peers peers;
        addCuts(peers);
        addSlowOnes(peers);
        addFloods(peers);
        addOddStatuses(peers);
        addOtherTongues(peers);
        addFraming(peers);
        addConnections(peers);
        return peers;
    }();
    return all;
}

}  // namespace lanes::test
