// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destinations_dock.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/destinations/destination_delegate.h"
#include "ui/destinations/destination_dialog.h"
#include "ui/destinations/destinations_model.h"
#include "ui/destinations/pause_dialog.h"

#include <QHBoxLayout>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

DestinationsDock::DestinationsDock(Engine& engine, CommandTracker& commands,
                                   const RateTracker& rates, QWidget* parent)
    : QWidget(parent),
      m_engine(engine),
      m_commands(commands),
      m_rates(rates),
      m_model(new DestinationsModel(this)),
      m_list(new QListView(this)),
      m_pause(new QPushButton(this)),
      m_edit(new QToolButton(this)),
      m_add(new QToolButton(this)) {
    setObjectName(QStringLiteral("destinationsPane"));
    m_list->setObjectName(QStringLiteral("destinationsList"));
    m_list->setAccessibleName(tr("Destinations"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new DestinationDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->setMouseTracking(true);
    m_list->setMinimumWidth(230);
    m_list->setCurrentIndex(m_model->index(0));

    m_pause->setObjectName(QStringLiteral("pauseButton"));
    m_edit->setObjectName(QStringLiteral("editDestinationButton"));
    m_edit->setText(tr("Edit…"));
    m_edit->setIcon(icon(Symbol::edit));
    m_edit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_edit->setAutoRaise(true);
    m_add->setObjectName(QStringLiteral("addDestinationButton"));
    m_add->setText(tr("Add…"));
    m_add->setAccessibleName(tr("Add destination"));
    m_add->setToolTip(tr("Add a destination"));
    m_add->setIcon(icon(Symbol::add));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setAutoRaise(true);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(8, 6, 8, 6);
    buttons->setSpacing(4);
    buttons->addWidget(m_pause);
    buttons->addStretch(1);
    buttons->addWidget(m_edit);
    buttons->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);

    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!m_moving) emit scopeWanted(m_model->idOf(index.row()));
            });
    connect(m_list, &QWidget::customContextMenuRequested, this, &DestinationsDock::showMenu);
    connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) {
        if (const DestinationId id = m_model->idOf(index.row())) editDestination(id);
    });
    connect(m_pause, &QPushButton::clicked, this, [this] {
        const auto snapshot = m_engine.snapshot();
        const auto* found = snapshot->find(m_scope);
        if (found && found->health == HealthState::paused)
            resume(m_scope);
        else if (found)
            pause(m_scope);
    });
    connect(m_edit, &QToolButton::clicked, this, [this] { editDestination(m_scope); });
    connect(m_add, &QToolButton::clicked, this, &DestinationsDock::addDestination);
    showButtons();
}

void DestinationsDock::setScope(DestinationId destination) {
    m_scope = destination;
    const QScopedValueRollback<bool> moving(m_moving, true);
    const int row = std::max(0, m_model->rowOf(destination));
    if (m_list->currentIndex().row() != row) m_list->setCurrentIndex(m_model->index(row));
    showButtons();
}

void DestinationsDock::showSnapshot() {
    const QScopedValueRollback<bool> moving(m_moving, true);
    m_model->setSnapshot(m_engine.snapshot(), m_rates);
    // The rows may have been made anew by a destination that came or went.
    const int row = std::max(0, m_model->rowOf(m_scope));
    if (m_list->currentIndex().row() != row) m_list->setCurrentIndex(m_model->index(row));
    showButtons();
}

void DestinationsDock::showButtons() {
    const auto snapshot = m_engine.snapshot();
    const auto* found = snapshot->find(m_scope);
    const bool running = snapshot->lifecycle == Lifecycle::running;
    const bool paused = found && found->health == HealthState::paused;
    m_pause->setText(paused ? tr("Resume…") : tr("Pause…"));
    m_pause->setIcon(icon(paused ? Symbol::resume : Symbol::pause));
    m_pause->setToolTip(paused  ? tr("Start deliveries to it again (F9)")
                        : found ? tr("Stop deliveries to it (F9)")
                                : tr("Choose one destination first"));
    m_pause->setEnabled(found && running);
    m_edit->setEnabled(found && running);
    m_add->setEnabled(running);
}

