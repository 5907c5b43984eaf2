// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/preferences.h"

#include <QSettings>

namespace lanes::ui {

namespace {

constexpr auto kTheme = QLatin1String("preferences/theme");
constexpr auto kZone = QLatin1String("preferences/times");
constexpr auto kLight = QLatin1String("light");
constexpr auto kDark = QLatin1String("dark");
constexpr auto kSystem = QLatin1String("system");
constexpr auto kLocal = QLatin1String("local");
constexpr auto kUtc = QLatin1String("utc");

QString noteKey(const QString& kind) {
    return QStringLiteral("preferences/notes/%1").arg(kind);
}

QString liveKey(const QString& list) {
    return QStringLiteral("preferences/liveOrder/%1").arg(list);
}

}  // namespace

Theme Preferences::theme() {
    const QString kept = QSettings().value(kTheme).toString();
    if (kept == kLight) return Theme::light;
    return kept == kDark ? Theme::dark : Theme::system;
}

void Preferences::setTheme(Theme theme) {
    QSettings().setValue(kTheme, theme == Theme::light  ? kLight
                                 : theme == Theme::dark ? kDark
                                                        : kSystem);
}

TimeDisplay::Zone Preferences::zone() {
    return QSettings().value(kZone).toString() == kLocal ? TimeDisplay::Zone::local
                                                         : TimeDisplay::Zone::utc;
}

void Preferences::setZone(TimeDisplay::Zone zone) {
    QSettings().setValue(kZone, zone == TimeDisplay::Zone::local ? kLocal : kUtc);
}

bool Preferences::liveOrder(const QString& list) {
    return QSettings().value(liveKey(list), true).toBool();
}

void Preferences::setLiveOrder(const QString& list, bool on) {
    QSettings().setValue(liveKey(list), on);
}

bool Preferences::wantsNote(const QString& kind) {
    return QSettings().value(noteKey(kind), true).toBool();
}

void Preferences::setWantsNote(const QString& kind, bool wanted) {
    QSettings().setValue(noteKey(kind), wanted);
}

}  // namespace lanes::ui
