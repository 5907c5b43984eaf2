// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace lanes;
using namespace lanes::test;

class TestSqliteStore : public QObject {
    Q_OBJECT

private:
    std::string directory() const { return m_directory.path().toStdString() + "/data"; }

    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};

private slots:
    void init() {
        QVERIFY(m_directory.isValid());
        QDir(QString::fromStdString(directory())).removeRecursively();
    }

    void newDirectoryIsEmptyAndPrivate() {
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.error, std::string());
        QVERIFY(open.pending.empty());
        QVERIFY(open.recovery.destinations.empty());
        QCOMPARE(open.recovery.lastSequence.value, 0u);
        const auto mine = QFile::ReadOwner | QFile::WriteOwner;
        const auto others = QFile::ReadGroup | QFile::ReadOther | QFile::WriteOther;
        for (const char* name : {"lanes.db", "lanes.db-wal", "lock"}) {
            const QFileInfo file(QString::fromStdString(directory()) + u'/' +
                                 QString::fromLatin1(name));
            QVERIFY2(file.exists(), name);
            QVERIFY2((file.permissions() & others) == QFile::Permissions(), name);
            QVERIFY2((file.permissions() & mine) == mine, name);
        }
    }

    void settingsAndStateComeBack() {
        auto config = destinationConfig(7);
        config.policy.window = kHour;
        config.policy.maxInFlight = 9;
        config.policy.afterDeadLetter = AfterDeadLetter::hold;
        config.policy.deadLetterStatuses = {400, 422};
        config.policy.rateLimit = 2.5;
        config.policy.allowEdits = true;
        config.secrets = {"whsec_one", std::string("two\0three", 9)};
        config.headers = {{"X-One", "1"}, {"X-Empty", ""}};
        config.eventTypes = {"a.b", "c"};
        config.connectTimeout = 5 * kSecond;
        config.attemptTimeout = 6 * kSecond;
        config.allowLinkLocal = true;
        DestinationState state;
        state.clock = -5;
        state.knownGood = 23.5;
        state.paused = true;
        state.pausedAt = 99;
        state.pausedBy = "ann";
        state.pauseReason = "ill";
        state.resumeAt = kTestTime + kHour;
        OperationRow operation;
        operation.id = OperationId(12);
        operation.who = "ann";
        operation.action = "pause";
        {
            OpenStore open(optionsFor(directory()));
            WriteBatch batch;
            batch.destinations = {config};
            batch.states = {{config.id, state}};
            batch.operations = {{operation, nullptr}};
            QVERIFY(open.commit(std::move(batch)));
        }
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.recovery.destinations.size(), std::size_t{1});
        QVERIFY(open.recovery.destinations[0].config == config);
        QVERIFY(open.recovery.destinations[0].state == state);
        QCOMPARE(open.recovery.lastOperation.value, 12u);
        QCOMPARE(open.recovery.lastDestination.value, 7u);
        const auto operations = open.store->openPageReader()->operations({}).rows;
        QCOMPARE(operations.size(), std::size_t{1});
        QCOMPARE(operations[0].action, std::string("pause"));
    }

    void acceptedDeliveredAndWaitingComeBack() {
        {
            OpenStore open(optionsFor(directory()));
            QVERIFY(open.commit(destinationsBatch(2)));
            const auto answer =
                open.accept({newEvent("a", 1, {1, 2}), newEvent("b", 1, {1}),
                             newEvent("c", 2, {1})});
            QVERIFY(answer.stored);
            QCOMPARE(answer.events.size(), std::size_t{3});
            QCOMPARE(answer.events[0].sequence.value, 1u);
            QCOMPARE(answer.events[2].sequence.value, 3u);
            QCOMPARE(answer.events[0].targets.size(), std::size_t{2});
            auto failed = journalEntry(JournalKind::attempt, 1, Sequence(2), Outcome::overloaded);
            failed.attempt = 4;
            QVERIFY(open.commit(journalBatch(
                {journalEntry(JournalKind::attempt, 1, Sequence(1)), failed})));
        }
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.pending.size(), std::size_t{3});
        QVERIFY((open.pending[0].pointer == Pointer{DestinationId(2), Sequence(1)}));
        QVERIFY((open.pending[1].pointer == Pointer{DestinationId(1), Sequence(2)}));
        QCOMPARE(open.pending[1].attempts, 4u);
        QVERIFY(open.pending[1].lastOutcome == Outcome::overloaded);
        QCOMPARE(int(open.pending[1].lastStatus), 503);
        QCOMPARE(open.pending[1].clock, 7 * kSecond);
        QCOMPARE(open.pending[2].user.value, 2u);
        const auto& counters = open.destination(1)->counters;
        QCOMPARE(counters.accepted, 3u);
        QCOMPARE(counters.delivered, 1u);
        QCOMPARE(counters.waiting, 2u);
        QVERIFY(counters.balanced());
        const auto event = open.store->openEventReader()->read(Sequence(1));
        QVERIFY(event.has_value());
        QCOMPARE(event->payload, std::string("{\"id\":\"a\"}"));
        QCOMPARE(event->user.text, std::string("user-1"));
        QCOMPARE(event->destinations.size(), std::size_t{2});
        QVERIFY(!open.store->openEventReader()->read(Sequence(99)).has_value());
    }

    void manyEventsAreReadAtOnceUntilItIsEnough() {
        OpenStore open(optionsFor(directory()));
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        for (const char* id : {"a", "b", "c", "d"}) events.push_back(newEvent(id, 1, {1}));
        QVERIFY(open.accept(events).stored);
        const auto reader = open.store->openEventReader();
        std::vector<EventRow> rows;
        const std::vector<Sequence> wanted{Sequence(1), Sequence(3), Sequence(4), Sequence(99)};
        reader->readAll(wanted, [&](EventRow row) {
            rows.push_back(std::move(row));
            return true;
        });
        QCOMPARE(rows.size(), std::size_t{3});  // what is not there is left out
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto whole = reader->read(wanted[i]);
            QCOMPARE(rows[i].sequence.value, wanted[i].value);
            QCOMPARE(rows[i].id, whole->id);
            QVERIFY(rows[i].user == whole->user);
            QCOMPARE(rows[i].type, whole->type);
            QCOMPARE(rows[i].contentType, whole->contentType);
            QCOMPARE(rows[i].payload, whole->payload);
            QCOMPARE(rows[i].acceptedAt, whole->acceptedAt);
        }
        rows.clear();
        reader->readAll(wanted, [&](EventRow row) {
            rows.push_back(std::move(row));
            return rows.size() < 2;
        });
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(open.accept({newEvent("e", 1, {1})}).stored);
        QVERIFY(reader->read(Sequence(5)).has_value());  // no old moment is held
    }

    void bytesOfAnyKindComeBack() {
        auto event = newEvent("x", std::numeric_limits<std::uint64_t>::max(), {1});
        event.id = std::string("nul\0id", 6);
        event.user.text = "\xE2\x80\xAE<img src=x>'; DROP TABLE events;--";
        event.payload = std::string("\0\xff\n12345678901234567890", 23);
        OpenStore open(optionsFor(directory()));
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto answer = open.accept({event});
        QVERIFY(answer.stored);
        const auto read = open.store->openEventReader()->read(answer.events[0].sequence);
        QCOMPARE(read->id, event.id);
        QCOMPARE(read->user.text, event.user.text);
        QCOMPARE(read->payload, event.payload);
        QCOMPARE(read->userId.value, event.userId.value);
    }

    void sameIdAgainIsADuplicate_data() {
        QTest::addColumn<bool>("reopen");
        QTest::addColumn<bool>("sameBatch");
        QTest::newRow("in one batch") << false << true;
        QTest::newRow("in a later batch") << false << false;
        QTest::newRow("after a restart") << true << false;
    }
    void sameIdAgainIsADuplicate() {
        QFETCH(bool, reopen);
        QFETCH(bool, sameBatch);
        auto conflict = newEvent("a", 1, {1});
        conflict.payload = "other";
        auto elsewhere = newEvent("a", 1, {1});
        elsewhere.source = "another";
        auto open = std::make_unique<OpenStore>(optionsFor(directory()));
        QVERIFY(open->commit(destinationsBatch(1)));
        std::vector<StoredEvent> events;
        if (sameBatch) {
            events = open->accept({newEvent("a", 1, {1}), newEvent("a", 1, {1}), conflict,
                                   elsewhere}).events;
        } else {
            events = open->accept({newEvent("a", 1, {1})}).events;
            if (reopen) {
                open.reset();
                open = std::make_unique<OpenStore>(optionsFor(directory()));
            }
            const auto more = open->accept({newEvent("a", 1, {1}), conflict, elsewhere}).events;
            events.insert(events.end(), more.begin(), more.end());
        }
        QCOMPARE(events.size(), std::size_t{4});
        QVERIFY(!events[0].duplicate);
        QVERIFY(events[1].duplicate && !events[1].conflict && events[1].targets.empty());
        QVERIFY(events[1].sequence == events[0].sequence);
        QVERIFY(events[2].duplicate && events[2].conflict);
        QVERIFY(!events[3].duplicate);
        QCOMPARE(open->store->openEventReader()->read(events[0].sequence)->payload,
                 std::string("{\"id\":\"a\"}"));
    }

    void duplicatesAreFoundInTheSortedIndex() {
        // More ids than one run, so that most are found in the file and not in memory.
        constexpr int kEvents = 40'000;
        auto options = optionsFor(directory());
        options.idRunEntries = 32'768;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        for (int n = 0; n < kEvents; ++n)
            events.push_back(newEvent("id-" + std::to_string(n), 1, {1}));
        QVERIFY(open.accept(events).stored);
        // Two commits later the run of the first one has been written.
        QVERIFY(open.accept({newEvent("more", 1, {1})}).stored);
        for (int turn = 0; turn < 200; ++turn)
            QVERIFY(open.accept({newEvent("turn-" + std::to_string(turn), 1, {1})}).stored);
        const auto again = open.accept({events.front(), events[20'000], events.back()});
        QVERIFY(again.events[0].duplicate && again.events[0].sequence == Sequence(1));
        QVERIFY(again.events[1].duplicate && again.events[1].sequence == Sequence(20'001));
        QVERIFY(again.events[2].duplicate && again.events[2].sequence == Sequence(kEvents));
        open.store->close();
        const auto database = store::openForReading(store::dataFile(directory()));
        QVERIFY(store::queryNumber(*database, "SELECT COUNT(*) FROM index_runs"
                                             " WHERE kind=1") > 0);
    }

    void ticketsComeInOrderAndIntakesAllGetAnAnswer() {
        OpenStore open(optionsFor(directory()));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (std::uint64_t n = 2; n <= 300; ++n) {
            WriteBatch batch;
            batch.ticket = n;
            batch.intake = n;
            batch.events = {newEvent("id-" + std::to_string(n), n, {1})};
            open.store->submit(std::move(batch));
        }
        QVERIFY(open.listener.waitForTicket(300));
        const auto tickets = open.listener.tickets();
        QVERIFY(std::is_sorted(tickets.begin(), tickets.end()));
        QVERIFY2(tickets.size() < 300, "batches that wait together are committed together");
        for (std::uint64_t n = 2; n <= 300; ++n)
            QCOMPARE(open.listener.waitForIntake(n).events.at(0).sequence.value, n - 1);
        const auto stats = open.store->stats();
        QCOMPARE(stats.lastSequence.value, 299u);
        QCOMPARE(stats.commits, tickets.size());
    }

    void closeCommitsWhatIsQueued() {
        {
            OpenStore open(optionsFor(directory()));
            QVERIFY(open.commit(destinationsBatch(1)));
            for (std::uint64_t n = 1; n <= 500; ++n) {
                WriteBatch batch;
                batch.intake = n;
                batch.events = {newEvent("id-" + std::to_string(n), n, {1})};
                open.store->submit(std::move(batch));
            }
            open.store->close();
            open.store->close();
        }
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.pending.size(), std::size_t{500});
        const QFileInfo wal(QString::fromStdString(directory()) + QStringLiteral("/lanes.db-wal"));
        QCOMPARE(wal.size(), qint64{0});
    }

    void deadLettersArePagedNewestFirst_data() {
        QTest::addColumn<unsigned>("destination");
        QTest::addColumn<QString>("user");
        QTest::addColumn<int>("expected");
        QTest::newRow("all") << 0u << QString() << 20;
        QTest::newRow("of one destination") << 1u << QString() << 10;
        QTest::newRow("of one user") << 0u << QStringLiteral("user-3") << 4;
        QTest::newRow("of one user at one destination") << 2u << QStringLiteral("user-3") << 2;
        QTest::newRow("of nobody") << 0u << QStringLiteral("user-77") << 0;
    }
    void deadLettersArePagedNewestFirst() {
        QFETCH(unsigned, destination);
        QFETCH(QString, user);
        QFETCH(int, expected);
        OpenStore open(optionsFor(directory()));
        QVERIFY(open.commit(destinationsBatch(2)));
        std::vector<NewEvent> events;
        std::vector<JournalEntry> earlier;
        std::vector<JournalEntry> journal;
        for (std::uint64_t n = 0; n < 10; ++n) {
            events.push_back(newEvent(std::to_string(n), n % 5, {1, 2}));
            for (std::uint32_t id : {1u, 2u}) {
                // The first destination was tried in an earlier commit, the second just before.
                auto attempt = journalEntry(JournalKind::attempt, id, Sequence(n + 1),
                                            Outcome::overloaded);
                attempt.at = 500;
                attempt.error = "HTTP 503";
                (id == 1 ? earlier : journal).push_back(attempt);
                auto entry = journalEntry(JournalKind::deadLettered, id, Sequence(n + 1),
                                          Outcome::refused);
                entry.at = 1'000 + static_cast<WallMicros>(n / 3);  // some die together
                entry.reason = "window over";
                journal.push_back(entry);
            }
        }
        QVERIFY(open.accept(events).stored);
        QVERIFY(open.commit(journalBatch(earlier)));
        QVERIFY(open.commit(journalBatch(journal)));
        const auto reader = open.store->openPageReader();
        DeadLetterQuery query;
        query.filter.destination = DestinationId(destination);
        query.filter.user = user.toStdString();
        query.limit = 3;
        std::vector<DeadLetterRow> rows;
        for (int pages = 0; pages < 20; ++pages) {
            const auto page = reader->deadLetters(query);
            rows.insert(rows.end(), page.rows.begin(), page.rows.end());
            if (page.complete) break;
            query.after = page.rows.back().key();
        }
        QCOMPARE(int(rows.size()), expected);
        for (std::size_t n = 1; n < rows.size(); ++n) {
            const bool falling = std::pair(rows[n].diedAt, rows[n].pointer) <
                                 std::pair(rows[n - 1].diedAt, rows[n - 1].pointer);
            QVERIFY(falling);
        }
        if (expected == 0) return;
        QCOMPARE(rows[0].reason, std::string("window over"));
        for (const auto& row : rows) {
            QCOMPARE(row.lastError, std::string("HTTP 503"));
            QCOMPARE(row.firstTriedAt, WallMicros{500});
        }
        QCOMPARE(int(rows[0].lastStatus), 503);
        QVERIFY(rows[0].bytes > 0);
        QCOMPARE(rows[0].acceptedAt, events[0].acceptedAt);
    }

    void rewindAndDiscardTakeOffTheList() {
        {
            OpenStore open(optionsFor(directory()));
            QVERIFY(open.commit(destinationsBatch(1)));
            QVERIFY(open.accept({newEvent("a", 1, {1}), newEvent("b", 2, {1}),
                                 newEvent("c", 3, {1})}).stored);
            std::vector<JournalEntry> deaths;
            for (std::uint64_t n = 1; n <= 3; ++n)
                deaths.push_back(journalEntry(JournalKind::deadLettered, 1, Sequence(n),
                                              Outcome::unknown));
            QVERIFY(open.commit(journalBatch(deaths)));
            auto rewound =
                journalEntry(JournalKind::rewound, 1, Sequence(2), Outcome::unknown);
            rewound.life = 2;
            rewound.clock = 55 * kSecond;
            rewound.operation = OperationId(4);
            QVERIFY(open.commit(journalBatch(
                {rewound, journalEntry(JournalKind::discarded, 1, Sequence(3))})));
        }
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.pending.size(), std::size_t{1});
        QCOMPARE(open.pending[0].pointer.sequence.value, 2u);
        QCOMPARE(open.pending[0].life, 2u);
        QCOMPARE(open.pending[0].attempts, 0u);
        QCOMPARE(open.pending[0].clock, 55 * kSecond);
        QCOMPARE(open.pending[0].operation.value, 4u);
        QVERIFY(open.pending[0].lastOutcome == Outcome::unknown);
        const auto& recovered = *open.destination(1);
        QCOMPARE(recovered.dead.size(), std::size_t{1});
        QVERIFY((recovered.dead[0] == DeadPointer{Sequence(1), {}, 1}));
        QVERIFY((recovered.counters == DeliveryCounters{3, 0, 1, 1, 1}));
        QCOMPARE(open.store->openPageReader()->deadLetters({}).rows.size(), std::size_t{1});
    }

    void attemptsAreFoundByEventDestinationAndTime() {
        OpenStore open(optionsFor(directory()));
        QVERIFY(open.commit(destinationsBatch(2)));
        std::vector<NewEvent> events;
        for (std::uint64_t n = 0; n < 20'000; ++n)
            events.push_back(newEvent(std::to_string(n), n, {1, 2}));
        QVERIFY(open.accept(events).stored);
        std::vector<JournalEntry> journal;
        for (std::uint32_t number : {1u, 2u}) {
            for (std::uint64_t n = 1; n <= 20'000; ++n) {
                auto entry = journalEntry(JournalKind::attempt, 1 + (n % 2), Sequence(n),
                                          number == 1 ? Outcome::failed : Outcome::delivered);
                entry.attempt = number;
                entry.error = number == 1 ? "HTTP 500" : "";
                journal.push_back(entry);
            }
            QVERIFY(open.commit(journalBatch(journal)));
            journal.clear();
        }
        // Part of it is now in a sorted run, the rest only in the journal.
        for (int turn = 0; turn < 200; ++turn) QVERIFY(open.commit({}));
        const auto reader = open.store->openPageReader();
        for (const std::uint64_t sequence : {1u, 10'000u, 19'999u, 20'000u}) {
            AttemptQuery query;
            query.sequence = Sequence(sequence);
            const auto page = reader->attempts(query);
            QCOMPARE(page.rows.size(), std::size_t{2});
            QVERIFY(page.complete);
            QCOMPARE(page.rows[0].number, 2u);
            QVERIFY(page.rows[0].outcome == Outcome::delivered);
            QCOMPARE(page.rows[1].error, std::string("HTTP 500"));
            query.destination = DestinationId(2 - static_cast<std::uint32_t>(sequence % 2));
            QVERIFY(reader->attempts(query).rows.empty());
        }
        AttemptQuery query;
        query.destination = DestinationId(2);
        query.limit = 100;
        std::size_t rows = 0;
        for (;;) {
            const auto page = reader->attempts(query);
            rows += page.rows.size();
            if (page.complete) break;
            query.before = page.rows.back().position;
        }
        QCOMPARE(rows, std::size_t{20'000});
        QCOMPARE(reader->attempts({}).rows.front().pointer.sequence.value, 20'000u);
    }

    void removedDestinationIsGoneAndItsIdIsNotForgotten() {
        {
            OpenStore open(optionsFor(directory()));
            QVERIFY(open.commit(destinationsBatch(2)));
            QVERIFY(open.accept({newEvent("a", 1, {2})}).stored);
            QVERIFY(open.commit(
                journalBatch({journalEntry(JournalKind::attempt, 2, Sequence(1))})));
            WriteBatch batch;
            batch.removed = {DestinationId(2)};
            QVERIFY(open.commit(std::move(batch)));
        }
        OpenStore open(optionsFor(directory()));
        QCOMPARE(open.recovery.destinations.size(), std::size_t{1});
        QVERIFY(open.destination(2) == nullptr);
        QCOMPARE(open.recovery.lastDestination.value, 2u);
    }
};

QTEST_GUILESS_MAIN(TestSqliteStore)
#include "sqlite_store_test.moc"
