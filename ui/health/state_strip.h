// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/history_buffer.h"

#include <QWidget>

#include <vector>

namespace lanes::ui {

/// The state over time as a thin band, each state in its colour and its pattern.
class StateStrip : public QWidget {
    Q_OBJECT

public:
    explicit StateStrip(QWidget* parent = nullptr);

    struct Segment {
        double from = 0;  ///< seconds since the epoch
        double to = 0;
        HealthState state = HealthState::healthy;

        friend bool operator==(const Segment&, const Segment&) = default;
    };
    /// Neighbouring buckets of one state joined; a gap separates.
    [[nodiscard]] static std::vector<Segment> join(const std::vector<Bucket>& buckets,
                                                   std::int64_t width);

    /// Pixels left and right of the time axis.
    void setMargins(int left, int right);
    void setSegments(std::vector<Segment> segments, double from, double to);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Segment> m_segments;
    double m_from = 0;
    double m_to = 1;
    int m_left = 0;
    int m_right = 0;
};

}  // namespace lanes::ui
