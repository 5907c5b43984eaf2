// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/sorted_run.h"

#include <QTest>

#include <cstdint>
#include <vector>

using lanes::store::SortedRun;

class SortedRunTest : public QObject {
    Q_OBJECT

private slots:
    void aFrozenRunComesSortedInSlicesWhileNewEntriesGather() {
        SortedRun<int> run;
        for (const int entry : {5, 1, 4, 2, 3}) run.add(entry, static_cast<std::uint64_t>(entry));
        run.freeze();
        run.add(9, 9);
        QCOMPARE(run.mark(), 5u);
        std::vector<int> written;
        while (run.writing()) {
            const auto slice = run.slice(2);
            written.insert(written.end(), slice.begin(), slice.end());
            run.advance(slice.size());
        }
        QCOMPARE(written, (std::vector<int>{1, 2, 3, 4, 5}));
        QCOMPARE(run.gathered(), 1u);
        QVERIFY(!run.empty());
    }

    void slicesOfAFinishedRunAreEmpty() {
        SortedRun<int> run;
        run.add(1, 1);
        run.freeze();
        run.advance(1);
        QVERIFY(!run.writing());
        QVERIFY(run.slice(10).empty());
        QVERIFY(run.ends(0));
        run.advance(0);
        QVERIFY(run.slice(10).empty());
    }
};

QTEST_GUILESS_MAIN(SortedRunTest)
#include "sorted_run_test.moc"
