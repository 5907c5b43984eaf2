// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/kill_world.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTest>
#include <QTimer>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr int kPatience = 60'000;
#if defined(__SANITIZE_ADDRESS__)
constexpr int kKills = 8;
constexpr int kSlowness = 4;  // of a program that a sanitizer watches
#else
constexpr int kKills = 30;
constexpr int kSlowness = 1;
#endif

/// Kills of a plain run, and its seed; LANES_KILLS=200 and LANES_KILL_SEED=n ask for others.
int number(const char* variable, int otherwise) {
    bool good = false;
    const int value = qEnvironmentVariableIntValue(variable, &good);
    return good ? value : otherwise;
}

QStringList words(const QByteArray& line) {
    return QString::fromLatin1(line).split(QLatin1Char(' '));
}

/// One receiver and the program, for one question each.
struct Pair {
    Pair() : program(directory.filePath(QStringLiteral("data"))) {}

    bool begin() {
        return receiver.listen() && program.start() &&
               program.tell(words("destinations add crm " + receiver.url())).exit == 0;
    }
    /// Events of as many users, one each.
    bool send(int users, int first = 0) {
        QByteArray body = "[";
        for (int user = first; user < first + users; ++user)
            body += QByteArray(user > first ? "," : "") + "{\"user\":\"u" +
                    QByteArray::number(user) + "\",\"type\":\"n\",\"payload\":1}";
        return post(program.port(), program.writeKey(), body + "]") == 202;
    }
    /// Sends until so many are in flight at once: the window has to grow to it.
    bool widen(int requests) {
        QDeadlineTimer limit(kPatience);
        receiver.setDelay(10);
        (void)receiver.takeMostOpen();
        for (int most = 0; most < requests; most = std::max(most, receiver.takeMostOpen())) {
            if (limit.hasExpired() || !send(500)) return false;
            QTest::qWait(200);
        }
        return QTest::qWaitFor([this] { return status("waiting") == 0; }, kPatience);
    }
    int status(const char* what) {
        return program.tell(words("status --json")).json()[QLatin1String(what)].toInt(-1);
    }
    QByteArray verify() {
        if (program.stop() != 0) return "it does not stop in order";
        const auto verified = program.tell(words("verify --json"));
        return verified.exit == 0 ? QByteArray() : verified.out + verified.err;
    }

    QTemporaryDir directory{fastPlace()};
    OrderReceiver receiver;
    Headless program;
};

}  // namespace

/// kill -9 in mid-flight, again and again.
class KillTest : public QObject {
    Q_OBJECT

public:
    /// Qt Test gives a function five minutes, which the full size needs more than.
    static void initMain() { qputenv("QTEST_FUNCTION_TIMEOUT", "1800000"); }

private slots:
    void losesNothingAndKeepsTheOrder() {
        const int kills = number("LANES_KILLS", kKills);
        const int seed = number("LANES_KILL_SEED", 1);
        KillWorld world(static_cast<std::uint64_t>(seed));
        Random random(static_cast<std::uint64_t>(seed) + 1);
        QCOMPARE(world.begin(), QByteArray());
        for (int kill = 1; kill <= kills; ++kill) {
            bool killed = false;
            const auto after = static_cast<int>(random.between(200, 2000));
            // It comes in the midst of whatever goes on: a request, a command, a commit.
            QTimer::singleShot(after, this, [&] {
                world.program().kill();
                killed = true;
            });
            while (!killed) {
                world.send();
                if (random.chance(0.4)) world.act();
                QTest::qWait(static_cast<int>(random.below(100)));
            }
            QCOMPARE(world.died(), QByteArray());
            if (kill % 5 == 0) QCOMPARE(world.inspect(), QByteArray());
            QCOMPARE(world.restart(), QByteArray());
        }
        QCOMPARE(world.settle(), QByteArray());
        qInfo("%s", world.told().constData());
    }

