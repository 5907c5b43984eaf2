// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace lanes::ui {

class CommandTracker;

/// The speed of the engine's clock: 72 hours in two minutes at ×2160.
class ClockPanel : public QWidget {
    Q_OBJECT

public:
    explicit ClockPanel(lanes::Engine& engine, QWidget* parent = nullptr);

    /// Takes in what the engine reports.
    void refresh();

private:
    lanes::Engine& m_engine;
    CommandTracker* m_commands;
    std::vector<QPushButton*> m_scales;
    QLabel* m_note = nullptr;
};

}  // namespace lanes::ui
