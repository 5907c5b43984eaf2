// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace lanes::ui {

/// A filter that is in force, in words, with a button that removes it. Nothing else narrows a
/// list: a scope is always visible.
class FilterChip : public QFrame {
    Q_OBJECT

public:
    explicit FilterChip(QWidget* parent = nullptr);

    /// A condition as it is written: external text, cut behind so many characters.
    void setText(const QString& text, int most = 32);
    /// What its button does, in words.
    void setRemoveTip(const QString& tip);

signals:
    void removed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QToolButton* m_remove;
};

}  // namespace lanes::ui
