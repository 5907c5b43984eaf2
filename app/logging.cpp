// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/logging.h"

#include <QLoggingCategory>
#include <QString>

namespace lanes::app {

void setUpLogging(const std::string& rules) {
    qSetMessagePattern(
        QStringLiteral("%{time yyyy-MM-ddTHH:mm:ss.zzz} %{category} "
                       "%{if-debug}debug%{endif}%{if-info}info%{endif}%{if-warning}warning%{endif}"
                       "%{if-critical}error%{endif}%{if-fatal}fatal%{endif}: %{message}"));
    auto all = QStringLiteral("lanes.*.debug=false\nlanes.*.info=false\n");
    all += QString::fromStdString(rules).replace(QLatin1Char(';'), QLatin1Char('\n'));
    QLoggingCategory::setFilterRules(all);
}

}  // namespace lanes::app
