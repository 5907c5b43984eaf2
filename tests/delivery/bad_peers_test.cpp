// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/http_transport.h"
#include "tests/delivery/bad_peers.h"
#include "tests/support/certificates.h"
#include "tests/support/process_figures.h"
#include "tests/support/sent_event.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace std::chrono_literals;
using namespace lanes;
using namespace lanes::test;
using Reach = AttemptResult::Reach;

namespace {

constexpr auto kGood = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
constexpr auto kGoodAndLast = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
constexpr Micros kLongTime = 20 * kSecond;
/// Enough for a handshake on a busy machine.
constexpr Micros kShortTime = 500 * kMillisecond;
/// How much later than our deadline an attempt may end on a busy machine.
constexpr Micros kLateness = 3 * kSecond;
constexpr std::int64_t kMemoryKib = 10 << 10;

/// Times that each peer is met; LANES_PEER_TIMES=n asks for more.
int times() {
    bool good = false;
    const int value = qEnvironmentVariableIntValue("LANES_PEER_TIMES", &good);
    return good ? value : 3;
}

/// A transport that delivers to one peer, which is bad when it is told to be.
class Meeting {
public:
    Meeting(const BadPeer& peer, std::optional<Identity> tls)
        : m_peer(peer), m_receiver([this](RawPeer& raw) { serve(raw); }, std::move(tls)) {
        QObject::connect(&m_transport, &HttpTransport::finished, &m_transport,
                         [this](const std::vector<AttemptResult>& results) {
                             m_results.insert(m_results.end(), results.begin(), results.end());
                             m_wait.quit();
                         });
    }
    ~Meeting() { m_transport.stop(); }

    /// One bad attempt and the one after it. Empty, or what was wrong.
    std::string run(Random& random) {
        m_closing = m_peer.atAccept || random.chance(0.4);
        if (auto wrong = good(); !wrong.empty()) return "before: " + wrong;
        m_seed = random.next();
        m_bad = true;
        auto wrong = bad();
        m_bad = false;
        if (!wrong.empty()) return wrong;
        m_closing = false;
        if (m_peer.rest > 0ms) QTest::qWait(static_cast<int>(m_peer.rest.count()));
        wrong = good();
        return wrong.empty() ? wrong : "after: " + wrong;
    }

private:
    void serve(RawPeer& raw) {
        if (m_peer.atAccept && m_bad) return play(raw);
        while (raw.waitForBytes()) {
            if (m_bad) {
                play(raw);
                continue;
            }
            if (raw.readRequest().empty()) return;
            const bool last = m_closing;
            raw.send(last ? kGoodAndLast : kGood);
            if (last) return;
        }
    }
    void play(RawPeer& raw) {
        Random random(m_seed);
        PeerVoice voice(raw, random);
        m_peer.play(raw, voice);
    }

    std::string good() {
        const auto result = attempt("{}", kLongTime);
        if (classify(result) != Outcome::delivered || result.bodyCut) return told(result);
        return requests(1, "{}");
    }

    std::string bad() {
        const std::string payload = "\"" + std::string(m_peer.payload, 'p') + "\"";
        const auto limit = m_peer.deadline ? kShortTime : kLongTime;
        QElapsedTimer timer;
        timer.start();
        const auto result = attempt(payload, limit);
        const auto elapsed = timer.nsecsElapsed() / 1000;
        const auto outcome = classify(result);
        const auto& expected = m_peer.outcomes;
        if (std::find(expected.begin(), expected.end(), outcome) == expected.end() ||
            result.status != m_peer.status || result.bodyCut != m_peer.cut ||
            result.deadline != m_peer.deadline || result.retryAfter != m_peer.retryAfter ||
            result.location != m_peer.location)
            return told(result);
        if (outcome != Outcome::delivered && result.error.empty()) return "there is no text";
        if (outcome == Outcome::delivered && !result.error.empty()) return told(result);
        if (result.response.size() > limits::kResponseKeptBytes) return "too much was kept";
        if (m_peer.deadline && elapsed < limit) return "it ended early";
        if (elapsed > limit + kLateness) return "it ended late";
        return requests(m_peer.requests, payload);
    }

