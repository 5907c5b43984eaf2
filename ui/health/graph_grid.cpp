// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/graph_grid.h"

#include "ui/health/graph_panel.h"
#include "ui/health/health_graphs.h"

#include <QGridLayout>
#include <QResizeEvent>

#include <utility>

namespace lanes::ui {

void GraphGrid::setPanels(std::vector<GraphPanel*> panels) {
    m_panels = std::move(panels);
    arrange();
}

void GraphGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (graphColumns(size(), static_cast<int>(m_panels.size())) != m_columns) arrange();
}

void GraphGrid::arrange() {
    const int count = static_cast<int>(m_panels.size());
    m_columns = graphColumns(size(), count);
    delete layout();
    auto* grid = new QGridLayout(this);
    grid->setSizeConstraint(QLayout::SetNoConstraint);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(6);
    const int rows = (count + m_columns - 1) / m_columns;
    for (int i = 0; i < count; ++i) {
        const int row = i / m_columns;
        GraphPanel* panel = m_panels[static_cast<std::size_t>(i)];
        grid->addWidget(panel, row, i % m_columns);
        // Graphs that stand under each other share strip and time axis.
        panel->setParts(row == 0, row == rows - 1);
    }
    for (int i = 0; i < rows; ++i) grid->setRowStretch(i, 1);
    for (int i = 0; i < m_columns; ++i) grid->setColumnStretch(i, 1);
}

}  // namespace lanes::ui
