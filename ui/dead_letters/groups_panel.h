// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/common/page_loader.h"
#include "ui/dead_letters/group_tally.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSettings;

namespace lanes::ui {

class GroupsModel;
class Table;
class TimeDisplay;

/// What the dead letters of a filter have in common, counted off the GUI thread: when the filter
/// changes and when it is asked for, not by itself.
class GroupsPanel : public QWidget {
    Q_OBJECT

public:
    /// \param dead counts the dead letters in scope, to say whether the groups are behind.
    GroupsPanel(PageLoader& loader, TimeDisplay& times, std::function<std::uint64_t()> dead,
                QWidget* parent = nullptr);

    /// Counts what fits, now or when the panel is shown.
    void setFilter(const DeadLetterFilter& filter);
    /// Counts again, now or when the panel is shown.
    void refresh();
    void setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot);
    /// Then it does not say that the count is behind; who asks gets one.
    void setFrozen(bool frozen);
    [[nodiscard]] Table& table() const { return *m_table; }

    void saveGrouping(QSettings& settings) const;
    void restoreGrouping(QSettings& settings);

signals:
    /// Somebody wants to see the dead letters that fit all of these besides the filter.
    void groupChosen(const std::vector<lanes::Filter>& conditions);
    /// Or to put a note on them.
    void noteWanted(const std::vector<lanes::Filter>& conditions);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// How far a count has come.
    struct Slice {
        std::shared_ptr<GroupTally> tally;
        DeadLetterQuery query;  ///< goes on there
        bool complete = false;
        std::string error;
    };

    void build();
    void start();
    void count(Slice slice);
    void counted(Slice slice);
    void show(const Slice& slice);
    void showState();
    [[nodiscard]] QString stateWords() const;
    void choose(const QModelIndex& index);
    void showMenu(const QPoint& position);

    PageLoader& m_loader;
    TimeDisplay& m_times;
    const std::function<std::uint64_t()> m_dead;
    PageLoader::Channel m_channel;
    GroupsModel* m_model;
    QComboBox* m_by;
    QPushButton* m_act;  ///< stops a count, or counts again
    Table* m_table;
    QLabel* m_state;
    DeadLetterFilter m_filter;
    std::shared_ptr<const GroupTally> m_tally;  ///< of the rows; null: nothing was counted yet
    WallMicros m_asOf = 0;                      ///< of the rows
    WallMicros m_backTo = 0;  ///< of rows whose count was stopped there; 0 = it was not
    bool m_counting = false;
    bool m_stopping = false;
    std::uint64_t m_lettersSoFar = 0;
    WallMicros m_startedAt = 0;
    std::uint64_t m_deadAtStart = 0;
    std::string m_error;
    bool m_wanted = true;  ///< to be counted when it is shown
    bool m_frozen = false;
};

}  // namespace lanes::ui