    AttemptResult attempt(const std::string& payload, Micros limit) {
        DestinationConfig config;
        config.id = DestinationId(1);
        config.name = "peer";
        config.url = m_receiver.url() + "/in";
        config.attemptTimeout = limit;
        m_transport.setDestination(config);
        AttemptRequest request;
        request.start.attempt = AttemptId(++m_attempt);
        request.start.pointer = {config.id, Sequence(m_attempt)};
        request.start.user = UserId(1);
        request.event = lanes::test::sentEvent("e", payload);
        m_results.clear();
        m_dialled = m_receiver.connections();
        QTimer::singleShot(40'000, &m_wait, &QEventLoop::quit);
        m_transport.start({request});
        m_wait.exec();
        if (m_results.size() != 1 || m_transport.open() != 0) return {};
        return m_results.front();
    }

    /// One attempt is one request at the peer, and it is this one.
    std::string requests(int count, const std::string& payload) {
        const auto texts = m_receiver.takeTexts();
        const int came = static_cast<int>(texts.size());
        if (came != count)
            return std::to_string(came) + " requests came instead of " + std::to_string(count);
        if (m_receiver.connections() > m_dialled + 1) return "it was dialled more than once";
        const auto sequence = "\r\nrivora-sequence: " + std::to_string(m_attempt) + "\r\n";
        for (const auto& text : texts) {
            const bool body = text.ends_with("\r\n\r\n" + payload);
            const bool header = text.ends_with("\r\n\r\n") && m_peer.payload > 0;
            if (text.find(sequence) == std::string::npos || !(body || header))
                return "another request came";
            if (text.find("ookie") != std::string::npos) return "a cookie came back";
        }
        return {};
    }

    static std::string told(const AttemptResult& result) {
        return "outcome " + std::to_string(static_cast<int>(classify(result))) + ", status " +
               std::to_string(result.status) + (result.bodyCut ? ", cut" : "") +
               (result.deadline ? ", deadline" : "") + ", retry after " +
               std::to_string(result.retryAfter) + ", reach " +
               std::to_string(static_cast<int>(result.reach)) + ", after " +
               std::to_string(result.duration / 1000) + " ms: " + result.error;
    }

    const BadPeer& m_peer;
    std::atomic<bool> m_bad = false;
    std::atomic<bool> m_closing = false;
    std::atomic<std::uint64_t> m_seed = 0;
    std::uint64_t m_attempt = 0;
    std::vector<AttemptResult> m_results;
    int m_dialled = 0;
    QEventLoop m_wait;
    RawReceiver m_receiver;
    HttpTransport m_transport;
};

}  // namespace

/// Peers that do not do what they should. Each is met again and again, on a fresh connection and on
/// one that was used before, in other pieces each time; the attempt after it must be a good one.
class BadPeersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QString error;
        m_certificates = makeCertificates(error);
        QVERIFY2(m_certificates, qPrintable(error));
        trustOnly({m_certificates->authority});
    }

    void isLoggedAsItWas_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("tls");
        const auto& peers = badPeers();
        QVERIFY(peers.size() >= 40);
        for (int index = 0; index < static_cast<int>(peers.size()); ++index) {
            const auto& peer = peers[static_cast<std::size_t>(index)];
            QTest::newRow(peer.name) << index << false;
            if (!peer.plainOnly) QTest::addRow("%s, over TLS", peer.name) << index << true;
        }
    }

    void isLoggedAsItWas() {
        QFETCH(int, index);
        QFETCH(bool, tls);
        const auto& peer = badPeers()[static_cast<std::size_t>(index)];
        const auto open = openDescriptors();
        {
            Meeting meeting(peer, tls ? std::optional(m_certificates->good) : std::nullopt);
            Random random(static_cast<std::uint64_t>(index) + 1);
            std::int64_t before = 0;
            for (int time = 0; time < times(); ++time) {
                // What is allocated once for all is there after the first time.
                if (time == 1) before = restartPeakKib();
                const auto wrong = meeting.run(random);
                QVERIFY2(wrong.empty(), ("time " + std::to_string(time) + ", " + wrong).c_str());
            }
#if !defined(__SANITIZE_ADDRESS__)
            const auto grown = statusKib("VmHWM") - before;
            const auto allowed = kMemoryKib + static_cast<std::int64_t>(4 * peer.payload >> 10);
            QVERIFY2(before == 0 || grown <= allowed, std::to_string(grown).c_str());
#endif
        }
        QTRY_COMPARE(openDescriptors(), open);
    }

private:
    std::optional<Certificates> m_certificates;
};

QTEST_GUILESS_MAIN(BadPeersTest)
#include "bad_peers_test.moc"
