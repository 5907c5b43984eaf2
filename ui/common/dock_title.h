// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;

namespace lanes::ui {

/// The title of a dock, on one line with what the dock holds. A drag moves the dock and a double
/// click lets it float, as with a title of the style.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);
};

}  // namespace lanes::ui
