// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/graph_panel.h"

#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"
#include "ui/health/axis_tickers.h"
#include "ui/health/state_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lanes::ui {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
/// The share of a bucket that has to be watched before a rate in it is drawn.
constexpr float kDrawn = 0.3F;
/// Pixels that a press must move before it is a drag and no click.
constexpr int kDragPixels = 5;
/// Right of the graph: room for half a label of the time axis.
constexpr int kRightMargin = 18;
/// From this width on there is room for the names of two curves.
constexpr int kNamedWidth = 215;
/// Gaps that are marked at most; more of them would be a hatched wall anyway.
constexpr std::size_t kGaps = 50;
/// Marks of what was done: their size, and the distance in which an earlier one has no mark of its
/// own. More than so many in one view are no longer told apart.
constexpr int kFlagSize = 12;
constexpr double kFlagDistance = 10;
constexpr std::size_t kFlags = 60;
/// Below this height the axis has no tick in its middle.
constexpr int kLowPlot = 64;

bool isOpen(const Bucket& bucket, const GraphView& view) {
    return bucket.start + view.width > view.openSecond;
}

QPixmap swatch(const QColor& colour, bool area, qreal scale) {
    const QSize size(10, 10);
    QPixmap pixmap(size * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.fillRect(area ? QRectF(0, 1, 10, 8) : QRectF(0, 4, 10, 2), colour);
    return pixmap;
}

}  // namespace

GraphPanel::GraphPanel(GraphSpec spec, const TimeDisplay* display, QWidget* parent)
    : QWidget(parent),
      m_spec(std::move(spec)),
      m_countTicker(new CountTicker),
      m_timeTicker(new TimeTicker) {
    setObjectName(m_spec.name);
    setAccessibleName(m_spec.title);
    m_curves.resize(m_spec.series.size());
    m_timeTicker->setDisplay(display);
    if (m_spec.unit == QLatin1String("%")) m_countTicker->setSuffix(QStringLiteral(" %"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    buildHeader();
    m_strip = new StateStrip(this);
    buildPlot();
    column->addWidget(m_strip);
    column->addWidget(m_plot, 1);
    restyle();
}

GraphPanel::~GraphPanel() = default;

void GraphPanel::buildHeader() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(4, 0, kRightMargin, 0);
    row->setSpacing(3);
    m_title = new ElidedLabel(this);
    m_title->setFullText(m_spec.title);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_title, 1);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        Curve& curve = m_curves[i];
        curve.swatch = new QLabel(this);
        curve.number = new QLabel(this);
        curve.number->setTextFormat(Qt::PlainText);
        curve.number->setObjectName(QStringLiteral("%1Number%2").arg(m_spec.name).arg(i));
        row->addSpacing(i == 0 ? 0 : 2);
        row->addWidget(curve.swatch);
        row->addWidget(curve.number);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void GraphPanel::buildPlot() {
    m_plot = new QCustomPlot(this);
    m_plot->setObjectName(m_spec.name + QStringLiteral("Plot"));
    m_plot->setAccessibleName(m_spec.title);
    m_plot->setAccessibleDescription(tr("A graph. Its menu shows it as a table."));
    m_plot->setNoAntialiasingOnDrag(false);
    m_plot->setMouseTracking(true);
    m_plot->setContextMenuPolicy(Qt::NoContextMenu);
    m_plot->installEventFilter(this);
    m_plot->setMinimumHeight(48);

    // Pointer and selection have a buffer of their own: moving them does not redraw the curves.
    m_plot->addLayer(QStringLiteral("pointer"), m_plot->layer(QStringLiteral("overlay")),
                     QCustomPlot::limBelow);
    m_plot->layer(QStringLiteral("pointer"))->setMode(QCPLayer::lmBuffered);

    QCPAxisRect* area = m_plot->axisRect();
    area->setAutoMargins(QCP::msNone);
    area->setMinimumSize(10, 10);
    m_plot->yAxis->setTicker(m_countTicker);
    m_plot->xAxis->setTicker(m_timeTicker);
    m_plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
    m_plot->xAxis->grid()->setVisible(true);

    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const SeriesSpec& series = m_spec.series[i];
        Curve& curve = m_curves[i];
        if (series.spread != nullptr) {
            curve.low = m_plot->addGraph();
            curve.high = m_plot->addGraph();
        }
        curve.closed = m_plot->addGraph();
        curve.open = m_plot->addGraph();
        const auto lineStyle = series.look == SeriesSpec::Look::steps ? QCPGraph::lsStepCenter
                                                                      : QCPGraph::lsLine;
        curve.closed->setLineStyle(lineStyle);
        curve.open->setLineStyle(QCPGraph::lsLine);
    }
    if (m_spec.showsChanges) {
        m_changes = m_plot->addGraph();
        m_changes->setLineStyle(QCPGraph::lsNone);
    }

    m_selection = new QCPItemRect(m_plot);
    m_selection->setLayer(QStringLiteral("pointer"));
    m_selection->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_selection->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_selection->setVisible(false);
    m_crosshair = new QCPItemLine(m_plot);
    m_crosshair->setLayer(QStringLiteral("pointer"));
    m_crosshair->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_crosshair->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_crosshair->setVisible(false);
}

