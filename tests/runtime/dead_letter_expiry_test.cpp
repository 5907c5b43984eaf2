// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/engine_world.h"

#include "engine/runtime/dead_letter_expiry.h"
#include "engine/verify.h"

#include <QTemporaryDir>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr WallMicros kWall = 1'790'000'000'000'000;
constexpr Micros kKept = 90 * 24 * kHour;

DeadBefore answer(std::size_t count, bool complete) {
    DeadBefore found;
    for (std::size_t n = 1; n <= count; ++n)
        found.pointers.push_back({DestinationId(1), Sequence(n)});
    if (count > 0) found.last = {5, found.pointers.back()};
    found.complete = complete;
    return found;
}

}  // namespace

class DeadLetterExpiryTest : public QObject {
    Q_OBJECT

private slots:
    void aPassGoesOnWhereTheLastChunkEnded() {
        DeadLetterExpiry expiry(kKept, 0);
        auto query = expiry.due(0, kWall);
        QVERIFY(query.has_value());
        QCOMPARE(query->diedBefore, kWall - kKept);
        QCOMPARE(query->after.diedAt, 0);
        expiry.found(answer(3, false), 0);
        QVERIFY(!expiry.due(kSecond, kWall + kSecond));
        query = expiry.due(10 * kSecond, kWall + 10 * kSecond);
        QVERIFY(query.has_value());
        QCOMPARE(query->after.pointer.sequence.value, 3u);
        expiry.found(answer(2, true), 10 * kSecond);
        QVERIFY(!expiry.due(kMinute, kWall + kMinute));
        query = expiry.due(11 * kMinute, kWall + 11 * kMinute);
        QVERIFY(query.has_value());
        QCOMPARE(query->after.pointer.sequence.value, 0u);
    }

    void aClockThatWasSetIsNotBelieved() {
        constexpr Micros kYear = 365 * 24 * kHour;
        DeadLetterExpiry expiry(kKept, kHour);
        QVERIFY(!expiry.due(0, kWall));
        QVERIFY(!expiry.due(kHour - kSecond, kWall + kHour - kSecond));
        QVERIFY(expiry.due(kHour, kWall + kHour));
        // A year ahead, and back after twenty minutes: nothing was looked for.
        QVERIFY(!expiry.due(kHour + kSecond, kWall + kYear));
        QVERIFY(!expiry.due(kHour + 20 * kMinute, kWall + kYear + 20 * kMinute));
        QVERIFY(!expiry.due(kHour + 21 * kMinute, kWall + kHour + 21 * kMinute));
        QVERIFY(!expiry.due(2 * kHour, kWall + 2 * kHour));
        QVERIFY(expiry.due(2 * kHour + 21 * kMinute, kWall + 2 * kHour + 21 * kMinute));
    }

    void anEngineDiscardsWhatIsPastItsRetention() {
        const QTemporaryDir directory;
        const auto mocks = makeMockControl();
        {
            World world(directory.path());
            QVERIFY(world.start());
            const auto url = mocks->addMock("crm", behaviour(422), "", 1, 0);
            auto strict = destination("crm", url);
            strict.policy.deadLetterStatuses = {422};
            QVERIFY(world.command(SetDestination{strict}).ok());
            QCOMPARE(world.postEvents(6, 1), 202);
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().dead, 6u, kPatience);
            const auto held = world.engine->openPageReader()->deadLetters({}).rows[0];
            QVERIFY(world.command(HoldLane{{held.pointer.destination, held.userId},
                                           held.user.text, "anna", "asked"})
                        .ok());
            world.engine->stop();
            QTRY_COMPARE_WITH_TIMEOUT(world.engine->snapshot()->lifecycle, Lifecycle::stopped,
                                      kPatience);
        }
        {
            World world(directory.path(), [](EngineOptions& options) {
                options.deadLetterRetention = kMillisecond;
                options.steadyClock = 0;
            });
            QVERIFY(world.start());
            QTRY_COMPARE_WITH_TIMEOUT(world.totals().discarded, 5u, kPatience);
            QCOMPARE(world.totals().dead, 1u);
            const auto reader = world.engine->openPageReader();
            QTRY_COMPARE_WITH_TIMEOUT(reader->deadLetters({}).rows.size(), std::size_t{1},
                                      kPatience);
            const auto operations = reader->operations({}).rows;
            QCOMPARE(operations.front().kind, OperationKind::expire);
            QCOMPARE(operations.front().who, std::string("retention"));
            world.engine->stop();
            QTRY_COMPARE_WITH_TIMEOUT(world.engine->snapshot()->lifecycle, Lifecycle::stopped,
                                      kPatience);
        }
        const auto verdict =
            std::get<VerifyReport>(verifyDataDirectory(directory.path().toStdString()));
        QVERIFY2(verdict.clean(), verdict.findings.empty() ? "" : verdict.findings[0].c_str());
    }
};

QTEST_GUILESS_MAIN(DeadLetterExpiryTest)
#include "dead_letter_expiry_test.moc"
