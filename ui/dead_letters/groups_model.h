// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/common/state_style.h"
#include "ui/dead_letters/group_tally.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <array>
#include <memory>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// Groups of dead letters as they were counted, the largest one first.
class GroupsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Group, Count, Last, First, LastRewind, Notes, ColumnCount };

    explicit GroupsModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    void setGroups(std::vector<LetterGroup> groups);
    /// For the names of destinations.
    void setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot);
    [[nodiscard]] const LetterGroup* group(int row) const;
    /// Of the same group as it was counted before; -1 if it is gone.
    [[nodiscard]] int rowOf(const LetterGroup& group) const;
    /// What all of a group have in common, in words.
    [[nodiscard]] QString nameOf(const LetterGroup& group) const;

private:
    [[nodiscard]] QString display(const LetterGroup& group, int column) const;
    [[nodiscard]] QString tooltip(const LetterGroup& group, int column) const;
    [[nodiscard]] QVariant mark(const LetterGroup& group, int column) const;

    const TimeDisplay& m_times;
    std::vector<LetterGroup> m_groups;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    std::array<QIcon, kOutcomes> m_marks;
    QIcon m_untriedMark;
    QIcon m_noteMark;
};

}  // namespace lanes::ui
