// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_graphs.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/time_display.h"
#include "ui/health/axis_tickers.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::HealthGraphs)
};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// A graph of this size is read with ease; smaller ones lose labels or show curves as stripes.
constexpr double kGoodWidth = 240;
constexpr double kGoodHeight = 120;
/// What happened at a moment is told when the pointer is this near to it, in pixels.
constexpr double kNearPixels = 6;

std::pair<double, double> spreadOf(const Gauge& gauge) {
    if (gauge.count == 0) return {kNothing, kNothing};
    return {gauge.min, gauge.max};
}

GraphSpec deliveries() {
    SeriesSpec out{Words::tr("out"), SeriesSpec::Look::area, SeriesSpec::Hue::flow,
                   [](const Bucket& b) { return b.outPerSecond(); },
                   [](const Bucket& b) { return std::pair<double, double>(b.outLow, b.outHigh); }};
    SeriesSpec in{Words::tr("in"), SeriesSpec::Look::line, SeriesSpec::Hue::demand,
                  [](const Bucket& b) { return b.inPerSecond(); },
                  [](const Bucket& b) { return std::pair<double, double>(b.inLow, b.inHigh); }};
    return {QStringLiteral("deliveriesGraph"), Words::tr("Events"), Words::tr("/s"),
            NiceScale(2), {out, in}, 1, false};
}

GraphSpec errors() {
    // In per cent, so that the axis and the number agree.
    SeriesSpec share{Words::tr("failed"), SeriesSpec::Look::area, SeriesSpec::Hue::errors,
                     [](const Bucket& b) {
                         const auto errorShare = b.errorShare();
                         return errorShare ? *errorShare * 100 : kNothing;
                     },
                     nullptr};
    return {QStringLiteral("errorsGraph"), Words::tr("Errors"), QStringLiteral("%"),
            NiceScale(10, 100), {share}, 1, false};
}

GraphSpec budget() {
    SeriesSpec inFlight{Words::tr("in flight"), SeriesSpec::Look::area, SeriesSpec::Hue::inFlight,
                        [](const Bucket& b) { return b.inFlight.mean(); },
                        [](const Bucket& b) { return spreadOf(b.inFlight); }};
    SeriesSpec limit{Words::tr("budget"), SeriesSpec::Look::steps, SeriesSpec::Hue::budget,
                     [](const Bucket& b) { return b.budget.mean(); },
                     [](const Bucket& b) { return spreadOf(b.budget); }};
    return {QStringLiteral("budgetGraph"), Words::tr("Budget"), QString(),
            NiceScale(4), {inFlight, limit}, 0, true};
}

GraphSpec backlog() {
    SeriesSpec waiting{Words::tr("waiting"), SeriesSpec::Look::area, SeriesSpec::Hue::backlog,
                       [](const Bucket& b) { return b.backlog.mean(); },
                       [](const Bucket& b) { return spreadOf(b.backlog); }};
    return {QStringLiteral("backlogGraph"), Words::tr("Backlog"), QString(),
            NiceScale(10), {waiting}, 0, false};
}

}  // namespace

std::vector<GraphSpec> healthGraphs() {
    return {deliveries(), errors(), budget(), backlog()};
}

QStringList bucketLines(const std::vector<GraphPanel*>& panels, const Bucket& bucket) {
    QStringList lines;
    for (const GraphPanel* panel : panels) {
        QStringList values;
        for (const auto& series : panel->spec().series)
            values << QStringLiteral("%1 %2").arg(series.name,
                                                  panel->number(series.value(bucket)));
        lines << QStringLiteral("%1: %2").arg(panel->spec().title,
                                              values.join(QStringLiteral(" · ")));
    }
    return lines;
}

QStringList hoverLines(const std::vector<GraphPanel*>& panels, const GraphView& view,
                       double second, const TimeDisplay* display) {
    const auto width = static_cast<double>(view.width);
    const auto found = std::find_if(
        view.buckets.begin(), view.buckets.end(), [second, width](const Bucket& b) {
            const auto start = static_cast<double>(b.start);
            return second >= start && second < start + width;
        });
    const QString zone = display != nullptr ? display->zoneLabel() : QStringLiteral("UTC");
    QStringList lines;
    if (found == view.buckets.end()) {
        lines << QStringLiteral("%1 %2").arg(stampText(display, second), zone)
              << Words::tr("Nothing recorded: the engine was not running.");
    } else {
        QString head = QStringLiteral("%1 %2 · %3")
                           .arg(stampText(display, static_cast<double>(found->start)), zone,
                                stateStyle(found->state).word);
        if (view.width > 1)
            head += Words::tr(" · mean of %1").arg(durationText(view.width * kSecond));
        else if (found->start >= view.openSecond)
            head += Words::tr(" · not over yet");
        lines << head << bucketLines(panels, *found);
    }
    const int pixels = std::max(1, panels.front()->width());
    const double near = std::max(width, (view.to - view.from) / pixels * kNearPixels);
    const auto isNear = [&](WallMicros at) {
        return std::abs(static_cast<double>(at) / kSecond - second) <= near;
    };
    for (const auto& flag : view.flags) {
        if (!isNear(flag.at)) continue;
        lines << QStringLiteral("%1 %2").arg(
            stampText(display, static_cast<double>(flag.at) / kSecond),
            flagText(flag, view.together));
    }
    for (const auto& change : view.changes) {
        if (!isNear(change.at)) continue;
        const QLocale locale;
        lines << Words::tr("Budget %1 → %2: %3")
                     .arg(locale.toString(change.from, 'g', 3), locale.toString(change.to, 'g', 3),
                          plainLine(change.reason, 160));
    }
    return lines;
}

int graphColumns(const QSize& area, int graphs) {
    int best = 1;
    double bestScore = 0;
    for (int columns = 1; columns <= graphs; columns *= 2) {
        const int rows = (graphs + columns - 1) / columns;
        const double score = std::min(area.width() / columns / kGoodWidth,
                                      area.height() / rows / kGoodHeight);
        if (score <= bestScore) continue;
        best = columns;
        bestScore = score;
    }
    return best;
}

}  // namespace lanes::ui
