// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/running_instance.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <csignal>

using namespace lanes;
using namespace lanes::app;

/// The command line's import against an engine whose import a script plays.
class ImportRunTest : public QObject, private RunningInstance {
    Q_OBJECT

    /// What the engine shows, one state after the other, each for a moment.
    void play(std::vector<ImportSnapshot> states, int milliseconds = 50) {
        m_engine->answer = [this, states, milliseconds](const Command& command) {
            CommandResult result;
            if (std::holds_alternative<CancelImport>(command)) {
                m_engine->state.fileImport.state = ImportState::cancelled;
                return result;
            }
            result.importNumber = 4;
            for (std::size_t i = 0; i < states.size(); ++i) {
                const auto show = [this, state = states[i]] { m_engine->state.fileImport = state; };
                if (i == 0)
                    show();
                else
                    QTimer::singleShot(static_cast<int>(i) * milliseconds, m_engine.get(), show);
            }
            return result;
        };
    }
    static ImportSnapshot shown(ImportState state, std::uint64_t lines) {
        ImportSnapshot import;
        import.number = 4;
        import.state = state;
        import.file = "/data/events.ndjson";
        import.lines = import.accepted = lines;
        import.bytesRead = lines;
        import.bytesTotal = 1000;
        return import;
    }
    const StartImport& given() const { return std::get<StartImport>(m_engine->commands.at(0)); }

    static ImportFile fileAt(const char* path) {
        ImportFile import;
        import.file = path;
        return import;
    }

private slots:
    void init() { open(std::chrono::seconds(30)); }
    void cleanup() { close(); }

    void whatWasTypedReachesTheEngine() {
        play({shown(ImportState::finished, 1000)});
        QCOMPARE(say(ImportFile{"a/b.ndjson", ImportFormat::segment, "shop", "r", true}).exit,
                 Exit::good);
        QCOMPARE(given().path,
                 QDir::current().absoluteFilePath(QStringLiteral("a/b.ndjson")).toStdString());
        QCOMPARE(given().reportPath,
                 QDir::current().absoluteFilePath(QStringLiteral("r")).toStdString());
        QCOMPARE(given().format, ImportFormat::segment);
        QCOMPARE(given().source, std::string("shop"));
        QVERIFY(given().fromBeginning);
        m_engine->commands.clear();
        QCOMPARE(say(fileAt("/x")).exit, Exit::good);
        QCOMPARE(given().path, std::string("/x"));
        QCOMPARE(given().reportPath, std::string());
        QCOMPARE(given().format, ImportFormat::automatic);
        QVERIFY(!given().fromBeginning);
    }

    void theSummarySaysWhatBecameOfTheLines() {
        auto done = shown(ImportState::finished, 1000);
        done.accepted = 990;
        done.duplicates = 7;
        done.rejected = 3;
        done.report = "/data/events.ndjson.rejected.ndjson";
        play({shown(ImportState::running, 10), done});
        auto said = say(fileAt("/data/events.ndjson"));
        QCOMPARE(said.exit, Exit::checkFailed);
        QVERIFY2(said.out.starts_with("imported /data/events.ndjson: 1000 lines: 990 accepted, "
                                      "7 duplicates, 3 rejected\n"),
                 said.out.c_str());
        QVERIFY(said.out.find("/data/events.ndjson.rejected.ndjson") != std::string::npos);
        said = say(fileAt("/data/events.ndjson"), true);
        QCOMPARE(said.exit, Exit::checkFailed);
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(said.out)).object();
        QCOMPARE(json[u"accepted"].toInt(), 990);
        QCOMPARE(json[u"duplicates"].toInt(), 7);
        QCOMPARE(json[u"rejected"].toInt(), 3);
        QCOMPARE(json[u"state"].toString(), QStringLiteral("finished"));
        QCOMPARE(json[u"report"].toString(), QStringLiteral("/data/events.ndjson.rejected.ndjson"));
        QCOMPARE(said.err, std::string());
    }

    void progressIsTellingEachSecond() {
        auto waits = shown(ImportState::waiting, 500);
        waits.error = "The disk is\nfull.";
        play({waits, shown(ImportState::finished, 1000)}, 1500);
        const auto said = say(fileAt("/data/events.ndjson"));
        QCOMPARE(said.exit, Exit::good);
        QVERIFY2(said.err.starts_with("50 %, 500 lines, waits: The disk is full."),
                 said.err.c_str());
    }

    void whatCannotBeImportedIsAMatterOfUsage() {
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.error = "/tmp is a directory; name a file.";
            return result;
        };
        const auto said = say(fileAt("/tmp"));
        QCOMPARE(said.exit, Exit::usage);
        QCOMPARE(said.err, std::string("rivora-lanes: /tmp is a directory; name a file.\n"));
        QCOMPARE(said.out, std::string());
    }

    void aFailureSaysHowToGoOn() {
        auto failed = shown(ImportState::failed, 600);
        failed.error = "it was cut.";
        play({failed});
        const auto said = say(fileAt("/data/events.ndjson"));
        QCOMPARE(said.exit, Exit::fault);
        QVERIFY(said.out.find("goes on with the rest") != std::string::npos);
        QCOMPARE(said.err, std::string("rivora-lanes: it was cut.\n"));
    }

    void anInterruptCancelsAndSaysHowToGoOn() {
        play({shown(ImportState::running, 600)});
        QTimer waiter;
        connect(&waiter, &QTimer::timeout, &waiter, [this, &waiter] {
            // Its watch is set up as soon as the import is.
            if (m_engine->commands.empty()) return;
            struct sigaction now {};
            ::sigaction(SIGINT, nullptr, &now);
            if (now.sa_handler == SIG_DFL) return;
            waiter.stop();
            ::raise(SIGINT);
        });
        waiter.start(5);
        const auto said = say(fileAt("/data/events.ndjson"));
        QCOMPARE(said.exit, Exit::checkFailed);
        QVERIFY(std::holds_alternative<CancelImport>(m_engine->commands.back()));
        QVERIFY2(said.out.starts_with("cancelled: /data/events.ndjson: 600 lines:"),
                 said.out.c_str());
        QVERIFY(said.out.find("goes on with the rest") != std::string::npos);
    }

    void anInstanceThatEndsIsNoLoss() {
        play({shown(ImportState::running, 600)});
        QTimer::singleShot(300, m_server.get(), [this] { m_server->close(); });
        const auto said = say(fileAt("/data/events.ndjson"));
        QCOMPARE(said.exit, Exit::fault);
        QVERIFY2(said.err.find("the same command goes on") != std::string::npos, said.err.c_str());
    }
};

QTEST_GUILESS_MAIN(ImportRunTest)
#include "import_run_test.moc"