QColor GraphPanel::colour(SeriesSpec::Hue hue) const {
    const bool dark = isDark(palette());
    QColor ink;
    switch (hue) {
        case SeriesSpec::Hue::demand: ink = dark ? QColor(0xb4bcc8) : QColor(0x4d5663); break;
        case SeriesSpec::Hue::flow: ink = dark ? QColor(0x7d8df0) : QColor(0x4457c9); break;
        case SeriesSpec::Hue::budget: ink = QColor(0xcc79a7); break;
        case SeriesSpec::Hue::inFlight: ink = dark ? QColor(0x3f9be0) : QColor(0x0072b2); break;
        case SeriesSpec::Hue::errors: ink = errorStyle().colour; break;
        case SeriesSpec::Hue::backlog: ink = dark ? QColor(0x8c98ab) : QColor(0x64707f); break;
    }
    return readableLine(ink, palette().color(QPalette::Base));
}

void GraphPanel::restyle() {
    const QColor ground = palette().color(QPalette::Base);
    const QColor text = palette().color(QPalette::Text);
    const QColor muted = palette().color(QPalette::PlaceholderText);
    QColor faint = text;
    faint.setAlphaF(0.10F);
    QFont small = font();
    small.setPointSizeF(std::max(7.0, font().pointSizeF() - 1.5));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);

    m_plot->setBackground(QBrush(palette().color(QPalette::Window)));
    m_plot->axisRect()->setBackground(QBrush(ground));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabelFont(small);
        axis->setTickLabelColor(readableText(muted, palette().color(QPalette::Window)));
        axis->setBasePen(QPen(palette().color(QPalette::Mid), 0));
        axis->setTickPen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setTickLabelPadding(4);
        axis->grid()->setPen(QPen(faint, 0, Qt::SolidLine));
    }
    m_plot->yAxis->setBasePen(Qt::NoPen);

    const qreal scale = devicePixelRatioF();
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const SeriesSpec& series = m_spec.series[i];
        Curve& curve = m_curves[i];
        const QColor ink = colour(series.hue);
        QColor fill = ink;
        fill.setAlphaF(0.22F);
        const bool area = series.look == SeriesSpec::Look::area;
        curve.closed->setPen(QPen(ink, 1.5));
        curve.closed->setBrush(area ? QBrush(fill) : QBrush(Qt::NoBrush));
        QColor pale = ink;
        pale.setAlphaF(0.7F);
        curve.open->setPen(QPen(pale, 1.25, Qt::DotLine));
        if (curve.high != nullptr) {
            curve.low->setPen(Qt::NoPen);
            curve.high->setPen(Qt::NoPen);
            curve.high->setBrush(QBrush(fill));
            curve.high->setChannelFillGraph(curve.low);
        }
        curve.swatch->setPixmap(swatch(ink, area, scale));
        curve.number->setFont(tabularDigits(font()));
    }
    if (m_changes != nullptr) {
        m_changes->setScatterStyle(QCPScatterStyle(
            QCPScatterStyle::ssCircle, QPen(colour(SeriesSpec::Hue::budget), 1.25), ground, 5));
    }
    QColor accent = palette().color(QPalette::Highlight);
    m_selection->setPen(QPen(accent, 0));
    accent.setAlphaF(0.2F);
    m_selection->setBrush(accent);
    m_crosshair->setPen(QPen(muted, 0));
    for (QCPItemRect* gap : m_gaps) gap->setBrush(QBrush(faint, Qt::BDiagPattern));
    for (Flag& flag : m_flags) {
        flag.line->setPen(QPen(muted, 0, Qt::DashLine));
        flag.kind.reset();  // its mark is painted anew, in these colours
    }
    fitMargins();
}

