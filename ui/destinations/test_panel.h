// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QElapsedTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTimer;

namespace lanes::ui {

/// Sends a test event to a destination that may not even be stored yet, and shows what went
/// over the wire.
/// What was sent when the panel goes is given up.
class TestPanel : public QWidget {
    Q_OBJECT

public:
    explicit TestPanel(Engine& engine, QWidget* parent = nullptr);
    ~TestPanel() override;

    /// With settings that were found valid.
    void send(const DestinationConfig& config);
    [[nodiscard]] bool isRunning() const { return m_test.has_value(); }

signals:
    /// The button was pressed: the settings as typed are to be handed over.
    void wanted();
    /// It shows more or less than before.
    void resized();

private:
    void press();
    void tick();
    void showResult(const TestResult& result);
    void say(const QString& text, const QIcon& mark);

    Engine& m_engine;
    std::optional<CommandId> m_test;  ///< under way
    QElapsedTimer m_since;
    QTimer* m_timer;
    QPushButton* m_button;
    QLabel* m_mark;
    QLabel* m_words;
    QTabWidget* m_exchange;  ///< what was sent and answered, after a test
    QPlainTextEdit* m_answer;
    QPlainTextEdit* m_request;
};

}  // namespace lanes::ui
