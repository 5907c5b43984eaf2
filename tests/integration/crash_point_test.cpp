// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/kill_world.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <SQLiteCpp/Database.h>

using namespace lanes;
using namespace lanes::test;

namespace {

/// Deaths at each point; LANES_CRASH_TIMES=8 asks for more.
int times() {
    bool good = false;
    const int value = qEnvironmentVariableIntValue("LANES_CRASH_TIMES", &good);
    return good ? value : 2;
}

/// In which part of the program's life the place is looked for.
enum class Phase { running, starting, closing };

}  // namespace

/// Deaths at exactly one place of the work with files; see crash_point.cpp.
class CrashPointTest : public QObject {
    Q_OBJECT

    /// From now on, or after the next start, the calls count.
    bool arm(const QString& file) {
        QFile armed(file);
        return armed.open(QIODevice::WriteOnly);
    }
    static void crashAt(Headless& program, const QByteArray& point, const QString& armed) {
        if (point.isEmpty()) return program.setEnvironment({});
        program.setEnvironment({{QStringLiteral("LD_PRELOAD"), QStringLiteral(LANES_CRASH_POINT)},
                                {QStringLiteral("LANES_CRASH_AT"), QString::fromLatin1(point)},
                                {QStringLiteral("LANES_CRASH_ARMED"), armed}});
    }

