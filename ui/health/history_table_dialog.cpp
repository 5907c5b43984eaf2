// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_table_dialog.h"

#include "ui/common/icons.h"
#include "ui/common/table.h"
#include "ui/health/history_table_model.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::ui {

HistoryTableDialog::HistoryTableDialog(const QString& destination,
                                       const std::vector<Bucket>& buckets,
                                       const std::vector<HealthFlag>& flags,
                                       const TimeDisplay* display, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("historyTableDialog"));
    setWindowTitle(tr("Health as a table"));
    auto* title = new QLabel(destination, this);
    title->setTextFormat(Qt::PlainText);
    auto* table = new Table(this);
    table->setObjectName(QStringLiteral("historyTable"));
    table->setAccessibleName(tr("History of %1").arg(destination));
    table->setEmptyText(tr("Nothing recorded yet"), tr("The graphs fill while the engine runs."));
    table->setModel(new HistoryTableModel(buckets, flags, display, table));
    table->setColumnWidths({14, 13, 8, 8, 9, 8, 9, 11, 26}, HistoryTableModel::done);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* exporting = buttons->addButton(tr("Export CSV…"), QDialogButtonBox::ActionRole);
    exporting->setIcon(icon(Symbol::exportFile));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(exporting, &QPushButton::clicked, this, &HistoryTableDialog::exportWanted);

    auto* column = new QVBoxLayout(this);
    column->addWidget(title);
    column->addWidget(table, 1);
    column->addWidget(buttons);
    resize(980, 480);
}

}  // namespace lanes::ui
