// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/request_log_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// Lines `last`, `last - 1`, ... as a mock reports them: newest first, at most `most`.
std::vector<MockLogLine> lines(std::uint64_t last, std::uint64_t most) {
    std::vector<MockLogLine> result;
    for (std::uint64_t n = last; n > 0 && result.size() < most; --n) {
        MockLogLine line;
        line.at = 1'790'000'000 * kSecond + static_cast<WallMicros>(n) * kMillisecond;
        line.lane = "user-" + std::to_string(n % 7);
        line.sequence = n;
        line.attempt = 1;
        line.type = "order.created";
        line.status = n % 5 == 0 ? 0 : 200;
        result.push_back(line);
    }
    return result;
}

}  // namespace

class RequestLogModelTest : public QObject {
    Q_OBJECT

private slots:
    void newLinesComeInAtTheTop() {
        RequestLogModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setLines(0, lines(30, 20));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        const QPersistentModelIndex third = model.index(2, RequestLogModel::sequence);
        model.setLines(0, lines(34, 20));
        QCOMPARE(resets.size(), 0);
        QCOMPARE(model.rowCount(), 20);
        QCOMPARE(third.row(), 6);
        QCOMPARE(third.data().toString(), QStringLiteral("28"));
        QCOMPARE(model.index(0, RequestLogModel::sequence).data().toString(),
                 QStringLiteral("34"));
        QCOMPARE(model.index(19, RequestLogModel::sequence).data().toString(),
                 QStringLiteral("15"));
    }

    void theSameLinesChangeNothing() {
        RequestLogModel model;
        model.setLines(0, lines(30, 20));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
        model.setLines(0, lines(30, 20));
        QCOMPARE(resets.size() + inserts.size(), 0);
    }

    void allNewLinesReplaceAll() {
        RequestLogModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setLines(0, lines(30, 20));
        model.setLines(0, lines(300, 20));
        QCOMPARE(model.rowCount(), 20);
        QCOMPARE(model.index(0, RequestLogModel::sequence).data().toString(),
                 QStringLiteral("300"));
    }

    void anotherMockReplacesAll() {
        RequestLogModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setLines(0, lines(30, 20));
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setLines(1, lines(31, 20));
        QCOMPARE(resets.size(), 1);
        model.setLines(1, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void noAnswerIsSaidInWords() {
        RequestLogModel model;
        model.setLines(0, lines(5, 5));
        QCOMPARE(model.index(0, RequestLogModel::status).data().toString(),
                 QStringLiteral("no answer"));
        QCOMPARE(model.index(1, RequestLogModel::status).data().toString(), QStringLiteral("200"));
        QVERIFY(!model.index(1, RequestLogModel::status).data(Qt::DecorationRole).isNull());
    }

    void textFromOutsideStaysOneLine() {
        RequestLogModel model;
        auto hostile = lines(1, 1);
        hostile[0].lane = "a\nb\xe2\x80\xae" "c";
        model.setLines(0, hostile);
        const QString text = model.index(0, RequestLogModel::lane).data().toString();
        QVERIFY(!text.contains(u'\n'));
        QVERIFY(!text.contains(QChar(0x202E)));
    }
};

QTEST_MAIN(RequestLogModelTest)
#include "request_log_model_test.moc"
