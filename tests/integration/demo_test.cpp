// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::test;

/// The demonstration and the console, as a user starts them.
class DemoTest : public QObject {
    Q_OBJECT

    static QStringList words(const char* line) {
        return QString::fromLatin1(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }

private slots:
    void keepsItsPromises() {
        const auto ran = run(words("demo --headless --for 8s --json"), 120);
        QVERIFY2(ran.exit == 0, (ran.out + ran.err).constData());
        const auto report = ran.json();
        const auto number = [&](const char* key) { return report[QLatin1String(key)].toInt(-1); };
        QVERIFY(number("accepted") > 100);
        QCOMPARE(number("delivered"), number("accepted"));
        for (const char* key :
             {"waiting", "dead", "discarded", "order_violations", "promises_broken"})
            QVERIFY2(number(key) == 0, key);
        QVERIFY2(number("most_dead") > 0, ran.out.constData());
        QVERIFY2(number("rewound") > 0, ran.out.constData());
        QVERIFY(number("duplicates") <= number("unknown"));
    }

#ifdef LANES_CONSOLE
    void raisesTheWindowThatIsThere() {
        QTemporaryDir directory;
        auto environment = withoutDisplay();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), directory.path());
        const QStringList arguments =
            words("--demo --data-dir") + QStringList{directory.filePath(QStringLiteral("data"))};
        const auto start = [&](QProcess& process) {
            process.setProcessEnvironment(environment);
            process.start(QStringLiteral(LANES_PROGRAM), arguments);
        };
        QProcess first;
        start(first);
        const auto state = [&] {
            return run(words("status --json --data-dir") << arguments.last())
                .json()[QStringLiteral("accepted")]
                .toInt();
        };
        QTRY_VERIFY_WITH_TIMEOUT(state() > 0, 60'000);
        QProcess second;
        start(second);
        QVERIFY(second.waitForFinished());
        QVERIFY2(second.exitCode() == 0, second.readAllStandardError().constData());
        QVERIFY(second.readAllStandardOutput().contains("brought to the front"));
        first.terminate();
        QVERIFY(first.waitForFinished());
        QCOMPARE(first.exitStatus(), QProcess::NormalExit);
        QVERIFY2(first.exitCode() == 0, first.readAllStandardError().constData());
        const auto verified = run(words("verify --data-dir") << arguments.last());
        QVERIFY2(verified.exit == 0, (verified.out + verified.err).constData());
    }

    void takesPictures() {
        QTemporaryDir directory;
        const auto shots = directory.filePath(QStringLiteral("shots"));
        const auto ran = run(words("demo --headless --for 8s --json --shots") << shots, 180);
        QVERIFY2(ran.exit == 0, (ran.out + ran.err).constData());
        QVERIFY(QFile::exists(shots + QStringLiteral("/outage-light-1280x720.png")));
        QVERIFY(QFile::exists(shots + QStringLiteral("/dead-letters-dark-2560x1440.png")));
    }
#endif
};

QTEST_GUILESS_MAIN(DemoTest)
#include "demo_test.moc"
