// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mock_control.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lanes::ui {

class ElidedLabel;

/// Chooses a mock destination and how it behaves, and shows what its ledger says. Nothing is shown
/// as done before the mock itself reports it.
class MockPanel : public QWidget {
    Q_OBJECT

public:
    explicit MockPanel(lanes::MockControl& mocks, QWidget* parent = nullptr);

    [[nodiscard]] std::uint32_t mock() const { return m_mock; }
    /// Takes in what the mocks report.
    void refresh();

signals:
    void mockChosen(std::uint32_t mock);

private:
    void buildState();
    void buildPresets();
    void buildDetails();
    void fillNames(const std::vector<MockReport>& reports);
    void showBehaviour(const MockReport& report);
    void showLedger(const MockReport& report);
    void takeDownOrBringUp();
    [[nodiscard]] MockBehaviour withDetails(MockBehaviour behaviour) const;
    void send(const MockBehaviour& behaviour);
    void applyDetails();

    lanes::MockControl& m_mocks;
    std::uint32_t m_mock = 0;
    MockBehaviour m_now;         ///< as last reported
    MockBehaviour m_beforeDown;  ///< what "Bring up" goes back to
    QComboBox* m_names = nullptr;
    QLabel* m_mark = nullptr;
    ElidedLabel* m_state = nullptr;
    QPushButton* m_power = nullptr;
    std::vector<QPushButton*> m_presets;
    QLineEdit* m_poison = nullptr;
    QDoubleSpinBox* m_capacity = nullptr;
    QLabel* m_ledger = nullptr;
    QLabel* m_order = nullptr;
};

}  // namespace lanes::ui
