// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/store/sorted_run.h"

#include <QTest>

#include <vector>

using lanes::store::IndexEntry;
using lanes::store::SortedRun;

class SortedRunTest : public QObject {
    Q_OBJECT

private slots:
    void aFrozenRunIsSortedAndStaysWhileItIsWrittenAndNewEntriesGather() {
        SortedRun run;
        std::uint64_t row = 10;
        for (const std::uint64_t key : {5u, 1u, 4u, 2u, 3u}) run.add({key, row++});
        run.freeze();
        run.add({9, row});
        QCOMPARE(run.firstRow(), 10u);
        QCOMPARE(run.lastRow(), 14u);
        run.advance(3);
        QVERIFY(run.writing());
        QCOMPARE(run.written(), std::size_t{3});
        QCOMPARE(run.frozen().size(), std::size_t{5});
        QVERIFY((run.frozen()[0] == IndexEntry{1, 11}));
        QVERIFY((run.frozen()[4] == IndexEntry{5, 10}));
        run.advance(2);
        QVERIFY(!run.writing());
        QCOMPARE(run.written(), std::size_t{0});
        QCOMPARE(run.gathered(), std::size_t{1});
        QVERIFY(!run.empty());
    }

    void theNewestEntriesCanBeTakenBack() {
        SortedRun run;
        run.add({7, 1});
        run.add({3, 2});
        run.shrink(1);
        run.freeze();
        QCOMPARE(run.lastRow(), 1u);
        QCOMPARE(run.frozen().size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(SortedRunTest)
#include "sorted_run_test.moc"
