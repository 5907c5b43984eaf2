// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/filter.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace lanes::ui {

/// Filters that were applied before, and those that somebody gave a name, in the user's settings;
/// each list has its own, as its fields are its own.
class KeptFilters {
public:
    static constexpr qsizetype kHistory = 50;
    static constexpr std::size_t kSaved = 30;

    struct Saved {
        QString name;
        QString text;
    };

    /// Newest first.
    [[nodiscard]] static QStringList history(FilterList list);
    static void remember(FilterList list, const QString& text);
    [[nodiscard]] static std::vector<Saved> saved(FilterList list);
    /// In place of the one with this name, or after the others; beyond the limit nothing happens.
    static void save(FilterList list, const Saved& filter);
    static void rename(FilterList list, const QString& from, const QString& to);
    static void remove(FilterList list, const QString& name);

private:
    static void write(FilterList list, const std::vector<Saved>& all);
};

}  // namespace lanes::ui
