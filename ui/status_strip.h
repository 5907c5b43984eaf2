// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QObject>
#include <QString>

class QColor;
class QLabel;
class QStatusBar;
class QToolButton;
class QWidget;

namespace lanes::ui {

class ProgressButton;

/// The numbers in the status bar: is something broken that must be acted on? Each number is a
/// button that leads to what it counts.
class StatusStrip : public QObject {
    Q_OBJECT

public:
    explicit StatusStrip(QStatusBar& bar);

    void showSnapshot(const EngineSnapshot& snapshot);
    /// Age of the newest snapshot: amber beyond 2 s, red beyond 10 s.
    void showAge(Micros age, bool running);
    void showZone(const QString& zone);

signals:
    void lanesWanted();
    void deadLettersWanted();
    /// The next paused destination, or 0 when there is none.
    void pausedWanted();
    /// The operation whose progress is shown.
    void operationWanted(lanes::OperationId operation);
    void zoneSwitchWanted();
    void diagnosticsWanted();

private:
    QToolButton* addButton(QStatusBar& bar, const char* name, const QString& tip);
    void setColour(QWidget* widget, const QColor& colour);
    void showEngine(const EngineSnapshot& snapshot);
    void showOperations(const EngineSnapshot& snapshot);

    QToolButton* m_engine;
    QToolButton* m_inFlight;
    QToolButton* m_backlog;
    QToolButton* m_dead;
    QToolButton* m_paused;
    QToolButton* m_unknown;
    ProgressButton* m_operation;
    OperationId m_shownOperation;
    QLabel* m_intake;
    QToolButton* m_age;
    QToolButton* m_zone;
    Lifecycle m_shown = Lifecycle::starting;
    bool m_fault = false;
    bool m_first = true;
};

/// The life cycle in one word: "running".
[[nodiscard]] QString lifecycleWord(Lifecycle lifecycle);

}  // namespace lanes::ui
