// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"

#include <QDir>
#include <QFile>
#include <QHostAddress>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <unistd.h>

#include <vector>

using namespace lanes::test;

/// What goes wrong on a real machine: each a clear line that says what to do, the right exit code,
/// and nothing lost.
class BadInputTest : public QObject {
    Q_OBJECT

    static QStringList words(const char* line) {
        return QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }
    QString path(const char* name) const { return m_directory.filePath(QLatin1String(name)); }
    Ran headless(const QString& data, const QStringList& more = {}) const {
        return run(words("headless --listen 0 --quiet --data-dir") + QStringList{data} + more);
    }
    static void saysOneLine(const Ran& ran, int exit, const char* text) {
        QVERIFY2(ran.exit == exit, (QByteArray::number(ran.exit) + ": " + ran.err).constData());
        QVERIFY2(ran.err.contains(text), ran.err.constData());
        QVERIFY2(ran.err.startsWith("rivora-lanes: "), ran.err.constData());
        QVERIFY2(ran.err.count('\n') == 1, ran.err.constData());
    }

private slots:
    void worksWithoutADisplay() {
        QCOMPARE(run(words("--version")).exit, 0);
        QCOMPARE(run(words("--help")).exit, 0);
        const auto facts = run(words("--diagnostics --json"));
        QCOMPARE(facts.exit, 0);
        QVERIFY(facts.json().contains(QStringLiteral("sqlite")));
        saysOneLine(run({}), 2, "headless");
        saysOneLine(run(words("--demo")), 2, "demo --headless");
    }

    void saysThatTheDisplayCannotBeReached() {
        saysOneLine(run({}, 60, {{"DISPLAY", "127.0.0.1:99"}}), 2, "headless");
    }

    void refusesBadUsage() {
        saysOneLine(run(words("frobnicate")), 2, "--help");
        saysOneLine(run(words("destinations add crm ftp://x/")), 2, "http://");
    }

    void saysThatNothingRuns() {
        saysOneLine(run(words("status --data-dir") << path("none")), 3, "rivora-lanes headless");
        QVERIFY(!QFile::exists(path("none")));
    }

