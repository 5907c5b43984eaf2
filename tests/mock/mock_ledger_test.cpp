// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/mock_ledger.h"

#include <QTest>

using lanes::mock::MockLedger;

namespace {
MockLedger::Delivery delivery(const char* lane, std::uint64_t sequence, bool rewind = false) {
    return {lane, sequence, 1, rewind, "invoice.paid"};
}
}  // namespace

class MockLedgerTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsRisingSequences() {
        MockLedger ledger;
        for (std::uint64_t sequence : {3u, 7u, 8u, 20u}) ledger.accepted(delivery("a", sequence));
        QCOMPARE(ledger.counts().accepted, 4u);
        QCOMPARE(ledger.counts().orderViolations, 0u);
        QCOMPARE(ledger.counts().duplicates, 0u);
    }

    void countsALowerSequenceAsViolation() {
        MockLedger ledger;
        ledger.accepted(delivery("a", 7));
        ledger.accepted(delivery("a", 3));
        QCOMPARE(ledger.counts().orderViolations, 1u);
        // The highest stays the measure: 5 is late as well.
        ledger.accepted(delivery("a", 5));
        QCOMPARE(ledger.counts().orderViolations, 2u);
        QCOMPARE(ledger.counts().duplicates, 0u);
    }

    void lanesHaveNothingToDoWithEachOther() {
        MockLedger ledger;
        ledger.accepted(delivery("a", 7));
        ledger.accepted(delivery("b", 3));
        QCOMPARE(ledger.counts().orderViolations, 0u);
    }

    void countsTheSameAgainAsDuplicateAndNotAsViolation() {
        MockLedger ledger;
        for (std::uint64_t sequence : {1u, 2u, 2u, 1u, 3u})
            ledger.accepted(delivery("a", sequence));
        QCOMPARE(ledger.counts().duplicates, 2u);
        QCOMPARE(ledger.counts().orderViolations, 0u);
    }

    void takesARewoundEventOutOfTheOrder() {
        MockLedger ledger;
        ledger.accepted(delivery("a", 7));
        ledger.arrived(delivery("a", 3, true), 0);
        ledger.accepted(delivery("a", 3, true));
        ledger.accepted(delivery("a", 8));
        QCOMPARE(ledger.counts().orderViolations, 0u);
        QCOMPARE(ledger.counts().rewinds, 1u);
    }

    void ignoresTheOrderOfForeignRequests() {
        MockLedger ledger;
        ledger.accepted(delivery("", 7));
        ledger.accepted(delivery("", 3));
        ledger.accepted(delivery("", 3));
        QCOMPARE(ledger.counts().accepted, 3u);
        QCOMPARE(ledger.counts().orderViolations, 0u);
        QCOMPARE(ledger.counts().duplicates, 0u);
    }

    void findsThePeakOfAnySecond() {
        MockLedger ledger;
        // Ten requests around the turn of a second lie within one second.
        for (int i = 0; i < 10; ++i) ledger.arrived(delivery("a", 1), 950 + 10 * i);
        QCOMPARE(ledger.counts().peakPerSecond, 10u);
        // A second later the window is empty again.
        for (int i = 0; i < 4; ++i) ledger.arrived(delivery("a", 1), 3000 + i);
        QCOMPARE(ledger.counts().peakPerSecond, 10u);
        for (int i = 0; i < 11; ++i) ledger.arrived(delivery("a", 1), 60'000 + i);
        QCOMPARE(ledger.counts().peakPerSecond, 11u);
        QCOMPARE(ledger.counts().requests, 25u);
    }

    void keepsTheNewestLines() {
        MockLedger ledger;
        for (std::uint64_t i = 1; i <= MockLedger::kLogLines + 5; ++i)
            ledger.note(delivery("a", i), 200, 0);
        QCOMPARE(ledger.log().size(), MockLedger::kLogLines);
        QCOMPARE(ledger.log().front().sequence, MockLedger::kLogLines + 5);
        QCOMPARE(ledger.log().front().type, std::string("invoice.paid"));
    }

    void forgetsTheOldestAcceptedOnly() {
        MockLedger ledger;
        const std::uint64_t count = MockLedger::kAccepted + 10;
        for (std::uint64_t i = 1; i <= count; ++i) ledger.accepted(delivery("a", i));
        ledger.accepted(delivery("a", count - 100));
        QCOMPARE(ledger.counts().duplicates, 1u);
        QCOMPARE(ledger.counts().orderViolations, 0u);
        // Longer ago than it remembers: it can only be seen as late.
        ledger.accepted(delivery("a", 1));
        QCOMPARE(ledger.counts().duplicates, 1u);
        QCOMPARE(ledger.counts().orderViolations, 1u);
    }
};

QTEST_GUILESS_MAIN(MockLedgerTest)
#include "mock_ledger_test.moc"
