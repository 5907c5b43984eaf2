// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

using namespace lanes::ui;

/// What a table gives away, and by which keys.
class TableTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void rowsAreCopiedAsTheyStand();
    void rowsAreCopiedAsJson();
    void nothingChosenLeavesTheClipboardAlone();
    void enterOpens();

private:
    std::unique_ptr<QStandardItemModel> m_model;
    std::unique_ptr<Table> m_table;
};

void TableTest::init() {
    m_model = std::make_unique<QStandardItemModel>(2, 3);
    m_model->setHorizontalHeaderLabels(
        {QStringLiteral("Time"), QStringLiteral("User"), QStringLiteral("Size")});
    for (int row = 0; row < 2; ++row) {
        m_model->setData(m_model->index(row, 0), QStringLiteral("14:0%1").arg(row));
        m_model->setData(m_model->index(row, 0), QStringLiteral("2026-11-29T14:0%1:00Z").arg(row),
                         kCopyRole);
        m_model->setData(m_model->index(row, 1),
                         row == 0 ? QStringLiteral("=cmd()") : QStringLiteral("a \"b\""));
        m_model->setData(m_model->index(row, 2), QStringLiteral("%1 kB").arg(row));
    }
    m_table = std::make_unique<Table>();
    m_table->setModel(m_model.get());
    m_table->setColumnWidths({10, 10, 10}, 1);
    m_table->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_table.get()));
    m_table->setFocus();
}

void TableTest::rowsAreCopiedAsTheyStand() {
    m_table->horizontalHeader()->moveSection(1, 0);
    m_table->setColumnHidden(2, true);
    m_table->selectAll();
    QTest::keyClick(m_table.get(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("User\tTime\n'=cmd()\t2026-11-29T14:00:00Z\n"
                            "a \"b\"\t2026-11-29T14:01:00Z\n"));
}

void TableTest::rowsAreCopiedAsJson() {
    m_table->selectAll();
    QTest::keyClick(m_table.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const auto rows =
        QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).array();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0].toObject()[QStringLiteral("Time")].toString(),
             QStringLiteral("2026-11-29T14:00:00Z"));
    // A formula is only a text here.
    QCOMPARE(rows[0].toObject()[QStringLiteral("User")].toString(), QStringLiteral("=cmd()"));
    QCOMPARE(rows[1].toObject()[QStringLiteral("User")].toString(), QStringLiteral("a \"b\""));
    QCOMPARE(rows[1].toObject()[QStringLiteral("Size")].toString(), QStringLiteral("1 kB"));
}

void TableTest::nothingChosenLeavesTheClipboardAlone() {
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    m_table->clearSelection();
    QTest::keyClick(m_table.get(), Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(m_table.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
}

void TableTest::enterOpens() {
    QSignalSpy opened(m_table.get(), &Table::opened);
    m_table->setCurrentIndex(m_model->index(0, 0));
    QTest::keyClick(m_table.get(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
}

QTEST_MAIN(TableTest)
#include "table_test.moc"
