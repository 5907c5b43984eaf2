// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/shortcut_sheet.h"

#include "ui/common/labels.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

constexpr int kMargin = 20;
constexpr int kGap = 8;
constexpr int kColumns = 2;  // of groups
constexpr int kGroupGap = 36;

using Lines = std::vector<std::pair<QString, QString>>;  // what it does, its keys

/// Keys of the lists themselves: no command stands for them.
Lines keysOfLists() {
    const auto keys = [](const QKeySequence& sequence) {
        return sequence.toString(QKeySequence::NativeText);
    };
    return {{ShortcutSheet::tr("Details of the row"), keys(Qt::Key_Return)},
            {ShortcutSheet::tr("Select all that are listed"), keys(QKeySequence::SelectAll)},
            {ShortcutSheet::tr("Copy the rows as text"), keys(QKeySequence::Copy)},
            {ShortcutSheet::tr("Copy the rows as JSON"), keys(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}};
}

QWidget* makeGroup(const QString& title, const Lines& lines, QWidget* parent) {
    auto* group = new QWidget(parent);
    auto* grid = new QGridLayout(group);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGap);
    grid->setVerticalSpacing(kGap);
    grid->addWidget(sectionTitle(title, group), 0, 0, 1, 2);
    int row = 1;
    for (const auto& [text, keys] : lines) {
        auto* name = new QLabel(text, group);
        name->setTextFormat(Qt::PlainText);
        auto* shortcut = new QLabel(keys, group);
        shortcut->setTextFormat(Qt::PlainText);
        shortcut->setForegroundRole(QPalette::PlaceholderText);
        shortcut->setAlignment(Qt::AlignRight);
        grid->addWidget(name, row, 0);
        grid->addWidget(shortcut, row++, 1);
    }
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(row, 1);
    return group;
}

}  // namespace

ShortcutSheet::ShortcutSheet(const std::vector<ListedCommand>& commands, QWidget* parent)
    : QDialog(parent) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("shortcutSheet"));
    setWindowTitle(tr("Keyboard shortcuts"));
    std::vector<std::pair<QString, Lines>> groups;
    for (const auto& command : commands) {
        if (command.keys.isEmpty()) continue;
        if (groups.empty() || groups.back().first != command.menu)
            groups.emplace_back(command.menu, Lines{});
        groups.back().second.emplace_back(command.text, command.keys);
    }
    groups.emplace_back(tr("In lists"), keysOfLists());

    // Each group goes below the shorter column.
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGroupGap);
    std::vector<std::pair<QVBoxLayout*, std::size_t>> places;
    for (int i = 0; i < kColumns; ++i) {
        auto* column = new QVBoxLayout;
        column->setSpacing(kMargin);
        columns->addLayout(column, 1);
        places.emplace_back(column, 0);
    }
    for (const auto& [title, lines] : groups) {
        auto& place = *std::min_element(places.begin(), places.end(),
                                        [](auto& a, auto& b) { return a.second < b.second; });
        place.first->addWidget(makeGroup(title, lines, this));
        place.second += lines.size() + 2;
    }
    for (auto& [column, length] : places) column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->setSpacing(kMargin);
    layout->addLayout(columns);
    layout->addWidget(buttons);
}

}  // namespace lanes::ui
