// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

// The program's own icons. They are SVGs in one colour; it is chosen when an icon is painted, so
// that one QIcon is right in the light and in the dark theme and at every scale factor.
namespace lanes::ui {

/// What an icon stands for. Pause (delivery stops) and freeze (the view stands) look nothing alike,
/// and rewind is no circular arrow: that reads as "refresh".
enum class Symbol {
    pause,
    resume,
    rewind,
    discard,
    freeze,
    goLive,
    add,
    edit,
    settings,
    copy,
    exportFile,
    search,
    filter,
    info,
    warning,
    error,
    demo,
    clock,
    table,
    picture,
    chart,
    destination,
    lane,
    deadLetter,
    list,
    liveOrder,
    takeDown,
    bringUp,
    close,
    check,
    group,
    note,
};

/// The icon in the palette's text colour (its highlighted-text colour where it is selected).
[[nodiscard]] QIcon icon(Symbol symbol);

/// The same in a colour of its own, moved away from the background until it stands out 3:1.
[[nodiscard]] QIcon icon(Symbol symbol, const QColor& colour);

/// A mark from `:/lanes/icons/<name>.svg`: filled with `fill`, its contour in a shade of it that
/// stands out from the palette's base. For state_style.
[[nodiscard]] QIcon markIcon(const QString& name, const QColor& fill);

/// Of the program itself.
[[nodiscard]] QIcon applicationIcon();

}  // namespace lanes::ui
