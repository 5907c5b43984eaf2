// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace lanes::ui {

/// The signing secrets of a destination. Those that are set are never shown again, only kept or
/// given up; a new one signs beside them, so that a receiver can change over without a gap.
class SecretsBox : public QWidget {
    Q_OBJECT

public:
    explicit SecretsBox(std::vector<std::string> present, QWidget* parent = nullptr);

    /// Those that are kept, and the new one behind them.
    [[nodiscard]] std::vector<std::string> secrets() const;

private:
    void generate();

    std::vector<std::string> m_present;
    std::vector<QCheckBox*> m_keep;
    QLineEdit* m_new;
    QLabel* m_help;
};

/// A fresh Standard Webhooks secret: "whsec_" and the base64 of 32 random bytes of the system.
[[nodiscard]] std::string newSecret();

}  // namespace lanes::ui
