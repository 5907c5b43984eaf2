// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::ui {
namespace {

struct Shades {
    QRgb window;       // chrome: docks, bars, dialogs
    QRgb base;         // tables, fields, graphs
    QRgb alternate;    // every other row
    QRgb button;
    QRgb text;
    QRgb muted;        // placeholder and disabled text
    QRgb accent;       // selection, focus, default button
    QRgb accentText;
    QRgb link;
    QRgb tip;
    QRgb light, midlight, mid, dark, shadow;  // bevels, from light to dark
};

// Neutral greys with a breath of blue; the accent is the only hue of the chrome, so that a
// coloured mark always means a state.
constexpr Shades kLight{
    .window = 0xfff3f4f6, .base = 0xffffffff, .alternate = 0xfff7f8fa, .button = 0xfffafbfc,
    .text = 0xff1d2229, .muted = 0xff6a7280, .accent = 0xff2d62b8, .accentText = 0xffffffff,
    .link = 0xff2359ad, .tip = 0xff2a303a,
    .light = 0xffffffff, .midlight = 0xffe9ebef, .mid = 0xffc9cdd5, .dark = 0xffa3a9b4,
    .shadow = 0xff6f7680};

constexpr Shades kDark{
    .window = 0xff22262c, .base = 0xff1a1d22, .alternate = 0xff1f2328, .button = 0xff2d323a,
    .text = 0xffe3e6ea, .muted = 0xff939ba7, .accent = 0xff3b70c8, .accentText = 0xffffffff,
    .link = 0xff7fabf0, .tip = 0xff3a414c,
    .light = 0xff4a515c, .midlight = 0xff3a404a, .mid = 0xff3a404a, .dark = 0xff14171b,
    .shadow = 0xff0b0d10};

QPalette makePalette(const Shades& s) {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, QRgb colour) {
        p.setColor(role, QColor(colour));
    };
    set(QPalette::Window, s.window);
    set(QPalette::WindowText, s.text);
    set(QPalette::Base, s.base);
    set(QPalette::AlternateBase, s.alternate);
    set(QPalette::Text, s.text);
    set(QPalette::PlaceholderText, s.muted);
    set(QPalette::Button, s.button);
    set(QPalette::ButtonText, s.text);
    set(QPalette::BrightText, 0xffffffff);
    set(QPalette::Highlight, s.accent);
    set(QPalette::HighlightedText, s.accentText);
    set(QPalette::Link, s.link);
    set(QPalette::LinkVisited, s.link);
    set(QPalette::ToolTipBase, s.tip);
    set(QPalette::ToolTipText, 0xfff2f4f7);
    set(QPalette::Light, s.light);
    set(QPalette::Midlight, s.midlight);
    set(QPalette::Mid, s.mid);
    set(QPalette::Dark, s.dark);
    set(QPalette::Shadow, s.shadow);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                            QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, QColor(s.muted));
    p.setColor(QPalette::Disabled, QPalette::Highlight, QColor(s.mid));
    p.setColor(QPalette::Disabled, QPalette::Base, QColor(s.window));
    return p;
}

// What the palette cannot say: Fusion draws tool tips with the window's colours, lets separators of
// docks vanish, and hardly shows which of several buttons is checked.
QString styleSheet(const Shades& s) {
    const auto name = [](QRgb colour) { return QColor(colour).name(); };
    QString sheet = QStringLiteral(
        "QToolTip { color: #f2f4f7; background: @tip; border: 1px solid @shadow; padding: 3px; }"
        "QMainWindow::separator { background: @window; width: 3px; height: 3px; }"
        "QMainWindow::separator:hover { background: @accent; }"
        "*[choice=\"true\"] { color: @text; background: @button; border: 1px solid @mid;"
        " border-radius: 3px; padding: 3px 8px; }"
        "*[choice=\"true\"]:hover { border-color: @shadow; }"
        "*[choice=\"true\"]:focus { border-color: @accent; }"
        "*[choice=\"true\"]:pressed { background: @midlight; }"
        "*[choice=\"true\"]:checked { color: @accentText; background: @accent;"
        " border-color: @accent; }"
        "*[choice=\"true\"]:checked:focus { border-color: @text; }"
        "*[choice=\"true\"]:disabled { color: @muted; }");
    // Longest names first, as one may begin with another.
    const std::array<std::pair<const char*, QRgb>, 10> colours{
        {{"@accentText", s.accentText},
         {"@midlight", s.midlight},
         {"@accent", s.accent},
         {"@button", s.button},
         {"@shadow", s.shadow},
         {"@window", s.window},
         {"@muted", s.muted},
         {"@text", s.text},
         {"@mid", s.mid},
         {"@tip", s.tip}}};
    for (const auto& [word, colour] : colours) sheet.replace(QLatin1String(word), name(colour));
    return sheet;
}

/// Fusion, with room beside the words of a button: it leaves them three pixels.
class RoomyStyle : public QProxyStyle {
public:
    RoomyStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override {
        constexpr int kRoom = 24;  // on both sides together
        QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (type == CT_PushButton && button && !button->text.isEmpty())
            size.setWidth(std::max(size.width(), contents.width() + kRoom));
        return size;
    }
};

/// The palette before we changed it: all that Qt 6.4 tells about the desktop's colour scheme.
bool desktopIsDark() {
    static const bool dark = isDark(QApplication::palette());
    return dark;
}

}  // namespace

QPalette lightPalette() {
    return makePalette(kLight);
}

QPalette darkPalette() {
    return makePalette(kDark);
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::WindowText).lightness() >
           palette.color(QPalette::Window).lightness();
}

void makeChoice(QAbstractButton& button) {
    button.setCheckable(true);
    button.setProperty("choice", true);
}

void applyTheme(QApplication& application, Theme theme) {
    const bool systemDark = desktopIsDark();
    const bool dark = theme == Theme::dark || (theme == Theme::system && systemDark);
    static bool styled = false;
    if (!std::exchange(styled, true)) QApplication::setStyle(new RoomyStyle);
    const Shades& shades = dark ? kDark : kLight;
    QApplication::setPalette(makePalette(shades));
    application.setStyleSheet(styleSheet(shades));
}

QFont tabularDigits(const QFont& font) {
    // Most interface fonts have digits of one width by themselves; Qt 6.4 has no way to ask a font
    // for its "tnum" feature, so the others give way.
    const QFontMetricsF metrics(font);
    const QString digits = QStringLiteral("0123456789");
    const auto [narrowest, widest] = std::minmax_element(
        digits.begin(), digits.end(), [&metrics](QChar a, QChar b) {
            return metrics.horizontalAdvance(a) < metrics.horizontalAdvance(b);
        });
    if (metrics.horizontalAdvance(*widest) - metrics.horizontalAdvance(*narrowest) < 0.5)
        return font;
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font.pointSizeF());
    return fixed;
}

}  // namespace lanes::ui
