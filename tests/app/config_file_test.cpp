// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config_file.h"
#include "app/destination_schema.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace lanes;
using namespace lanes::app;

namespace {

/// JSON with single quotes, which reads better in C++.
std::string json(QByteArray text) {
    return text.replace('\'', '"').toStdString();
}

}  // namespace

class ConfigFileTest : public QObject {
    Q_OBJECT

private slots:
    void readsDestinations() {
        const auto text = json(
            "{'destinations': ["
            "{'name': 'crm', 'url': 'https://example.org/', 'window': '48h', 'inFlight': 8,"
            " 'secrets': ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 'types': ['a'],"
            " 'headers': {'X-Team': 'ops'}, 'attemptTimeout': '5s', 'connectTimeout': '1s',"
            " 'afterDeadLetter': 'hold', 'deadLetterStatuses': [400, 422], 'allowLinkLocal': true,"
            " 'rateLimit': 2.5, 'allowEdits': true},"
            "{'name': 'log', 'inFlight': 2}]}");
        const auto read = readConfigText(text, "c.json");
        QVERIFY(std::holds_alternative<Changes>(read));
        const auto& changes = std::get<Changes>(read);
        QCOMPARE(changes.size(), std::size_t(2));
        const auto config = changed({}, changes[0]);
        QCOMPARE(config.url, std::string("https://example.org/"));
        QCOMPARE(config.policy.window, 48 * kHour);
        QCOMPARE(config.policy.maxInFlight, 8u);
        QCOMPARE(config.policy.afterDeadLetter, AfterDeadLetter::hold);
        QCOMPARE(config.policy.deadLetterStatuses, (std::vector<std::uint16_t>{400, 422}));
        QCOMPARE(config.headers.front().first, std::string("X-Team"));
        QVERIFY(config.allowLinkLocal);
        QCOMPARE(config.policy.rateLimit, 2.5);
        QVERIFY(config.policy.allowEdits);
        QVERIFY(!changes[1].url.has_value());
    }

    void writesWhatItReads() {
        DestinationChange change;
        change.name = "crm";
        change.url = "http://h/";
        change.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
        change.headers = {{{"A", "b"}}};
        change.eventTypes = {"t"};
        change.window = 90 * kSecond;
        change.connectTimeout = 250 * kMillisecond;
        change.attemptTimeout = 72 * kHour;
        change.maxInFlight = 3;
        change.afterDeadLetter = AfterDeadLetter::goOn;
        change.deadLetterStatuses = {410};
        change.allowLinkLocal = false;
        change.rateLimit = 0.01;
        change.allowEdits = false;
        change.body = BodyFormat::cloudEventsBinary;
        change.authentication = {Authentication::Scheme::bearer, {}, "t"};
        change.clientCertificate = {"certificate", "key"};
        change.pin = std::string(64, 'a');
        change.proxy = ProxyConfig{"socks5://p:1080", "anna", "secret"};
        const auto read = changeFromJson(toJson(change));
        QVERIFY(std::holds_alternative<DestinationChange>(read));
        QVERIFY(std::get<DestinationChange>(read) == change);
    }

    void writesThatThereIsNone() {
        DestinationConfig before;
        before.name = "crm";
        before.authentication = {Authentication::Scheme::basic, "anna", "secret"};
        before.tls = {"certificate", "key", std::string(64, 'a')};
        before.proxy = {"http://p:3128", {}, {}};
        DestinationConfig none;
        none.name = "crm";
        const auto read = changeFromJson(toJson(changeOf(none, true, nullptr)));
        QVERIFY(std::holds_alternative<DestinationChange>(read));
        QVERIFY(changed(before, std::get<DestinationChange>(read)) == none);
    }

