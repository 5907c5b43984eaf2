// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QPalette;
class QRect;

namespace lanes::ui {

inline constexpr int kThinBar = 4;  ///< pixels

/// A bar in two strengths: what is moved, and in it what is settled. Shares of 0..1; its number
/// stands beside it as text.
void paintThinBar(QPainter& painter, const QRect& box, double moved, double settled,
                  const QPalette& palette);

}  // namespace lanes::ui
