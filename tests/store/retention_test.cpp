// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/store/connection.h"
#include "engine/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

class TestRetention : public QObject {
    Q_OBJECT

private slots:
    void finishedEventsGoAndOpenOnesStay() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(directory);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        std::vector<NewEvent> events;
        for (std::uint64_t n = 1; n <= 3'000; ++n)
            events.push_back(newEvent(std::to_string(n), n % 50, {1, 2}));
        {
            OpenStore open(options);
            QVERIFY(open.commit(destinationsBatch(2)));
            QVERIFY(open.accept(events).stored);
            // Destination 1 delivers all; at destination 2 some wait, some are dead, some given up.
            WriteBatch batch;
            for (std::uint64_t n = 1; n <= 3'000; ++n) {
                batch.journal.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n)));
                if (n % 10 == 0) continue;
                auto second = journalEntry(JournalKind::attempt, 2, Sequence(n));
                if (n % 10 <= 2) second.kind = JournalKind::deadLettered;
                batch.journal.push_back(second);
                if (n % 10 == 2) {
                    second.kind = JournalKind::discarded;
                    batch.journal.push_back(second);
                }
                if (n == 3'000 - 5) batch.journal.back().at = kTestTime + 8 * 24 * kHour;
            }
            QVERIFY(open.commit(std::move(batch)));
            const auto reader = open.store->openEventReader();
            QVERIFY(reader->read(Sequence(3)).has_value());
            now = kTestTime + 8 * 24 * kHour;
            QTRY_VERIFY_WITH_TIMEOUT(!reader->read(Sequence(2'999)).has_value(), 10'000);
            for (std::uint64_t n = 1; n <= 3'000; ++n) {
                const bool open_ = n % 10 == 0 || n % 10 == 1;
                const bool justFinished = n == 3'000 - 5;
                // A pass may begin while the index is written; then the next one takes the rest.
                QTRY_COMPARE_WITH_TIMEOUT(reader->read(Sequence(n)).has_value(),
                                          open_ || justFinished, 10'000);
            }
            // An id that is gone from the log is new again; one that is there is not.
            const auto again = open.accept({events[2], events[0]});
            QVERIFY(!again.events.at(0).duplicate);
            QVERIFY(again.events.at(1).duplicate);
            const auto verdict = std::get<VerifyReport>(verifyDataDirectory(directory));
            QCOMPARE(verdict.unbalanced, 0u);
            AttemptQuery query;
            query.sequence = Sequence(3);
            QVERIFY(open.store->openPageReader()->attempts(query).rows.empty());
            query.sequence = Sequence(10);
            QCOMPARE(open.store->openPageReader()->attempts(query).rows.size(), std::size_t{1});
        }
        const OpenStore reopened(options);
        QCOMPARE(reopened.error, std::string());
        QVERIFY((reopened.destination(1)->counters == DeliveryCounters{3'001, 3'000, 1, 0, 0}));
        QVERIFY(
            (reopened.destination(2)->counters == DeliveryCounters{3'001, 2'100, 301, 300, 300}));
        QCOMPARE(std::get<VerifyReport>(verifyDataDirectory(directory)).unbalanced, 0u);
    }

    void rewoundEventsStayAndReturnedOnesGoByWhereTheyWent() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(directory);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        constexpr auto kFailed = Outcome::failed;
        constexpr auto kDelivered = Outcome::delivered;
        {
            OpenStore open(options);
            QVERIFY(open.commit(destinationsBatch(1)));
            std::vector<NewEvent> events;
            for (std::uint64_t n = 1; n <= 5; ++n)
                events.push_back(newEvent(std::to_string(n), n, {1}));
            QVERIFY(open.accept(events).stored);
            WriteBatch batch;
            for (const std::uint64_t n : {1u, 2u, 5u})
                batch.journal.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n)));
            for (const std::uint64_t n : {3u, 4u}) {
                batch.journal.push_back(
                    journalEntry(JournalKind::deadLettered, 1, Sequence(n), kFailed));
            }
            for (std::uint64_t n = 1; n <= 4; ++n) {
                batch.journal.push_back(actEntry(JournalKind::rewound, 1, Sequence(n), 1, 2,
                                                 n <= 2 ? kDelivered : kFailed));
            }
            const std::vector<JournalEntry> ends{
                actEntry(JournalKind::returned, 1, Sequence(2), 2, 2, kDelivered),
                actEntry(JournalKind::returned, 1, Sequence(3), 2, 2, kFailed),
                actEntry(JournalKind::attempt, 1, Sequence(4), 1, 2, kDelivered)};
            batch.journal.insert(batch.journal.end(), ends.begin(), ends.end());
            for (const std::uint64_t n : {1u, 4u}) {
                batch.versions.push_back(
                    {{DestinationId(1), Sequence(n)}, OperationId(1), kTestTime, "other"});
            }
            QVERIFY(open.commit(std::move(batch)));
            now = kTestTime + 8 * 24 * kHour;
            const auto reader = open.store->openEventReader();
            QTRY_VERIFY_WITH_TIMEOUT(!reader->read(Sequence(5)).has_value(), 10'000);
            for (std::uint64_t n = 1; n <= 5; ++n)
                QCOMPARE(reader->read(Sequence(n)).has_value(), n == 1 || n == 3);
            QCOMPARE(faultOf(directory), std::string());
        }
        const OpenStore reopened(options);
        QCOMPARE(reopened.error, std::string());
        QVERIFY((reopened.destination(1)->counters == DeliveryCounters{5, 3, 1, 1, 0}));
        QVERIFY((reopened.recovery.versions ==
                 std::vector<Pointer>{{DestinationId(1), Sequence(1)}}));
        QCOMPARE(faultOf(directory), std::string());
    }
};

QTEST_GUILESS_MAIN(TestRetention)
#include "retention_test.moc"
