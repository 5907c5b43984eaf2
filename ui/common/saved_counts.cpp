// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/saved_counts.h"

#include <QPointer>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr int kTickMs = 1'000;
/// A list that has not answered by then will not: its store was closed, or it gave up.
constexpr qint64 kAnswerMs = 30'000;
/// Filters that are remembered: more than all lists together show.
constexpr std::size_t kRemembered = 64;

}  // namespace

SavedCounts::SavedCounts(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &SavedCounts::tick);
}

std::size_t SavedCounts::placeOf(const FilteredList& list, const QString& text) const {
    const auto it = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& kept) {
        return kept.list == &list && kept.text == text;
    });
    return static_cast<std::size_t>(it - m_kept.begin());
}

void SavedCounts::watch(FilteredList& list,
                        const std::vector<std::pair<QString, Filter>>& filters) {
    m_list = &list;
    m_watched.clear();
    for (const auto& [text, filter] : filters) {
        m_watched.push_back(text);
        if (placeOf(list, text) == m_kept.size()) {
            if (m_kept.size() == kRemembered) m_kept.erase(m_kept.begin());
            m_kept.push_back({&list, text, filter, {}, {}, 0});
        }
        Kept& kept = m_kept[placeOf(list, text)];
        // The same words may mean something else now, as after a destination got another name.
        if (!(kept.filter == filter)) kept.counted.invalidate();
        kept.filter = filter;
    }
    if (m_active) tick();
}

void SavedCounts::setActive(bool active) {
    if (active == m_active) return;
    m_active = active;
    if (!active) return m_timer.stop();
    m_timer.start();
    tick();
}

std::optional<SavedCounts::Count> SavedCounts::countOf(const FilteredList& list,
                                                       const QString& text) const {
    const auto place = placeOf(list, text);
    if (place == m_kept.size() || !m_kept[place].counted.isValid()) return std::nullopt;
    const qint64 age = m_kept[place].counted.elapsed();
    return Count{m_kept[place].rows, age, age > kStaleMs};
}

bool SavedCounts::isDue(const Kept& kept) const {
    return !kept.counted.isValid() ||
           kept.counted.hasExpired(std::max(kEveryMs, kPauseForTime * kept.tookMs));
}

void SavedCounts::tick() {
    if (m_counting && m_started.hasExpired(kAnswerMs)) m_counting = false;
    // Ages change by themselves.
    emit changed();
    if (m_counting || !m_list) return;
    for (const QString& text : m_watched)
        if (const auto place = placeOf(*m_list, text);
            place < m_kept.size() && isDue(m_kept[place]))
            return start(m_kept[place]);
}

void SavedCounts::start(const Kept& kept) {
    m_started.start();
    const auto number = ++m_number;
    // The list may answer when nobody is there any more.
    const QPointer<SavedCounts> guard(this);
    const auto counted = [this, guard, number, list = kept.list,
                          text = kept.text](const FilterRemains& rows) {
        if (!guard || number != m_number) return;
        m_counting = false;
        if (const auto place = placeOf(*list, text); place < m_kept.size()) {
            m_kept[place].rows = rows;
            m_kept[place].tookMs = m_started.elapsed();
            m_kept[place].counted.start();
        }
        emit changed();
        if (m_active) QMetaObject::invokeMethod(this, &SavedCounts::tick, Qt::QueuedConnection);
    };
    m_counting = kept.list->countFitting(kept.filter, kMost, counted);
}

}  // namespace lanes::ui
