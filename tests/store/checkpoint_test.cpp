// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint.h"
#include "engine/store/recovery.h"
#include "engine/store/schema.h"
#include "tests/store/store_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace lanes;
using namespace lanes::store;
using namespace lanes::test;

namespace {

constexpr DestinationId kDestination{1};
constexpr std::uint64_t kEvents = 5 * TriedBlocks::kSequences;

/// A log with waiting events, of which failed attempts are written one by one.
class Log {
public:
    explicit Log(const std::string& directory) {
        const auto path = dataFile(directory);
        if (!createDataFile(path)) qFatal("no file");
        database = openForWriting(path, 1000);
        database->exec("INSERT INTO destinations(id, name, url, window, max_in_flight,"
                       " after_dead_letter, statuses, secrets, headers, event_types,"
                       " connect_timeout, attempt_timeout, allow_link_local, rate_limit,"
                       " allow_edits) VALUES(1,'a','http://127.0.0.1/',1000000,64,0,"
                       "x'',x'',x'',x'',1,1,0,0,0)");
        ledger.add(kDestination);
        for (std::uint64_t sequence = 1; sequence <= kEvents; ++sequence) {
            database->exec("INSERT INTO pointers(seq, user, targets) VALUES(" +
                           std::to_string(sequence) +
                           ",1,x'0100')");
            ledger.accept(Sequence(sequence), {{kDestination, 0}});
        }
    }
    void attempt(std::uint64_t sequence, bool delivered = false) {
        JournalFact fact;
        fact.pointer = {kDestination, Sequence(sequence)};
        fact.attempt = ++attempts[sequence];
        fact.outcome = delivered ? Outcome::delivered : Outcome::failed;
        fact.status = delivered ? 200 : 500;
        fact.row = ++rows;
        ledger.apply(fact);
        database->exec("INSERT INTO journal VALUES(" + std::to_string(fact.row) + ",0,1," +
                       std::to_string(sequence) + ",1," + std::to_string(fact.attempt) +
                       ",0,0," + std::to_string(static_cast<int>(fact.outcome)) + "," +
                       std::to_string(fact.status) + ",0,0,0,'','',x'')");
    }
    /// Whether a start finds what the ledger says, from the checkpoint.
    bool comesBack() {
        PendingLedger found;
        if (!loadLedger(*database, found)) return false;
        const auto* mine = ledger.find(kDestination);
        const auto* other = found.find(kDestination);
        if (mine->counters().waiting != other->counters().waiting) return false;
        for (std::uint64_t sequence = 1; sequence <= kEvents; ++sequence) {
            const auto* a = mine->tried(Sequence(sequence));
            const auto* b = other->tried(Sequence(sequence));
            if ((a == nullptr) != (b == nullptr) || (a != nullptr && !(*a == *b))) return false;
        }
        return mine->sameOpenEvents(*other);
    }
    [[nodiscard]] LogPositions end() const { return {kEvents, rows}; }

    Connection database;
    PendingLedger ledger;
    std::map<std::uint64_t, std::uint32_t> attempts;
    std::uint64_t rows = 0;
};

}  // namespace

class CheckpointTest : public QObject {
    Q_OBJECT

private slots:
    void aKillAtAnySliceLosesNothingWhileDeliveriesGoOn() {
        const QTemporaryDir directory(QString::fromLatin1(temporaryTemplate()));
        Log log(directory.path().toStdString());
        for (int round = 0; round < 3; ++round) {
            for (std::uint64_t sequence = 1; sequence <= kEvents; sequence += 3)
                log.attempt(sequence);
            CheckpointPass pass(log.ledger, log.end());
            for (int slice = 0;; ++slice) {
                pass.write(*log.database, log.ledger, 1);
                const bool over = pass.confirm();
                QVERIFY(log.comesBack());
                if (over) break;
                QVERIFY(slice < 5);
                // In a block that is written already, and in one that is not.
                log.attempt(4 + static_cast<std::uint64_t>(round));
                log.attempt(kEvents - 1);
                log.attempt(1 + 3 * static_cast<std::uint64_t>(8 * round + slice), true);
                QVERIFY(log.comesBack());
            }
        }
    }

    void onlyBlocksThatChangedAreWritten() {
        const QTemporaryDir directory(QString::fromLatin1(temporaryTemplate()));
        Log log(directory.path().toStdString());
        for (std::uint64_t sequence = 1; sequence <= kEvents; ++sequence) log.attempt(sequence);
        writeCheckpoint(*log.database, log.ledger, log.end());
        QCOMPARE(queryNumber(*log.database, "SELECT COUNT(*) FROM tried_blocks"), 6);
        log.database->exec("UPDATE tried_blocks SET hash=0");
        log.attempt(1);
        writeCheckpoint(*log.database, log.ledger, log.end());
        QCOMPARE(queryNumber(*log.database, "SELECT COUNT(*) FROM tried_blocks WHERE hash<>0"), 1);
    }

    void aPassThatWasGivenUpIsWrittenByTheNextOne() {
        const QTemporaryDir directory(QString::fromLatin1(temporaryTemplate()));
        Log log(directory.path().toStdString());
        for (std::uint64_t sequence = 1; sequence <= kEvents; ++sequence) log.attempt(sequence);
        CheckpointPass(log.ledger, log.end()).abandon(log.ledger);
        writeCheckpoint(*log.database, log.ledger, log.end());
        log.database->exec("DELETE FROM journal");  // the checkpoint alone has to tell it
        QVERIFY(log.comesBack());
    }

    void aBlockOfWhichNothingWaitsIsRemoved() {
        const QTemporaryDir directory(QString::fromLatin1(temporaryTemplate()));
        Log log(directory.path().toStdString());
        log.attempt(1);
        writeCheckpoint(*log.database, log.ledger, log.end());
        log.attempt(1, true);
        writeCheckpoint(*log.database, log.ledger, log.end());
        QCOMPARE(queryNumber(*log.database, "SELECT COUNT(*) FROM tried_blocks"), 0);
        QVERIFY(log.comesBack());
    }
};

QTEST_GUILESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
