// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QDialog>

#include <string>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lanes::ui {

/// Asks for a note on one dead letter or on several. What was written before on one stands there to
/// be changed; an empty note takes it away.
class NoteDialog : public QDialog {
    Q_OBJECT

public:
    explicit NoteDialog(const std::vector<DeadLetterRow>& letters, QWidget* parent = nullptr);

    [[nodiscard]] std::string text() const;
    [[nodiscard]] const std::vector<Pointer>& pointers() const { return m_pointers; }

private:
    void showState();

    std::vector<Pointer> m_pointers;
    std::string m_before;      ///< of one
    std::size_t m_noted = 0;   ///< of them, with a note
    QPlainTextEdit* m_text;
    QLabel* m_room;
    QPushButton* m_accept = nullptr;
};

}  // namespace lanes::ui
