// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"

#include <QAbstractTableModel>

#include <set>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// Rejected events, newest first: all that are kept, for there are `limits::kQuarantined` at most.
/// Rows come in one go and stay as they are until the next ones come.
class QuarantineModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Source, Form, Event, Reason, Size, ColumnCount };

    explicit QuarantineModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    void setRows(std::vector<QuarantineRow> rows);
    [[nodiscard]] const QuarantineRow* rejected(int row) const;
    /// -1 if it is not listed.
    [[nodiscard]] int rowOf(QuarantineId id) const;

private:
    [[nodiscard]] QString display(const QuarantineRow& row, int column) const;

    const TimeDisplay& m_times;
    std::vector<QuarantineRow> m_rows;
};

/// "native", "Segment / RudderStack", "CloudEvent".
[[nodiscard]] QString formWord(EventForm form);

}  // namespace lanes::ui
