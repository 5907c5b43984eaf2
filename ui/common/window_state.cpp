// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/window_state.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr auto kGroup = QLatin1String("layout");
constexpr auto kVersion = QLatin1String("layout/version");
constexpr auto kGeometry = QLatin1String("layout/geometry");
constexpr auto kDocks = QLatin1String("layout/docks");

QString columnsKey(const QHeaderView& header) {
    const QObject* table = header.parent();
    return QStringLiteral("layout/columns/%1").arg(table ? table->objectName() : QString());
}

}  // namespace

void saveWindow(QSettings& settings, const QMainWindow& window) {
    settings.setValue(kVersion, kLayoutVersion);
    settings.setValue(kGeometry, window.saveGeometry());
    settings.setValue(kDocks, window.saveState(kLayoutVersion));
}

bool isUsableLayout(const QSettings& settings) {
    return settings.value(kVersion).toInt() == kLayoutVersion;
}

bool restoreWindow(QSettings& settings, QMainWindow& window) {
    if (!isUsableLayout(settings)) return false;
    const bool placed = window.restoreGeometry(settings.value(kGeometry).toByteArray());
    const bool docked = window.restoreState(settings.value(kDocks).toByteArray(), kLayoutVersion);
    if (placed) clampToScreens(window);
    return placed && docked;
}

void clampToScreens(QMainWindow& window) {
    const QScreen* screen = QGuiApplication::screenAt(window.geometry().center());
    if (!screen) screen = QGuiApplication::primaryScreen();
    if (!screen) return;
    const QRect room = screen->availableGeometry();
    QRect frame = window.geometry();
    frame.setSize(frame.size().boundedTo(room.size()));
    frame.moveLeft(std::clamp(frame.left(), room.left(), room.right() - frame.width() + 1));
    frame.moveTop(std::clamp(frame.top(), room.top(), room.bottom() - frame.height() + 1));
    if (frame != window.geometry()) window.setGeometry(frame);
}

void saveColumns(QSettings& settings, const QHeaderView& header) {
    settings.setValue(columnsKey(header), header.saveState());
}

bool restoreColumns(QSettings& settings, QHeaderView& header) {
    if (!isUsableLayout(settings)) return false;
    return header.restoreState(settings.value(columnsKey(header)).toByteArray());
}

void forgetLayout(QSettings& settings) {
    settings.remove(kGroup);
}

}  // namespace lanes::ui
