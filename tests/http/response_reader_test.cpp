// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/response_reader.h"

#include <QTest>

using lanes::http::ClientLimits;
using lanes::http::ResponseReader;
using State = ResponseReader::State;

namespace {

QByteArray name(State state) {
    switch (state) {
        case State::more: return "more";
        case State::complete: return "complete";
        case State::enough: return "enough";
        case State::cut: return "cut";
        case State::unusable: return "unusable";
        case State::silent: return "silent";
    }
    return {};
}

}  // namespace

class ResponseReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnswers_data();
    void readsAnswers();
    void readsOneByteAtATime_data() { readsAnswers_data(); }
    void readsOneByteAtATime();
    void keepsLittleOfALargeBody();
    void dropsWhatComesInTrailers();

private:
    void check(const QByteArray& bytes, qsizetype step);
};

void ResponseReaderTest::readsAnswers_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("closed");
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("reusable");
    const auto row = [](const char* title, const QByteArray& bytes, bool closed, const char* state,
                        int status, const QByteArray& body, bool reusable) {
        QTest::newRow(title) << bytes << closed << QByteArray(state) << status << body << reusable;
    };
    row("a length bounds the body", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false,
        "complete", 200, "abc", true);
    row("a length of zero ends it at the header", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        false, "complete", 200, "", true);
    row("204 ends at the header though it announces a body",
        "HTTP/1.1 204 No Content\r\nContent-Length: 10\r\n\r\n", false, "complete", 204, "", true);
    row("304 ends at the header", "HTTP/1.1 304 Not Modified\r\n\r\n", false, "complete", 304, "",
        true);
    row("204 with a body after it leaves a surplus",
        "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc", false, "complete", 204, "",
        false);
    row("chunks are joined",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        false, "complete", 200, "abcde", true);
    row("a bad chunk cuts the body",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n\r\n", false,
        "cut", 200, "abc", false);
    row("without length the close ends the body", "HTTP/1.1 200 OK\r\n\r\nabc", true, "complete",
        200, "abc", false);
    row("a close within the body cuts it", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
        true, "cut", 200, "abc", false);
    row("a close within the header is silence", "HTTP/1.1 200 OK\r\nContent-Le", true, "silent", 0,
        "", false);
    row("a close at once is silence", "", true, "silent", 0, "", false);
    row("Connection: close is not reused",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false, "complete", 200,
        "", false);
    row("HTTP/1.0 is not reused", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false, "complete",
        200, "", false);
    row("bytes after the answer are a surplus", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc",
        false, "complete", 200, "a", false);
    row("interim answers are read over",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
        false, "complete", 201, "ok", true);
    row("101 is final and ends the connection",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", false,
        "complete", 101, "", false);
    row("status 000 is handed on", "HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n", false,
        "complete", 0, "", true);
    row("status 099 is handed on", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n", false,
        "complete", 99, "", true);
    row("status 999 is handed on", "HTTP/1.1 999 High\r\nContent-Length: 0\r\n\r\n", false,
        "complete", 999, "", true);
    row("a status without the space after it is read",
        "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", false, "complete", 200, "ok", true);
    row("a status that is text is no answer", "HTTP/1.1 abc OK\r\n\r\n", false, "unusable", 0, "",
        false);
    row("a status of four digits is no answer", "HTTP/1.1 2000 OK\r\n\r\n", false, "unusable", 0,
        "", false);
    row("garbage is no answer", "\x01\x02\x03 what is this?\r\n\r\n", false, "unusable", 0, "",
        false);
    row("another protocol is no answer", "SSH-2.0-OpenSSH_9.2p1 Debian\r\n", false, "unusable", 0,
        "", false);
    row("a negative length is no answer", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", false,
        "unusable", 0, "", false);
    row("two lengths are no answer",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", false, "unusable", 0,
        "", false);
    row("a length beside chunks is no answer",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", false,
        "unusable", 0, "", false);
    row("a header line without end is too large",
        "HTTP/1.1 200 OK\r\nX: " + QByteArray(20'000, 'x'), false, "unusable", 0, "", false);
    row("many small header lines are too large",
        "HTTP/1.1 200 OK\r\n" + QByteArray("X-Y: z\r\n").repeated(5000) + "\r\n", false, "unusable",
        0, "", false);
    row("a start line without end is too large", "HTTP/1.1 200 " + QByteArray(40'000, 'x'), false,
        "unusable", 0, "", false);
    row("interim answers without end are given up",
        QByteArray("HTTP/1.1 102 Processing\r\n\r\n").repeated(40), false, "unusable", 102, "",
        false);
    row("a chunk line without end cuts the body",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=" + QByteArray(40'000, 'x'),
        false, "cut", 200, "", false);
}

void ResponseReaderTest::check(const QByteArray& bytes, qsizetype step) {
    QFETCH(bool, closed);
    QFETCH(QByteArray, state);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, reusable);
    ResponseReader reader{ClientLimits()};
    auto seen = State::more;
    qsizetype at = 0;
    for (; at < bytes.size() && seen == State::more; at += step) {
        const auto piece = bytes.mid(at, step);
        seen = reader.take({piece.constData(), static_cast<std::size_t>(piece.size())});
    }
    if (closed && seen == State::more) seen = reader.end();
    QCOMPARE(name(seen), state);
    QCOMPARE(reader.status(), status);
    QCOMPARE(reader.answered(), seen != State::silent);
    QCOMPARE(QByteArray::fromStdString(reader.takeBody()), body);
    QCOMPARE(reader.error().empty(), seen != State::unusable);
    // A reader that stops in time has not seen the surplus that is still to come.
    if (at >= bytes.size()) QCOMPARE(reader.reusable(), reusable);
}

void ResponseReaderTest::readsAnswers() {
    QFETCH(QByteArray, bytes);
    check(bytes, std::max<qsizetype>(bytes.size(), 1));
}

void ResponseReaderTest::readsOneByteAtATime() {
    QFETCH(QByteArray, bytes);
    check(bytes, 1);
}

void ResponseReaderTest::keepsLittleOfALargeBody() {
    ResponseReader reader{ClientLimits()};
    QCOMPARE(reader.take("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n"), State::more);
    const std::string piece(16'384, 'b');
    int pieces = 0;
    auto state = State::more;
    while (state == State::more && pieces < 100) {
        state = reader.take(piece);
        ++pieces;
    }
    QCOMPARE(state, State::enough);
    QCOMPARE(pieces, 5);
    QCOMPARE(reader.takeBody().size(), 4096U);
    QVERIFY(!reader.reusable());
}

void ResponseReaderTest::dropsWhatComesInTrailers() {
    ResponseReader reader{ClientLimits()};
    QCOMPARE(reader.take("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "0\r\nRetry-After: 99\r\n\r\n"),
             State::complete);
    QCOMPARE(reader.takeHeaders().size(), 1U);
}

QTEST_GUILESS_MAIN(ResponseReaderTest)
#include "response_reader_test.moc"
