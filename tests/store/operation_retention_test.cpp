// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/config.h"
#include "engine/store/connection.h"
#include "engine/store/operation_records.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr auto kRewind = OperationKind::rewind;
constexpr auto kFinished = OperationState::finished;

OperationRow row(std::uint64_t id, OperationKind kind, OperationState state, std::uint64_t done) {
    auto operation = operationRow(id, kind, state);
    operation.asked = operation.done = done;
    return operation;
}

/// So many members from a sequence on.
OperationSet members(std::uint64_t first, std::uint64_t count) {
    std::vector<OperationMember> all;
    for (std::uint64_t n = 0; n < count; ++n)
        all.push_back({{DestinationId(1), Sequence(first + n)}, UserId(n + 1), 1});
    return operationSet(std::move(all));
}

std::vector<std::uint64_t> kept(const OpenStore& open) {
    std::vector<std::uint64_t> ids;
    for (const auto& operation : open.store->openPageReader()->operations({}).rows)
        ids.push_back(operation.id.value);
    return ids;
}

}  // namespace

class TestOperationRetention : public QObject {
    Q_OBJECT

private slots:
    void operationsGoWhenTheirEventsHaveLeftTheLogOrAfterLong() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string path = temporary.path().toStdString() + "/data";
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 10 * kMillisecond;
        const std::uint64_t many = store::kSetPart * 2 + 10;
        {
            OpenStore open(options);
            QVERIFY(open.commit(destinationsBatch(1)));
            QVERIFY(open.accept({newEvent("1", 1, {1})}).stored);
            WriteBatch batch;
            auto delivered = row(1, kRewind, kFinished, many);  // nothing of it is in the log
            delivered.delivered = many;
            batch.operations.push_back({delivered, members(1'000, many)});
            for (std::uint64_t n = 0; n < many; n += 2)
                batch.skips.push_back({OperationId(1), n, SkipReason::notDead});
            // The last of its events is event 1, which is in the log.
            auto one = members(5'000, many);
            auto last = *one;
            last.back().pointer.sequence = Sequence(1);
            batch.operations.push_back(
                {row(2, OperationKind::discard, kFinished, many), operationSet(std::move(last))});
            batch.operations.push_back({row(3, OperationKind::setting, kFinished, 0)});
            auto stopped = row(4, kRewind, OperationState::stopped, 3);
            stopped.delivered = 2;  // one waits
            batch.operations.push_back({stopped, members(3'000, 3)});
            auto over = row(5, kRewind, OperationState::stopped, 3);
            over.delivered = over.asked;
            batch.operations.push_back({over, members(3'000, 3)});
            batch.operations.push_back(
                {row(6, OperationKind::undo, OperationState::moving, 0), members(3'000, 3)});
            batch.operations.push_back({row(7, kRewind, kFinished, 1)});  // no set is known of it
            batch.operations.push_back(
                {row(8, OperationKind::discard, kFinished, 1), members(3'000, 1)});
            QVERIFY(open.commit(std::move(batch)));
            QCOMPARE(kept(open).size(), std::size_t{8});
            // 8 is the newest one: its number must not be given again.
            QTRY_COMPARE_WITH_TIMEOUT(kept(open), (std::vector<std::uint64_t>{8, 7, 6, 4, 3, 2}),
                                      20'000);
            const auto database = store::openForReading(store::dataFile(path));
            const auto count = [&](const char* sql) { return store::queryNumber(*database, sql); };
            QCOMPARE(count("SELECT COUNT(*) FROM operation_sets WHERE operation IN (1, 5)"), 0);
            QCOMPARE(count("SELECT COUNT(*) FROM operation_sets WHERE operation=2"), 3);
            QCOMPARE(count("SELECT COUNT(*) FROM operation_skips"), 0);
            now = kTestTime + limits::kOperationRetention + kHour;
            QTRY_COMPARE_WITH_TIMEOUT(kept(open), (std::vector<std::uint64_t>{8, 6, 4}), 20'000);
            QCOMPARE(faultOf(path), std::string());
        }
        const OpenStore reopened(options);
        QCOMPARE(reopened.error, std::string());
        QCOMPARE(reopened.recovery.lastOperation.value, 8u);
        QCOMPARE(reopened.recovery.operations.size(), std::size_t{2});
    }

    void pagesOfOperationsJoinBothWays() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        OpenStore open(optionsFor(temporary.path().toStdString() + "/data"));
        WriteBatch batch;
        for (std::uint64_t id = 1; id <= 25; ++id)
            batch.operations.push_back({row(id, OperationKind::setting, kFinished, 0)});
        QVERIFY(open.commit(std::move(batch)));
        const auto reader = open.store->openPageReader();
        for (const bool up : {false, true}) {
            OperationQuery query;
            query.limit = 10;
            if (up) query.after = OperationId(1);
            std::vector<std::uint64_t> ids;
            for (bool complete = false; !complete;) {
                const auto page = reader->operations(query);
                QCOMPARE(page.error, std::string());
                std::vector<std::uint64_t> found;
                for (const auto& operation : page.rows) found.push_back(operation.id.value);
                QVERIFY(std::is_sorted(found.rbegin(), found.rend()));
                ids.insert(up ? ids.begin() : ids.end(), found.begin(), found.end());
                complete = page.complete;
                if (up && !found.empty()) query.after = OperationId(found.front());
                if (!up && !found.empty()) query.before = OperationId(found.back());
            }
            QCOMPARE(ids.size(), std::size_t{up ? 24u : 25u});
            QVERIFY(std::is_sorted(ids.rbegin(), ids.rend()));
        }
    }
};

QTEST_GUILESS_MAIN(TestOperationRetention)
#include "operation_retention_test.moc"