    void aHundredThousandWaitingAreReadySoonAndGoOnGently() {
        constexpr int kWaiting = 100'000;
        constexpr int kBatch = 10'000;
        Pair pair;
        bool refusing = false;
        pair.receiver.setAnswer([&](const OrderReceiver::Got&) { return refusing ? 503 : 204; });
        QVERIFY(pair.begin());
        // While it is well the destination shows what it can take, so that this much is known.
        QVERIFY(pair.widen(16));
        refusing = true;
        for (int sent = 0; sent < kWaiting; sent += kBatch) QVERIFY(pair.send(kBatch, sent));
        QTRY_COMPARE_WITH_TIMEOUT(pair.status("waiting"), kWaiting, kPatience);
        pair.program.kill();
        QVERIFY(pair.receiver.senderDied());

        refusing = false;
        pair.receiver.setDelay(100);
        (void)pair.receiver.takeMostOpen();
        const auto before = pair.receiver.requests();
        QElapsedTimer timer;
        timer.start();
        QVERIFY2(pair.program.start(), pair.program.errors().constData());
        const auto ready = timer.restart();
        qInfo("ready after %lld ms with %d waiting", ready, kWaiting);
        QVERIFY2(ready < 20'000, QByteArray::number(ready).constData());
        // One round trip after the other: each may ask for twice as much as the one before.
        QTRY_VERIFY_WITH_TIMEOUT(pair.receiver.requests() > before, kPatience);
        QTest::qWait(60);
        const auto first = pair.receiver.takeMostOpen();
        QVERIFY2(first <= 4, QByteArray::number(first).constData());
        QTRY_VERIFY_WITH_TIMEOUT(pair.receiver.takeMostOpen() >= 8, kPatience);
        qInfo("8 at once after %lld ms", timer.elapsed());
        QCOMPARE(pair.receiver.unexplained(), 0);
        QCOMPARE(pair.receiver.overlaps(), 0);
        QCOMPARE(pair.verify(), QByteArray());
    }

    void allThatWasInFlightGoesOnWithinTwoSeconds() {
        constexpr int kUsers = 24;
        Pair pair;
        QVERIFY(pair.begin());
        for (int turn = 0; turn < 2; ++turn) {
            QVERIFY(pair.widen(kUsers));
            pair.receiver.setDelay(3000);  // nothing is answered before the kill
            QVERIFY(pair.send(kUsers));
            QTRY_COMPARE_WITH_TIMEOUT(pair.receiver.open(), kUsers, kPatience);
            pair.program.kill();
            pair.receiver.setDelay(5);
            QVERIFY(pair.receiver.senderDied());
            const auto before = pair.receiver.arrivals().size();
            QVERIFY2(pair.program.start(), pair.program.errors().constData());
            QElapsedTimer timer;
            timer.start();
            QTRY_COMPARE_WITH_TIMEOUT(pair.receiver.arrivals().size(), before + kUsers, kPatience);
            const auto took = timer.elapsed();
            qInfo("all %d went on after %lld ms", kUsers, took);
            QVERIFY2(took < 2000 * kSlowness, QByteArray::number(took).constData());
            QCOMPARE(pair.receiver.unexplained(), 0);
        }
        QCOMPARE(pair.receiver.duplicates(), 2 * kUsers);
        QCOMPARE(pair.verify(), QByteArray());
    }

    void attemptsAreCountedThoughAnswersGetLost() {
        Pair pair;
        std::uint32_t last = 0;
        pair.receiver.setAnswer([&](const OrderReceiver::Got& got) {
            last = got.attempt;
            return 403;
        });
        QVERIFY(pair.begin());
        bool killing = false;
        // Between the answer and the commit of what it meant.
        pair.receiver.setAnswered([&] {
            if (killing) pair.program.kill();
        });
        QVERIFY(pair.send(1));
        for (int turn = 0; turn < 2; ++turn) {
            killing = true;
            QTRY_VERIFY_WITH_TIMEOUT(pair.program.gone(), kPatience);
            killing = false;
            QVERIFY(pair.receiver.senderDied());
            const auto lost = last;
            QVERIFY2(pair.program.start(), pair.program.errors().constData());
            QTRY_VERIFY_WITH_TIMEOUT(last > lost, kPatience);
        }
        QCOMPARE(pair.receiver.wrongNumbers(), 0);
        const auto event = pair.program.tell(words("events show 1 --json")).json();
        const auto attempts = event[QStringLiteral("attempts")].toArray();
        QVERIFY2(attempts.size() >= 2, QByteArray::number(attempts.size()).constData());
        QCOMPARE(pair.verify(), QByteArray());
    }
};

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
