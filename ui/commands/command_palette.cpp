// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_palette.h"

#include "ui/common/icons.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

constexpr int kWidth = 520;
constexpr int kRows = 10;
constexpr int kPadding = 8;
constexpr int kKeysRole = Qt::UserRole + 1;
constexpr int kMenuRole = Qt::UserRole + 2;
constexpr int kPlaceRole = Qt::UserRole + 3;

/// The command, where it stands, and its keys at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {kWidth / 2, option.fontMetrics.height() + kPadding};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const auto group = enabled ? QPalette::Active : QPalette::Disabled;
        if (chosen)
            painter->fillRect(option.rect, option.palette.color(group, QPalette::Highlight));
        const QColor text =
            option.palette.color(group, chosen ? QPalette::HighlightedText : QPalette::Text);
        const QRect line = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        painter->save();
        painter->setPen(text);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          index.data(Qt::DisplayRole).toString());
        const QString keys = index.data(kKeysRole).toString();
        const QString menu = index.data(kMenuRole).toString();
        if (!chosen) painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                          keys.isEmpty() ? menu : QStringLiteral("%1   %2").arg(menu, keys));
        painter->restore();
    }
};

}  // namespace

CommandPalette::CommandPalette(std::vector<ListedCommand> commands, QWidget* parent)
    : QDialog(parent),
      m_commands(std::move(commands)),
      m_typed(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    m_typed->setObjectName(QStringLiteral("paletteTyped"));
    m_typed->setPlaceholderText(tr("Type a few letters of a command"));
    m_typed->setAccessibleName(tr("Command"));
    m_typed->setClearButtonEnabled(true);
    m_typed->addAction(icon(Symbol::search), QLineEdit::LeadingPosition);
    m_typed->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Commands that fit"));
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMinimumHeight(kRows * (m_list->fontMetrics().height() + kPadding) +
                             2 * m_list->frameWidth());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    layout->setSpacing(kPadding);
    layout->addWidget(m_typed);
    layout->addWidget(m_list, 1);
    resize(kWidth, sizeHint().height());
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(m_typed, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    showMatches();
}

void CommandPalette::showMatches() {
    std::vector<std::pair<int, std::size_t>> matches;
    for (std::size_t place = 0; place < m_commands.size(); ++place)
        if (const int fit = commandFit(m_typed->text(), m_commands[place].text); fit >= 0)
            matches.emplace_back(-fit, place);
    std::sort(matches.begin(), matches.end());
    m_list->clear();
    for (const auto& [fit, place] : matches) {
        const ListedCommand& command = m_commands[place];
        if (!command.action) continue;
        auto* item = new QListWidgetItem(command.text, m_list);
        item->setData(kKeysRole, command.keys);
        item->setData(kMenuRole, command.menu);
        item->setData(kPlaceRole, QVariant::fromValue<qulonglong>(place));
        item->setData(Qt::AccessibleTextRole, command.keys.isEmpty()
                                                  ? command.text
                                                  : tr("%1, %2").arg(command.text, command.keys));
        if (!command.action->isEnabled())
            item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
    }
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->flags().testFlag(Qt::ItemIsEnabled)) {
            m_list->setCurrentRow(row);
            break;
        }
}

void CommandPalette::run() {
    const auto* item = m_list->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled)) return;
    const auto place = static_cast<std::size_t>(item->data(kPlaceRole).toULongLong());
    const QPointer<QAction> action = m_commands[place].action;
    accept();
    // The palette is gone before a dialog of the command comes.
    QTimer::singleShot(0, this->parent(), [action] {
        if (action && action->isEnabled()) action->trigger();
    });
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_typed || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool moves = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down ||
                       key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown;
    if (!moves) return QDialog::eventFilter(watched, event);
    const int step = key->key() == Qt::Key_Up       ? -1
                     : key->key() == Qt::Key_Down   ? 1
                     : key->key() == Qt::Key_PageUp ? -kRows
                                                    : kRows;
    const int direction = step < 0 ? -1 : 1;
    int row = std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1));
    while (row >= 0 && row < m_list->count() &&
           !m_list->item(row)->flags().testFlag(Qt::ItemIsEnabled))
        row += direction;
    if (row >= 0 && row < m_list->count()) m_list->setCurrentRow(row);
    return true;
}

}  // namespace lanes::ui