void GraphPanel::fitMargins() {
    const QFontMetricsF metrics(m_plot->yAxis->tickLabelFont());
    // Fixed, so that the graphs stand in line and do not move with their numbers.
    const int left = static_cast<int>(
        std::ceil(metrics.horizontalAdvance(QStringLiteral("888.8 k")))) + 6;
    const int bottom =
        m_hasTimeAxis ? static_cast<int>(std::ceil(metrics.height())) + 6 : 4;
    const int top = static_cast<int>(std::ceil(metrics.height() / 2));
    m_plot->axisRect()->setMargins(QMargins(left, top, kRightMargin, bottom));
    m_plot->xAxis->setTickLabels(m_hasTimeAxis);
    m_strip->setMargins(left, kRightMargin);
    fitTicks();
}

void GraphPanel::fitTicks() {
    const QFontMetricsF metrics(m_plot->xAxis->tickLabelFont());
    const QCPRange range = m_plot->xAxis->range();
    const QMargins margins = m_plot->axisRect()->margins();
    // In steps, so that neighbours whose widths differ by a pixel have the same ticks.
    const double pixels = std::max(1, m_plot->width() - margins.left() - margins.right()) / 8 * 8;
    const double air = metrics.horizontalAdvance(QStringLiteral("00"));
    m_timeTicker->fit(range.size(), pixels,
                      metrics.horizontalAdvance(QStringLiteral("00:00")) + air,
                      metrics.horizontalAdvance(QStringLiteral("00:00:00")) + air);
}

void GraphPanel::setTimeDisplay(const TimeDisplay* display) {
    m_timeTicker->setDisplay(display);
}

void GraphPanel::setParts(bool strip, bool timeAxis) {
    m_strip->setVisible(strip);
    m_hasStrip = strip;
    m_hasTimeAxis = timeAxis;
    fitMargins();
}

void GraphPanel::reset() {
    m_spec.scale.reset();
}

double GraphPanel::maximum(const GraphView& view) const {
    double most = 0;
    for (const auto& bucket : view.buckets) {
        // A sliver of a second would stretch the axis by chance.
        if (bucket.covered < kDrawn) continue;
        for (const auto& series : m_spec.series) {
            const double value = series.value(bucket);
            if (!std::isnan(value)) most = std::max(most, value);
            if (view.width > 1 && series.spread != nullptr)
                most = std::max(most, series.spread(bucket).second);
        }
    }
    return most;
}

