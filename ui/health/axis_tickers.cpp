// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/axis_tickers.h"

#include "ui/common/format.h"
#include "ui/common/time_display.h"

#include <QDateTime>
#include <QLocale>

#include <array>
#include <cmath>

namespace lanes::ui {

namespace {

constexpr double kDay = 86400;

QDateTime timeOf(const TimeDisplay* display, double second) {
    const bool local = display != nullptr && display->zone() == TimeDisplay::Zone::local;
    return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(std::floor(second)),
                                         local ? Qt::LocalTime : Qt::UTC);
}

}  // namespace

QString clockText(const TimeDisplay* display, double second, bool withSeconds) {
    return timeOf(display, second)
        .toString(withSeconds ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
}

QString stampText(const TimeDisplay* display, double second) {
    const QDateTime time = timeOf(display, second);
    const QDate today =
        time.timeSpec() == Qt::UTC ? QDateTime::currentDateTimeUtc().date() : QDate::currentDate();
    return time.toString(time.date() == today ? QStringLiteral("HH:mm:ss")
                                              : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

void CountTicker::setTop(double top, bool withHalf) {
    m_top = top;
    m_withHalf = withHalf;
}

QVector<double> CountTicker::createTickVector(double, const QCPRange&) {
    return m_withHalf ? QVector<double>{0, m_top / 2, m_top} : QVector<double>{0, m_top};
}

int CountTicker::getSubTickCount(double) {
    return 0;
}

QString CountTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    // Whole numbers from 10 on: the steps of the scale leave nothing behind the point.
    const QString text = tick >= 10 ? shortCount(static_cast<std::uint64_t>(std::llround(tick)))
                                    : QLocale().toString(tick, 'g', 3);
    return text + m_suffix;
}

void TimeTicker::fit(double seconds, double pixels, double pixelsOfMinutes,
                     double pixelsOfSeconds) {
    constexpr std::array kSteps = {1.0,    2.0,    5.0,     10.0,    15.0,     30.0,
                                   60.0,   120.0,  300.0,   600.0,   900.0,    1800.0,
                                   3600.0, 7200.0, 14400.0, 43200.0, 1 * kDay, 2 * kDay,
                                   7 * kDay};
    m_step = kSteps.back();
    // Days begin at midnight of the zone that is shown.
    const auto now = static_cast<double>(QDateTime::currentSecsSinceEpoch());
    setTickOrigin(-timeOf(m_display, now).offsetFromUtc());
    for (const double step : kSteps) {
        const double label = step < 60 ? pixelsOfSeconds : pixelsOfMinutes;
        if (step / seconds * pixels >= label) {
            m_step = step;
            return;
        }
    }
}

double TimeTicker::getTickStep(const QCPRange&) {
    return m_step;
}

int TimeTicker::getSubTickCount(double) {
    return 0;
}

QString TimeTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    if (m_step >= kDay) return timeOf(m_display, tick).toString(QStringLiteral("MM-dd"));
    return clockText(m_display, tick, m_step < 60);
}

}  // namespace lanes::ui
