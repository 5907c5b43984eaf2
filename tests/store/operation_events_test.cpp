// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/store/operation_records.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint64_t kRewind = 7;
constexpr auto kFailed = Outcome::failed;

JournalEntry act(JournalKind kind, std::uint64_t sequence, std::uint64_t operation = kRewind,
                 std::uint32_t life = 2, Outcome outcome = kFailed) {
    return actEntry(kind, 1, Sequence(sequence), operation, life, outcome);
}

/// Eleven events died; the rewind was asked for all but the last, and each took another way.
std::vector<JournalEntry> whatHappened() {
    std::vector<JournalEntry> entries;
    for (std::uint64_t n = 1; n <= 11; ++n) {
        entries.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n), kFailed));
        entries.push_back(journalEntry(JournalKind::deadLettered, 1, Sequence(n), kFailed));
    }
    for (std::uint64_t n = 2; n <= 8; ++n) entries.push_back(act(JournalKind::rewound, n));
    auto unknown = act(JournalKind::attempt, 3, kRewind, 2, Outcome::unknown);
    unknown.status = 0;
    const std::vector<JournalEntry> more{
        act(JournalKind::attempt, 3),
        unknown,
        act(JournalKind::attempt, 4),
        act(JournalKind::attempt, 4, kRewind, 2, Outcome::delivered),
        act(JournalKind::attempt, 5),
        act(JournalKind::deadLettered, 5),
        act(JournalKind::returned, 6, 8),
        act(JournalKind::deadLettered, 7),
        act(JournalKind::discarded, 7, 9),
        act(JournalKind::attempt, 8, kRewind, 2, Outcome::delivered),
        act(JournalKind::rewound, 8, 10, 3, Outcome::delivered),
        act(JournalKind::attempt, 8, 10, 3),
    };
    entries.insert(entries.end(), more.begin(), more.end());
    // The other destination is another story.
    for (std::uint64_t n = 1; n <= 11; ++n)
        entries.push_back(journalEntry(JournalKind::attempt, 2, Sequence(n)));
    return entries;
}

OperationSet setOf(std::uint64_t first, std::uint64_t last) {
    std::vector<OperationMember> members;
    for (std::uint64_t n = first; n <= last; ++n)
        members.push_back({{DestinationId(1), Sequence(n)}, UserId(n), 1});
    return operationSet(std::move(members));
}

}  // namespace

