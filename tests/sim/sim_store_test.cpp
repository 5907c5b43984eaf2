// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_store.h"

#include <QTest>

#include <map>
#include <vector>

using namespace lanes;
using lanes::sim::SimStore;

namespace {

struct Listener : StoreListener, lanes::sim::DurableListener {
    std::vector<CommitReport> reports;
    std::vector<bool> writable;
    std::vector<Sequence> events;
    std::vector<JournalEntry> entries;

    void committed(CommitReport report) override { reports.push_back(std::move(report)); }
    void statusChanged(StoreStatus status) override { writable.push_back(status.writable); }
    void eventDurable(const StoredEvent& event) override { events.push_back(event.sequence); }
    void entryDurable(const JournalEntry& entry) override { entries.push_back(entry); }
    void operationDurable(const OperationRecord&) override {}
    void skipDurable(const OperationSkip&) override {}
    void holdDurable(const LaneHold&) override {}
    void commitDurable() override {}
};

WriteBatch eventBatch(std::uint64_t intake, const std::string& id) {
    NewEvent event;
    event.source = "test";
    event.id = id;
    event.userId = UserId(7);
    event.targets = {{DestinationId(1), 5 * kSecond}};
    WriteBatch batch;
    batch.intake = intake;
    batch.events.push_back(event);
    return batch;
}

WriteBatch journalBatch(std::uint64_t ticket, JournalKind kind, std::uint64_t sequence,
                        Outcome outcome = Outcome::failed, std::uint32_t attempt = 1) {
    JournalEntry entry;
    entry.kind = kind;
    entry.pointer = {DestinationId(1), Sequence(sequence)};
    entry.user = UserId(7);
    entry.attempt = attempt;
    entry.life = kind == JournalKind::rewound ? 2 : 1;
    entry.outcome = outcome;
    entry.status = 500;
    entry.clock = 9 * kSecond;
    WriteBatch batch;
    batch.ticket = ticket;
    batch.journal.push_back(entry);
    return batch;
}

/// A batch that is to be durable and says nothing about events.
WriteBatch journalBatchOf(std::uint64_t ticket) {
    WriteBatch batch;
    batch.ticket = ticket;
    return batch;
}

/// A store with one destination on its disk.
struct World {
    Listener listener;
    SimStore store{1, listener, listener};
    Micros now = 0;

    World() {
        WriteBatch batch;
        DestinationConfig config;
        config.id = DestinationId(1);
        config.name = "crm";
        batch.destinations.push_back(config);
        store.submit(batch);
        settle();
        listener = Listener{};
    }
    /// Lets time pass until the store has nothing left to do.
    void settle() {
        for (int i = 0; i < 100 && next(); ++i) {
        }
    }
    bool next() {
        if (store.nextChange() == SimStore::kNever) return false;
        now = store.nextChange();
        store.advance(now);
        return true;
    }
    std::vector<PendingPointer> pending() {
        std::vector<PendingPointer> found;
        destinations.clear();
        Recovery recovery;
        recovery.pending = [&found](const PendingPointer& pointer) { found.push_back(pointer); };
        store.reopen(recovery, destinations);
        return found;
    }
    std::vector<RecoveredDestination> destinations;
};

}  // namespace

