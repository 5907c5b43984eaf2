// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operations.h"
#include "engine/types.h"

#include <QBrush>
#include <QChar>
#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QString>

#include <array>
#include <cstddef>

// How states look: a shape, a word and a colour, always together, so that nobody needs to tell the
// colours apart. The hues are those of Okabe and Ito; nothing that is no state may use them.
namespace lanes::ui {

struct StateStyle {
    QColor colour;  ///< of the mark; for text and lines see readableText, readableLine
    QString word;   ///< translated, lower case: "degraded"
    QIcon icon;     ///< the shape, filled with the colour
    QChar glyph;    ///< the shape as a character, where only text can be shown
    Qt::BrushStyle pattern = Qt::SolidPattern;  ///< in the state strip of the graphs
};

[[nodiscard]] StateStyle stateStyle(HealthState state);
[[nodiscard]] StateStyle stateStyle(LaneState state);
/// How an attempt ended.
[[nodiscard]] StateStyle stateStyle(Outcome outcome);
inline constexpr std::size_t kOutcomes = 7;
/// The shapes of all outcomes by their number, for models that show many.
[[nodiscard]] std::array<QIcon, kOutcomes> outcomeMarks();
/// How far an operation is.
[[nodiscard]] StateStyle stateStyle(OperationState state);
/// Dead letters and faults.
[[nodiscard]] StateStyle errorStyle();

/// Contrast of two opaque colours by the rule of WCAG 2: 1 .. 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
/// `colour`, moved towards black or white as far as needed to be read as text (4.5:1) ...
[[nodiscard]] QColor readableText(const QColor& colour, const QColor& background);
/// ... or seen as a line or a mark (3:1) on `background`.
[[nodiscard]] QColor readableLine(const QColor& colour, const QColor& background);

/// Text in the colour of a state on the palette's base, 4.5:1.
[[nodiscard]] QColor stateTextColour(HealthState state, const QPalette& palette);
[[nodiscard]] QColor stateTextColour(LaneState state, const QPalette& palette);
[[nodiscard]] QColor stateTextColour(Outcome outcome, const QPalette& palette);
[[nodiscard]] QColor stateTextColour(OperationState state, const QPalette& palette);
[[nodiscard]] QColor errorTextColour(const QPalette& palette);

}  // namespace lanes::ui
