// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/random.h"
#include "tests/intake/intake_fixture.h"
#include "tests/support/process_figures.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include <sys/socket.h>

using namespace lanes;
using lanes::test::IntakeFixture;
using lanes::test::RawAnswer;
using lanes::test::RawClient;
using lanes::test::openDescriptors;
using lanes::test::restartPeakKib;
using lanes::test::statusKib;

namespace {

constexpr int kClientsAtOnce = 64;

/// Of 64 requests; LANES_HOSTILE_ROUNDS=1563 is the full size.
int rounds() {
    const int wanted = qEnvironmentVariableIntValue("LANES_HOSTILE_ROUNDS");
    return wanted > 0 ? wanted : 64;
}

/// A way in: a good request's path, headers and body, and bodies that are refused as a whole.
struct Door {
    const char* path;
    const char* headers;
    const char* body;  ///< has the word "three" inside of a string
    std::vector<const char*> wrong;
};

const std::vector<Door> kDoors = {
    {"/v1/events",
     "Content-Type: application/json\r\n",
     R"({"id":"e","user":"u","type":"t","payload":{"list":[1,2,"three",null]}})",
     {R"({})", R"(7)", R"("x")", R"(null)", R"({"type":"t"})", R"({"payload":1})",
      R"({"type":1,"payload":1})", R"({"type":"t","payload":1,"x":1})",
      R"({"type":"t","payload":1,"user":1.5})", R"({"type":"t","payload":1,"user":{}})",
      R"({"type":"t","payload":1,"user":"\u0000"})", R"({"type":"t","payload":1,"user":"\udc00"})",
      R"({"type":"t","payload":1,"id":""})", R"({"type":"t","payload":1,"id":"a","id":"b"})",
      R"({"type":"t","payload":1,"destinations":[]})",
      R"({"type":"t","payload":1,"destinations":["<b>nowhere</b>"]})",
      R"({"type":"t","payload":1,"destinations":{"crm":1}})"}},
    {"/v1/batch",
     "Content-Type: application/json\r\n",
     R"({"batch":[{"type":"track","userId":"u","event":"three","messageId":"m"}]})",
     {R"({})", R"([])", R"(7)", R"("x")", R"({"batch":{}})", R"({"batch":null})",
      R"({"batch":"[]"})", R"({"batch":[],"batch":[]})", R"({"Batch":[]})"}},
    {"/v1/track",
     "Content-Type: application/json\r\n",
     R"({"userId":"u","event":"three","messageId":"m"})",
     {R"({})", R"([])", R"(7)", R"({"userId":"u"})", R"({"event":"E"})",
      R"({"userId":"u","event":"E","type":"page"})", R"({"userId":{},"event":"E"})",
      R"({"userId":"u","userId":"v","event":"E"})", R"({"userId":"","event":"E"})",
      R"({"userId":"u","event":"E","messageId":7})", R"({"userId":"\ud800","event":"E"})",
      R"({"batch":[{"userId":"u","event":"E"}]})"}},
    {"/v1/cloudevents",
     "Content-Type: application/cloudevents+json\r\n",
     R"({"specversion":"1.0","id":"1","source":"/s","type":"three","subject":"u"})",
     {R"({})", R"([])", R"(7)", R"({"specversion":"1.0"})",
      R"({"specversion":1.0,"id":"1","source":"/s","type":"t"})",
      R"({"specversion":"1.1","id":"1","source":"/s","type":"t"})",
      R"({"specversion":"1.0","id":"1","source":"","type":"t"})",
      R"({"specversion":"1.0","id":"1","source":"/s","type":"t","subject":[]})",
      R"({"specversion":"1.0","id":"1","source":"/s","type":"t","data":1,"data_base64":""})"}},
    {"/v1/cloudevents",
     "Content-Type: application/cloudevents-batch+json\r\n",
     R"([{"specversion":"1.0","id":"1","source":"/s","type":"three","subject":"u"}])",
     {R"({})", R"(7)", R"("x")", R"(null)"}},
    {"/v1/cloudevents",
     "ce-specversion: 1.0\r\nce-id: 1\r\nce-source: /s\r\nce-type: t\r\n"
     "Content-Type: application/json\r\n",
     R"({"n":"three"})",
     {R"({)", R"(7x)", "\xff", R"("\x")", R"([1,])"}},
};

/// Makes requests each of which must be refused, by a seed.
class Attacker {
public:
    Attacker(std::uint64_t seed, const IntakeFixture& fixture)
        : m_random(seed), m_fixture(fixture) {}

    QByteArray next() {
        switch (m_random.below(8)) {
            case 0: return garbage();
            case 1: return cut(good());
            case 2: return withBadLine();
            case 3: return withBadFraming();
            case 4: return fromAWebPage();
            case 5: return withBadKey();
            case 6: return brokenJson();
            default: return wrongEvent();
        }
    }

