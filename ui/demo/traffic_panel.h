// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lanes::ui {

/// Starts, shapes and stops the traffic that a sender would make.
class TrafficPanel : public QWidget {
    Q_OBJECT

public:
    TrafficPanel(lanes::Engine& engine, lanes::MockControl& mocks, QWidget* parent = nullptr);

    /// Takes in what the generator and the engine report.
    void refresh();

private:
    void build();
    void send(bool running);

    lanes::Engine& m_engine;
    lanes::MockControl& m_mocks;
    QPushButton* m_switch = nullptr;
    QDoubleSpinBox* m_rate = nullptr;
    QSpinBox* m_users = nullptr;
    QSpinBox* m_seed = nullptr;
    QLabel* m_counts = nullptr;
};

}  // namespace lanes::ui
