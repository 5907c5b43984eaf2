// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/state_style.h"

#include "ui/common/icons.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace lanes::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StateStyle", text);
}

StateStyle style(QRgb colour, const char* word, const QString& mark, char16_t glyph,
                 Qt::BrushStyle pattern = Qt::SolidPattern) {
    const QColor ink(colour);
    return {ink, tr(word), markIcon(mark, ink), QChar(glyph), pattern};
}

/// Many text fonts lack the pause sign; two bars are in nearly all of them.
char16_t pauseGlyph() {
    return QFontMetrics(QGuiApplication::font()).inFont(u'⏸') ? u'⏸' : u'‖';
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto channel = [share](float a, float b) {
        return static_cast<float>(a + (b - a) * share);
    };
    return QColor::fromRgbF(channel(from.redF(), to.redF()), channel(from.greenF(), to.greenF()),
                            channel(from.blueF(), to.blueF()));
}

/// Towards black on a light ground and towards white on a dark one, in steps too small to see.
QColor movedToContrast(const QColor& colour, const QColor& background, double wanted) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    const QColor goal =
        contrast(black, background) > contrast(white, background) ? black : white;
    constexpr int kSteps = 50;
    for (int step = 0; step < kSteps; ++step) {
        const QColor candidate = mixed(colour, goal, static_cast<double>(step) / kSteps);
        // As the eight bits a channel that are drawn in the end.
        if (contrast(QColor(candidate.rgb()), background) >= wanted)
            return QColor(candidate.rgb());
    }
    return goal;
}

constexpr QRgb kHealthy = 0xff009e73;
constexpr QRgb kThrottled = 0xfff0e442;
constexpr QRgb kDegraded = 0xffe69f00;
constexpr QRgb kRecovering = 0xff56b4e9;
constexpr QRgb kPaused = 0xff7f7f7f;
constexpr QRgb kError = 0xffd55e00;
constexpr QRgb kMoving = 0xff0072b2;  // the blue of the same set that no health state uses

}  // namespace

StateStyle stateStyle(HealthState state) {
    switch (state) {
        case HealthState::healthy:
            return style(kHealthy, QT_TRANSLATE_NOOP("StateStyle", "healthy"),
                         QStringLiteral("state-healthy"), u'●');
        case HealthState::throttled:
            return style(kThrottled, QT_TRANSLATE_NOOP("StateStyle", "throttled"),
                         QStringLiteral("state-throttled"), u'◆', Qt::DiagCrossPattern);
        case HealthState::degraded:
            return style(kDegraded, QT_TRANSLATE_NOOP("StateStyle", "degraded"),
                         QStringLiteral("state-degraded"), u'▲', Qt::BDiagPattern);
        case HealthState::recovering:
            return style(kRecovering, QT_TRANSLATE_NOOP("StateStyle", "recovering"),
                         QStringLiteral("state-recovering"), u'◐', Qt::Dense6Pattern);
        case HealthState::paused:
            return style(kPaused, QT_TRANSLATE_NOOP("StateStyle", "paused"),
                         QStringLiteral("state-paused"), pauseGlyph(), Qt::VerPattern);
    }
    return {};
}

StateStyle stateStyle(LaneState state) {
    switch (state) {
        case LaneState::ready:
            return style(kPaused, QT_TRANSLATE_NOOP("StateStyle", "waiting"),
                         QStringLiteral("lane-ready"), u'○');
        case LaneState::inFlight:
            return style(kMoving, QT_TRANSLATE_NOOP("StateStyle", "in flight"),
                         QStringLiteral("lane-in-flight"), u'▶');
        case LaneState::committing:
            return style(kMoving, QT_TRANSLATE_NOOP("StateStyle", "committing"),
                         QStringLiteral("lane-committing"), u'▼');
        case LaneState::backingOff:
            return style(kDegraded, QT_TRANSLATE_NOOP("StateStyle", "backing off"),
                         QStringLiteral("lane-backing-off"), u'◷');
        case LaneState::held:
            return style(kError, QT_TRANSLATE_NOOP("StateStyle", "held"),
                         QStringLiteral("lane-held"), u'■');
    }
    return {};
}

