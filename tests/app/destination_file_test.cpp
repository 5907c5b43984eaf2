// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/running_instance.h"

#include <QFile>

using namespace lanes;
using namespace lanes::app;

class DestinationFileTest : public QObject, RunningInstance {
    Q_OBJECT

private slots:
    void init() {
        open();
        m_engine->addDestination(1, "crm");
        auto& crm = m_engine->configs[0];
        crm.url = "https://crm.example/hook";
        crm.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
        crm.authentication = {Authentication::Scheme::basic, "anna", "CANARY"};
        m_file = m_directory->filePath(QStringLiteral("all.json"));
    }
    void cleanup() { close(); }

    void writesAFileForItsOwnerOnly() {
        const auto said = say(Operation{ExportDestinations{path(), true}});
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(said.err, std::string());
        QVERIFY(!(QFile::permissions(m_file) &
                  (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
        const auto json = Json::parse(content());
        QCOMPARE(json["destinations"][0]["authentication"]["password"].get<std::string>(),
                 std::string("CANARY"));
    }

    void leavesSecretsOutAndSaysSo() {
        const auto said = say(Operation{ExportDestinations{}});
        QCOMPARE(said.exit, Exit::good);
        QVERIFY2(said.err.find("left out of crm: secrets, authentication") != std::string::npos,
                 said.err.c_str());
        QVERIFY(said.out.find("CANARY") == std::string::npos);
        QVERIFY(said.out.find("whsec_") == std::string::npos);
        QCOMPARE(Json::parse(said.out)["destinations"][0]["name"].get<std::string>(),
                 std::string("crm"));
    }

    void replacesAFileOnlyIfTold() {
        write("precious");
        QCOMPARE(say(Operation{ExportDestinations{path()}}).exit, Exit::usage);
        QCOMPARE(content(), std::string("precious"));
        QCOMPARE(say(Operation{ExportDestinations{path(), false, true}}).exit, Exit::good);
        QVERIFY(content().find("crm.example") != std::string::npos);
    }

    void readsBackWhatItWrote() {
        QCOMPARE(say(Operation{ExportDestinations{path(), true}}).exit, Exit::good);
        const auto said = say(Operation{ImportDestinations{path(), false, true}});
        QCOMPARE(said.exit, Exit::good);
        QVERIFY2(said.out.find("same     crm") != std::string::npos, said.out.c_str());
        QVERIFY(m_engine->commands.empty());
    }

    void anExportWithoutSecretsKeepsThem() {
        QCOMPARE(say(Operation{ExportDestinations{path()}}).exit, Exit::good);
        m_engine->configs[0].policy.maxInFlight = 3;
        QCOMPARE(say(Operation{ImportDestinations{path(), false, true}}).exit, Exit::good);
        QCOMPARE(m_engine->commands.size(), std::size_t(1));
        auto wanted = m_engine->configs[0];
        wanted.policy.maxInFlight = 64;
        QVERIFY(std::get<SetDestination>(m_engine->commands[0]).config == wanted);
    }

    void showsWhatItWouldChange() {
        write(
            "{'destinations': [{'name': 'crm', 'inFlight': 3, 'window': '24h'},"
            "{'name': 'log', 'url': 'http://log.example/'}]}");
        const auto said = say(Operation{ImportDestinations{path(), true}});
        QCOMPARE(said.exit, Exit::good);
        QCOMPARE(said.out, std::string("changes  crm -> https://crm.example/hook (window, "
                                       "inFlight)\nadds     log -> http://log.example/\n"
                                       "Nothing was changed.\n"));
        QVERIFY(m_engine->commands.empty());
    }

    void asksBeforeItChanges_data() {
        QTest::addColumn<bool>("there");
        QTest::addColumn<bool>("agrees");
        QTest::newRow("nobody is there") << false << false;
        QTest::newRow("no") << true << false;
        QTest::newRow("yes") << true << true;
    }
    void asksBeforeItChanges() {
        QFETCH(bool, there);
        QFETCH(bool, agrees);
        write("{'destinations': [{'name': 'crm', 'inFlight': 3}]}");
        std::string asked;
        const Confirm confirm = [&](const std::string& question) {
            asked = question;
            return agrees;
        };
        const auto said =
            say(Operation{ImportDestinations{path()}}, false, there ? confirm : Confirm());
        QCOMPARE(m_engine->commands.size(), std::size_t(agrees ? 1 : 0));
        QCOMPARE(said.exit, there ? Exit::good : Exit::usage);
        if (there) QCOMPARE(asked, std::string("Add 0 destinations and change 1?"));
        if (!there) QVERIFY2(said.err.find("--yes") != std::string::npos, said.err.c_str());
    }

    void aMistakeChangesNothing_data() {
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("in a field") << QByteArray("{'name': 'log', 'url': 1}")
                                    << QByteArray("line 2: destinations[1]: \"url\"");
        QTest::newRow("a new one without an address")
            << QByteArray("{'name': 'log'}") << QByteArray("\"log\": url: ");
        QTest::newRow("settings that do not go together")
            << QByteArray("{'name': 'log', 'url': 'http://h/', 'pinnedCertificate': '" +
                          QByteArray(64, 'a') + "\"}")
            << QByteArray("only an https destination");
    }
    void aMistakeChangesNothing() {
        QFETCH(QByteArray, second);
        QFETCH(QByteArray, says);
        write("{\"destinations\": [{\"name\": \"crm\", \"inFlight\": 3},\n" + second + "]}");
        const auto said = say(Operation{ImportDestinations{path(), false, true}});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find(says.toStdString()) != std::string::npos, said.err.c_str());
        QVERIFY(m_engine->commands.empty());
    }

    void aFaultOnTheWaySaysHowFarItCame() {
        write(
            "{'destinations': [{'name': 'a', 'url': 'http://a/'},"
            "{'name': 'b', 'url': 'http://b/'},"
            "{'name': 'c', 'url': 'http://c/'}]}");
        m_engine->answer = [](const Command& command) {
            CommandResult result;
            const auto* set = std::get_if<SetDestination>(&command);
            if (set && set->config.name == "b") result.error = "The disk is full.";
            return result;
        };
        const auto said = say(Operation{ImportDestinations{path(), false, true}});
        QCOMPARE(said.exit, Exit::fault);
        QCOMPARE(m_engine->commands.size(), std::size_t(2));
        QVERIFY2(said.err.find("\"b\": The disk is full. 1 of 3 were changed") != std::string::npos,
                 said.err.c_str());
    }

private:
    [[nodiscard]] std::string path() const { return m_file.toStdString(); }
    void write(const QByteArray& text) {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        // With single quotes a text reads better in C++.
        file.write(QByteArray(text).replace('\'', '"'));
    }
    [[nodiscard]] std::string content() const {
        QFile file(m_file);
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }

    QString m_file;
};

QTEST_GUILESS_MAIN(DestinationFileTest)
#include "destination_file_test.moc"
