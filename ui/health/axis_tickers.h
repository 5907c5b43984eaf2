// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace lanes::ui {

class TimeDisplay;

/// Time of the day on the axis of a graph, in the zone of the display (UTC without one).
[[nodiscard]] QString clockText(const TimeDisplay* display, double second, bool withSeconds);
/// The same to the second, with the date of any other day than today.
[[nodiscard]] QString stampText(const TimeDisplay* display, double second);

/// Ticks of a zero-based axis: 0, half and top, written short ("40 k").
class CountTicker : public QCPAxisTicker {
public:
    void setTop(double top, bool withHalf);
    void setSuffix(const QString& suffix) { m_suffix = suffix; }

protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    int getSubTickCount(double step) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    double m_top = 1;
    bool m_withHalf = true;
    QString m_suffix;
};

/// Ticks at round times, as many as fit.
class TimeTicker : public QCPAxisTicker {
public:
    void setDisplay(const TimeDisplay* display) { m_display = display; }
    /// Chooses the step so that labels of a width do not touch.
    void fit(double seconds, double pixels, double pixelsOfMinutes, double pixelsOfSeconds);

protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double step) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    const TimeDisplay* m_display = nullptr;
    double m_step = 60;
};

}  // namespace lanes::ui
