// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/dock_title.h"

#include "ui/common/icons.h"
#include "ui/common/labels.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace lanes::ui {

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock) {
    auto* label = sectionTitle(dock->windowTitle(), this);
    label->setForegroundRole(QPalette::PlaceholderText);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("dockClose"));
    close->setAutoRaise(true);
    close->setIcon(icon(Symbol::close));
    close->setIconSize({10, 10});
    close->setFocusPolicy(Qt::NoFocus);
    close->setToolTip(tr("Hide; the View menu brings it back"));
    close->setAccessibleName(tr("Hide %1").arg(dock->windowTitle()));
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 3, 4, 3);
    layout->setSpacing(4);
    layout->addWidget(label, 1);
    layout->addWidget(close);
    setToolTip(tr("Drag to move, double click to float"));
}

}  // namespace lanes::ui
