// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/row_source.h"
#include "ui/common/time_display.h"

#include <QByteArray>
#include <QSaveFile>
#include <QStringList>

#include <vector>

namespace lanes::ui {

/// How rows are written, in UTF-8: CSV with a line of titles, in which nothing is a formula, or one
/// JSON object a line. Times are ISO 8601 with their offset, numbers have a point whatever the
/// locale; what a row does not have is an empty cell, or null.
enum class RowFormat { csv, json };

[[nodiscard]] QByteArray titleLine(const QStringList& columns, RowFormat format);
[[nodiscard]] QByteArray rowLine(const QStringList& columns, const RowValues& row, RowFormat format,
                                 TimeDisplay::Zone zone);

/// A file that has its name once it is whole: until then it stands beside it, and is gone if it is
/// given up. One thread.
class RowFile {
public:
    RowFile(const QString& path, QStringList columns, RowFormat format, TimeDisplay::Zone zone);

    // Each says what went wrong; empty if nothing.
    [[nodiscard]] QString open();
    [[nodiscard]] QString write(const std::vector<RowValues>& rows);
    [[nodiscard]] QString finish();

private:
    [[nodiscard]] QString written(const QByteArray& lines);

    QSaveFile m_file;
    const QStringList m_columns;
    const RowFormat m_format;
    const TimeDisplay::Zone m_zone;
};

}  // namespace lanes::ui
