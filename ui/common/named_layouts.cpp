// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/named_layouts.h"

#include "ui/common/window_state.h"

#include <QSettings>

namespace lanes::ui {

namespace {

constexpr auto kGroup = QLatin1String("layouts");
constexpr auto kName = QLatin1String("name");

/// Any name makes a key, whatever is in it.
QString groupOf(const QString& name) {
    return QStringLiteral("layouts/%1").arg(QString::fromLatin1(name.toUtf8().toHex()));
}

}  // namespace

void NamedLayouts::atProfile(const std::function<void(QSettings&)>& use) const {
    QSettings settings;
    if (!m_profile.isEmpty()) settings.beginGroup(m_profile);
    use(settings);
}

QStringList NamedLayouts::names() const {
    QStringList names;
    atProfile([&names](QSettings& settings) {
        settings.beginGroup(kGroup);
        const auto groups = settings.childGroups();
        for (const QString& group : groups) {
            settings.beginGroup(group);
            if (isUsableLayout(settings)) names << settings.value(kName).toString();
            settings.endGroup();
        }
    });
    names.sort(Qt::CaseInsensitive);
    return names;
}

bool NamedLayouts::save(const QString& name, const std::function<void(QSettings&)>& write) const {
    const QStringList present = names();
    if (!present.contains(name) && present.size() >= kMost) return false;
    atProfile([&](QSettings& settings) {
        settings.beginGroup(groupOf(name));
        settings.remove(QString());
        settings.setValue(kName, name);
        write(settings);
    });
    return true;
}

bool NamedLayouts::show(const QString& name, const std::function<bool(QSettings&)>& read) const {
    bool shown = false;
    atProfile([&](QSettings& settings) {
        settings.beginGroup(groupOf(name));
        shown = isUsableLayout(settings) && read(settings);
    });
    return shown;
}

void NamedLayouts::remove(const QString& name) const {
    atProfile([&name](QSettings& settings) { settings.remove(groupOf(name)); });
}

}  // namespace lanes::ui
