// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/named_layouts.h"

#include <QMenu>

namespace lanes::ui {

/// View > Layout: the layouts that have a name, to be shown, saved and deleted, and the way back to
/// the one that the program came with.
class LayoutMenu : public QMenu {
    Q_OBJECT

public:
    LayoutMenu(const NamedLayouts& layouts, QWidget* parent);

    /// Soon, after a layout was saved or deleted: one of the commands may be under way.
    void refresh();

signals:
    void showWanted(const QString& name);
    void saveWanted(const QString& name);
    void deleteWanted(const QString& name);
    void resetWanted();

private:
    void build();
    void askName();

    const NamedLayouts& m_layouts;
    QMenu* m_deletes = nullptr;
};

}  // namespace lanes::ui
