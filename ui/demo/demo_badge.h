// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QLabel>

namespace lanes::ui {

/// "DEMO ×60": stands wherever times are read while the engine's clock is not the real one. At ×1
/// it is hidden, or, where the demonstration itself is to be named, says "DEMO" quietly.
class DemoBadge : public QLabel {
    Q_OBJECT

public:
    enum class AtRealPace { hidden, quiet };
    explicit DemoBadge(lanes::Engine& engine, AtRealPace atRealPace, QWidget* parent = nullptr);

    [[nodiscard]] static QString scaleText(double scale);  ///< "×60"

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setScale(double scale);

    AtRealPace m_atRealPace;
    double m_scale = 0;
};

}  // namespace lanes::ui
