// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/health_flag.h"
#include "ui/health/history_buffer.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// The buckets of the health graphs as rows, newest first: the graphs for those who cannot see
/// them, and for looking a number up. It shows a moment and does not change.
class HistoryTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { time, state, in, out, errors, budget, inFlight, backlog, done, columns };

    /// `buckets` and `flags` oldest first, as the history gives them; `display` may be null (UTC).
    HistoryTableModel(const std::vector<Bucket>& buckets, const std::vector<HealthFlag>& flags,
                      const TimeDisplay* display, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(std::size_t row, int column) const;
    [[nodiscard]] QStringList doneIn(std::size_t row) const;

    std::vector<Bucket> m_buckets;
    std::vector<std::vector<HealthFlag>> m_flags;  ///< of each bucket
    const TimeDisplay* m_display;
};

}  // namespace lanes::ui
