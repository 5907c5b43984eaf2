// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <cstdint>
#include <string>

class QLineEdit;

namespace lanes::ui {

/// Asks before one user is held at one destination.
class HoldDialog : public QDialog {
    Q_OBJECT

public:
    HoldDialog(const QString& user, const QString& destination, std::uint64_t waiting,
               QWidget* parent = nullptr);

    [[nodiscard]] std::string reason() const;

private:
    QLineEdit* m_reason;
};

}  // namespace lanes::ui
