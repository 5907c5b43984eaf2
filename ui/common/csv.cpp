// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/csv.h"

#include <algorithm>

namespace lanes::ui {

QString defusedCell(const QString& text) {
    static const QString kFormula = QStringLiteral("=+-@\t\r");
    return !text.isEmpty() && kFormula.contains(text.front()) ? u'\'' + text : text;
}

QString csvCell(const QString& text) {
    QString cell = defusedCell(text);
    static const QString kQuoted = QStringLiteral(",;\"\n\r");
    const bool quoted =
        std::any_of(cell.cbegin(), cell.cend(), [](QChar c) { return kQuoted.contains(c); });
    if (!quoted) return cell;
    cell.replace(u'"', QStringLiteral("\"\""));
    return u'"' + cell + u'"';
}

}  // namespace lanes::ui
