// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/common/rates.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// Every destination with all its figures, by name: an order that never changes by itself.
class DestinationTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        State,
        Name,
        Backlog,
        Lanes,
        InFlight,
        Errors,
        Median,
        Slow,
        In,
        Out,
        Budget,
        Drain,
        NearDeath,
        Dead,
        Note,
        ColumnCount
    };

    explicit DestinationTableModel(const TimeDisplay& times, QObject* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot,
                     const RateTracker& rates);
    /// 0 if there is no such row.
    [[nodiscard]] DestinationId idOf(int row) const;
    /// -1 if it is not there.
    [[nodiscard]] int rowOf(DestinationId id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row {
        DestinationSnapshot destination;
        Rates rates;
        QString name;
    };

    [[nodiscard]] QString display(const Row& row, int column) const;
    [[nodiscard]] QString tip(const Row& row, int column) const;
    [[nodiscard]] QString note(const DestinationSnapshot& destination) const;

    const TimeDisplay& m_times;
    std::vector<Row> m_rows;
};

/// When its backlog will be gone: "about 12 min", "grows", or what has to happen first.
[[nodiscard]] QString drainText(const DestinationSnapshot& destination, const Rates& rates);

}  // namespace lanes::ui
