// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filtered_list.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <utility>
#include <vector>

namespace lanes::ui {

/// How many rows fit the filters that somebody keeps as buttons. They are counted one after another
/// behind everything else that the list asks for, up to a thousand, and again from time to time;
/// nothing is counted while nobody sees it.
class SavedCounts : public QObject {
    Q_OBJECT

public:
    /// Counted up to here: beyond it nobody compares numbers on buttons.
    static constexpr std::uint64_t kMost = 999;
    /// A count is made again after so long, or after twenty times as long as it took.
    static constexpr qint64 kEveryMs = 5'000;
    static constexpr int kPauseForTime = 20;
    /// Older ones say that they are old.
    static constexpr qint64 kStaleMs = 30'000;

    struct Count {
        FilterRemains rows;
        qint64 ageMs = 0;
        bool stale = false;
    };

    explicit SavedCounts(QObject* parent);

    /// The list in front and its filters, each with a text that tells it from others. What is known
    /// of them stays known.
    void watch(FilteredList& list, const std::vector<std::pair<QString, Filter>>& filters);
    /// Whether anybody sees the counts.
    void setActive(bool active);
    /// The last count of a filter of this list; nothing if there was none.
    [[nodiscard]] std::optional<Count> countOf(const FilteredList& list,
                                               const QString& text) const;

signals:
    void changed();

private:
    struct Kept {
        FilteredList* list = nullptr;
        QString text;
        Filter filter;
        FilterRemains rows;
        QElapsedTimer counted;  ///< invalid: never
        qint64 tookMs = 0;
    };

    void tick();
    /// m_kept.size(): nowhere.
    [[nodiscard]] std::size_t placeOf(const FilteredList& list, const QString& text) const;
    [[nodiscard]] bool isDue(const Kept& kept) const;
    void start(const Kept& kept);

    std::vector<Kept> m_kept;
    FilteredList* m_list = nullptr;   ///< in front
    std::vector<QString> m_watched;   ///< its filters
    QTimer m_timer;
    QElapsedTimer m_started;
    bool m_counting = false;
    bool m_active = false;
    std::uint64_t m_number = 0;  ///< of the question that is out
};

}  // namespace lanes::ui
