// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "ui/common/state_style.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <array>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// The newest attempts of one event, at most a page.
class AttemptsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Number, Result, Latency, CauseColumn, Error, ColumnCount };

    explicit AttemptsModel(const TimeDisplay& times, QObject* parent = nullptr);

    /// Replaces the rows; rows that stay are not moved or drawn anew.
    void setRows(std::vector<AttemptRow> rows, bool complete);
    void clear();
    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] const std::vector<AttemptRow>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString display(const AttemptRow& row, int column) const;

    const TimeDisplay& m_times;
    std::vector<AttemptRow> m_rows;
    std::array<QIcon, kOutcomes> m_marks;
    bool m_complete = true;
};

}  // namespace lanes::ui
