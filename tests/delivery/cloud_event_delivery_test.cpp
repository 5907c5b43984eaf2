// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/cloud_event.h"
#include "tests/support/sent_event.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lanes;

namespace {

std::shared_ptr<SentEvent> orderOfAnna(std::string payload, std::string contentType = {}) {
    auto event = test::sentEvent("evt \"1\"", std::move(payload));
    event->user = {UserKey::Kind::user, "Zo\xc3\xab"};
    event->contentType = std::move(contentType);
    event->acceptedAt = 1614265330 * kSecond + 250 * kMillisecond;
    return event;
}

std::string valueOf(const DressedEvent& dressed, std::string_view name) {
    for (const auto& [key, value] : dressed.headers)
        if (key == name) return value;
    return "(none)";
}

}  // namespace

class CloudEventDeliveryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asReceivedChangesNothing();
    void binaryPutsTheAttributesIntoHeaders();
    void structuredPutsThePayloadIntoAnEnvelope();
    void numbersKeepTheirDigits();
    void whatIsNotJsonBecomesAText();
    void anEnvelopeIsSentAsItCame_data();
    void anEnvelopeIsSentAsItCame();
    void aCloudEventKeepsItsSource();
    void anEventWithoutAUserHasNoSubject();
    void encodesForHeaders_data();
    void encodesForHeaders();
};

void CloudEventDeliveryTest::asReceivedChangesNothing() {
    const auto event = orderOfAnna("{\"n\":1}");
    const auto dressed = dress(*event, BodyFormat::asReceived);
    QCOMPARE(dressed.body, event->payload);
    QCOMPARE(dressed.contentType, std::string("application/json"));
    QVERIFY(dressed.headers.empty());
}

void CloudEventDeliveryTest::binaryPutsTheAttributesIntoHeaders() {
    const auto event = orderOfAnna("{\"n\":1}");
    const auto dressed = dress(*event, BodyFormat::cloudEventsBinary);
    QCOMPARE(dressed.body, event->payload);
    QCOMPARE(dressed.contentType, std::string("application/json"));
    QCOMPARE(valueOf(dressed, "ce-specversion"), std::string("1.0"));
    QCOMPARE(valueOf(dressed, "ce-id"), std::string("evt%20%221%22"));
    QCOMPARE(valueOf(dressed, "ce-source"), std::string("urn:rivora-lanes:native"));
    QCOMPARE(valueOf(dressed, "ce-type"), std::string("order.created"));
    QCOMPARE(valueOf(dressed, "ce-subject"), std::string("Zo%C3%AB"));
    QCOMPARE(valueOf(dressed, "ce-time"), std::string("2021-02-25T15:02:10.250Z"));
    QCOMPARE(valueOf(dressed, "ce-datacontenttype"),
             std::string("(none)"));  // the binding forbids it
}

void CloudEventDeliveryTest::structuredPutsThePayloadIntoAnEnvelope() {
    const auto dressed = dress(*orderOfAnna("{\"n\":1}"), BodyFormat::cloudEventsStructured);
    QCOMPARE(dressed.contentType, std::string("application/cloudevents+json"));
    QVERIFY(dressed.headers.empty());
    const auto seen = QJsonDocument::fromJson(QByteArray::fromStdString(*dressed.body)).object();
    const QJsonObject wanted{
        {QStringLiteral("specversion"), QStringLiteral("1.0")},
        {QStringLiteral("id"), QStringLiteral("evt \"1\"")},
        {QStringLiteral("source"), QStringLiteral("urn:rivora-lanes:native")},
        {QStringLiteral("type"), QStringLiteral("order.created")},
        {QStringLiteral("subject"), QStringLiteral("Zo\u00eb")},
        {QStringLiteral("time"), QStringLiteral("2021-02-25T15:02:10.250Z")},
        {QStringLiteral("datacontenttype"), QStringLiteral("application/json")},
        {QStringLiteral("data"), QJsonObject{{QStringLiteral("n"), 1}}},
    };
    QCOMPARE(seen, wanted);
}

void CloudEventDeliveryTest::numbersKeepTheirDigits() {
    const auto event = orderOfAnna(R"({"n":123456789012345678901234567890,"price":12.50})");
    const auto dressed = dress(*event, BodyFormat::cloudEventsStructured);
    QVERIFY(dressed.body->ends_with(",\"data\":" + *event->payload + "}"));
}

void CloudEventDeliveryTest::whatIsNotJsonBecomesAText() {
    for (const auto* type : {"text/csv", "application/json"}) {
        const auto event = orderOfAnna("a,\"b\"\n", type);
        const auto dressed = dress(*event, BodyFormat::cloudEventsStructured);
        const auto seen =
            QJsonDocument::fromJson(QByteArray::fromStdString(*dressed.body)).object();
        QCOMPARE(seen.value(QStringLiteral("data")).toString(), QStringLiteral("a,\"b\"\n"));
        QCOMPARE(seen.value(QStringLiteral("datacontenttype")).toString(),
                 QString::fromLatin1(type));
    }
}

void CloudEventDeliveryTest::anEnvelopeIsSentAsItCame_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("plain") << QByteArray("application/cloudevents+json");
    QTest::newRow("with a charset") << QByteArray("application/cloudevents+json; charset=UTF-8");
    QTest::newRow("in capitals") << QByteArray("Application/CloudEvents+JSON");
}

void CloudEventDeliveryTest::anEnvelopeIsSentAsItCame() {
    QFETCH(QByteArray, type);
    const auto event = orderOfAnna("{\"specversion\":\"1.0\"}", type.toStdString());
    for (const auto format : {BodyFormat::cloudEventsBinary, BodyFormat::cloudEventsStructured}) {
        const auto dressed = dress(*event, format);
        QCOMPARE(dressed.body, event->payload);
        QCOMPARE(dressed.contentType, type.toStdString());
        QVERIFY(dressed.headers.empty());
    }
}

void CloudEventDeliveryTest::aCloudEventKeepsItsSource() {
    const auto event = orderOfAnna("{}");
    event->source = "cloudevents:/shop/1";
    QCOMPARE(valueOf(dress(*event, BodyFormat::cloudEventsBinary), "ce-source"),
             std::string("/shop/1"));
}

void CloudEventDeliveryTest::anEventWithoutAUserHasNoSubject() {
    const auto event = orderOfAnna("{}");
    event->user = {};
    QCOMPARE(valueOf(dress(*event, BodyFormat::cloudEventsBinary), "ce-subject"),
             std::string("(none)"));
}

void CloudEventDeliveryTest::encodesForHeaders_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("encoded");
    QTest::newRow("the vector of CloudEvents") << QByteArray("Euro \xe2\x82\xac \xf0\x9f\x98\x80")
                                               << QByteArray("Euro%20%E2%82%AC%20%F0%9F%98%80");
    QTest::newRow("quotes and percent signs") << QByteArray("a\"b%c") << QByteArray("a%22b%25c");
    QTest::newRow("line breaks") << QByteArray("a\r\nX: y") << QByteArray("a%0D%0AX:%20y");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a%00b");
    QTest::newRow("plain") << QByteArray("evt-1_2.3~4") << QByteArray("evt-1_2.3~4");
}

void CloudEventDeliveryTest::encodesForHeaders() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, encoded);
    QCOMPARE(QByteArray::fromStdString(percentEncoded(text.toStdString())), encoded);
}

QTEST_GUILESS_MAIN(CloudEventDeliveryTest)
#include "cloud_event_delivery_test.moc"
