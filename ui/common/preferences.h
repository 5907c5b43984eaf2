// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"
#include "ui/common/time_display.h"

#include <QString>

namespace lanes::ui {

/// What a user prefers, in every window and for every data directory. Kept at once.
class Preferences {
public:
    [[nodiscard]] static Theme theme();
    static void setTheme(Theme theme);
    [[nodiscard]] static TimeDisplay::Zone zone();
    static void setZone(TimeDisplay::Zone zone);
    /// Whether the rows of a list may move by themselves; by default they may.
    [[nodiscard]] static bool liveOrder(const QString& list);
    static void setLiveOrder(const QString& list, bool on);
    /// Whether a note is wanted outside the window for a kind of alert; by default it is.
    [[nodiscard]] static bool wantsNote(const QString& kind);
    static void setWantsNote(const QString& kind, bool wanted);
};

}  // namespace lanes::ui
