// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QDialog>

#include <string>

class QLineEdit;

namespace lanes::ui {

/// Asks before the rest of a lane is delivered again. The set is that of the plan; its exact number
/// stands in the button.
class LaneRewindDialog : public QDialog {
    Q_OBJECT

public:
    LaneRewindDialog(const LanePlan& plan, const QString& user, const QString& destination,
                     QWidget* parent = nullptr);

    [[nodiscard]] std::string reason() const;

private:
    QLineEdit* m_reason;
};

/// What the plan means, a sentence a line.
[[nodiscard]] QString lanePlanText(const LanePlan& plan);

}  // namespace lanes::ui
