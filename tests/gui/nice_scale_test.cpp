// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_graphs.h"
#include "ui/health/nice_scale.h"

#include <QTest>

using namespace lanes::ui;

class NiceScaleTest : public QObject {
    Q_OBJECT

private slots:
    void roundsUp_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("top");
        QTest::newRow("nothing") << 0.0 << 0.0;
        QTest::newRow("a nice number stays") << 40.0 << 40.0;
        QTest::newRow("just above takes the next") << 40.1 << 60.0;
        QTest::newRow("sums of fractions have slack") << 10.0000000001 << 10.0;
        QTest::newRow("below one") << 0.15 << 0.2;
        QTest::newRow("millions") << 1'204'331.0 << 2'000'000.0;
        QTest::newRow("nine takes ten") << 9.0 << 10.0;
    }
    void roundsUp() {
        QFETCH(double, value);
        QFETCH(double, top);
        QCOMPARE(NiceScale::ceiling(value), top);
    }

    void growsAtOnceAndShrinksLater() {
        NiceScale scale(2);
        QCOMPARE(scale.fit(0, 0), 2.0);
        QCOMPARE(scale.fit(35, 1), 40.0);
        QCOMPARE(scale.fit(3, 20), 40.0);
        QCOMPARE(scale.fit(38, 25), 40.0);  // needed again
        QCOMPARE(scale.fit(3, 50), 40.0);
        QCOMPARE(scale.fit(3, 56), 4.0);
        scale.fit(90, 60);
        scale.reset();
        QCOMPARE(scale.fit(3, 61), 4.0);
    }

    void staysWithinItsLimits() {
        NiceScale percent(10, 100);
        QCOMPARE(percent.fit(0.3, 0), 10.0);
        QCOMPARE(percent.fit(100, 0), 100.0);
    }

    void graphsTakeTheColumnsThatFit_data() {
        QTest::addColumn<QSize>("area");
        QTest::addColumn<int>("columns");
        QTest::newRow("a low dock over the whole window") << QSize(1264, 180) << 4;
        QTest::newRow("a low dock beside another") << QSize(744, 190) << 2;
        QTest::newRow("a square") << QSize(680, 380) << 2;
        QTest::newRow("a dock at the side") << QSize(400, 660) << 1;
        QTest::newRow("a very wide one") << QSize(2500, 300) << 4;
    }
    void graphsTakeTheColumnsThatFit() {
        QFETCH(QSize, area);
        QTEST(graphColumns(area, 4), "columns");
    }
};

QTEST_GUILESS_MAIN(NiceScaleTest)
#include "nice_scale_test.moc"
