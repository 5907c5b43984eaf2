// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/write_key.h"
#include "tests/http/raw_client.h"
#include "tests/runtime/engine_world.h"
#include "tests/support/raw_receiver.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::test;

namespace {

SourceConfig source(const std::string& name, const std::string& key) {
    return {{}, name, {writeKeyHash(key)}, 0, "anna"};
}

}  // namespace

/// Senders and their rejected events, with the real store and over a restart.
class EngineSendersTest : public QObject {
    Q_OBJECT

private:
    int post(World& world, const std::string& key, const QByteArray& body) {
        const auto port = world.engine->snapshot()->intake.port;
        RawClient client(port);
        return client
            .ask("POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port) +
                 "\r\nAuthorization: Bearer " + QByteArray::fromStdString(key) +
                 "\r\nContent-Type: application/json\r\nContent-Length: " +
                 QByteArray::number(body.size()) + "\r\n\r\n" + body)
            .status;
    }
    static QuarantinePage quarantine(World& world) {
        return world.engine->openPageReader()->quarantine({});
    }

    QTemporaryDir m_directory;

private slots:
    void aSourceIsKnownAfterARestartAndGoneAfterItsRemoval() {
        const auto key = makeWriteKey();
        const auto path = m_directory.filePath(QStringLiteral("sources"));
        SourceId id;
        {
            World world(path);
            QVERIFY(world.start());
            QCOMPARE(post(world, key, "[]"), 401);
            const auto added = world.command(SetSource{source("shop", key)});
            QVERIFY2(added.ok(), added.error.c_str());
            id = added.source;
            QVERIFY(post(world, key, R"({"id":"1","type":"t","payload":1})") == 202);
            QCOMPARE(world.engine->snapshot()->sources.size(), std::size_t{1});
            QCOMPARE(world.engine->snapshot()->sources[0].config.name, std::string("shop"));
        }
        World world(path);
        QVERIFY(world.start());
        QCOMPARE(post(world, key, R"({"id":"2","type":"t","payload":1})"), 202);
        QVERIFY(!world.command(SetSource{source("shop", makeWriteKey())}).ok());
        QVERIFY(world.command(RemoveSource{id}).ok());
        QCOMPARE(post(world, key, R"({"id":"3","type":"t","payload":1})"), 401);
        QVERIFY(world.engine->snapshot()->sources.empty());
    }

    void twoSourcesMayUseTheSameIds() {
        World world(m_directory.filePath(QStringLiteral("ids")));
        QVERIFY(world.start());
        QVERIFY(world.command(SetDestination{destination("crm", "http://127.0.0.1:9/")}).ok());
        const auto shop = makeWriteKey();
        const auto web = makeWriteKey();
        QVERIFY(world.command(SetSource{source("shop", shop)}).ok());
        QVERIFY(world.command(SetSource{source("web", web)}).ok());
        const QByteArray event = R"({"id":"1","user":"u","type":"t","payload":1})";
        for (const auto& key : {shop, web, shop}) QCOMPARE(post(world, key, event), 202);
        QTRY_COMPARE(world.totals().accepted, std::uint64_t{2});
        QCOMPARE(world.engine->snapshot()->intake.duplicates, std::uint64_t{1});
    }

