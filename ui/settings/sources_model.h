// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QAbstractTableModel>

#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// Senders with write keys of their own, by name, and what came from each since the engine started.
class SourcesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Keys, Accepted, Duplicates, Rejected, LastRequest, Added, ColumnCount };

    explicit SourcesModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    /// Values change in place; rows come and go by their names.
    void show(std::vector<SourceSnapshot> sources);
    [[nodiscard]] const SourceSnapshot* source(int row) const;

private:
    const TimeDisplay& m_times;
    std::vector<SourceSnapshot> m_rows;
};

}  // namespace lanes::ui
