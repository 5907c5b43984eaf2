// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/health_flag.h"
#include "ui/health/history_buffer.h"

#include <QDialog>
#include <QString>

#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// "View as table": the buckets and flags that the graphs showed when it was opened.
class HistoryTableDialog : public QDialog {
    Q_OBJECT

public:
    HistoryTableDialog(const QString& destination, const std::vector<Bucket>& buckets,
                       const std::vector<HealthFlag>& flags, const TimeDisplay* display,
                       QWidget* parent = nullptr);

signals:
    void exportWanted();
};

}  // namespace lanes::ui