    void aRejectedEventIsMendedAndDelivered() {
        RawReceiver receiver([](RawPeer& peer) {
            while (!peer.readRequest().empty())
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        });
        const auto path = m_directory.filePath(QStringLiteral("quarantine"));
        QuarantineId id;
        {
            World world(path);
            QVERIFY(world.start());
            QVERIFY(world.command(SetDestination{destination("crm", receiver.url() + "/in")}).ok());
            QCOMPARE(world.post(R"([{"user":"u","type":"t","payload":1},{"user":"u"}])"), 202);
            QTRY_COMPARE(world.engine->snapshot()->intake.quarantined, std::uint64_t{1});
            const auto page = quarantine(world);
            QCOMPARE(page.rows.size(), std::size_t{1});
            QCOMPARE(page.rows[0].code, std::string("missing_field"));
            id = page.rows[0].id;
        }
        World world(path);
        QVERIFY(world.start());
        QCOMPARE(world.engine->snapshot()->intake.quarantined, std::uint64_t{1});
        const auto row = world.engine->openPageReader()->quarantined(id);
        QCOMPARE(row->body, std::string(R"({"user":"u"})"));
        // As it was, it is rejected again and stays.
        QVERIFY(!world.command(RetryQuarantined{id, row->body}).ok());
        QCOMPARE(quarantine(world).rows.size(), std::size_t{1});
        const auto done =
            world.command(RetryQuarantined{id, R"({"user":"u","type":"t","payload":2})"});
        QVERIFY2(done.ok(), done.error.c_str());
        QVERIFY(quarantine(world).rows.empty());
        QCOMPARE(world.engine->snapshot()->intake.quarantined, std::uint64_t{0});
        QTRY_COMPARE(receiver.requests(), 2);
        QVERIFY(receiver.texts()[1].ends_with("\r\n\r\n2"));
        QVERIFY(!world.command(RetryQuarantined{id, row->body}).ok());
    }

    void rejectedEventsAreGivenUp() {
        World world(m_directory.filePath(QStringLiteral("discard")));
        QVERIFY(world.start());
        QCOMPARE(world.post(R"([{},{},{}])"), 202);
        const auto rows = quarantine(world).rows;
        QCOMPARE(rows.size(), std::size_t{3});
        const auto done =
            world.command(DiscardQuarantined{{rows[0].id, rows[2].id, QuarantineId(99)}});
        QCOMPARE(done.done, std::uint64_t{2});
        QCOMPARE(done.skipped, std::uint64_t{1});
        QCOMPARE(quarantine(world).rows.size(), std::size_t{1});
        QCOMPARE(world.engine->snapshot()->intake.quarantined, std::uint64_t{1});
        QVERIFY(!world.command(DiscardQuarantined{{rows[0].id}}).ok());
    }

    void aCertificateThatCannotBeReadIsRefusedWithTheSettings() {
        World world(m_directory.filePath(QStringLiteral("certificate")));
        QVERIFY(world.start());
        auto config = destination("crm", "https://127.0.0.1:9/");
        config.tls = {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "key", {}};
        const auto result = world.command(SetDestination{config});
        QVERIFY2(result.error.starts_with("client certificate: "), result.error.c_str());
        QVERIFY(world.engine->destinations().empty());
    }

    void whatAnEventIsGoesAlongAsACloudEvent() {
        RawReceiver receiver([](RawPeer& peer) {
            while (!peer.readRequest().empty())
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        });
        World world(m_directory.filePath(QStringLiteral("dress")));
        QVERIFY(world.start());
        auto config = destination("crm", receiver.url() + "/in");
        config.body = BodyFormat::cloudEventsBinary;
        config.authentication = {Authentication::Scheme::bearer, {}, "t0ken"};
        QVERIFY(world.command(SetDestination{config}).ok());
        const auto key = makeWriteKey();
        QVERIFY(world.command(SetSource{source("shop", key)}).ok());
        QCOMPARE(post(world, key, R"({"id":"e1","user":"anna","type":"t","payload":{"n":1}})"),
                 202);
        QTRY_COMPARE(receiver.requests(), 1);
        const auto text = receiver.texts()[0];
        for (const char* line : {"ce-id: e1", "ce-source: urn:rivora-lanes:shop", "ce-type: t",
                                 "ce-subject: anna", "Authorization: Bearer t0ken"})
            QVERIFY2(text.find("\r\n" + std::string(line) + "\r\n") != std::string::npos, line);
    }
};

QTEST_GUILESS_MAIN(EngineSendersTest)
#include "engine_senders_test.moc"
