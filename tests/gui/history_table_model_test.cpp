// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/outage_story.h"
#include "ui/health/history_table_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

class HistoryTableModelTest : public QObject {
    Q_OBJECT

private slots:
    void isAModel() {
        HistoryBuffer history;
        test::tellOutage(1'790'000'000 * kSecond,
                         [&](const EngineSnapshot& s) { history.add(s); });
        const HistoryTableModel model(
            history.range(DestinationId(1), Resolution::second, 0, 2'000'000'000), {}, nullptr);
        QAbstractItemModelTester tester(const_cast<HistoryTableModel*>(&model),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), int(kHistory[0].span));
        QCOMPARE(model.columnCount(), int(HistoryTableModel::columns));
    }

    void newestFirstWithItsNumbers() {
        Bucket older;
        older.start = 1'790'000'000;
        Bucket newer;
        newer.start = older.start + 1;
        newer.covered = 0.5;
        newer.accepted = 10;
        newer.delivered = 5;
        newer.attempts = 8;
        newer.errors = 3;
        newer.state = HealthState::recovering;
        newer.backlog.add(4211);
        HealthFlag pause;
        pause.at = newer.start * kSecond;
        pause.who = "anna";
        pause.what = "<b>now</b>";
        const HistoryTableModel model({older, newer}, {pause}, nullptr);
        const auto text = [&model](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(0, HistoryTableModel::time), QStringLiteral("2026-09-21 14:13:21"));
        QCOMPARE(text(0, HistoryTableModel::state), QStringLiteral("recovering"));
        QCOMPARE(text(0, HistoryTableModel::in), QStringLiteral("20.0"));
        QCOMPARE(text(0, HistoryTableModel::out), QStringLiteral("10.0"));
        QCOMPARE(text(0, HistoryTableModel::errors), QStringLiteral("37.5"));
        QCOMPARE(text(0, HistoryTableModel::backlog), QLocale().toString(4211));
        QCOMPARE(text(0, HistoryTableModel::done),
                 QStringLiteral("2026-09-21 14:13:21 Paused by anna: <b>now</b>"));
        QCOMPARE(text(1, HistoryTableModel::done), QString());
        QVERIFY(model.index(0, HistoryTableModel::done)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("&lt;b&gt;")));
        // Nothing was watched or tried: no zero is made up.
        QCOMPARE(text(1, HistoryTableModel::in), QString(QChar(0x2013)));
        QCOMPARE(text(1, HistoryTableModel::errors), QString(QChar(0x2013)));
        QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Time (UTC)"));
    }
};

QTEST_MAIN(HistoryTableModelTest)
#include "history_table_model_test.moc"
