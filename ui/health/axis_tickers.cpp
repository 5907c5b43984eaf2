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

QString clockText(const TimeDisplay* display, double second, bool withSeconds) {
    const bool local = display != nullptr && display->zone() == TimeDisplay::Zone::local;
    const QDateTime time = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(std::floor(second)),
                                                         local ? Qt::LocalTime : Qt::UTC);
    return time.toString(withSeconds ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
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
    constexpr std::array kSteps = {1.0,   2.0,   5.0,   10.0,   15.0,   30.0,   60.0,
                                   120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0};
    m_step = kSteps.back();
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
    return clockText(m_display, tick, m_step < 60);
}

}  // namespace lanes::ui