void GraphPanel::setView(const GraphView& view) {
    const double top = m_spec.scale.fit(maximum(view), view.openSecond);
    const int plotHeight = m_plot->height() - m_plot->axisRect()->margins().top() -
                           m_plot->axisRect()->margins().bottom();
    m_countTicker->setTop(top, plotHeight >= kLowPlot);
    m_plot->xAxis->setRange(view.from, view.to);
    // A little air, so that a line at the top is seen whole.
    m_plot->yAxis->setRange(0, top * 1.04);
    fitTicks();
    for (std::size_t i = 0; i < m_curves.size(); ++i) fillCurve(i, view);
    if (m_changes != nullptr) {
        QVector<double> keys;
        QVector<double> values;
        for (const auto& change : view.changes) {
            const double second = static_cast<double>(change.at) / kSecond;
            if (second < view.from || second > view.to) continue;
            keys.append(second);
            values.append(change.to);
        }
        m_changes->setData(keys, values, true);
    }
    showGaps(view);
    showFlags(view);
    showNumbers(view);
    m_strip->setSegments(StateStrip::join(view.buckets, view.width), view.from, view.to);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void GraphPanel::fillCurve(std::size_t index, const GraphView& view) {
    const SeriesSpec& series = m_spec.series[index];
    Curve& curve = m_curves[index];
    QVector<double> keys, values, lows, highs;
    QVector<double> openKeys, openValues;
    const double middle = static_cast<double>(view.width) / 2;
    std::int64_t expected = 0;
    for (const auto& bucket : view.buckets) {
        const double key = static_cast<double>(bucket.start) + middle;
        const bool sliver = bucket.covered < kDrawn;
        const double value = sliver ? kNothing : series.value(bucket);
        if (isOpen(bucket, view)) {
            if (!keys.isEmpty() && bucket.start == expected && !std::isnan(value)) {
                openKeys = {keys.back(), key};
                openValues = {values.back(), value};
            }
            continue;
        }
        if (!keys.isEmpty() && bucket.start != expected) {
            keys.append(static_cast<double>(expected));
            for (auto* list : {&values, &lows, &highs}) list->append(kNothing);
        }
        expected = bucket.start + view.width;
        keys.append(key);
        values.append(value);
        const auto [low, high] = view.width > 1 && series.spread != nullptr && !sliver
                                     ? series.spread(bucket)
                                     : std::pair(kNothing, kNothing);
        lows.append(low);
        highs.append(high);
    }
    curve.closed->setData(keys, values, true);
    curve.open->setData(openKeys, openValues, true);
    if (curve.high != nullptr) {
        curve.low->setData(keys, lows, true);
        curve.high->setData(keys, highs, true);
    }
}

void GraphPanel::showGaps(const GraphView& view) {
    std::size_t used = 0;
    for (std::size_t i = 1; i < view.buckets.size() && used < kGaps; ++i) {
        const auto from = view.buckets[i - 1].start + view.width;
        const auto to = view.buckets[i].start;
        if (to - from < view.width) continue;
        if (used == m_gaps.size()) {
            auto* gap = new QCPItemRect(m_plot);
            gap->setLayer(QStringLiteral("grid"));
            gap->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
            gap->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
            QColor faint = palette().color(QPalette::Text);
            faint.setAlphaF(0.10F);
            gap->setPen(Qt::NoPen);
            gap->setBrush(QBrush(faint, Qt::BDiagPattern));
            m_gaps.push_back(gap);
        }
        m_gaps[used]->topLeft->setCoords(static_cast<double>(from), 0);
        m_gaps[used]->bottomRight->setCoords(static_cast<double>(to), 1);
        m_gaps[used]->setVisible(true);
        ++used;
    }
    for (; used < m_gaps.size(); ++used) m_gaps[used]->setVisible(false);
}

void GraphPanel::addFlag() {
    Flag flag;
    flag.line = new QCPItemLine(m_plot);
    flag.line->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    flag.line->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    flag.line->setPen(QPen(palette().color(QPalette::PlaceholderText), 0, Qt::DashLine));
    flag.mark = new QCPItemPixmap(m_plot);
    flag.mark->topLeft->setParentAnchor(flag.line->start);
    flag.mark->topLeft->setType(QCPItemPosition::ptAbsolute);
    flag.mark->topLeft->setCoords(-kFlagSize / 2.0, 0);
    m_flags.push_back(flag);
}

/// A line at the moment of each flag, and its mark where the state strip stands above the graph.
void GraphPanel::showFlags(const GraphView& view) {
    const double pixels = std::max(1, m_plot->axisRect()->width());
    const double distance = (view.to - view.from) / pixels * kFlagDistance;
    std::size_t used = 0;
    double last = -std::numeric_limits<double>::infinity();
    // The newest first: if there are too many, the oldest have no line.
    for (auto flag = view.flags.rbegin(); flag != view.flags.rend() && used < kFlags; ++flag) {
        const double second = static_cast<double>(flag->at) / kSecond;
        if (second < view.from || second > view.to) continue;
        if (used > 0 && last - second < distance) continue;
        last = second;
        if (used == m_flags.size()) addFlag();
        Flag& shown = m_flags[used++];
        shown.line->start->setCoords(second, 0);
        shown.line->end->setCoords(second, 1);
        shown.line->setVisible(true);
        shown.mark->setVisible(m_hasStrip);
        if (shown.kind == flag->kind) continue;
        shown.kind = flag->kind;
        shown.mark->setPixmap(flagIcon(flag->kind).pixmap(QSize(kFlagSize, kFlagSize),
                                                          devicePixelRatioF()));
    }
    for (; used < m_flags.size(); ++used) {
        m_flags[used].line->setVisible(false);
        m_flags[used].mark->setVisible(false);
    }
}

QString GraphPanel::number(double value, bool brief, bool withUnit) const {
    if (std::isnan(value)) return QString(QChar(0x2013));
    const QLocale locale;
    const QString text = m_spec.digits > 0 && value < (brief ? 10 : 100)
                             ? locale.toString(value, 'f', m_spec.digits)
                             : locale.toString(std::llround(value));
    if (m_spec.unit.isEmpty() || !withUnit) return text;
    return QStringLiteral("%1 %2").arg(text, m_spec.unit);
}

void GraphPanel::showNumbers(const GraphView& view) {
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const SeriesSpec& series = m_spec.series[i];
        const double value =
            view.last && view.last->covered > 0 ? series.value(*view.last) : kNothing;
        QLabel* label = m_curves[i].number;
        // Where there is one curve, the title names it; where there is no room, the tooltip does.
        const bool brief = m_curves.size() == 1 || width() < kNamedWidth;
        // Of several one unit does for all, and the title has the room.
        const bool several = brief && m_curves.size() > 1;
        const QString said = number(value, several, !several || i + 1 == m_curves.size());
        const QString text = brief ? said : QStringLiteral("%1 %2").arg(series.name, said);
        if (label->text() == text) continue;
        label->setText(text);
        label->setToolTip(tr("%1, in the last whole second").arg(series.name));
    }
}