    /// A good request of which some bytes were changed: it may be good still.
    QByteArray damaged() {
        QByteArray bytes = good();
        const auto changes = 1 + m_random.below(4);
        for (std::uint64_t i = 0; i < changes; ++i) bytes[at(bytes)] = byte();
        return bytes;
    }

private:
    template <std::size_t N>
    const char* one(const char* const (&choices)[N]) {
        return choices[m_random.below(N)];
    }

    char byte() { return static_cast<char>(m_random.below(256)); }
    qsizetype at(const QByteArray& bytes) {
        return static_cast<qsizetype>(m_random.below(static_cast<std::uint64_t>(bytes.size())));
    }

    const Door& door() { return kDoors[m_random.below(kDoors.size())]; }
    QByteArray to(const Door& door, const QByteArray& body) {
        return m_fixture.postTo(door.path, body, door.headers);
    }
    QByteArray good() {
        const Door& one = door();
        return to(one, one.body);
    }

    QByteArray garbage() {
        QByteArray bytes(1 + static_cast<qsizetype>(m_random.below(2'000)), '\0');
        for (char& c : bytes) c = byte();
        bytes[0] = one({"\x16", "\x80", "(", " ", "\x01", "{"})[0];
        return bytes;
    }

    QByteArray cut(const QByteArray& bytes) { return bytes.left(at(bytes)); }

    QByteArray withBadLine() {
        QByteArray bytes = good();
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        bytes.insert(end, one({"\r\nNo colon", "\r\n: no name", "\r\nSpace : x", "\r\nA: b\n",
                               "\r\nA: b\r", "\r\nA: \x01", "\r\nA: b\r\n folded", "\r\nA\x80: b",
                               "\r\nHost: other", "\r\n(A): b", "\nA: b", "\r\nA: \x7f"}));
        return bytes;
    }

    QByteArray withBadFraming() {
        const QByteArray framing =
            one({"Content-Length: -1\r\n\r\n{}",
                 "Content-Length: 2, 3\r\n\r\n{}x",
                 "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
                 "Content-Length: 2x\r\n\r\n{}",
                 "Content-Length: 0x2\r\n\r\n{}",
                 "Content-Length: \r\n\r\n",
                 "Content-Length: 18446744073709551617\r\n\r\n{}",
                 "Content-Length: 99999999\r\n\r\n{}",
                 "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: gzip\r\n\r\n{}",
                 "Transfer-Encoding: chunked, gzip\r\n\r\n{}",
                 "Transfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\n3\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff0\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n",
                 "Transfer-Encoding: chunked\r\n\r\n2;=\r\n{}\r\n0\r\n\r\n",
                 "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n: x\r\n\r\n"});
        const Door& one = door();
        return QByteArray("POST ") + one.path + " HTTP/1.1\r\nHost: " + m_fixture.host() + "\r\n" +
               IntakeFixture::bearer() + one.headers + framing;
    }

    QByteArray fromAWebPage() {
        const QByteArray line = one({"Origin: null\r\n", "Origin: http://localhost:7420\r\n",
                                     "Sec-Fetch-Site: cross-site\r\n", "Content-Encoding: br\r\n",
                                     "Content-Encoding: gzip\r\n", "Content-Type: text/plain\r\n",
                                     "Expect: x\r\n", "Host: localhost\r\n"});
        QByteArray bytes = good();
        bytes.insert(bytes.indexOf("Content-Type"), line);
        if (m_random.chance(0.3)) bytes.replace(m_fixture.host(), "rebound.example:80");
        return bytes;
    }

    QByteArray withBadKey() {
        QByteArray bytes = good();
        const qsizetype key = bytes.indexOf(IntakeFixture::kKey);
        const qsizetype place = key + static_cast<qsizetype>(m_random.below(43));
        bytes[place] = bytes[place] == 'z' ? 'y' : 'z';
        return bytes;
    }

    QByteArray brokenJson() {
        const Door& one = door();
        QByteArray json = one.body;
        switch (m_random.below(5)) {
            // Of one byte at least: a binary CloudEvent may be without data.
            case 0: json.truncate(std::max<qsizetype>(at(json), 1)); break;
            case 1: json += this->one({"x", "}", "]", ",", "{}", "\"", "0"}); break;
            case 2: json[json.indexOf("three") + 2] = '\x02'; break;
            case 3: json[json.indexOf("three") + 2] = '\xff'; break;
            default: json = QByteArray("[").repeated(1 + static_cast<int>(m_random.below(9'000)));
        }
        return to(one, json);
    }

    QByteArray wrongEvent() {
        const Door& one = door();
        return to(one, one.wrong[m_random.below(one.wrong.size())]);
    }

    Random m_random;
    const IntakeFixture& m_fixture;
};

}  // namespace

class IntakeHostileTest : public QObject {
    Q_OBJECT

private slots:
    void refusesBrokenRequestsAndStoresNothing();
    void standsDamagedRequests();
    void tinyEventsAreNoWayAroundTheLimit();

private:
    using Requests = std::vector<QByteArray>;
    static std::vector<RawAnswer> sendAll(
        const IntakeFixture& fixture, const Requests& requests,
        const std::function<void()>& meanwhile = [] {});
};

/// Sends each over a connection of its own, all at once, and says no more on it. `meanwhile` is
/// called when all is sent.
std::vector<RawAnswer> IntakeHostileTest::sendAll(const IntakeFixture& fixture,
                                                  const Requests& requests,
                                                  const std::function<void()>& meanwhile) {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (const QByteArray& request : requests) {
        clients.push_back(std::make_unique<RawClient>(fixture.server.port()));
        clients.back()->send(request);
        QTcpSocket& socket = clients.back()->socket();
        static_cast<void>(QTest::qWaitFor([&] { return socket.bytesToWrite() == 0; }));
        ::shutdown(static_cast<int>(socket.socketDescriptor()), SHUT_WR);
    }
    meanwhile();
    std::vector<RawAnswer> answers;
    for (const auto& client : clients) {
        answers.push_back(client->read());
        if (!client->waitClosed()) answers.back().status = -1;
    }
    return answers;
}

void IntakeHostileTest::refusesBrokenRequestsAndStoresNothing() {
    IntakeFixture fixture;
    Attacker attacker(12, fixture);
    const auto descriptors = openDescriptors();
    const auto before = restartPeakKib();
    std::vector<qint64> goodOnes;  // milliseconds
    RawClient good(fixture.server.port());
    const QByteArray event = fixture.post(R"({"type":"t","payload":1})");
    int refused = 0;
    for (int round = 0; round < rounds(); ++round) {
        Requests requests;
        for (int i = 0; i < kClientsAtOnce; ++i) requests.push_back(attacker.next());
        int goodStatus = 0;
        const std::vector<RawAnswer> answers = sendAll(fixture, requests, [&] {
            QElapsedTimer clock;
            clock.start();
            goodStatus = good.ask(event).status;
            goodOnes.push_back(clock.elapsed());
        });
        QCOMPARE(goodStatus, 202);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const int status = answers[i].status;
            if (status >= 400) ++refused;
            if (status == 0 || (status >= 400 && status < 500)) continue;
            QFAIL(qPrintable(QStringLiteral("round %1: %2 to %3")
                                 .arg(round)
                                 .arg(status)
                                 .arg(QString::fromLatin1(requests[i].left(2'000)))));
        }
        QCOMPARE(fixture.submitted.size(), std::size_t(1));  // the good one
        fixture.submitted.clear();
    }
    QVERIFY2(refused > rounds() * kClientsAtOnce / 2, "most of them deserve an answer");
    std::sort(goodOnes.begin(), goodOnes.end());
    const auto growth = statusKib("VmHWM") - before;
    qInfo("%d refused; a good one meanwhile: 99 %% within %lld ms; %lld KiB more at the peak",
          refused, static_cast<long long>(goodOnes[goodOnes.size() * 99 / 100]),
          static_cast<long long>(growth));
#if !defined(__SANITIZE_ADDRESS__)  // it keeps what was freed
    QVERIFY2(growth <= 50 << 10, "more than 50 MiB were taken");
#endif
    good.leave();
    QTRY_COMPARE(openDescriptors(), descriptors);
}

void IntakeHostileTest::tinyEventsAreNoWayAroundTheLimit() {
    IntakeFixture fixture;
    fixture.commitsAtOnce = false;
    const QByteArray tiny = "[" +
                            QByteArray("{\"type\":\"a\",\"payload\":1},")
                                .repeated(static_cast<int>(limits::kEventsPerRequest))
                                .chopped(1) +
                            "]";
    std::vector<std::unique_ptr<RawClient>> clients;
    const auto most = limits::kIntakePendingBytes / limits::kPendingEventBytes;
    for (std::size_t events = 0; events < most; events += limits::kEventsPerRequest) {
        clients.push_back(std::make_unique<RawClient>(fixture.server.port()));
        clients.back()->send(fixture.post(tiny));
        QTRY_COMPARE(fixture.waiting.size(), clients.size());
        if (fixture.server.pendingBytes() + static_cast<std::size_t>(tiny.size()) >
            limits::kIntakePendingBytes)
            break;
    }
    QCOMPARE(fixture.ask(fixture.post(tiny)).status, 503);
}

void IntakeHostileTest::standsDamagedRequests() {
    IntakeFixture fixture;
    Attacker attacker(21, fixture);
    for (int round = 0; round < rounds(); ++round) {
        Requests requests;
        for (int i = 0; i < kClientsAtOnce; ++i) requests.push_back(attacker.damaged());
        std::size_t accepted = 0;
        for (const RawAnswer& answer : sendAll(fixture, requests)) {
            QVERIFY2(answer.status >= 0 && answer.status < 500, "an answer, or an end");
            const auto told = lanes::test::parsed(answer);
            if (told.is_object()) accepted += told.value("accepted", std::size_t{0});
        }
        QCOMPARE(fixture.submitted.size(), accepted);
        fixture.submitted.clear();
    }
}

QTEST_GUILESS_MAIN(IntakeHostileTest)
#include "intake_hostile_test.moc"