    void theSchemaKnowsTheSameFields() {
        const auto schema = nlohmann::json::parse(kDestinationSchema);
        const auto& properties = schema["$defs"]["destination"]["properties"];
        std::set<std::string> known;
        for (const auto& [name, rules] : properties.items()) known.insert(name);
        std::set<std::string> written;
        DestinationConfig config;
        config.name = "crm";
        const auto fields = toJson(changeOf(config, true, nullptr));
        for (const auto& [name, value] : fields.items()) written.insert(name);
        QCOMPARE(known, written);
    }

    void leavesSecretsOut() {
        DestinationConfig config;
        config.name = "crm";
        config.url = "https://h/";
        config.secrets = {"CANARY"};
        config.headers = {{"X-Api-Key", "CANARY"}};
        config.authentication = {Authentication::Scheme::basic, "anna", "CANARY"};
        config.tls = {"certificate", "CANARY", {}};
        config.proxy = {"http://p:3128", "anna", "CANARY"};
        std::vector<std::string> leftOut;
        const auto text = toJson(changeOf(config, false, &leftOut)).dump();
        QVERIFY2(text.find("CANARY") == std::string::npos, text.c_str());
        QCOMPARE(leftOut, (std::vector<std::string>{"secrets", "headers", "authentication",
                                                    "clientCertificate", "proxy"}));
        leftOut.clear();
        config.headers = {{"X-Team", "ops"}};
        QVERIFY(toJson(changeOf(config, false, &leftOut)).dump().find("ops") != std::string::npos);
    }

