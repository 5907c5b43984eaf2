// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QLabel>

namespace lanes::ui {

/// "DEMO ×60": stands wherever times are read while the engine's clock is not the real one; hidden
/// at ×1.
class DemoBadge : public QLabel {
    Q_OBJECT

public:
    explicit DemoBadge(lanes::Engine& engine, QWidget* parent = nullptr);

    [[nodiscard]] static QString scaleText(double scale);  ///< "×60"

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setScale(double scale);

    double m_scale = 0;
};

}  // namespace lanes::ui
