// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/graph_panel.h"

#include <QStringList>

#include <vector>

namespace lanes::ui {

/// The graphs of the health dock, in their order.
[[nodiscard]] std::vector<GraphSpec> healthGraphs();

/// What the graphs say about one bucket, a line a graph; for the crosshair.
[[nodiscard]] QStringList bucketLines(const std::vector<GraphPanel*>& panels,
                                      const Bucket& bucket);

/// All that is said about a second while the pointer is there: its bucket, what was done then and
/// what moved the budget. Times by `display`, which may be null (UTC).
[[nodiscard]] QStringList hoverLines(const std::vector<GraphPanel*>& panels,
                                     const GraphView& view, double second,
                                     const TimeDisplay* display);

/// How many graphs stand side by side in an area: as makes the smallest side of each
/// as readable as can be.
[[nodiscard]] int graphColumns(const QSize& area, int graphs);

}  // namespace lanes::ui
