// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo_report.h"

#include "app/demo_story.h"

#include <QTest>

using namespace lanes;
using namespace lanes::app;

class DemoReportTest : public QObject {
    Q_OBJECT

    static EngineSnapshot goodEnd() {
        EngineSnapshot snapshot;
        snapshot.totals = {100, 100, 0, 0, 0};
        snapshot.intake.acceptedEvents = 50;
        DestinationSnapshot state;
        state.attempts = 110;
        state.outcomes[static_cast<std::size_t>(Outcome::delivered)] = 100;
        state.outcomes[static_cast<std::size_t>(Outcome::unreachable)] = 8;
        state.outcomes[static_cast<std::size_t>(Outcome::unknown)] = 2;
        snapshot.destinations = {state};
        return snapshot;
    }
    static std::vector<MockReport> goodLedgers() {
        MockReport mock;
        mock.requests = 101;
        mock.accepted = 101;
        mock.duplicates = 1;
        return {mock};
    }
    static TrafficReport goodTraffic() {
        TrafficReport traffic;
        traffic.sent = traffic.accepted = 50;
        return traffic;
    }

private slots:
    void findsNothingBroken() {
        const auto report = judge(goodEnd(), goodLedgers(), goodTraffic(), true);
        QVERIFY2(report.broken.empty(), report.broken.empty() ? "" : report.broken[0].c_str());
        const auto json = toJson(report);
        QCOMPARE(json["promises_broken"].get<int>(), 0);
        for (const char* key : {"accepted", "delivered", "waiting", "dead", "discarded",
                                "duplicates", "unknown", "order_violations", "seconds"})
            QVERIFY2(json.contains(key), key);
    }

    void findsEachBrokenPromise_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QByteArray>("promise");
        QTest::newRow("an answered event is missing") << 0 << QByteArray("P1");
        QTest::newRow("a delivery came out of order") << 1 << QByteArray("P2");
        QTest::newRow("a lane had two requests in flight") << 2 << QByteArray("P3");
        QTest::newRow("a duplicate without an unknown outcome") << 3 << QByteArray("P4");
        QTest::newRow("a request that is in no log") << 4 << QByteArray("P5");
        QTest::newRow("a logged attempt that nobody saw") << 5 << QByteArray("P5");
        QTest::newRow("counts that do not add up") << 6 << QByteArray("P7");
        QTest::newRow("a signature that does not verify") << 7 << QByteArray("signatures");
        QTest::newRow("events that wait at the end") << 8 << QByteArray("still waited");
    }
    void findsEachBrokenPromise() {
        QFETCH(int, which);
        QFETCH(QByteArray, promise);
        auto end = goodEnd();
        auto ledgers = goodLedgers();
        auto traffic = goodTraffic();
        if (which == 0) traffic.accepted = 51;
        if (which == 1) ledgers[0].orderViolations = 1;
        if (which == 2) ledgers[0].overlaps = 1;
        if (which == 3) ledgers[0].duplicates = 3;
        if (which == 4) ledgers[0].requests = 103;
        if (which == 5) ledgers[0].requests = 99;
        if (which == 6) ++end.totals.accepted;
        if (which == 7) ledgers[0].badSignatures = 1;
        const auto report = judge(end, ledgers, traffic, which != 8);
        QCOMPARE(report.broken.size(), std::size_t(1));
        QVERIFY2(report.broken[0].find(promise.toStdString()) != std::string::npos,
                 report.broken[0].c_str());
    }

    void makesTheClockFitTheStory() {
        for (const Micros length : {5 * kSecond, 20 * kSecond, 10 * kMinute, 24 * kHour}) {
            const auto scale = storyClockScale(length);
            QVERIFY(scale >= 1.0 && scale <= 2160.0);
            // The shortest window must be over well within the outage, which is 0.43 of the story.
            QVERIFY(0.43 * double(length) * scale > 1.5 * double(kMinute));
        }
    }
};

QTEST_GUILESS_MAIN(DemoReportTest)
#include "demo_report_test.moc"
