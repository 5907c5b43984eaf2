// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/page_loader.h"

#include <QDialog>

#include <optional>

class QLabel;
class QPushButton;

namespace lanes::ui {

class CommandTracker;
class LaneEventsModel;
class Table;
class TimeDisplay;

/// One lane with all its events in order, beside the main window: what was delivered, what is dead,
/// what the head does and what waits behind it. From here a user is held, and the lane delivered
/// again from an event on.
class LaneWindow : public QDialog {
    Q_OBJECT

public:
    LaneWindow(Engine& engine, CommandTracker& commands, PageLoader& loader, TimeDisplay& times,
               LaneKey lane, const UserKey& user, QWidget* parent = nullptr);
    ~LaneWindow() override;

    [[nodiscard]] LaneKey lane() const { return m_lane; }

public slots:
    void showSnapshot();
    void reload();
    /// From the chosen event on, after a plan and a question.
    void rewindFromHere();
    void holdOrRelease();

signals:
    void succeeded(const QString& text);
    void failed(const QString& text);
    void rewound(lanes::OperationId operation);

private:
    void load(const LaneEventQuery& query);
    void askLane();
    void acceptLane(const LanePage& page);
    void showState();
    void showButtons();
    [[nodiscard]] const LaneEventRow* chosen() const;
    [[nodiscard]] QString destinationName() const;
    void askRewind(const LanePlan& plan);

    Engine& m_engine;
    CommandTracker& m_commands;
    PageLoader& m_loader;
    TimeDisplay& m_times;
    const LaneKey m_lane;
    const UserKey m_user;
    const PageLoader::Channel m_channel;
    const std::uint64_t m_token;
    std::optional<LaneRow> m_row;  ///< as last told; empty: nothing waits in it
    bool m_told = false;

    QLabel* m_title;
    QLabel* m_why;
    Table* m_table;
    LaneEventsModel* m_model;
    QPushButton* m_rewind;
    QPushButton* m_hold;
};

}  // namespace lanes::ui
