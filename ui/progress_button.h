// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace lanes::ui {

/// A flat button with a thin bar under its text.
class ProgressButton : public QToolButton {
    Q_OBJECT

public:
    explicit ProgressButton(QWidget* parent = nullptr);

    /// Shares of 0..1: what is moved, and what of it is settled.
    void setShares(double moved, double settled);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_moved = 0;
    double m_settled = 0;
};

}  // namespace lanes::ui