void GraphPanel::setCrosshair(std::optional<double> second) {
    if (!second && !m_crosshair->visible()) return;
    m_crosshair->setVisible(second.has_value());
    if (second) {
        m_crosshair->start->setCoords(*second, 0);
        m_crosshair->end->setCoords(*second, 1);
    }
    m_plot->layer(QStringLiteral("pointer"))->replot();
}

void GraphPanel::setSelection(std::optional<std::pair<double, double>> stretch) {
    if (!stretch && !m_selection->visible()) return;
    m_selection->setVisible(stretch.has_value());
    if (stretch) {
        m_selection->topLeft->setCoords(stretch->first, 0);
        m_selection->bottomRight->setCoords(stretch->second, 1);
    }
    m_plot->layer(QStringLiteral("pointer"))->replot();
}

double GraphPanel::secondAt(int x) const {
    const QRect area = m_plot->axisRect()->rect();
    return m_plot->xAxis->pixelToCoord(std::clamp(x, area.left(), area.right() + 1));
}

QSize GraphPanel::minimumSizeHint() const {
    return {160, 90};
}

void GraphPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (m_plot == nullptr) return;
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        restyle();
        m_plot->replot();  // at once: the old colours must not be painted once more
    }
}

bool GraphPanel::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize: fitTicks(); break;
        case QEvent::Leave:
            emit left();
            break;
        case QEvent::MouseMove: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            const int x = mouse->position().toPoint().x();
            const bool drags = m_pressedAt && std::abs(x - m_pressedX) >= kDragPixels;
            if (drags)
                emit dragging(std::min(*m_pressedAt, secondAt(x)),
                              std::max(*m_pressedAt, secondAt(x)));
            emit hovered(secondAt(x), mouse->globalPosition().toPoint());
            return true;
        }
        case QEvent::MouseButtonPress: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->button() == Qt::LeftButton) {
                m_pressedX = mouse->position().toPoint().x();
                m_pressedAt = secondAt(m_pressedX);
            }
            return true;
        }
        case QEvent::MouseButtonRelease: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->button() != Qt::LeftButton || !m_pressedAt) return true;
            const int x = mouse->position().toPoint().x();
            const double from = *std::exchange(m_pressedAt, std::nullopt);
            if (std::abs(x - m_pressedX) >= kDragPixels)
                emit dragged(std::min(from, secondAt(x)), std::max(from, secondAt(x)));
            else
                emit clicked(from);
            return true;
        }
        case QEvent::MouseButtonDblClick:
            emit liveWanted();
            return true;
        case QEvent::ContextMenu:
            emit menuWanted(secondAt(static_cast<QContextMenuEvent*>(event)->pos().x()),
                            static_cast<QContextMenuEvent*>(event)->globalPos());
            return true;
        default: break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace lanes::ui
