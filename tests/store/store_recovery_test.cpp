// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_model.h"

#include "engine/core/random.h"
#include "engine/store/connection.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::test;

class TestStoreRecovery : public QObject {
    Q_OBJECT

private slots:
    void anyInstantComesBackExactly_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<quint64>("checkpointRows");
        QTest::newRow("checkpoint after nearly every batch") << quint64{1} << quint64{5};
        QTest::newRow("checkpoint now and then") << quint64{2} << quint64{60};
        QTest::newRow("checkpoint now and then, other seed") << quint64{3} << quint64{111};
        QTest::newRow("checkpoint never, tails only") << quint64{4} << quint64{1'000'000};
    }
    void anyInstantComesBackExactly() {
        QFETCH(quint64, seed);
        QFETCH(quint64, checkpointRows);
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        auto options = optionsFor(directory);
        options.checkpointRows = checkpointRows;
        Random random(seed * 77);
        Workload workload(seed);
        Model model;
        auto open = std::make_unique<OpenStore>(options);
        QVERIFY(open->commit(destinationsBatch(Workload::kDestinations)));
        for (int step = 0; step < 300; ++step) {
            WriteBatch batch = workload.step(model);
            batch.ticket = batch.intake = ++open->ticket;
            open->store->submit(std::move(batch));
            const auto commit = open->listener.waitForIntake(open->ticket);
            QVERIFY(commit.stored);
            Workload::accepted(model, commit);
            if (random.chance(0.06)) {
                // As after a kill: the files as they are, without the shared memory.
                const std::string copy =
                    temporary.path().toStdString() + "/copy" + std::to_string(step);
                QDir().mkpath(QString::fromStdString(copy));
                for (const char* name : {"/lanes.db", "/lanes.db-wal"})
                    QVERIFY(QFile::copy(QString::fromStdString(directory + name),
                                        QString::fromStdString(copy + name)));
                const OpenStore copied(optionsFor(copy));
                QCOMPARE(difference(copied, model), std::string());
                QCOMPARE(booksOf(copy), std::string());
            }
            if (random.chance(0.05)) {
                QCOMPARE(booksOf(directory), std::string());
                open.reset();
                open = std::make_unique<OpenStore>(options);
                QCOMPARE(difference(*open, model), std::string());
            }
        }
        QVERIFY(model.rewinds > 0);
        QVERIFY(model.redeliveries > 0);
        QVERIFY(model.undone > 0);
        QVERIFY(model.counters[DestinationId(1)].discarded > 0);
    }

    void damagedCheckpointIsRebuiltFromTheLog_data() {
        QTest::addColumn<QString>("damage");
        QTest::newRow("what waits") << "UPDATE checkpoint SET pending=x'01020304'";
        QTest::newRow("how it was tried") << "UPDATE tried_blocks SET data=x'01020304'";
    }
    void damagedCheckpointIsRebuiltFromTheLog() {
        QFETCH(QString, damage);
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        Workload workload(9);
        Model model;
        {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(Workload::kDestinations)));
            for (int step = 0; step < 50; ++step) {
                WriteBatch batch = workload.step(model);
                batch.ticket = batch.intake = ++open.ticket;
                open.store->submit(std::move(batch));
                Workload::accepted(model, open.listener.waitForIntake(open.ticket));
            }
        }
        {
            SQLite::Database database(directory + "/lanes.db", SQLite::OPEN_READWRITE);
            QVERIFY(database.exec(damage.toStdString()) > 0);
        }
        for (int start = 0; start < 2; ++start) {
            const OpenStore open(optionsFor(directory));
            QCOMPARE(difference(open, model), std::string());
        }
    }

    void sequencesAreNeverGivenAgain() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        for (std::uint64_t turn = 1; turn <= 3; ++turn) {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(1)));
            QCOMPARE(open.recovery.lastSequence.value, turn - 1);
            QCOMPARE(open.accept({newEvent(std::to_string(turn), 1, {1})})
                         .events.at(0).sequence.value,
                     turn);
            open.store->close();
            SQLite::Database database(directory + "/lanes.db", SQLite::OPEN_READWRITE);
            database.exec("DELETE FROM events; DELETE FROM pointers");
            // Nothing is left of the log, so nothing may wait either.
            database.exec("DELETE FROM checkpoint");
        }
    }

    void progressReachesOne() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(1)));
            std::vector<NewEvent> events;
            for (int n = 0; n < 40'000; ++n)
                events.push_back(newEvent(std::to_string(n), std::uint64_t(n), {1}));
            QVERIFY(open.accept(std::move(events)).stored);
        }
        RecordingListener listener;
        SqliteStore store(optionsFor(directory), listener);
        Recovery recovery;
        std::vector<double> progress;
        std::size_t pending = 0;
        recovery.progress = [&](double share) { progress.push_back(share); };
        recovery.pending = [&](const PendingPointer&) { ++pending; };
        QVERIFY(store.open(recovery).ok());
        QCOMPARE(pending, std::size_t{40'000});
        QVERIFY(progress.size() >= 3);
        QVERIFY(std::is_sorted(progress.begin(), progress.end()));
        QCOMPARE(progress.back(), 1.0);
    }
};

QTEST_GUILESS_MAIN(TestStoreRecovery)
#include "store_recovery_test.moc"
