// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QDialog>

#include <optional>
#include <string>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lanes::ui {

/// A payload that can be edited as text: it comes back byte by byte if nothing is changed.
/// \return why it cannot, for an operator; empty if it can.
[[nodiscard]] QString whyNotEditable(const std::string& payload);

/// Another payload for one dead letter, and its rewind. What was accepted stands beside it; it is
/// checked as it is typed. Stays open until the engine has taken it.
class EditDialog : public QDialog {
    Q_OBJECT

public:
    /// \param event as accepted.
    /// \param edited what goes to this destination since an earlier edit.
    EditDialog(const DeadLetterRow& letter, const EventRow& event,
               const std::optional<std::string>& edited, const QString& destination,
               QWidget* parent = nullptr);

    /// What this lane delivered since, and the rest of what a rewind means; comes later.
    void showPlan(const RewindPlan& plan);
    /// Whether the engine took it: not so if there is an error, which can be mended then.
    void answer(const QString& error);

    [[nodiscard]] Pointer pointer() const { return m_pointer; }
    [[nodiscard]] std::string payload() const;
    [[nodiscard]] std::string reason() const;

    void accept() override;

signals:
    /// Do it; whoever does so answers.
    void wanted();

private:
    void build(const DeadLetterRow& letter, const QString& destination);
    [[nodiscard]] QWidget* sideBySide();
    void check();
    void markChanges(const QString& text);
    void say(bool good, const QString& text);

    Pointer m_pointer;
    std::string m_contentType;
    QString m_original;
    QString m_present;  ///< that goes there now: the original, or an earlier edit
    bool m_submitted = false;
    QPlainTextEdit* m_edit;
    QPlainTextEdit* m_shown;
    QLabel* m_mark;
    QLabel* m_state;
    QLabel* m_plan;
    QLineEdit* m_reason;
    QPushButton* m_accept = nullptr;
};

}  // namespace lanes::ui
