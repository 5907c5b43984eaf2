// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QSettings;

namespace lanes::ui {

/// Layouts of the window that somebody gave a name, in the user's settings, beside the one that the
/// window had when it was closed. Each is what `saveWindow` and its kin write, in a group of its
/// own; those of another version of the layout are neither listed nor shown.
class NamedLayouts {
public:
    /// As many as a menu shows at a glance.
    static constexpr qsizetype kMost = 12;
    static constexpr int kLongestName = 40;

    /// \param profile a window with other docks has layouts of its own; empty for the usual one.
    explicit NamedLayouts(QString profile) : m_profile(std::move(profile)) {}

    /// By their alphabet.
    [[nodiscard]] QStringList names() const;
    /// In the place of the one with this name; false if there are too many already.
    bool save(const QString& name, const std::function<void(QSettings&)>& write) const;
    /// What `read` says; false if there is none of this name.
    [[nodiscard]] bool show(const QString& name,
                            const std::function<bool(QSettings&)>& read) const;
    void remove(const QString& name) const;
    /// Calls `use` with the settings in the group of the profile: where the last layout is.
    void atProfile(const std::function<void(QSettings&)>& use) const;

private:
    const QString m_profile;
};

}  // namespace lanes::ui
