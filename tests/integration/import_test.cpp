// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"
#include "tests/support/process_figures.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace lanes::test;

namespace {

/// Of the large file; LANES_IMPORT_MIB sets the full size.
int sizeInMebibytes() {
    const int wanted = qEnvironmentVariableIntValue("LANES_IMPORT_MIB");
    return wanted > 0 ? wanted : 64;
}

}  // namespace

/// `rivora-lanes import` with the real program, which is killed and interrupted in the middle.
class ImportTest : public QObject {
    Q_OBJECT

    static constexpr int kUsers = 25;

    std::unique_ptr<QTemporaryDir> m_directory;

    QString data() const { return m_directory->filePath(QStringLiteral("data")); }
    QString file() const { return m_directory->filePath(QStringLiteral("events.ndjson")); }

    /// Events without ids, numbered by user: only the file says which is which.
    void writeFile(int lines, int bytesEach) const {
        QFile out(file());
        if (!out.open(QIODevice::WriteOnly)) qFatal("no file");
        const QByteArray filling(bytesEach, 'x');
        for (int i = 0; i < lines; ++i) {
            const auto user = QByteArray::number(i % kUsers);
            out.write("{\"user\":\"u" + user + "\",\"type\":\"n\",\"payload\":\"" + user + ":" +
                      QByteArray::number(i / kUsers + 1) + ":" + filling + "\"}\n");
        }
    }
    qint64 stored() const {
        return QFileInfo(data() + QStringLiteral("/lanes.db")).size() +
               QFileInfo(data() + QStringLiteral("/lanes.db-wal")).size();
    }
    std::unique_ptr<QProcess> import() const {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(withoutDisplay());
        process->start(QStringLiteral(LANES_PROGRAM),
                       {QStringLiteral("import"), file(), QStringLiteral("--data-dir"), data()});
        return process;
    }
    static bool ends(QProcess& process) {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 120'000);
    }
    Ran importAll(const Headless& engine) const {
        return engine.tell({QStringLiteral("import"), file(), QStringLiteral("--json")});
    }

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void killedInTheMiddleNothingIsTwiceAndNothingMissing() {
        constexpr int kLines = 10'000;
        writeFile(kLines, 4'000);
        OrderReceiver receiver;
        QVERIFY(receiver.listen());
        Headless engine(data());
        QVERIFY(engine.start());
        QCOMPARE(engine
                     .tell({QStringLiteral("destinations"), QStringLiteral("add"),
                            QStringLiteral("crm"), QString::fromLatin1(receiver.url())})
                     .exit,
                 0);
        int inTheMiddle = 0;
        for (const int mebibytes : {4, 6, 8}) {
            const auto before = stored();
            const auto command = import();
            QTRY_VERIFY_WITH_TIMEOUT(stored() > before + (qint64{mebibytes} << 20) ||
                                         command->state() == QProcess::NotRunning,
                                     60'000);
            engine.kill();
            QVERIFY(ends(*command));
            if (command->exitCode() == 3) {
                ++inTheMiddle;
                const auto said = command->readAllStandardError();
                QVERIFY2(said.contains("the same command goes on"), said.constData());
            }
            QVERIFY2(engine.start(), engine.errors().constData());
        }
        QVERIFY2(inTheMiddle > 0, "no kill came in the middle");
        const auto done = importAll(engine);
        QVERIFY2(done.exit == 0, (done.out + done.err).constData());
        QCOMPARE(done.json()[u"state"].toString(), QStringLiteral("finished"));
        QCOMPARE(done.json()[u"lines"].toInt(), kLines);
        QTRY_VERIFY_WITH_TIMEOUT(receiver.accepted().size() >= kLines, 120'000);

        QCOMPARE(receiver.accepted().size(), kLines);
        QCOMPARE(receiver.orderBreaks(), 0);
        QHash<QByteArray, int> last;
        const auto bodies = receiver.bodies();
        for (const auto& body : bodies) {
            const auto parts = body.mid(1).split(':');
            QCOMPARE(parts.value(1).toInt(), last.value(parts[0]) + 1);
            last[parts[0]] = parts[1].toInt();
        }
        QCOMPARE(last.size(), kUsers);
        for (const int number : std::as_const(last)) QCOMPARE(number, kLines / kUsers);
        QCOMPARE(engine.stop(), 0);
        QCOMPARE(engine.tell({QStringLiteral("verify")}).exit, 0);
    }

    void anInterruptEndsItAndTheSameCommandGoesOn() {
        constexpr int kLines = 20'000;
        writeFile(kLines, 4'000);
        Headless engine(data());
        QVERIFY(engine.start());
        const auto before = stored();
        const auto command = import();
        QTRY_VERIFY_WITH_TIMEOUT(stored() > before + (4 << 20), 60'000);
        QCOMPARE(::kill(static_cast<pid_t>(command->processId()), SIGINT), 0);
        QVERIFY(ends(*command));
        const auto out = command->readAllStandardOutput();
        QVERIFY2(command->exitStatus() == QProcess::NormalExit && command->exitCode() == 1,
                 (out + command->readAllStandardError()).constData());
        QVERIFY2(out.startsWith("cancelled: "), out.constData());
        QVERIFY(out.contains("the same command goes on with the rest"));
        const auto rest = importAll(engine);
        QCOMPARE(rest.exit, 0);
        QVERIFY(rest.json()[u"resumed_at"].toInt() > 0);
        QCOMPARE(rest.json()[u"accepted"].toInt(), kLines);
        QCOMPARE(rest.json()[u"duplicates"].toInt(), 0);
        QCOMPARE(engine.stop(), 0);
    }

    void badLinesEndWithOneAndAFileThatIsNotThereWithTwo() {
        QFile out(file());
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("{\"user\":\"u\",\"type\":\"n\",\"payload\":1}\nnonsense\n");
        out.close();
        Headless engine(data());
        QVERIFY(engine.start());
        const auto bad = engine.tell({QStringLiteral("import"), file()});
        QCOMPARE(bad.exit, 1);
        QVERIFY2(bad.out.contains("2 lines: 1 accepted, 0 duplicates, 1 rejected"),
                 bad.out.constData());
        QVERIFY(bad.out.contains(file().toUtf8() + ".rejected.ndjson"));
        const auto missing =
            engine.tell({QStringLiteral("import"), m_directory->filePath(QStringLiteral("no"))});
        QCOMPARE(missing.exit, 2);
        QVERIFY(missing.err.contains("there is no file"));
        const auto input = engine.tell({QStringLiteral("import"), QStringLiteral("-")});
        QCOMPARE(input.exit, 2);
        QVERIFY(input.err.contains("save it to a file"));
        QCOMPARE(engine.stop(), 0);
        const auto nobody = engine.tell({QStringLiteral("import"), file()});
        QCOMPARE(nobody.exit, 3);
    }

    void theMemoryOfTheProgramStaysFlat() {
        const int mebibytes = sizeInMebibytes();
        constexpr int kBytes = 1'000;
        const int lines = static_cast<int>((qint64{mebibytes} << 20) / (kBytes + 45));
        writeFile(lines, kBytes);
        Headless engine(data());
        QVERIFY(engine.start());
        const auto pid = QString::number(
            engine.tell({QStringLiteral("status"), QStringLiteral("--json")})
                .json()[u"pid"]
                .toInt());
        const auto before = restartPeakKib(pid);
        QVERIFY(before > 0);
        const auto done = run({QStringLiteral("import"), file(), QStringLiteral("--json"),
                               QStringLiteral("--data-dir"), data()},
                              3600);
        QCOMPARE(done.exit, 0);
        QCOMPARE(done.json()[u"accepted"].toInt(), lines);
        const auto growth = statusKib("VmHWM", pid) - before;
        qInfo("%d MiB imported: %lld KiB more at the peak", mebibytes,
              static_cast<long long>(growth));
#if !defined(__SANITIZE_ADDRESS__)  // it keeps what was freed
        QVERIFY2(growth <= 64 << 10, QByteArray::number(growth).constData());
#endif
        QCOMPARE(engine.stop(), 0);
    }
};

QTEST_GUILESS_MAIN(ImportTest)
#include "import_test.moc"
