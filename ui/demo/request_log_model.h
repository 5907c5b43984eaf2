// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mock_control.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <deque>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// What a mock destination was asked, newest first. New lines come in at the top and old ones
/// leave at the bottom, so that selection and scroll position hold.
class RequestLogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { time, status, lane, sequence, attempt, type, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setTimeDisplay(const TimeDisplay* display);
    /// The newest lines of a mock, newest first, at most a few hundred. Lines of another mock than
    /// before replace everything.
    void setLines(std::uint32_t mock, const std::vector<MockLogLine>& lines);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const MockLogLine& line, int column) const;

    const TimeDisplay* m_display = nullptr;
    std::deque<MockLogLine> m_lines;
    std::uint32_t m_mock = 0;
};

}  // namespace lanes::ui
