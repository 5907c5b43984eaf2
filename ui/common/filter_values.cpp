// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_values.h"

#include <QDateTime>
#include <QRegularExpression>

#include <array>
#include <cmath>

namespace lanes::ui {

namespace {

struct Unit {
    const char* name;
    Micros size;
};
/// Largest first.
constexpr std::array<Unit, 6> kUnits{{{"d", 24 * kHour},
                                      {"h", kHour},
                                      {"m", kMinute},
                                      {"s", kSecond},
                                      {"ms", kMillisecond},
                                      {"us", 1}}};
/// Numbers up to here are exact in a double.
constexpr double kLargest = 9e15;

std::optional<std::int64_t> scaled(const QString& digits, double factor) {
    static const QRegularExpression shape(QStringLiteral("^[0-9]{1,18}(\\.[0-9]{1,9})?$"));
    if (!shape.match(digits).hasMatch()) return std::nullopt;
    if (factor == 1 && !digits.contains(QLatin1Char('.'))) return digits.toLongLong();
    const double value = digits.toDouble() * factor;
    // A fraction of what cannot be divided is a slip.
    if (value > kLargest || std::abs(value - std::round(value)) > 1e-6) return std::nullopt;
    return static_cast<std::int64_t>(std::llround(value));
}

WallMicros microsOf(const QDateTime& time) { return time.toMSecsSinceEpoch() * kMillisecond; }

/// Seconds east of UTC; nothing if it is no zone.
std::optional<int> offsetFrom(const QString& text) {
    if (text == QLatin1String("Z") || text == QLatin1String("z")) return 0;
    const int hours = text.mid(1, 2).toInt();
    const int minutes = text.right(2).toInt();
    if (hours > 14 || minutes > 59) return std::nullopt;
    const int seconds = (hours * 60 + minutes) * 60;
    return text.startsWith(QLatin1Char('-')) ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> numberFrom(const QString& text) {
    if (text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive)) return scaled(text.chopped(1), 1e3);
    if (text.endsWith(QLatin1Char('M'))) return scaled(text.chopped(1), 1e6);
    return scaled(text, 1);
}

std::optional<FilterSpan> statusClassFrom(const QString& text) {
    if (text.size() != 3 || text[0] < QLatin1Char('1') || text[0] > QLatin1Char('9') ||
        text.mid(1).compare(QLatin1String("xx"), Qt::CaseInsensitive) != 0)
        return std::nullopt;
    const std::int64_t first = text[0].digitValue() * 100;
    return FilterSpan{first, first + 99};
}

std::optional<Micros> durationFrom(const QString& text) {
    static const QRegularExpression shape(QStringLiteral("^([0-9.]+)(d|h|m|s|ms|us)$"));
    const auto found = shape.match(text);
    if (!found.hasMatch()) return std::nullopt;
    for (const auto& unit : kUnits)
        if (found.captured(2) == QLatin1String(unit.name)) {
            const auto value = scaled(found.captured(1), 1);
            // Whole numbers without the detour over fractions.
            if (value && *value <= static_cast<std::int64_t>(kLargest) / unit.size)
                return *value * unit.size;
            return scaled(found.captured(1), static_cast<double>(unit.size));
        }
    return std::nullopt;
}

QString durationWord(Micros duration) {
    for (const auto& unit : kUnits)
        // 72 h is the product's promise, so hours stay hours up to four days.
        if (duration % unit.size == 0 && (unit.size != 24 * kHour || duration >= 4 * unit.size))
            return QString::number(duration / unit.size) + QLatin1String(unit.name);
    return {};
}

std::optional<FilterSpan> timeFrom(const QString& text, const QTimeZone& zone, WallMicros now) {
    static const QRegularExpression shape(QStringLiteral(
        "^(?:(\\d{4}-\\d{2}-\\d{2})(?:[Tt]|$))?"
        "(?:(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,6}))?)?)?(Z|z|[+-]\\d{2}:?\\d{2})?$"));
    const auto found = shape.match(text);
    if (!found.hasMatch()) return std::nullopt;
    const QString day = found.captured(1);
    const bool hasTime = !found.captured(2).isEmpty();
    if (day.isEmpty() && !hasTime) return std::nullopt;
    QTimeZone where = zone;
    if (const QString named = found.captured(6); !named.isEmpty()) {
        const auto offset = offsetFrom(named);
        if (!offset || !hasTime) return std::nullopt;
        where = QTimeZone(*offset);
    }
    const QDate date =
        day.isEmpty()
            ? QDateTime::fromMSecsSinceEpoch(now / kMillisecond, where).date()
            : QDate::fromString(day, Qt::ISODate);
    if (!date.isValid()) return std::nullopt;
    if (!hasTime) {
        const auto from = microsOf(date.startOfDay(where));
        return FilterSpan{from, microsOf(date.addDays(1).startOfDay(where)) - 1};
    }
    const bool seconds = !found.captured(4).isEmpty();
    const QTime time(found.captured(2).toInt(), found.captured(3).toInt(),
                     found.captured(4).toInt());
    if (!time.isValid()) return std::nullopt;
    const QString fraction = found.captured(5);
    Micros step = seconds ? kSecond : kMinute;
    Micros part = 0;
    if (!fraction.isEmpty()) {
        part = fraction.leftJustified(6, QLatin1Char('0')).toLongLong();
        for (qsizetype n = 0; n < fraction.size(); ++n) step /= 10;
    }
    const auto from = microsOf(QDateTime(date, time, where)) + part;
    return FilterSpan{from, from + step - 1};
}

QString timeWord(WallMicros at, const QTimeZone& zone) {
    Micros part = at % kSecond;
    if (part < 0) part += kSecond;
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch((at - part) / kMillisecond, Qt::UTC);
    const int offset = zone.offsetFromUtc(utc);
    QString text = utc.addSecs(offset).toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss"));
    if (part != 0) {
        QString digits = QStringLiteral("%1").arg(part, 6, 10, QLatin1Char('0'));
        while (digits.endsWith(QLatin1Char('0'))) digits.chop(1);
        text += QLatin1Char('.') + digits;
    }
    if (offset == 0) return text + QLatin1Char('Z');
    const int minutes = std::abs(offset) / 60;
    return text + QStringLiteral("%1%2:%3")
                      .arg(offset < 0 ? QLatin1Char('-') : QLatin1Char('+'))
                      .arg(minutes / 60, 2, 10, QLatin1Char('0'))
                      .arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

}  // namespace lanes::ui