    void saysTheLine_data() {
        QTest::addColumn<QByteArray>("element");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* element, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(json(element)) << QByteArray(says);
        };
        // The element stands on line 4.
        row("of a field", "{'name': 'b',\n 'url': 'http://h/',\n 'inFlight': 0}",
            "line 6: destinations[1]: \"inFlight\"");
        row("of a field that the settings refuse", "{'name': 'b',\n 'url': 'ftp://h/'}",
            "line 5: destinations[1]: url: ");
        row("of the destination", "{\n'url': 'http://h/'}",
            "line 4: destinations[1]: \"name\" is missing");
        row("of what is no destination", "'b'", "line 4: destinations[1]: must be an object");
        row("past a text that looks like the field",
            "{'name': 'b', 'headers': {'inFlight': '{[,'},\n'types': ['inFlight', '\\''],\n"
            "'inFlight': 0}",
            "line 6: destinations[1]: \"inFlight\"");
    }
    void saysTheLine() {
        QFETCH(QByteArray, element);
        QFETCH(QByteArray, says);
        const auto text = json("{\n'destinations': [\n"
                               "{'name': 'a', 'url': 'http://h/?x=[{', 'types': ['\\'']},\n") +
                          element.toStdString() + "\n]}";
        const auto read = readConfigText(text, "c.json");
        const auto* error = std::get_if<std::string>(&read);
        QVERIFY(error);
        QVERIFY2(error->find(says.toStdString()) != std::string::npos, error->c_str());
    }

    void leavesWhatIsNotGiven() {
        DestinationConfig config;
        config.name = "crm";
        config.url = "http://h/";
        config.secrets = {"kept"};
        DestinationChange change;
        change.name = "crm";
        change.maxInFlight = 1;
        const auto after = changed(config, change);
        QCOMPARE(after.secrets, config.secrets);
        QCOMPARE(after.url, config.url);
        QCOMPARE(after.policy.maxInFlight, 1u);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* text, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(json(text)) << QByteArray(says);
        };
        row("nothing", "", "line 1");
        row("a list", "[]", "\"destinations\" is needed");
        row("a mistake on its line", "{\n\"destinations\": [\n{\"name\": }]}", "line 3, column 10");
        row("a field that is not known", "{'destinations': [], 'port': 1}", "\"port\" is no field");
        row("a mistyped field", "{'destinations': [{'name': 'a', 'url': 'http://h/', 'retry': 1}]}",
            "destinations[0]: \"retry\" is no field");
        row("a field of another kind",
            "{'destinations': [{'name': 'a', 'url': 'http://h/'}, {'name': 'b', 'url': 1}]}",
            "destinations[1]: \"url\" must be text");
        row("a window without a unit",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'window': 72}]}", "\"window\"");
        row("a window that is too long",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'window': '300d'}]}", "window");
        row("a bad URL", "{'destinations': [{'name': 'a', 'url': 'h'}]}", "destinations[0]: url");
        row("no name", "{'destinations': [{'url': 'http://h/'}]}", "\"name\" is missing");
        row("a name twice",
            "{'destinations': [{'name': 'a', 'url': 'http://h/'},"
            " {'name': 'a', 'url': 'http://h/'}]}",
            "destinations[1]: the name \"a\" was used above");
        row("a field twice",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'url': 'http://i/'}]}",
            "\"url\" is given twice");
        row("a status that is no failure",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'deadLetterStatuses': [200]}]}",
            "300 to 599");
        row("a rate that is too fast",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'rateLimit': 20000}]}",
            "\"rateLimit\" must be requests a second");
        row("a switch in words",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'allowEdits': 'yes'}]}",
            "true or false");
        row("a number beyond all limits",
            "{'destinations': [{'name': 'a', 'url': 'http://h/', 'inFlight': 4294967297}]}",
            "from 1 to 256");
        row("a login of an unknown kind",
            "{'destinations': [{'name': 'a', 'authentication': {'scheme': 'digest'}}]}",
            "\"authentication\" must be null");
        row("a login with a field too many",
            "{'destinations': [{'name': 'a', 'authentication': {'scheme': 'bearer', 'token': 't',"
            " 'user': 'u'}}]}",
            "\"authentication\" must be null");
        row("a login beside an Authorization header",
            "{'destinations': [{'name': 'a', 'headers': {'authorization': 'x'},"
            " 'authentication': {'scheme': 'bearer', 'token': 't'}}]}",
            "have an Authorization already");
        row("a certificate without its key",
            "{'destinations': [{'name': 'a', 'clientCertificate': {'certificate': 'c'}}]}",
            "needed, both");
        row("a fingerprint that is none",
            "{'destinations': [{'name': 'a', 'pinnedCertificate': 'sha1'}]}",
            "64 hexadecimal digits");
        row("a proxy of another kind",
            "{'destinations': [{'name': 'a', 'proxy': {'url': 'https://p:1'}}]}",
            "socks5://HOST:PORT");
        row("a proxy without a port",
            "{'destinations': [{'name': 'a', 'proxy': {'url': 'http://p'}}]}",
            "socks5://HOST:PORT");
        row("a destination that is no object", "{'destinations': ['crm']}", "must be an object");
        row("bytes that are no UTF-8", "{\"destinations\": [{\"name\": \"\xff\"}]}", "line 1");
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto read = readConfigText(text.toStdString(), "c.json");
        const auto* error = std::get_if<std::string>(&read);
        QVERIFY(error);
        QVERIFY2(error->starts_with("c.json: "), error->c_str());
        QVERIFY2(error->find(says.toStdString()) != std::string::npos, error->c_str());
    }

    void saysWhichFileCannotBeRead() {
        const QTemporaryDir directory;
        const auto path = directory.filePath(QStringLiteral("none.json")).toStdString();
        const auto read = readConfigFile(path);
        const auto* error = std::get_if<std::string>(&read);
        QVERIFY(error);
        QVERIFY2(error->starts_with(path), error->c_str());
        const auto folder = readConfigFile(directory.path().toStdString());
        QVERIFY(std::holds_alternative<std::string>(folder));
    }

    void refusesAFileWithoutEnd() {
        const QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("large.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(static_cast<qint64>(kConfigBytes) + 1));
        const auto read = readConfigFile(file.fileName().toStdString());
        QVERIFY(std::get<std::string>(read).find("4 MiB") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(ConfigFileTest)
#include "config_file_test.moc"