    /// One life that ends at the point. Empty, or what was wrong.
    QByteArray dieAt(KillWorld& world, const QByteArray& point, Phase phase, Random& random) {
        auto& program = world.program();
        const auto armed = world.path("armed");
        QFile::remove(armed);
        crashAt(program, point, armed);
        if (phase == Phase::starting && !arm(armed)) return "cannot arm";
        const bool started = program.start();
        crashAt(program, {}, {});
        if (phase == Phase::starting) return started ? "it did not die in its start" : "";
        if (!started) return "it died too early: " + program.errors();
        for (int n = 0; n < 5; ++n) world.send();
        if (!arm(armed)) return "cannot arm";
        if (phase == Phase::closing) program.terminate();
        QDeadlineTimer limit(20'000);
        while (!program.gone() && !limit.hasExpired()) {
            if (phase == Phase::running) world.send();
            if (phase == Phase::running && random.chance(0.3)) world.act();
            QTest::qWait(5);
        }
        return program.gone() ? QByteArray() : QByteArray("it did not die");
    }

    QByteArray dieAgainAndAgain(KillWorld& world, const QByteArray& call, Phase phase, int most) {
        Random random(static_cast<std::uint64_t>(qHash(call)) + static_cast<std::uint64_t>(most));
        for (int time = 0; time < times(); ++time) {
            const auto n = 1 + random.below(static_cast<std::uint64_t>(most));
            const auto point = call + " " + QByteArray::number(static_cast<int>(n));
            auto wrong = dieAt(world, point, phase, random);
            if (wrong.isEmpty() && !world.program().wasKilled()) wrong = "it ended by itself";
            if (wrong.isEmpty()) wrong = world.died();
            if (wrong.isEmpty()) wrong = world.inspect();
            if (wrong.isEmpty()) wrong = world.restart();
            if (!wrong.isEmpty()) return point + ": " + wrong;
            // The next death needs something to die over.
            world.send();
            world.program().kill();
            wrong = world.died();
            if (!wrong.isEmpty()) return point + ": " + wrong;
        }
        return {};
    }

private slots:
    void losesNothingAndKeepsTheOrder_data() {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<Phase>("phase");
        QTest::addColumn<int>("most");
        const auto row = [](const char* name, const char* call, int most,
                            Phase phase = Phase::running) {
            QTest::newRow(name) << QByteArray(call) << phase << most;
        };
        row("before the frames of a commit are written", "write lanes.db-wal before", 20);
        row("amid the frames of a commit", "write lanes.db-wal after", 20);
        row("when the frames of a commit are not synced yet", "sync lanes.db-wal before", 8);
        row("when a commit is synced and nobody knows of it", "sync lanes.db-wal after", 8);
        row("between a commit and its mark", "write lanes.db-mark before", 8);
        row("between the mark and the report of a commit", "write lanes.db-mark after", 8);
        row("before a checkpoint writes into the data file", "write lanes.db before", 4);
        row("amid the writes of a checkpoint", "write lanes.db after", 20);
        row("when a checkpoint is not synced yet", "sync lanes.db before", 3);
        row("when a checkpoint is synced and the log not begun anew", "sync lanes.db after", 3);
        row("before the log is begun anew", "head lanes.db-wal before", 2);
        row("when the log is begun anew", "head lanes.db-wal after", 2);
        row("while the start writes the log again", "write lanes.db-wal after", 1, Phase::starting);
        row("when the start has not synced the log yet", "sync lanes.db-wal before", 1,
            Phase::starting);
        row("when the start has synced the log", "sync lanes.db-wal after", 1, Phase::starting);
        row("amid the last checkpoint of the close", "write lanes.db after", 4, Phase::closing);
        row("before the close empties the log", "truncate lanes.db-wal before", 1, Phase::closing);
        row("when the close has emptied the log", "truncate lanes.db-wal after", 1, Phase::closing);
    }

    void losesNothingAndKeepsTheOrder() {
        QFETCH(QByteArray, call);
        QFETCH(Phase, phase);
        QFETCH(int, most);
        KillWorld world(7);
        QCOMPARE(world.begin(), QByteArray());
        world.send();
        world.program().kill();
        QCOMPARE(world.died(), QByteArray());
        QCOMPARE(dieAgainAndAgain(world, call, phase, most), QByteArray());
        QCOMPARE(world.restart(), QByteArray());
        QCOMPARE(world.settle(), QByteArray());
    }

    void betweenTheAnswerOfAReceiverAndItsCommit() {
        KillWorld world(8);
        Random random(8);
        QCOMPARE(world.begin(), QByteArray());
        for (int time = 0; time < times(); ++time) {
            auto answers = 1 + random.below(100);
            world.crm().setAnswered([&] {
                if (answers > 0 && --answers == 0) world.program().kill();
            });
            while (!world.program().gone()) {
                world.send();
                world.act();
            }
            QCOMPARE(world.died(), QByteArray());
            QCOMPARE(world.inspect(), QByteArray());
            QCOMPARE(world.restart(), QByteArray());
        }
        QCOMPARE(world.settle(), QByteArray());
        QVERIFY(world.crm().duplicates() > 0);
    }

    /// Of a file of the first version, whose story is told at the head of its text.
    void aMigrationIsAllOrNothing() {
        QFile text(QStringLiteral(VERSION_1_FILE));
        QVERIFY(text.open(QIODevice::ReadOnly));
        const auto statements = text.readAll().toStdString();
        int deaths = 0;
        for (const char* call : {"write lanes.db-wal before", "write lanes.db-wal after",
                                 "sync lanes.db-wal before", "sync lanes.db-wal after"}) {
            for (int n = 1; n <= times(); ++n) {
                QTemporaryDir directory;
                const auto data = directory.filePath(QStringLiteral("data"));
                QVERIFY(QDir().mkpath(data));
                SQLite::Database(data.toStdString() + "/lanes.db",
                                 SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
                    .exec(statements);
                const auto armed = directory.filePath(QStringLiteral("armed"));
                QVERIFY(arm(armed));
                Headless program(data);
                crashAt(program, QByteArray(call) + " " + QByteArray::number(n), armed);
                (void)program.start();
                program.kill();
                ++deaths;
                crashAt(program, {}, {});
                QVERIFY2(program.start(), program.errors().constData());
                const auto status =
                    program.tell({QStringLiteral("status"), QStringLiteral("--json")}).json();
                QCOMPARE(status[QStringLiteral("accepted")].toInt(), 16);
                QCOMPARE(status[QStringLiteral("waiting")].toInt(), 12);
                QCOMPARE(status[QStringLiteral("dead")].toInt(), 2);
                QCOMPARE(program.stop(), 0);
                const auto verified = program.tell({QStringLiteral("verify")});
                QVERIFY2(verified.exit == 0, verified.err.constData());
            }
        }
        QVERIFY(deaths > 0);
    }
};

QTEST_GUILESS_MAIN(CrashPointTest)
#include "crash_point_test.moc"
