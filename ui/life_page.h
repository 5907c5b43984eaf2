// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lanes::ui {

class DamageChoices;

/// What stands in the middle of the window while the engine does not run.
class LifePage : public QWidget {
    Q_OBJECT

public:
    explicit LifePage(QWidget* parent = nullptr);

    void showSnapshot(const EngineSnapshot& snapshot);
    /// Shown while the data file is damaged.
    [[nodiscard]] DamageChoices& damage() { return *m_damage; }

signals:
    void diagnosticsWanted();

private:
    QLabel* m_mark;
    QLabel* m_title;
    QLabel* m_text;
    QProgressBar* m_progress;
    DamageChoices* m_damage;
    QPushButton* m_copy;
};

}  // namespace lanes::ui
