// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/backup_action.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"

#include <QFileDialog>
#include <QWidget>

namespace lanes::ui {

BackupAction::BackupAction(CommandTracker& commands, QWidget* parent)
    : QAction(parent), m_commands(commands) {
    setObjectName(QStringLiteral("actionBackUp"));
    setText(tr("&Back up…"));
    setEnabled(false);
    connect(this, &QAction::triggered, this, &BackupAction::choose);
}

void BackupAction::showSnapshot(const EngineSnapshot& snapshot) {
    const auto& backup = snapshot.store.backup;
    m_running = backup.running;
    setEnabled(snapshot.lifecycle == Lifecycle::running);
    setText(m_running ? tr("Stop the &backup (%1 %)").arg(static_cast<int>(backup.share * 100))
                      : tr("&Back up…"));
}

void BackupAction::choose() {
    if (m_running)
        return m_commands.submit(CancelBackup{}, this, [](const CommandResult&) {});
    // The dialog has asked whether a file that exists is to be replaced.
    const auto file = QFileDialog::getSaveFileName(qobject_cast<QWidget*>(parent()),
                                                   tr("Back up the data of this console"));
    if (!file.isEmpty()) begin(file);
}

void BackupAction::begin(const QString& file) {
    m_commands.submit(BackUp{file.toStdString(), true}, this,
                      [this, file](const CommandResult& result) {
                          if (result.ok())
                              emit succeeded(tr("Backed up to %1.").arg(file));
                          else
                              emit failed(plainLine(result.error, 1000));
                      });
}

}  // namespace lanes::ui
