// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destination_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <QUrl>

namespace lanes::ui {

QString statusesText(const std::vector<std::uint16_t>& statuses) {
    QStringList words;
    for (const auto status : statuses) words << QString::number(status);
    return words.join(QStringLiteral(", "));
}

std::optional<std::vector<std::uint16_t>> statusesOf(const QString& text) {
    static const QRegularExpression separator(QStringLiteral("[,;\\s]+"));
    std::vector<std::uint16_t> statuses;
    for (const QString& word : text.split(separator, Qt::SkipEmptyParts)) {
        bool good = false;
        const ushort status = word.toUShort(&good);
        if (!good) return std::nullopt;
        statuses.push_back(status);
    }
    return statuses;
}

QString headersText(const Headers& headers) {
    QStringList lines;
    for (const auto& [name, value] : headers)
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(name),
                                              QString::fromStdString(value));
    return lines.join(u'\n');
}

TypedHeaders headersOf(const QString& text) {
    TypedHeaders typed;
    int number = 0;
    for (const QString& line : text.split(u'\n')) {
        ++number;
        if (line.trimmed().isEmpty()) continue;
        const auto colon = line.indexOf(u':');
        const QString name = line.left(colon).trimmed();
        if (colon < 0 || name.isEmpty()) {
            if (typed.badLine == 0) typed.badLine = number;
            continue;
        }
        typed.headers.emplace_back(name.toStdString(),
                                   line.mid(colon + 1).trimmed().toStdString());
    }
    return typed;
}

bool isOpenOnTheWay(const QString& text) {
    const QUrl url(text);
    if (url.scheme().toLower() != QLatin1String("http") || url.host().isEmpty()) return false;
    const QString host = url.host().toLower();
    return host != QLatin1String("localhost") && host != QLatin1String("::1") &&
           !host.startsWith(QLatin1String("127."));
}

}  // namespace lanes::ui
