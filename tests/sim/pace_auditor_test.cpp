// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/pace_auditor.h"

#include "tests/sim/history.h"

#include <QTest>

#include <functional>

using namespace lanes;
using namespace lanes::sim;

namespace {

}  // namespace

/// As the auditor sees it, because the two look at the same things.
class PaceAuditorTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsAGoodPace_data();
    void acceptsAGoodPace();
    void catchesABadPace_data();
    void catchesABadPace();
};

void PaceAuditorTest::acceptsAGoodPace_data() {
    QTest::addColumn<Play>("play");
    QTest::newRow("a restarted engine sends two at once after five answers")
        << Play([](History& h) {
               for (std::uint64_t i = 1; i <= 7; ++i) h.accept(i, UserId(i));
               h.comeBack();
               for (std::uint64_t i = 1; i <= 5; ++i) {
                   h.setTime(h.now() + 50 * kMillisecond);
                   h.deliver(i, 1, 1, UserId(i));
               }
               h.start(6, 1, 1, UserId(6));
               h.start(7, 1, 1, UserId(7));
           });
    QTest::newRow("requests from before a wake are not counted against it")
        << Play([](History& h) {
               for (std::uint64_t i = 1; i <= 3; ++i) h.accept(i, UserId(i));
               h.start(1, 1, 1, UserId(1));
               h.start(2, 1, 1, UserId(2));
               h.setTime(kSecond);
               h.auditor.woke();
               h.start(3, 1, 1, UserId(3));
           });
    QTest::newRow("a restarted engine sends one a second without an answer")
        << Play([](History& h) {
               for (std::uint64_t i = 1; i <= 3; ++i) h.accept(i, UserId(i));
               h.comeBack();
               for (std::uint64_t i = 1; i <= 3; ++i) {
                   h.setTime(h.now() + kSecond);
                   h.start(i, 1, 1, UserId(i));
               }
           });
    QTest::newRow("a dead destination is asked once a second, each lane in its turn")
        << Play([](History& h) {
               h.die();
               for (std::uint64_t i = 11; i <= 20; ++i) {
                   h.setTime(h.now() + kSecond);
                   h.fail(h.start(i, 1, 1, UserId(i)));
               }
               h.setTime(h.now() + kSecond);
               h.start(1, 2, 1, UserId(1));
           });
    QTest::newRow("a lane is asked again after its Retry-After") << Play([](History& h) {
        h.accept(1);
        h.fail(h.start(1), 429, 10 * kSecond);
        h.setTime(10 * kSecond);
        h.start(1, 2);
    });
    QTest::newRow("one lane that is told to wait twice does not silence the others")
        << Play([](History& h) {
               h.accept(1);
               h.accept(2, kBert);
               h.fail(h.start(1), 503, kSecond);
               h.setTime(2 * kSecond);
               h.fail(h.start(1, 2), 503, 10 * kSecond);
               h.start(2, 1, 1, kBert);
           });
}

void PaceAuditorTest::acceptsAGoodPace() {
    QFETCH(Play, play);
    QCOMPARE(found(play, false).join('\n'), QByteArray());
}

void PaceAuditorTest::catchesABadPace_data() {
    QTest::addColumn<Play>("play");
    QTest::addColumn<QByteArray>("rule");
    const auto planted = [](const char* name, const char* rule, Play play) {
        QTest::newRow(name) << std::move(play) << QByteArray(rule);
    };
    planted("a restarted engine sends two requests at once", "P8", [](History& h) {
        h.accept(1);
        h.accept(2, kBert);
        h.comeBack();
        h.start(1);
        h.start(2, 1, 1, kBert);
    });
    planted("a woken engine sends two requests at once after one answer", "P8", [](History& h) {
        for (std::uint64_t i = 1; i <= 3; ++i) h.accept(i, UserId(i));
        h.auditor.woke();
        h.setTime(kSecond);
        h.deliver(1, 1, 1, UserId(1));
        h.start(2, 1, 1, UserId(2));
        h.start(3, 1, 1, UserId(3));
    });
    planted("a destination that lives again gets two requests at once", "P8", [](History& h) {
        h.die();
        h.setTime(h.now() + kSecond);
        h.deliver(11, 1, 1, UserId(11));
        h.start(12, 1, 1, UserId(12));
        h.start(13, 1, 1, UserId(13));
    });
    planted("a dead destination is asked twice within a second", "probe", [](History& h) {
        h.die();
        h.setTime(h.now() + kSecond);
        h.fail(h.start(11, 1, 1, UserId(11)));
        h.setTime(h.now() + 900 * kMillisecond);
        h.start(12, 1, 1, UserId(12));
    });
    planted("a lane is asked twice while another waits for its turn", "turn", [](History& h) {
        h.die();
        h.setTime(h.now() + kSecond);
        h.fail(h.start(11, 1, 1, UserId(11)));
        h.setTime(h.now() + kSecond);
        h.start(11, 2, 1, UserId(11));
    });
    planted("a lane is asked before its own Retry-After is over", "retry-after", [](History& h) {
        h.accept(1);
        h.fail(h.start(1), 429, 10 * kSecond);
        h.setTime(9 * kSecond);
        h.start(1, 2);
    });
    planted("the next event of a lane is tried before its Retry-After is over", "retry-after",
            [](History& h) {
                h.accept(1);
                h.accept(2);
                h.fail(h.start(1), 429, 10 * kSecond);
                h.log(JournalKind::deadLettered, 1);
                h.setTime(9 * kSecond);
                h.start(2);
            });
    planted("a third lane is asked after two were told to wait", "silence", [](History& h) {
        for (std::uint64_t i = 1; i <= 3; ++i) h.accept(i, UserId(i));
        h.fail(h.start(1, 1, 1, UserId(1)), 503, 10 * kSecond);
        h.setTime(4 * kSecond);
        h.fail(h.start(2, 1, 1, UserId(2)), 503, 10 * kSecond);
        h.setTime(13 * kSecond);
        h.start(3, 1, 1, UserId(3));
    });
    planted("a resumed destination gets two requests at once", "P8", [](History& h) {
        h.accept(1);
        h.accept(2, kBert);
        h.auditor.commandDone(h.pause(), {});
        h.resume();
        h.auditor.setTime(kSecond);
        h.start(1);
        h.start(2, 1, 1, kBert);
    });
}

void PaceAuditorTest::catchesABadPace() {
    QFETCH(Play, play);
    QFETCH(QByteArray, rule);
    const auto all = found(play, true);
    QVERIFY2(all.contains(rule), all.join(' ').constData());
}

QTEST_GUILESS_MAIN(PaceAuditorTest)
#include "pace_auditor_test.moc"
