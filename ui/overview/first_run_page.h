// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lanes::ui {

/// What can be done while there is no destination: add one, send an event, or look at the
/// demonstration first.
class FirstRunPage : public QWidget {
    Q_OBJECT

public:
    explicit FirstRunPage(Engine& engine, QWidget* parent = nullptr);

    /// Not in the demonstration itself.
    void setDemoOffered(bool offered);
    void showSnapshot();

signals:
    void addWanted();
    void demoWanted();

private:
    Engine& m_engine;
    QLabel* m_sendWords;
    QPlainTextEdit* m_command;
    QPushButton* m_copy;
    QWidget* m_demo = nullptr;
};

}  // namespace lanes::ui
