// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tls_stream.h"
#include "tests/support/certificates.h"

#include <QTest>

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

using lanes::http::makeTlsContext;
using lanes::http::TlsContext;
using lanes::http::TlsStream;
using lanes::http::TlsTicket;
using lanes::test::Identity;

namespace {

/// The other side, which takes and gives bytes in memory as well.
class Server {
public:
    explicit Server(const Identity& identity)
        : m_context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
        const QByteArray certificate = identity.certificate.toPem();
        const QByteArray key = identity.key.toPem();
        const std::unique_ptr<BIO, decltype(&BIO_free)> first(
            BIO_new_mem_buf(certificate.constData(), -1), BIO_free);
        const std::unique_ptr<BIO, decltype(&BIO_free)> second(
            BIO_new_mem_buf(key.constData(), -1), BIO_free);
        X509* shown = PEM_read_bio_X509(first.get(), nullptr, nullptr, nullptr);
        EVP_PKEY* secret = PEM_read_bio_PrivateKey(second.get(), nullptr, nullptr, nullptr);
        SSL_CTX_use_certificate(m_context.get(), shown);
        SSL_CTX_use_PrivateKey(m_context.get(), secret);
        X509_free(shown);
        EVP_PKEY_free(secret);
        m_tls.reset(SSL_new(m_context.get()));
        SSL_set_bio(m_tls.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        SSL_set_accept_state(m_tls.get());
    }

    SSL* tls() const { return m_tls.get(); }
    /// Goes on with what the client sent; returns what is for the client.
    QByteArray answer(TlsStream& client) const {
        const auto bytes = client.output();
        BIO_write(SSL_get_rbio(tls()), bytes.data(), static_cast<int>(bytes.size()));
        client.clearOutput();
        SSL_do_handshake(tls());
        return output();
    }
    QByteArray output() const {
        std::array<char, 64u << 10> piece;
        const int count = BIO_read(SSL_get_wbio(tls()), piece.data(), piece.size());
        return {piece.data(), std::max(count, 0)};
    }
    QByteArray say(std::string_view text) const {
        SSL_write(tls(), text.data(), static_cast<int>(text.size()));
        return output();
    }
    std::string name() const {
        const char* name = SSL_get_servername(tls(), TLSEXT_NAMETYPE_host_name);
        return name == nullptr ? "" : name;
    }

private:
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> m_context;
    std::unique_ptr<SSL, decltype(&SSL_free)> m_tls{nullptr, SSL_free};
};

void put(TlsStream& client, const QByteArray& bytes) {
    client.put({bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

/// To the end of the handshake, what the server says after it included.
bool shakeHands(TlsStream& client, const Server& server) {
    auto state = client.shakeHands();
    for (int turn = 0; turn < 4 && state == TlsStream::Handshake::more; ++turn) {
        put(client, server.answer(client));
        state = client.shakeHands();
    }
    put(client, server.answer(client));
    return state == TlsStream::Handshake::done;
}

std::string readAll(TlsStream& client) {
    std::string all;
    std::array<char, 7> piece;
    while (const auto count = client.read(piece.data(), piece.size()))
        all.append(piece.data(), count);
    return all;
}

}  // namespace

class TlsStreamTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void saysWhomItWants_data();
    void saysWhomItWants();
    void bytesMayComeOneByOne();
    void aSessionIsNoAnswer();
    void anEndIsToldFromAFault();
    void oldProtocolsAreRefused();

private:
    TlsStream::Settings settings(const std::string& host = "localhost") const {
        return {m_context, host};
    }

    std::optional<lanes::test::Certificates> m_certificates;
    TlsContext m_context;
};

void TlsStreamTest::initTestCase() {
    QString error;
    m_certificates = lanes::test::makeCertificates(error);
    QVERIFY2(m_certificates, qPrintable(error));
    m_context = makeTlsContext({m_certificates->authority});
}

void TlsStreamTest::saysWhomItWants_data() {
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("a name") << QByteArray("localhost") << QByteArray("localhost");
    QTest::newRow("a name with the root's dot") << QByteArray("localhost.")
                                                << QByteArray("localhost");
    QTest::newRow("an address, which is no name") << QByteArray("127.0.0.1") << QByteArray();
    QTest::newRow("an address of the new kind") << QByteArray("::1") << QByteArray();
}

void TlsStreamTest::saysWhomItWants() {
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, told);
    const Server server(m_certificates->good);
    TlsStream client(settings(host.toStdString()));
    QVERIFY2(shakeHands(client, server), client.problem().c_str());
    QCOMPARE(server.name(), told.toStdString());
}

void TlsStreamTest::bytesMayComeOneByOne() {
    const Server server(m_certificates->good);
    TlsStream client(settings());
    auto state = client.shakeHands();
    const auto flight = server.answer(client);
    for (const char byte : flight) {
        QCOMPARE(state, TlsStream::Handshake::more);
        client.put({&byte, 1});
        state = client.shakeHands();
    }
    QCOMPARE(state, TlsStream::Handshake::done);
    std::string text;
    auto rest = server.answer(client);
    rest += server.say("an answer");
    for (const char byte : rest) {
        QVERIFY(text.empty());
        client.put({&byte, 1});
        text = readAll(client);
    }
    QCOMPARE(text, std::string("an answer"));
}

void TlsStreamTest::aSessionIsNoAnswer() {
    int tickets = 0;
    auto keeping = settings();
    keeping.keepTicket = [&](const TlsTicket& ticket) { tickets += ticket != nullptr; };
    const Server server(m_certificates->good);
    TlsStream client(keeping);
    QVERIFY2(shakeHands(client, server), client.problem().c_str());
    QCOMPARE(tickets, 0);
    QVERIFY(client.quiet());  // reads the sessions that came with the end of the handshake
    QVERIFY(tickets > 0);
    put(client, server.say("more"));
    QVERIFY(!client.quiet());
    QCOMPARE(readAll(client), std::string("more"));
    QVERIFY(client.quiet());
}

void TlsStreamTest::anEndIsToldFromAFault() {
    const Server server(m_certificates->good);
    TlsStream client(settings());
    QVERIFY2(shakeHands(client, server), client.problem().c_str());
    put(client, server.say("last"));
    SSL_shutdown(server.tls());
    put(client, server.output());
    QCOMPARE(readAll(client), std::string("last"));
    QVERIFY(client.over());
    QVERIFY(client.problem().empty());
    QVERIFY(!client.quiet());

    const Server other(m_certificates->good);
    TlsStream broken(settings());
    QVERIFY2(shakeHands(broken, other), broken.problem().c_str());
    auto changed = other.say("changed on its way");
    changed.back() = static_cast<char>(changed.back() ^ 1);
    put(broken, changed);
    QCOMPARE(readAll(broken), std::string());
    QVERIFY(broken.over());
    QVERIFY(!broken.problem().empty());
    QVERIFY(!broken.write("into nothing"));
}

void TlsStreamTest::oldProtocolsAreRefused() {
    const Server server(m_certificates->good);
    SSL_set_security_level(server.tls(), 0);
    SSL_set_max_proto_version(server.tls(), TLS1_1_VERSION);
    const auto lax = makeTlsContext({m_certificates->authority});
    SSL_CTX_set_security_level(lax.get(), 0);  // or the library would refuse them by itself
    TlsStream client({lax, "localhost"});
    QVERIFY(!shakeHands(client, server));
    QVERIFY(client.over());
}

QTEST_GUILESS_MAIN(TlsStreamTest)
#include "tls_stream_test.moc"
