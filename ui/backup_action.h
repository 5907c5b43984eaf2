// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QAction>

namespace lanes::ui {

class CommandTracker;

/// Copies the data file while deliveries go on: asks for a place, shows how far it is in its own
/// text, and gives the copy up when it is chosen again meanwhile.
class BackupAction : public QAction {
    Q_OBJECT

public:
    /// \param commands must outlive it
    BackupAction(CommandTracker& commands, QWidget* parent);

    void showSnapshot(const EngineSnapshot& snapshot);

signals:
    void succeeded(const QString& text);
    void failed(const QString& text);

private:
    void choose();
    void begin(const QString& file);

    CommandTracker& m_commands;
    bool m_running = false;
};

}  // namespace lanes::ui
