// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/core/random.h"
#include "engine/store/connection.h"
#include "engine/store/order_ledger.h"
#include "engine/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace lanes;
using namespace lanes::test;

namespace {

struct Act {
    JournalKind kind;
    std::uint64_t sequence;
    Outcome outcome = Outcome::delivered;
    std::uint32_t life = 1;
};

constexpr auto kTry = JournalKind::attempt;
constexpr auto kDead = JournalKind::deadLettered;
constexpr auto kRewind = JournalKind::rewound;
constexpr auto kDrop = JournalKind::discarded;
constexpr auto kUndo = JournalKind::returned;
constexpr auto kFail = Outcome::failed;
constexpr auto kDone = Outcome::delivered;

}  // namespace

Q_DECLARE_METATYPE(std::vector<Act>)

class TestOrderLedger : public QObject {
    Q_OBJECT

private:
    /// Three events of one user and one of another, at one destination, and then the acts.
    void write(const std::vector<Act>& acts) {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(open.accept({newEvent("a", 1, {1}), newEvent("b", 1, {1}), newEvent("c", 1, {1}),
                             newEvent("d", 2, {1})}).stored);
        WriteBatch batch;
        for (const auto& act : acts) {
            batch.journal.push_back(
                journalEntry(act.kind, 1, Sequence(act.sequence), act.outcome));
            batch.journal.back().life = act.life;
        }
        QVERIFY(open.commit(std::move(batch)));
        m_running = verify();
    }
    VerifyReport verify() const {
        const auto verdict = verifyDataDirectory(m_path);
        if (const auto* error = std::get_if<std::string>(&verdict)) {
            VerifyReport failed;
            failed.unbalanced = 999;
            failed.findings = {*error};
            return failed;
        }
        return std::get<VerifyReport>(verdict);
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;
    VerifyReport m_running;

private slots:
    void init() {
        m_directory =
            std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void orderIsJudged_data() {
        QTest::addColumn<std::vector<Act>>("acts");
        QTest::addColumn<quint64>("violations");
        QTest::addColumn<quint64>("rewinds");
        using Acts = std::vector<Act>;
        QTest::newRow("nothing happened") << Acts{} << quint64{0} << quint64{0};
        QTest::newRow("in order, with retries and another lane between")
            << Acts{{kTry, 1, kFail}, {kTry, 4}, {kTry, 1}, {kTry, 2}, {kTry, 3}} << quint64{0}
            << quint64{0};
        QTest::newRow("second tried before the first was finished")
            << Acts{{kTry, 1, kFail}, {kTry, 2, kFail}, {kTry, 1}, {kTry, 2}} << quint64{1}
            << quint64{0};
        QTest::newRow("second delivered before the first")
            << Acts{{kTry, 2}, {kTry, 1}, {kTry, 3}} << quint64{2} << quint64{0};
        QTest::newRow("third tried while the second waits")
            << Acts{{kTry, 1}, {kTry, 3, kFail}} << quint64{1} << quint64{0};
        QTest::newRow("second goes on after the first is dead")
            << Acts{{kTry, 1, kFail}, {kDead, 1, kFail}, {kTry, 2}} << quint64{0} << quint64{0};
        QTest::newRow("rewound and delivered late is marked")
            << Acts{{kDead, 1, kFail}, {kTry, 2}, {kRewind, 1, kFail, 2},
                    {kTry, 1, Outcome::delivered, 2}, {kTry, 3}}
            << quint64{0} << quint64{1};
        QTest::newRow("dead one delivered late without a rewind")
            << Acts{{kDead, 1, kFail}, {kTry, 2}, {kTry, 1}} << quint64{1} << quint64{0};
        QTest::newRow("a lane is sent again from its first event on")
            << Acts{{kTry, 1}, {kTry, 2}, {kRewind, 1, kDone, 2}, {kRewind, 2, kDone, 2},
                    {kTry, 1, kFail, 2}, {kTry, 1, kDone, 2}, {kTry, 2, kDone, 2}, {kTry, 3}}
            << quint64{0} << quint64{2};
        QTest::newRow("a rewound one waits")
            << Acts{{kDead, 1, kFail}, {kRewind, 1, kFail, 2}} << quint64{0} << quint64{1};
        QTest::newRow("rewinds of a dead and of a delivered one are undone")
            << Acts{{kDead, 1, kFail}, {kTry, 2}, {kRewind, 1, kFail, 2}, {kRewind, 2, kDone, 2},
                    {kUndo, 1, kFail, 2}, {kUndo, 2, kDone, 2}, {kTry, 3}}
            << quint64{0} << quint64{2};
        QTest::newRow("discarded ones hold nobody")
            << Acts{{kDead, 1, kFail}, {kDrop, 1}, {kTry, 2}, {kTry, 3}} << quint64{0}
            << quint64{0};
    }
    void orderIsJudged() {
        QFETCH(std::vector<Act>, acts);
        QFETCH(quint64, violations);
        QFETCH(quint64, rewinds);
        write(acts);
        const auto closed = verify();
        for (const auto& report : {m_running, closed}) {
            QVERIFY2(report.unbalanced == 0, report.findings.empty()
                                                 ? ""
                                                 : report.findings.back().c_str());
            QCOMPARE(report.orderViolations, violations);
            QCOMPARE(report.markedRewinds, rewinds);
            QCOMPARE(report.lanes, quint64{2});
            QCOMPARE(report.findings.size(), std::size_t(violations));
        }
        const auto tries = std::count_if(acts.begin(), acts.end(),
                                         [](const Act& act) { return act.kind == kTry; });
        QCOMPARE(closed.attempts, quint64(tries));
    }

    void brokenBooksAreFound_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("a counter was changed")
            << QStringLiteral("UPDATE checkpoint SET delivered=delivered+1, accepted=accepted+1");
        QTest::newRow("a delivery is missing")
            << QStringLiteral("DELETE FROM journal WHERE kind=0 AND outcome=0");
        QTest::newRow("an event is missing")
            << QStringLiteral("DELETE FROM pointers WHERE seq=3");
        QTest::newRow("a dead letter is missing from the list")
            << QStringLiteral("DELETE FROM dead_letters");
        QTest::newRow("a dead letter that nobody rewound is hidden")
            << QStringLiteral("UPDATE dead_letters SET rewound_by=1");
        QTest::newRow("a result about an event that was never accepted")
            << QStringLiteral("UPDATE journal SET seq=77 WHERE id=1");
    }
    void brokenBooksAreFound() {
        QFETCH(QString, sql);
        write({{kTry, 1, kFail}, {kDead, 1, kFail}, {kTry, 2}});
        QVERIFY(verify().clean());
        {
            SQLite::Database database(m_path + "/lanes.db", SQLite::OPEN_READWRITE);
            QVERIFY(database.exec(sql.toStdString()) > 0);
        }
        const auto report = verify();
        QVERIFY(report.unbalanced > 0);
        QVERIFY(!report.findings.empty());
    }

    void eventsWithoutAUserOrderWithNothing() {
        {
            OpenStore open(optionsFor(m_path));
            QVERIFY(open.commit(destinationsBatch(1)));
            QVERIFY(open.accept({newEvent("a", 0, {1}), newEvent("b", 0, {1})}).stored);
            WriteBatch batch;
            batch.journal = {journalEntry(kTry, 1, Sequence(2)),
                             journalEntry(kTry, 1, Sequence(1))};
            QVERIFY(open.commit(std::move(batch)));
        }
        const auto report = verify();
        QVERIFY(report.clean());
        QCOMPARE(report.lanes, quint64{2});
    }

    /// A log with gaps, events for several destinations and rows in any order, against the rules
    /// as one would write them down.
    void anyLogIsJudgedAsByTheRules() {
        struct Event {
            bool finished = false;
            bool delivered = false;
            bool rewound = false;
        };
        using LaneEvents = std::map<std::uint64_t, Event>;
        Random random(23);
        VerifyReport report;
        store::OrderLedger ledger(report);
        std::map<std::pair<std::uint32_t, std::uint64_t>, LaneEvents> lanes;
        std::map<Pointer, LaneEvents*> known;
        std::uint64_t alone = 1'000'000;  // key of a lane for an event without a user
        std::uint64_t sequence = 0;
        for (int i = 0; i < 3'000; ++i) {
            sequence += random.chance(0.01) ? 100'000 : 1 + random.below(3);
            const auto user = random.below(300);
            for (std::uint32_t destination = 1; destination <= 3; ++destination) {
                if (random.chance(0.5)) continue;
                const Pointer pointer{DestinationId(destination), Sequence(sequence)};
                ledger.addPointer(pointer, UserId(user));
                auto& lane = lanes[{destination, user == 0 ? ++alone : user}];
                lane[sequence];
                known[pointer] = &lane;
            }
        }
        QCOMPARE(report.lanes, quint64(lanes.size()));
        std::vector<Pointer> pointers{{DestinationId(1), Sequence(0)},
                                      {DestinationId(9), Sequence(sequence)},
                                      {DestinationId(1), Sequence(sequence + 1)}};
        for (const auto& [pointer, lane] : known) pointers.push_back(pointer);
        VerifyReport expected;
        for (std::uint64_t row = 1; row <= 20'000; ++row) {
            store::JournalFact fact;
            // Most rows are near the place where the log is, as in life.
            const auto near = row * pointers.size() / 20'001;
            fact.pointer = pointers[random.chance(0.1) ? random.below(pointers.size())
                                                       : std::max<std::size_t>(near, 3) - 3 +
                                                             random.below(3)];
            fact.kind = random.chance(0.8)
                            ? JournalKind::attempt
                            : static_cast<JournalKind>(1 + random.below(3));
            fact.outcome = random.chance(0.7) ? Outcome::delivered : Outcome::failed;
            ledger.apply(row, fact);

            if (fact.kind == JournalKind::attempt) ++expected.attempts;
            if (fact.kind == JournalKind::rewound) ++expected.markedRewinds;
            const auto found = known.find(fact.pointer);
            if (found == known.end()) {
                ++expected.unbalanced;
                continue;
            }
            auto& lane = *found->second;
            auto& event = lane[fact.pointer.sequence.value];
            if (fact.kind == JournalKind::rewound) event.rewound = true;
            if (fact.kind == JournalKind::deadLettered || fact.kind == JournalKind::discarded)
                event.finished = true;
            if (fact.kind != JournalKind::attempt) continue;
            bool earlierWaits = false;
            bool laterDelivered = false;
            for (const auto& [other, state] : lane) {
                earlierWaits |= other < fact.pointer.sequence.value && !state.finished;
                laterDelivered |= other > fact.pointer.sequence.value && state.delivered;
            }
            if (!event.rewound && earlierWaits) ++expected.orderViolations;
            if (fact.outcome != Outcome::delivered) continue;
            if (!event.rewound && !event.delivered && laterDelivered) ++expected.orderViolations;
            event.delivered = event.finished = true;
        }
        QVERIFY(expected.orderViolations > 100 && expected.unbalanced > 0);
        QCOMPARE(report.attempts, expected.attempts);
        QCOMPARE(report.markedRewinds, expected.markedRewinds);
        QCOMPARE(report.unbalanced, expected.unbalanced);
        QCOMPARE(report.orderViolations, expected.orderViolations);
    }

    void missingDirectoryIsAnError() {
        const auto verdict = verifyDataDirectory("/nonexistent");
        QVERIFY(std::get<std::string>(verdict).find("/nonexistent") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestOrderLedger)
#include "order_ledger_test.moc"