class TestOperationEvents : public QObject {
    Q_OBJECT

private:
    void fill(OpenStore& open) {
        QVERIFY(open.commit(destinationsBatch(2)));
        std::vector<NewEvent> events;
        for (std::uint64_t n = 1; n <= 11; ++n)
            events.push_back(newEvent(std::to_string(n), n, {1, 2}));
        QVERIFY(open.accept(std::move(events)).stored);
        auto batch = journalBatch(whatHappened());
        auto rewind = operationRow(kRewind, OperationKind::rewind, OperationState::moving);
        rewind.asked = 10;
        rewind.done = 7;
        rewind.skipped = 1;
        auto undo = operationRow(8, OperationKind::undo, OperationState::finished);
        undo.done = undo.asked = 1;
        auto discard = operationRow(9, OperationKind::discard, OperationState::finished);
        discard.done = discard.asked = 1;
        batch.operations = {{rewind, setOf(1, 10)}, {undo, setOf(6, 6)}, {discard, setOf(7, 7)}};
        batch.skips = {{OperationId(kRewind), 0, SkipReason::notDead}};
        QVERIFY(open.commit(std::move(batch)));
    }
    /// Rows of other events, until what came before them is in a sorted run.
    void fillRuns(OpenStore& open) {
        std::vector<JournalEntry> entries;
        for (int n = 0; n < 40'000; ++n)
            entries.push_back(journalEntry(JournalKind::attempt, 2, Sequence(11), kFailed));
        QVERIFY(open.commit(journalBatch(entries)));
        for (int turn = 0; turn < 200; ++turn) QVERIFY(open.commit({}));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void eachEventTellsItsFate_data() {
        QTest::addColumn<bool>("runs");
        QTest::newRow("from the end of the journal") << false;
        QTest::newRow("from the sorted runs") << true;
    }
    void eachEventTellsItsFate() {
        QFETCH(bool, runs);
        OpenStore open(optionsFor(m_path));
        fill(open);
        if (runs) fillRuns(open);
        const auto reader = open.store->openPageReader();
        OperationEventQuery query;
        query.operation = OperationId(kRewind);
        query.limit = 3;
        std::vector<OperationEventRow> rows;
        for (int pages = 0; pages < 9; ++pages) {
            const auto page = reader->operationEvents(query);
            rows.insert(rows.end(), page.rows.begin(), page.rows.end());
            if (page.complete) break;
            query.from = rows.size();
        }
        using Fate = OperationFate;
        const std::vector<Fate> fates{Fate::skipped,   Fate::waiting,  Fate::waiting,
                                      Fate::delivered, Fate::deadAgain, Fate::returned,
                                      Fate::discarded, Fate::delivered, Fate::planned,
                                      Fate::planned};
        const std::vector<std::uint32_t> attempts{0, 0, 2, 2, 1, 0, 0, 1, 0, 0};
        QCOMPARE(rows.size(), fates.size());
        for (std::size_t n = 0; n < rows.size(); ++n) {
            QCOMPARE(rows[n].position, n);
            QVERIFY((rows[n].pointer == Pointer{DestinationId(1), Sequence(n + 1)}));
            QVERIFY2(rows[n].fate == fates[n], std::to_string(n).c_str());
            QCOMPARE(rows[n].attempts, attempts[n]);
            QCOMPARE(rows[n].eventId, std::to_string(n + 1));
            QVERIFY(!rows[n].user.text.empty() && !rows[n].type.empty());
            QVERIFY(rows[n].reason == (n == 0 ? SkipReason::notDead : SkipReason::none));
        }
        QVERIFY(rows[2].lastOutcome == Outcome::unknown);
        QCOMPARE(int(rows[2].lastStatus), 0);
        QCOMPARE(int(rows[3].lastStatus), 200);
        QVERIFY(rows[4].lastOutcome == kFailed);
        QCOMPARE(int(rows[4].lastStatus), 503);
    }

    void otherKindsSayWhatTheyDid_data() {
        QTest::addColumn<quint64>("operation");
        QTest::addColumn<int>("fate");
        QTest::newRow("an undo returned it")
            << quint64{8} << static_cast<int>(OperationFate::returned);
        QTest::newRow("a discard gave it up")
            << quint64{9} << static_cast<int>(OperationFate::discarded);
    }
    void otherKindsSayWhatTheyDid() {
        QFETCH(quint64, operation);
        QFETCH(int, fate);
        OpenStore open(optionsFor(m_path));
        fill(open);
        OperationEventQuery query;
        query.operation = OperationId(operation);
        const auto page = open.store->openPageReader()->operationEvents(query);
        QVERIFY(page.complete);
        QCOMPARE(page.rows.size(), std::size_t{1});
        QCOMPARE(static_cast<int>(page.rows[0].fate), fate);
    }

    void pagesCrossThePartsOfASet_data() {
        QTest::addColumn<quint64>("from");
        QTest::addColumn<quint64>("rows");
        QTest::addColumn<bool>("complete");
        constexpr quint64 kPart = store::kSetPart;
        QTest::newRow("across two parts") << kPart - 3 << quint64{20} << false;
        QTest::newRow("up to the end of a part") << kPart - 20 << quint64{20} << false;
        QTest::newRow("the last row") << 2 * kPart << quint64{1} << true;
        QTest::newRow("all that is left, exactly") << 2 * kPart - 19 << quint64{20} << true;
        QTest::newRow("after the end") << 2 * kPart + 1 << quint64{0} << true;
        QTest::newRow("far after the end") << 9 * kPart << quint64{0} << true;
    }
    void pagesCrossThePartsOfASet() {
        QFETCH(quint64, from);
        QFETCH(quint64, rows);
        QFETCH(bool, complete);
        OpenStore open(optionsFor(m_path));
        WriteBatch batch;
        batch.operations = {
            {operationRow(1, OperationKind::rewind, OperationState::moving),
             setOf(1, 2 * store::kSetPart + 1)}};
        QVERIFY(open.commit(std::move(batch)));
        OperationEventQuery query;
        query.operation = OperationId(1);
        query.from = from;
        query.limit = 20;
        const auto page = open.store->openPageReader()->operationEvents(query);
        QCOMPARE(page.rows.size(), std::size_t(rows));
        QCOMPARE(page.complete, complete);
        for (std::size_t n = 0; n < page.rows.size(); ++n) {
            QCOMPARE(page.rows[n].position, from + n);
            QCOMPARE(page.rows[n].pointer.sequence.value, from + n + 1);
            QVERIFY(page.rows[n].fate == OperationFate::planned);
        }
    }

    void trimmedEventIsNotCalledDelivered() {
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(m_path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        OpenStore open(options);
        fill(open);
        now = kTestTime + 8 * 24 * kHour;
        const auto reader = open.store->openPageReader();
        QTRY_VERIFY_WITH_TIMEOUT(!reader->event(Sequence(4)).has_value(), 10'000);
        OperationEventQuery query;
        query.operation = OperationId(kRewind);
        query.from = 3;
        query.limit = 2;
        const auto page = reader->operationEvents(query);
        QCOMPARE(page.rows.size(), std::size_t{2});
        QVERIFY(page.rows[0].fate == OperationFate::trimmed);
        QVERIFY(page.rows[1].fate == OperationFate::deadAgain);
        QCOMPARE(faultOf(m_path), std::string());
    }

    void unknownOperationHasNoEvents() {
        OpenStore open(optionsFor(m_path));
        OperationEventQuery query;
        query.operation = OperationId(99);
        const auto page = open.store->openPageReader()->operationEvents(query);
        QVERIFY(page.rows.empty());
        QVERIFY(page.complete);
    }
};

QTEST_GUILESS_MAIN(TestOperationEvents)
#include "operation_events_test.moc"