    void refusesAPortThatIsInUse() {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost, 0));
        const auto ran =
            run(words("headless --quiet --data-dir") << path("port") << QStringLiteral("--listen")
                                                     << QString::number(other.serverPort()));
        saysOneLine(ran, 3, QByteArray::number(other.serverPort()).constData());
        QVERIFY2(ran.err.contains("--listen"), ran.err.constData());
    }

    void refusesADataDirectoryThatIsAFile() {
        QFile file(path("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        saysOneLine(headless(file.fileName()), 3, "--data-dir");
    }

    void refusesADataDirectoryThatIsReadOnly() {
        if (::geteuid() == 0) QSKIP("rights do not bind root");
        QVERIFY(QDir().mkpath(path("closed")));
        QVERIFY(QFile::setPermissions(path("closed"), QFile::ReadOwner | QFile::ExeOwner));
        saysOneLine(headless(path("closed")), 3, "read-only");
    }

    void refusesWhereNothingCanBeMade() {
        // Not even by root.
        saysOneLine(headless(QStringLiteral("/proc/rivora-lanes")), 3, "--data-dir");
        saysOneLine(headless(QStringLiteral("/sys/kernel")), 3, "--data-dir");
    }

    void refusesADamagedDatabase() {
        Headless engine(path("damaged"));
        QVERIFY(engine.start());
        QCOMPARE(engine.stop(), 0);
        const auto files =
            QDir(path("damaged"))
                .entryInfoList({QStringLiteral("*.db"), QStringLiteral("*.sqlite*")});
        QVERIFY(!files.isEmpty());
        for (const auto& file : files) {
            QFile database(file.filePath());
            QVERIFY(database.open(QIODevice::ReadWrite));
            database.write(QByteArray(int(database.size()), 'x'));
        }
        const auto ran = headless(path("damaged"));
        saysOneLine(ran, 3, "damaged");
        QVERIFY2(QFile::exists(files.first().filePath()), "the damaged file was taken away");
    }

    void refusesABadConfiguration() {
        QFile file(path("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "{\"destinations\": [\n{\"name\": \"crm\", \"url\": \"http://h/\", \"retry\": 1}]}");
        file.close();
        const auto ran = headless(path("config"), {QStringLiteral("--config"), file.fileName()});
        saysOneLine(ran, 2, "\"retry\" is no field");
        QVERIFY2(!QFile::exists(path("config")), "a data directory was made for nothing");
    }

    void refusesASecondInstance() {
        Headless engine(path("single"));
        QVERIFY(engine.start());
        saysOneLine(headless(path("single")), 3, "is in use by pid");
        QCOMPARE(engine.tell(words("status")).exit, 0);
        QCOMPARE(engine.stop(), 0);
    }

    /// LANES_START_TIMES=20 is the full size.
    void letsOneOfManyIn_data() {
        QTest::addColumn<int>("time");
        const int wanted = qEnvironmentVariableIntValue("LANES_START_TIMES");
        for (int time = 1; time <= std::max(wanted, 1); ++time) QTest::addRow("%d", time) << time;
    }
    void letsOneOfManyIn() {
        // The first of them finds no data directory, the others find one.
        std::vector<std::unique_ptr<QProcess>> starts;
        for (int at = 0; at < 20; ++at) {
            starts.push_back(std::make_unique<QProcess>());
            starts.back()->setProcessEnvironment(withoutDisplay());
            starts.back()->start(QStringLiteral(LANES_PROGRAM),
                                 words("headless --listen 0 --quiet --data-dir") << path("many"));
        }
        const auto running = [&] {
            int count = 0;
            for (const auto& start : starts)
                count += start->state() == QProcess::NotRunning ? 0 : 1;
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(running(), 1, 60'000);
        QCOMPARE(run(words("status --data-dir") << path("many")).exit, 0);
        for (const auto& start : starts) {
            if (start->state() == QProcess::NotRunning) {
                QCOMPARE(start->exitCode(), 3);
                continue;
            }
            start->terminate();
            QVERIFY(start->waitForFinished());
            QCOMPARE(start->exitCode(), 0);
        }
    }

    void keepsSecretsOutOfSight() {
        // One word in everything that is secret, and a body that is nobody's business but its own.
        const QByteArray secret = "whsec_" + QByteArray("CANARYCANARYCANARYCANARY").toBase64();
        const QList<QByteArray> canaries = {secret, "CANARY", "PAYLOADCANARY"};
        const auto silent = [&](const QByteArray& text) {
            return std::none_of(canaries.begin(), canaries.end(),
                                [&](const QByteArray& canary) { return text.contains(canary); });
        };
        const auto file = [&](const char* name, const QByteArray& text) {
            QFile out(m_directory.filePath(QLatin1String(name)));
            if (out.open(QIODevice::WriteOnly)) out.write(text);
            return QStringLiteral("@") + out.fileName();
        };
        Headless engine(path("secret"));
        QVERIFY(engine.start(words("--log-rules *=true")));
        const auto added = engine.tell(
            words("destinations add crm http://127.0.0.1:9/ --secret")
            << file("secret.txt", secret) << words("--basic") << file("login.txt", "anna:CANARY")
            << words("--proxy http://127.0.0.1:9 --proxy-login") << file("proxy.txt", "anna:CANARY")
            << words("--header") << QStringLiteral("X-Api-Key: CANARY"));
        QVERIFY2(added.exit == 0, added.err.constData());
        QVERIFY(silent(added.out + added.err));
        const auto key = engine.tell(words("sources add shop --json")).json();
        const auto shop = key.value(QStringLiteral("write_key")).toString().toLatin1();
        QCOMPARE(post(engine.port(), shop, R"({"user":"u","type":"t","payload":"PAYLOADCANARY"})"),
                 202);
        // It is tried and fails: a log of that knows the destination.
        QTRY_VERIFY_WITH_TIMEOUT(engine.tell(words("status")).out.contains("proxy"), 20'000);
        for (const char* command :
             {"destinations list --json", "status --json", "destinations list",
              "sources list --json", "destinations export", "operations list --json",
              "quarantine list --json", "lanes"}) {
            const auto told = engine.tell(words(command));
            QVERIFY2(silent(told.out + told.err) && !told.out.contains(shop), command);
        }
        QVERIFY(silent(run(words("--diagnostics --data-dir") << path("secret")).out));
        QFile line(QStringLiteral("/proc/%1/cmdline").arg(engine.pid()));
        QVERIFY(line.open(QIODevice::ReadOnly));
        QVERIFY(silent(line.readAll()));
        for (const auto& entry : QDir(path("secret")).entryInfoList(QDir::Files | QDir::System))
            QVERIFY2(!(entry.permissions() & (QFile::ReadGroup | QFile::ReadOther)),
                     qPrintable(entry.fileName()));
        QCOMPARE(engine.stop(), 0);
        const auto log = engine.errors();
        QVERIFY2(silent(log) && !log.contains(shop), log.constData());
    }

    void showsAnUnreachableAddress() {
        Headless engine(path("unreachable"));
        QVERIFY(engine.start());
        QCOMPARE(engine.tell(words("destinations add crm http://127.0.0.1:9/")).exit, 0);
        QCOMPARE(
            post(engine.port(), engine.writeKey(), "{\"user\":\"a\",\"type\":\"t\",\"payload\":1}"),
            202);
        QTRY_VERIFY_WITH_TIMEOUT(engine.tell(words("status")).out.contains("refused"), 20'000);
        QCOMPARE(post(engine.port(), "wrong", "{}"), 401);
        QCOMPARE(post(engine.port(), engine.writeKey(), "{"), 400);
        QCOMPARE(engine.stop(), 0);
    }

private:
    QTemporaryDir m_directory;
};

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"
