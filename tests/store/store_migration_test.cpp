// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"
#include "tests/store/store_model.h"

#include "engine/store/connection.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::test;

class TestStoreMigration : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_path;

    /// A data directory with a file of an older version, whose story is told at its head.
    void lay(const QString& story) {
        m_path = m_directory.path().toStdString() + "/data";
        QDir(QString::fromStdString(m_path)).removeRecursively();
        QVERIFY(QDir().mkpath(QString::fromStdString(m_path)));
        QFile file(story);
        QVERIFY(file.open(QIODevice::ReadOnly));
        SQLite::Database database(store::dataFile(m_path),
                                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database.exec(file.readAll().toStdString());
    }

private slots:
    void init() { lay(QStringLiteral(VERSION_1_FILE)); }

    void everythingIsFoundAgain() {
        OpenStore open(optionsFor(m_path));
        QCOMPARE(open.error, std::string());
        const auto* first = open.destination(1);
        const auto* second = open.destination(2);
        QVERIFY((first->counters == DeliveryCounters{8, 1, 4, 2, 1}));
        QVERIFY((second->counters == DeliveryCounters{8, 0, 8, 0, 0}));
        QVERIFY((first->dead == std::vector<DeadPointer>{{Sequence(1), UserId(0), 2},
                                                         {Sequence(3), UserId(2), 1}}));
        QVERIFY(second->state.paused);
        QCOMPARE(second->state.pauseReason, std::string("ill"));
        QCOMPARE(second->state.resumeAt, WallMicros{0});
        QCOMPARE(first->config.policy.rateLimit, 0.0);
        QVERIFY(!first->config.policy.allowEdits);
        QVERIFY(first->holds.empty());

        QCOMPARE(open.pending.size(), std::size_t{12});
        const auto rewound = std::find_if(
            open.pending.begin(), open.pending.end(), [](const PendingPointer& pointer) {
                return pointer.pointer == Pointer{DestinationId(1), Sequence(2)};
            });
        QVERIFY(rewound != open.pending.end());
        QCOMPARE(rewound->life, 2u);
        QCOMPARE(rewound->attempts, 0u);
        QCOMPARE(rewound->operation.value, 2u);
        QCOMPARE(rewound->clock, 55 * kSecond);
        QVERIFY(rewound->lastOutcome == Outcome::overloaded);

        QVERIFY(open.recovery.operations.empty());
        QVERIFY(open.recovery.versions.empty());
        QCOMPARE(open.recovery.lastOperation.value, 3u);
        QCOMPARE(faultOf(m_path), std::string());
    }

    void operationsGetTheirKindAndAreFinished() {
        OpenStore open(optionsFor(m_path));
        const auto rows = open.store->openPageReader()->operations({}).rows;
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(rows[0].kind == OperationKind::discard);
        QVERIFY(rows[1].kind == OperationKind::rewind);
        QVERIFY(rows[2].kind == OperationKind::setting);
        for (const auto& row : rows) {
            QVERIFY(row.state == OperationState::finished);
            QCOMPARE(row.who, std::string("ann"));
            QCOMPARE(row.waiting(), 0u);
            QVERIFY(row.note.empty());
        }
        QCOMPARE(rows[1].done, 2u);
        QCOMPARE(rows[1].skipped, 1u);
        QCOMPARE(rows[1].deadAgain, 1u);
        QCOMPARE(rows[1].delivered, 1u);
        OperationEventQuery query;
        query.operation = OperationId(2);
        const auto page = open.store->openPageReader()->operationEvents(query);
        QVERIFY(page.rows.empty());
        QVERIFY(page.complete);
    }

    void deadLettersAreListedAndCanBeRewound() {
        OpenStore open(optionsFor(m_path));
        const auto reader = open.store->openPageReader();
        const auto page = reader->deadLetters({});
        QCOMPARE(page.rows.size(), std::size_t{2});
        QCOMPARE(page.rows[0].eventId, std::string("event-3"));
        QCOMPARE(page.rows[1].life, 2u);
        auto rewound =
            actEntry(JournalKind::rewound, 1, Sequence(3), 4, 2, Outcome::overloaded);
        auto dies = actEntry(JournalKind::deadLettered, 1, Sequence(2), 2, 2, Outcome::overloaded);
        QVERIFY(open.commit(journalBatch({rewound, dies})));
        QCOMPARE(reader->deadLetters({}).rows.size(), std::size_t{2});
        QCOMPARE(faultOf(m_path), std::string());
    }

    void versionTwoIsFoundAgain() {
        lay(QStringLiteral(VERSION_2_FILE));
        OpenStore open(optionsFor(m_path));
        QCOMPARE(open.error, std::string());
        const auto* first = open.destination(1);
        QVERIFY((first->counters == DeliveryCounters{8, 2, 4, 1, 1}));
        QVERIFY((first->dead == std::vector<DeadPointer>{{Sequence(1), UserId(2), 2}}));
        QCOMPARE(first->holds.size(), std::size_t{1});
        QCOMPARE(first->holds[0].reason, std::string("asked"));
        QCOMPARE(open.destination(2)->state.resumeAt, kTestTime + kHour);
        QCOMPARE(open.recovery.operations.size(), std::size_t{1});
        QCOMPARE(open.recovery.operations[0].row.id.value, 4u);
        QVERIFY((open.recovery.versions ==
                 std::vector<Pointer>{{DestinationId(1), Sequence(3)}}));
        QCOMPARE(faultOf(m_path), std::string());
        QCOMPARE(store::queryNumber(*store::openForReading(store::dataFile(m_path) + ".backup-v2"),
                                    "PRAGMA user_version"),
                 2);
    }

    void versionThreeIsFoundAgain() {
        lay(QStringLiteral(VERSION_3_FILE));
        OpenStore open(optionsFor(m_path));
        QCOMPARE(open.error, std::string());
        const auto* first = open.destination(1);
        QVERIFY((first->counters == DeliveryCounters{8, 2, 4, 1, 1}));
        QCOMPARE(first->state.pauseReason, std::string("still"));
        QVERIFY(first->config.body == BodyFormat::asReceived);
        QVERIFY(first->config.authentication == Authentication{});
        QVERIFY(first->config.tls == TlsIdentity{});
        QVERIFY(first->config.proxy == ProxyConfig{});
        QCOMPARE(open.store->openPageReader()->deadLetters({}).rows[0].note.text,
                 std::string("asked the shop"));
        QVERIFY(open.recovery.sources.empty());
        QCOMPARE(open.recovery.quarantined, std::uint64_t{0});
        // It takes what the older version did not know.
        WriteBatch batch;
        batch.sources = {{SourceId(1), "shop", {std::string(64, 'a')}, kTestTime, "anna"}};
        batch.quarantined = {{kTestTime, "native", EventForm::native, "bad_json", "no", {}, "{"}};
        QVERIFY(open.commit(std::move(batch)));
        QCOMPARE(open.store->openPageReader()->quarantine({}).rows.size(), std::size_t{1});
        QCOMPARE(faultOf(m_path), std::string());
    }

    void listsOfVersionTwoHaveTheirOrders_data() {
        QTest::addColumn<int>("order");
        QTest::newRow("by time") << static_cast<int>(DeadLetterOrder::diedAt);
        QTest::newRow("by the first try") << static_cast<int>(DeadLetterOrder::firstTried);
        QTest::newRow("by attempts") << static_cast<int>(DeadLetterOrder::attempts);
        QTest::newRow("by lane") << static_cast<int>(DeadLetterOrder::lane);
        QTest::newRow("by type") << static_cast<int>(DeadLetterOrder::type);
        QTest::newRow("by status") << static_cast<int>(DeadLetterOrder::status);
        QTest::newRow("by outcome") << static_cast<int>(DeadLetterOrder::outcome);
    }
    void listsOfVersionTwoHaveTheirOrders() {
        QFETCH(const int, order);
        lay(QStringLiteral(VERSION_2_FILE));
        OpenStore open(optionsFor(m_path));
        DeadLetterQuery query;
        query.order = static_cast<DeadLetterOrder>(order);
        const auto page = open.store->openPageReader()->deadLetters(query);
        QCOMPARE(page.error, std::string());
        QCOMPARE(page.rows.size(), std::size_t{1});  // the rewound one is not listed
        QCOMPARE(page.rows[0].eventId, std::string("event-1"));
    }

    void olderVersionsTakeNotes_data() {
        QTest::addColumn<QString>("story");
        QTest::newRow("version 1") << QStringLiteral(VERSION_1_FILE);
        QTest::newRow("version 2") << QStringLiteral(VERSION_2_FILE);
        QTest::newRow("version 3") << QStringLiteral(VERSION_3_FILE);
    }
    void olderVersionsTakeNotes() {
        QFETCH(QString, story);
        lay(story);
        OpenStore open(optionsFor(m_path));
        const auto before = open.store->openPageReader()->deadLetters({}).rows;
        QVERIFY(!before.empty());
        QCOMPARE(before[0].note.text,
                 std::string(story.endsWith(QLatin1String("version_3.sql")) ? "asked the shop"
                                                                            : ""));
        WriteBatch batch;
        batch.notes = {{before[0].pointer, {"asked the partner", "anna", kTestTime}}};
        QVERIFY(open.commit(std::move(batch)));
        const auto after = open.store->openPageReader()->deadLetters({}).rows;
        QCOMPARE(after[0].note.text, std::string("asked the partner"));
        // In the old file the first one was rewound before it died for the second time.
        for (const auto& row : after) QCOMPARE(row.rewoundAt != 0, row.life > 1);
    }

    void lanesOfVersionTwoAreListedWithWhatCameLater() {
        lay(QStringLiteral(VERSION_2_FILE));
        OpenStore open(optionsFor(m_path));
        auto later = newEvent("event-9", 2, {1});
        QVERIFY(open.accept({later}).stored);
        LaneEventQuery query;
        query.lane = {DestinationId(1), UserId(2)};
        const auto page = open.store->openPageReader()->laneEvents(query);
        QCOMPARE(page.error, std::string());
        QVERIFY(page.complete);
        std::vector<std::string> ids;
        for (const auto& row : page.rows) ids.push_back(row.id);
        QCOMPARE(ids, (std::vector<std::string>{"event-1", "event-3", "event-5", "event-7",
                                                "event-9"}));
        QVERIFY(page.rows[0].state == LaneEventState::dead);
        QCOMPARE(page.rows[0].life, 2u);
        QVERIFY(page.rows[1].state == LaneEventState::waiting);
        QVERIFY(page.rows[2].state == LaneEventState::delivered);
        QVERIFY(page.rows[3].state == LaneEventState::waiting);
        QCOMPARE(open.store->openPageReader()->findEvents("test", "event-3").sequences,
                 std::vector<Sequence>{Sequence(3)});
    }

    void idsOfOlderVersionsAreKnown_data() {
        QTest::addColumn<QString>("story");
        QTest::newRow("version 1") << QStringLiteral(VERSION_1_FILE);
        QTest::newRow("version 2") << QStringLiteral(VERSION_2_FILE);
        QTest::newRow("version 3") << QStringLiteral(VERSION_3_FILE);
    }
    void idsOfOlderVersionsAreKnown() {
        QFETCH(QString, story);
        lay(story);
        OpenStore open(optionsFor(m_path));
        QCOMPARE(indexesOf(m_path), std::string());
        std::vector<NewEvent> events;
        for (int n = 1; n <= 8; ++n)
            events.push_back(newEvent("event-" + std::to_string(n), 1, {1}));
        events.push_back(newEvent("event-9", 1, {1}));
        const auto commit = open.accept(events);
        for (std::uint64_t n = 0; n < 8; ++n) {
            QVERIFY(commit.events.at(n).duplicate);
            QCOMPARE(commit.events[n].sequence.value, n + 1);
        }
        QVERIFY(!commit.events.at(8).duplicate);
        QCOMPARE(indexesOf(m_path), std::string());
    }

    void theFileAsItWasIsKeptBeside() {
        { const OpenStore open(optionsFor(m_path)); }
        const auto backup = store::openForReading(store::dataFile(m_path) + ".backup-v1");
        QCOMPARE(store::queryNumber(*backup, "PRAGMA user_version"), 1);
        QCOMPARE(store::queryNumber(*backup, "SELECT COUNT(*) FROM journal"), 14);
        const OpenStore again(optionsFor(m_path));
        QCOMPARE(again.error, std::string());
    }
};

QTEST_GUILESS_MAIN(TestStoreMigration)
#include "store_migration_test.moc"