class SimStoreTest : public QObject {
    Q_OBJECT

private slots:
    void reportsWhatIsDurableAfterALatency() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        QVERIFY(world.listener.reports.empty());
        QVERIFY(world.store.nextChange() > world.now);
        world.settle();
        QCOMPARE(world.listener.reports.size(), 1u);
        const IntakeCommit& intake = world.listener.reports[0].intakes.at(0);
        QVERIFY(intake.stored);
        QCOMPARE(intake.intake, 1u);
        QCOMPARE(intake.events.at(0).sequence, Sequence(1));
        QCOMPARE(intake.events.at(0).targets.size(), 1u);
        QCOMPARE(world.listener.events.size(), 1u);
    }

    void commitsWhatComesMeanwhileTogether() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        world.store.submit(eventBatch(2, "b"));
        world.store.submit(eventBatch(3, "c"));
        world.settle();
        QCOMPARE(world.listener.reports.size(), 2u);
        QCOMPARE(world.listener.reports[0].intakes.size(), 1u);
        QCOMPARE(world.listener.reports[1].intakes.size(), 2u);
        QCOMPARE(world.listener.reports[1].intakes[1].events.at(0).sequence, Sequence(3));
    }

    void findsAnEventThatCameBefore() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        world.store.submit(eventBatch(2, "a"));
        world.settle();
        const StoredEvent& again = world.listener.reports[1].intakes.at(0).events.at(0);
        QVERIFY(again.duplicate);
        QCOMPARE(again.sequence, Sequence(1));
        QVERIFY(again.targets.empty());
        QCOMPARE(world.store.lastSequence(), Sequence(1));
    }

    void losesInACrashWhatWasNotCommitted() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        world.settle();
        world.store.submit(eventBatch(2, "b"));  // in the commit that runs
        world.store.submit(eventBatch(3, "c"));  // waits for it
        world.store.crash();
        QCOMPARE(world.store.nextChange(), SimStore::kNever);
        QCOMPARE(world.listener.events.size(), 1u);
        QCOMPARE(world.pending().size(), 1u);
    }

    void keepsInACrashWhatWasCommittedAndNotReported() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        QVERIFY(world.next());  // the commit ends; the report comes later
        QVERIFY(world.listener.reports.empty());
        QVERIFY(world.store.nextChange() != SimStore::kNever);
        world.store.crash();
        QVERIFY(world.listener.reports.empty());
        QCOMPARE(world.listener.events.size(), 1u);
        QCOMPARE(world.pending().size(), 1u);
    }

    void givesEventsBackWhenItFailsAndKeepsTheJournal() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        world.settle();
        world.listener = Listener{};
        world.store.failUntil(world.now + 5 * kSecond);
        world.store.submit(journalBatch(1, JournalKind::attempt, 1));
        world.store.submit(eventBatch(2, "b"));
        while (world.listener.writable.empty()) QVERIFY(world.next());
        QCOMPARE(world.listener.writable.front(), false);
        world.store.submit(eventBatch(3, "c"));  // while it fails: at once
        world.settle();
        QCOMPARE(world.listener.writable, (std::vector<bool>{false, true}));
        int givenBack = 0;
        int stored = 0;
        std::uint64_t ticket = 0;
        for (const CommitReport& report : world.listener.reports) {
            QVERIFY(report.ticket >= ticket);
            ticket = report.ticket;
            for (const IntakeCommit& intake : report.intakes)
                ++(intake.stored ? stored : givenBack);
        }
        // The second was not in the commit that failed: it waited, and is stored at last.
        QCOMPARE(givenBack, 1);
        QCOMPARE(stored, 1);
        QCOMPARE(ticket, 1u);
        QCOMPARE(world.listener.entries.size(), 1u);
    }

    void sleepsWithTheMachine() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        const Micros ends = world.store.nextChange();
        world.store.sleep(kHour);
        QCOMPARE(world.store.nextChange(), ends + kHour);
        world.settle();
        QCOMPARE(world.listener.events.size(), 1u);
    }

    void forgetsARemovedDestination() {
        World world;
        world.store.submit(eventBatch(1, "a"));
        world.settle();
        world.store.submit(journalBatch(1, JournalKind::deadLettered, 1));
        world.settle();
        QVERIFY(world.store.hasDeadLetters());
        WriteBatch batch;
        batch.ticket = 2;
        batch.removed.push_back(DestinationId(1));
        world.store.submit(batch);
        world.settle();
        QVERIFY(world.pending().empty());
        QVERIFY(world.destinations.empty());
        QVERIFY(world.store.deadLetters().empty());
        QCOMPARE(world.store.lastDestination(), DestinationId(1));
    }

    void knowsHowLongADeliveryWaitsForItsCommit() {
        // Deliveries that end at random times while the store is busy all the time.
        World world;
        Random random(1);
        Micros waited = 0;
        int count = 0;
        std::uint64_t ticket = 0;
        world.store.submit(journalBatchOf(++ticket));
        Micros next = world.now;
        std::vector<Micros> open;
        std::size_t seen = 0;
        while (count < 20'000) {
            next += 1 + static_cast<Micros>(random.exponential(2.0 * kMillisecond));
            while (world.store.nextChange() <= next) {
                QVERIFY(world.next());
                for (; seen < world.listener.reports.size(); ++seen) {
                    const auto durable = world.listener.reports[seen].ticket;
                    while (!open.empty() && ticket - open.size() + 1 <= durable) {
                        waited += world.now - open.front();
                        ++count;
                        open.erase(open.begin());
                    }
                }
            }
            world.store.advance(next);
            world.store.submit(journalBatchOf(++ticket));
            open.push_back(next);
        }
        const double mean = static_cast<double>(waited) / count;
        const double expected = static_cast<double>(SimStore::meanDurability());
        QVERIFY2(mean > 0.85 * expected && mean < 1.15 * expected,
                 qPrintable(QString::number(mean / expected)));
    }

    void findsAgainWhatARestartNeeds() {
        World world;
        for (const char* id : {"a", "b", "c", "d"}) world.store.submit(eventBatch(1, id));
        world.settle();
        world.store.submit(journalBatch(1, JournalKind::attempt, 1, Outcome::delivered));
        world.store.submit(journalBatch(2, JournalKind::attempt, 2, Outcome::failed, 1));
        world.store.submit(journalBatch(3, JournalKind::attempt, 2, Outcome::failed, 2));
        world.store.submit(journalBatch(4, JournalKind::deadLettered, 3));
        world.settle();
        QCOMPARE(world.store.loggedAttempts(), 3u);
        auto pending = world.pending();
        QCOMPARE(pending.size(), 2u);
        QCOMPARE(pending[0].pointer.sequence, Sequence(2));
        QCOMPARE(pending[0].attempts, 2u);
        QCOMPARE(pending[0].lastOutcome, Outcome::failed);
        QCOMPARE(pending[0].clock, 5 * kSecond);
        QCOMPARE(pending[1].attempts, 0u);
        QCOMPARE(world.destinations.size(), 1u);
        DeliveryCounters expected;
        expected.accepted = 4;
        expected.delivered = 1;
        expected.waiting = 2;
        expected.dead = 1;
        QCOMPARE(world.destinations[0].counters, expected);
        QCOMPARE(world.destinations[0].dead.size(), 1u);
        QCOMPARE(world.store.deadLetters(),
                 (std::vector<Pointer>{{DestinationId(1), Sequence(3)}}));

        world.store.submit(journalBatch(5, JournalKind::rewound, 3));
        world.settle();
        pending = world.pending();
        QCOMPARE(pending.size(), 3u);
        QCOMPARE(pending[1].life, 2u);
        QCOMPARE(pending[1].attempts, 0u);
        QCOMPARE(pending[1].clock, 9 * kSecond);
    }
};

QTEST_GUILESS_MAIN(SimStoreTest)
#include "sim_store_test.moc"
