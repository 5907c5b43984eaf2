// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/common/rates.h"

#include <QDialog>

#include <string>

class QLineEdit;

namespace lanes::ui {

/// Says what a pause does before it is done.
class PauseDialog : public QDialog {
    Q_OBJECT

public:
    PauseDialog(const DestinationSnapshot& destination, const Rates& rates,
                QWidget* parent = nullptr);

    [[nodiscard]] std::string reason() const;

private:
    QLineEdit* m_reason;
};

/// Says what waits and how the destination is ramped up before it is resumed.
class ResumeDialog : public QDialog {
    Q_OBJECT

public:
    ResumeDialog(const DestinationSnapshot& destination, QWidget* parent = nullptr);
};

}  // namespace lanes::ui
