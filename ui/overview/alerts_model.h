// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/overview/alert_watch.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// What it is about in two or three words: "Dead letters".
[[nodiscard]] QString alertTitle(AlertKind kind);
/// Under which the user's wishes about it are kept.
[[nodiscard]] QString alertKey(AlertKind kind);
/// What is the matter, in one sentence.
[[nodiscard]] QString alertText(const Alert& alert);

/// The alerts as a table. The rows stand in the order of the watch.
class AlertsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Destination, Details, Since, ColumnCount };

    explicit AlertsModel(const TimeDisplay& times, QObject* parent = nullptr);

    void setAlerts(const std::vector<Alert>& alerts);
    [[nodiscard]] const Alert* alert(int row) const;
    /// -1 if it is not there (any more).
    [[nodiscard]] int rowOf(std::uint64_t number) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString display(const Alert& alert, int column) const;

    const TimeDisplay& m_times;
    std::vector<Alert> m_alerts;
};

}  // namespace lanes::ui
