// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace lanes::ui {

class GraphPanel;

/// Holds the graphs in as many columns as its shape asks for.
class GraphGrid : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    void setPanels(std::vector<GraphPanel*> panels);

    // Not that of the arrangement: the area may always become small enough for another one.
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::vector<GraphPanel*> m_panels;
    int m_columns = 0;
};

}  // namespace lanes::ui
