// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QWidget>

class QListView;
class QPushButton;
class QToolButton;

namespace lanes::ui {

class CommandTracker;
class DestinationsModel;
class RateTracker;

/// The list on the left: which destination is ill. A click narrows the lists to it.
class DestinationsDock : public QWidget {
    Q_OBJECT

public:
    DestinationsDock(Engine& engine, CommandTracker& commands, const RateTracker& rates,
                     QWidget* parent = nullptr);

    void setScope(DestinationId destination);
    [[nodiscard]] DestinationId scope() const { return m_scope; }

public slots:
    void showSnapshot();
    void pause(lanes::DestinationId destination);
    void resume(lanes::DestinationId destination);
    void addDestination();
    void editDestination(lanes::DestinationId destination);
    void removeDestination(lanes::DestinationId destination);

signals:
    void scopeWanted(lanes::DestinationId destination);
    void succeeded(const QString& message);
    void failed(const QString& message);

private:
    void showButtons();
    void showMenu(const QPoint& position);

    Engine& m_engine;
    CommandTracker& m_commands;
    const RateTracker& m_rates;
    DestinationsModel* m_model;
    QListView* m_list;
    QPushButton* m_pause;
    QToolButton* m_edit;
    QToolButton* m_add;
    DestinationId m_scope;
    bool m_moving = false;
};

}  // namespace lanes::ui