void DestinationsDock::pause(DestinationId destination) {
    const auto snapshot = m_engine.snapshot();
    const auto* found = snapshot->find(destination);
    if (!found) return;
    auto* dialog = new PauseDialog(*found, m_rates.of(destination), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString name = plainLine(found->name, 64);
    connect(dialog, &QDialog::accepted, this, [this, dialog, destination, name] {
        m_commands.submit(
            PauseDestination{destination, operatorName(), dialog->reason()}, this,
            [this, name](const CommandResult& result) {
                if (result.ok())
                    emit succeeded(tr("%1 is paused. Events for it are kept and "
                                      "wait.")
                                       .arg(name));
                else
                    emit failed(tr("%1 was not paused: %2").arg(name, plainLine(result.error)));
            });
    });
    dialog->open();
}

void DestinationsDock::resume(DestinationId destination) {
    const auto snapshot = m_engine.snapshot();
    const auto* found = snapshot->find(destination);
    if (!found) return;
    auto* dialog = new ResumeDialog(*found, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString name = plainLine(found->name, 64);
    connect(dialog, &QDialog::accepted, this, [this, destination, name] {
        m_commands.submit(
            ResumeDestination{destination, operatorName()}, this,
            [this, name](const CommandResult& result) {
                if (result.ok())
                    emit succeeded(tr("Deliveries to %1 go on.").arg(name));
                else
                    emit failed(tr("%1 was not resumed: %2").arg(name, plainLine(result.error)));
            });
    });
    dialog->open();
}

void DestinationsDock::addDestination() {
    auto* dialog = new DestinationDialog(m_engine, m_commands, DestinationConfig{}, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DestinationDialog::stored, this,
            [this](const QString& name) { emit succeeded(tr("%1 was added.").arg(name)); });
    dialog->open();
}

void DestinationsDock::editDestination(DestinationId destination) {
    const auto configs = m_engine.destinations();
    const auto it = std::find_if(configs.begin(), configs.end(),
                                 [&](const auto& config) { return config.id == destination; });
    if (it == configs.end()) return;
    auto* dialog = new DestinationDialog(m_engine, m_commands, *it, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DestinationDialog::stored, this, [this](const QString& name) {
        emit succeeded(tr("The settings of %1 were saved.").arg(name));
    });
    dialog->open();
}

void DestinationsDock::removeDestination(DestinationId destination) {
    const auto snapshot = m_engine.snapshot();
    const auto* found = snapshot->find(destination);
    if (!found) return;
    const QString name = plainLine(found->name, 64);
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove destination"),
                                tr("Remove %1?").arg(name), QMessageBox::Cancel, window());
    box->setObjectName(QStringLiteral("removeDialog"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("Only a destination with nothing waiting and no dead letters can be removed. Events "
           "that come from now on are not kept for it."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* remove = box->addButton(tr("Remove %1").arg(menuText(name)), QMessageBox::AcceptRole);
    remove->setObjectName(QStringLiteral("removeAccept"));
    connect(remove, &QPushButton::clicked, this, [this, destination, name] {
        m_commands.submit(
            RemoveDestination{destination}, this, [this, name](const CommandResult& result) {
                if (result.ok())
                    emit succeeded(tr("%1 was removed.").arg(name));
                else
                    emit failed(tr("%1 was not removed: %2").arg(name, plainLine(result.error)));
            });
    });
    box->open();
}

void DestinationsDock::showMenu(const QPoint& position) {
    const DestinationId id = m_model->idOf(m_list->indexAt(position).row());
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("destinationMenu"));
    // The menu acts on the destination that it was opened on and names it.
    const auto snapshot = m_engine.snapshot();
    if (const auto* found = id ? snapshot->find(id) : nullptr) {
        const QString name = menuText(plainLine(found->name, 40));
        if (found->health == HealthState::paused)
            menu.addAction(icon(Symbol::resume), tr("Resume %1…").arg(name), this,
                           [this, id] { resume(id); });
        else
            menu.addAction(icon(Symbol::pause), tr("Pause %1…").arg(name), this,
                           [this, id] { pause(id); });
        menu.addAction(icon(Symbol::edit), tr("Edit %1…").arg(name), this,
                       [this, id] { editDestination(id); });
        menu.addAction(icon(Symbol::discard), tr("Remove %1…").arg(name), this,
                       [this, id] { removeDestination(id); });
        menu.addSeparator();
    }
    menu.addAction(icon(Symbol::add), tr("Add destination…"), this,
                   &DestinationsDock::addDestination);
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

}  // namespace lanes::ui
