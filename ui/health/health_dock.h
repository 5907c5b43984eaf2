// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QWidget>

#include <memory>

namespace lanes::ui {

class PageLoader;
class TimeDisplay;

/// Live graphs of one destination, or of all together, on one time axis: deliveries in and out,
/// share of errors, retry budget and in flight, backlog, with the state as a strip above and what
/// operators did as flags. It keeps its own history from the snapshots, hidden or not, and paints
/// only while it is shown. A drag zooms; a click or a drag offers the attempts of that time.
class HealthDock : public QWidget {
    Q_OBJECT

public:
    explicit HealthDock(lanes::Engine& engine, QWidget* parent = nullptr);
    ~HealthDock() override;

    /// The switch between UTC and local time; without one, times are UTC. It must outlive this.
    void setTimeDisplay(const TimeDisplay* display);
    /// Keeps what the graphs remember in a file; before the engine runs.
    void keepHistoryIn(const QString& path);
    /// Where recorded operations are read for the flags. It must outlive this.
    void setLoader(PageLoader* loader);
    [[nodiscard]] lanes::DestinationId destination() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

public slots:
    /// 0 = all destinations together.
    void setDestination(lanes::DestinationId destination);
    /// A mock destination behaves otherwise from now on, in words; it is found by its URL.
    void noteMock(const QString& name, const QString& url, const QString& behaviour);

signals:
    /// Attempts that ended from ..., until ... (exclusive); destination 0 = of all.
    void attemptsWanted(lanes::DestinationId destination, lanes::WallMicros from,
                        lanes::WallMicros until);
    /// All lanes, or those whose heads were accepted from ..., until ... (exclusive).
    void lanesWanted(lanes::DestinationId destination, lanes::WallMicros from = 0,
                     lanes::WallMicros until = 0);
    /// Dead letters that died from ..., until ... (exclusive).
    void deadLettersWanted(lanes::DestinationId destination, lanes::WallMicros from,
                           lanes::WallMicros until);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Impl;
    std::unique_ptr<Impl> m;
};

}  // namespace lanes::ui
