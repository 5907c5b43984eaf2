// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/snapshot.h"

#include <QDialog>

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lanes::ui {

/// Asks before dead letters are rewound or given up. The set is the one that was chosen when the
/// dialog opened; its exact number stands in the button.
class RewindDialog : public QDialog {
    Q_OBJECT

public:
    enum class Act { rewind, discard };

    RewindDialog(Act act, const std::vector<DeadLetterRow>& letters, const EngineSnapshot& snapshot,
                 QWidget* parent = nullptr);

    [[nodiscard]] std::string reason() const;

private:
    Act m_act;
    QLineEdit* m_reason;
};

/// The words on the button that does it: "Rewind 12 events".
[[nodiscard]] QString actText(RewindDialog::Act act, std::size_t count);

}  // namespace lanes::ui
