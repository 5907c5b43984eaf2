// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/kept_filters.h"

#include <QSettings>

#include <algorithm>

namespace lanes::ui {

namespace {

/// Not under "layout": resetting that keeps filters.
QString keyOf(FilterList list, const char* what) {
    switch (list) {
        case FilterList::lanes: return QStringLiteral("filters/lanes/%1").arg(QLatin1String(what));
        case FilterList::deadLetters:
            return QStringLiteral("filters/deadLetters/%1").arg(QLatin1String(what));
        case FilterList::attempts:
            return QStringLiteral("filters/attempts/%1").arg(QLatin1String(what));
    }
    return {};
}

auto named(std::vector<KeptFilters::Saved>& all, const QString& name) {
    return std::find_if(all.begin(), all.end(),
                        [&](const auto& filter) { return filter.name == name; });
}

}  // namespace

QStringList KeptFilters::history(FilterList list) {
    return QSettings().value(keyOf(list, "history")).toStringList();
}

void KeptFilters::remember(FilterList list, const QString& text) {
    QStringList all = history(list);
    all.removeAll(text);
    all.prepend(text);
    QSettings().setValue(keyOf(list, "history"), QStringList(all.mid(0, kHistory)));
}

std::vector<KeptFilters::Saved> KeptFilters::saved(FilterList list) {
    const QStringList lines = QSettings().value(keyOf(list, "saved")).toStringList();
    std::vector<Saved> all;
    for (qsizetype at = 0; at + 1 < lines.size(); at += 2)
        all.push_back({lines[at], lines[at + 1]});
    return all;
}

void KeptFilters::write(FilterList list, const std::vector<Saved>& all) {
    QStringList lines;
    for (const auto& filter : all) lines << filter.name << filter.text;
    QSettings().setValue(keyOf(list, "saved"), lines);
}

void KeptFilters::save(FilterList list, const Saved& filter) {
    auto all = saved(list);
    if (const auto found = named(all, filter.name); found != all.end())
        *found = filter;
    else if (all.size() < kSaved)
        all.push_back(filter);
    write(list, all);
}

void KeptFilters::rename(FilterList list, const QString& from, const QString& to) {
    auto all = saved(list);
    if (named(all, to) != all.end()) return;
    if (const auto found = named(all, from); found != all.end()) found->name = to;
    write(list, all);
}

void KeptFilters::remove(FilterList list, const QString& name) {
    auto all = saved(list);
    std::erase_if(all, [&](const Saved& filter) { return filter.name == name; });
    write(list, all);
}

}  // namespace lanes::ui
