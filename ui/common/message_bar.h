// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QToolButton;
class QTimer;

namespace lanes::ui {

/// One line across the window that says what happened, what still works and what to do. Background
/// work speaks here and never in a box that must be answered.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { info, success, warning, error };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Shows a message until it is closed or replaced; a success goes after a few seconds.
    void showMessage(Kind kind, const QString& text);
    /// A message that stays while its cause does and cannot be closed, e.g. a store fault.
    void showCondition(Kind kind, const QString& text);
    /// Adds a button to the message shown; it emits `actionTriggered`.
    void setAction(const QString& text);
    void clear();

    [[nodiscard]] QString text() const;
    [[nodiscard]] Kind kind() const { return m_kind; }

signals:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void show(Kind kind, const QString& text, bool closable);
    void updateIcon();

    Kind m_kind = Kind::info;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_close;
    QTimer* m_expiry;
};

}  // namespace lanes::ui
