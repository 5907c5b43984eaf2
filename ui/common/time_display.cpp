// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/time_display.h"

#include <QDateTime>

namespace lanes::ui {

namespace {

QDateTime dateTime(WallMicros at, TimeDisplay::Zone zone) {
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(at / kMillisecond, Qt::UTC);
    return zone == TimeDisplay::Zone::utc ? utc
                                          : utc.toOffsetFromUtc(utc.toLocalTime().offsetFromUtc());
}

}  // namespace

TimeDisplay::TimeDisplay(QObject* parent) : QObject(parent) {}

void TimeDisplay::setZone(Zone zone) {
    if (zone == m_zone) return;
    m_zone = zone;
    emit changed();
}

QString TimeDisplay::zoneLabel() const {
    if (m_zone == Zone::utc) return QStringLiteral("UTC");
    const int minutes = QDateTime::currentDateTime().offsetFromUtc() / 60;
    const int size = qAbs(minutes);
    return QStringLiteral("UTC%1%2:%3")
        .arg(minutes < 0 ? QChar(0x2212) : QLatin1Char('+'))
        .arg(size / 60, 2, 10, QLatin1Char('0'))
        .arg(size % 60, 2, 10, QLatin1Char('0'));
}

QString TimeDisplay::text(WallMicros at) const {
    return text(at, QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString TimeDisplay::exactText(WallMicros at) const {
    return text(at, QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString TimeDisplay::text(WallMicros at, const QString& otherDays) const {
    if (at == 0) return {};
    const QDateTime time = dateTime(at, m_zone);
    const QDateTime now = dateTime(QDateTime::currentMSecsSinceEpoch() * kMillisecond, m_zone);
    return time.toString(time.date() == now.date() ? QStringLiteral("HH:mm:ss") : otherDays);
}

QString TimeDisplay::iso(WallMicros at, Zone zone) {
    if (at == 0) return {};
    return dateTime(at, zone).toString(Qt::ISODateWithMs);
}

}  // namespace lanes::ui