StateStyle stateStyle(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered:
            return style(kHealthy, QT_TRANSLATE_NOOP("StateStyle", "delivered"),
                         QStringLiteral("state-healthy"), u'●');
        case Outcome::refused:
            return style(kError, QT_TRANSLATE_NOOP("StateStyle", "refused"),
                         QStringLiteral("state-error"), u'✕');
        case Outcome::throttled:
            return style(kThrottled, QT_TRANSLATE_NOOP("StateStyle", "throttled"),
                         QStringLiteral("state-throttled"), u'◆');
        case Outcome::overloaded:
            return style(kDegraded, QT_TRANSLATE_NOOP("StateStyle", "overloaded"),
                         QStringLiteral("state-degraded"), u'▲');
        case Outcome::failed:
            return style(kError, QT_TRANSLATE_NOOP("StateStyle", "failed"),
                         QStringLiteral("lane-held"), u'■');
        case Outcome::unreachable:
            return style(kError, QT_TRANSLATE_NOOP("StateStyle", "unreachable"),
                         QStringLiteral("lane-ready"), u'○');
        case Outcome::unknown:
            return style(kPaused, QT_TRANSLATE_NOOP("StateStyle", "outcome unknown"),
                         QStringLiteral("state-recovering"), u'◐');
    }
    return {};
}

std::array<QIcon, kOutcomes> outcomeMarks() {
    std::array<QIcon, kOutcomes> marks;
    for (std::size_t i = 0; i < marks.size(); ++i)
        marks[i] = stateStyle(static_cast<Outcome>(i)).icon;
    return marks;
}

StateStyle stateStyle(OperationState state) {
    switch (state) {
        case OperationState::finished:
            return style(kHealthy, QT_TRANSLATE_NOOP("StateStyle", "finished"),
                         QStringLiteral("state-healthy"), u'●');
        case OperationState::moving:
            return style(kMoving, QT_TRANSLATE_NOOP("StateStyle", "moving"),
                         QStringLiteral("lane-in-flight"), u'▶');
        case OperationState::tracing:
            return style(kMoving, QT_TRANSLATE_NOOP("StateStyle", "tracing"),
                         QStringLiteral("lane-backing-off"), u'◷');
        case OperationState::delivering:
            return style(kRecovering, QT_TRANSLATE_NOOP("StateStyle", "delivering"),
                         QStringLiteral("state-recovering"), u'◐');
        case OperationState::stopped:
            return style(kPaused, QT_TRANSLATE_NOOP("StateStyle", "stopped"),
                         QStringLiteral("lane-held"), u'■');
    }
    return {};
}

StateStyle errorStyle() {
    return style(kError, QT_TRANSLATE_NOOP("StateStyle", "error"), QStringLiteral("state-error"),
                 u'✕', Qt::CrossPattern);
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor readableText(const QColor& colour, const QColor& background) {
    return movedToContrast(colour, background, 4.5);
}

QColor readableLine(const QColor& colour, const QColor& background) {
    return movedToContrast(colour, background, 3.0);
}

QColor stateTextColour(HealthState state, const QPalette& palette) {
    return readableText(stateStyle(state).colour, palette.color(QPalette::Base));
}

QColor stateTextColour(LaneState state, const QPalette& palette) {
    return readableText(stateStyle(state).colour, palette.color(QPalette::Base));
}

QColor stateTextColour(Outcome outcome, const QPalette& palette) {
    return readableText(stateStyle(outcome).colour, palette.color(QPalette::Base));
}

QColor stateTextColour(OperationState state, const QPalette& palette) {
    return readableText(stateStyle(state).colour, palette.color(QPalette::Base));
}

QColor errorTextColour(const QPalette& palette) {
    return readableText(QColor(kError), palette.color(QPalette::Base));
}

}  // namespace lanes::ui
