// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"

#include <QWidget>

#include <memory>

namespace lanes::ui {

class TimeDisplay;

/// The controls of the demonstration: how each mock destination behaves, what it saw, the traffic,
/// and the speed of the engine's clock. It scrolls where there is little room.
class DemoDock : public QWidget {
    Q_OBJECT

public:
    explicit DemoDock(lanes::Engine& engine, lanes::MockControl& mocks, QWidget* parent = nullptr);
    ~DemoDock() override;

    /// The switch between UTC and local time; without one, times are UTC. It must outlive this.
    void setTimeDisplay(const TimeDisplay* display);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace lanes::ui
