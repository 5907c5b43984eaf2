// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/state_strip.h"

#include "ui/common/state_style.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lanes::ui {

namespace {

constexpr int kHeight = 8;

}  // namespace

StateStrip::StateStrip(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("State over time"));
}

std::vector<StateStrip::Segment> StateStrip::join(const std::vector<Bucket>& buckets,
                                                  std::int64_t width) {
    std::vector<Segment> segments;
    for (const auto& bucket : buckets) {
        const auto from = static_cast<double>(bucket.start);
        const auto to = static_cast<double>(bucket.start + width);
        if (!segments.empty() && segments.back().state == bucket.state &&
            segments.back().to >= from) {
            segments.back().to = to;
        } else {
            segments.push_back({from, to, bucket.state});
        }
    }
    return segments;
}

void StateStrip::setMargins(int left, int right) {
    m_left = left;
    m_right = right;
    update();
}

void StateStrip::setSegments(std::vector<Segment> segments, double from, double to) {
    if (segments == m_segments && from == m_from && to == m_to) return;
    m_segments = std::move(segments);
    m_from = from;
    m_to = std::max(to, from + 1);
    update();
}

QSize StateStrip::sizeHint() const {
    return {100, kHeight};
}

void StateStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF band(m_left, 0, std::max(1, width() - m_left - m_right), height());
    painter.setClipRect(band);
    painter.fillRect(band, palette().color(QPalette::Midlight));
    const QColor ground = palette().color(QPalette::Base);
    const double scale = band.width() / (m_to - m_from);
    for (const auto& segment : m_segments) {
        const double left = std::floor(band.left() + (segment.from - m_from) * scale);
        // Never narrower than a pixel: a short fault must not vanish from a long view.
        const double right =
            std::max(left + 1, std::floor(band.left() + (segment.to - m_from) * scale));
        const QRectF area(left, band.top(), right - left, band.height());
        const StateStyle style = stateStyle(segment.state);
        painter.fillRect(area, style.colour);
        if (style.pattern != Qt::SolidPattern)
            painter.fillRect(area, QBrush(style.colour.darker(165), style.pattern));
        // The contour that makes pale colours stand out from a white ground.
        painter.fillRect(QRectF(left, band.bottom() - 1, right - left, 1),
                         readableLine(style.colour, ground));
    }
}

}  // namespace lanes::ui
