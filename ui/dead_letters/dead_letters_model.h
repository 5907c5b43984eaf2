// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "ui/common/departure.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// Dead letters, newest death first. Pages are appended as the reader scrolls; it knows no store:
/// a page is asked for by `pageWanted` and handed in. Rows that somebody has selected stay where
/// they are as ghosts once they are dead letters no more.
class DeadLettersModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        DiedAt,
        Destination,
        User,
        Type,
        Event,
        Attempts,
        Result,
        Reason,
        FirstTried,
        Size,
        Note,
        ColumnCount
    };
    /// Rows held at most: 64 pages. Who needs older ones narrows the list.
    static constexpr std::size_t kMostRows = 64 * limits::kPageRows;

    explicit DeadLettersModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Narrows the list; starts it anew.
    void setFilter(const Filter& filter);
    [[nodiscard]] const Filter& filter() const { return m_filter; }
    /// What the list asks for.
    [[nodiscard]] DeadLetterFilter wanted() const;
    /// Rows are looked at one by one for what fits; the rows at hand are not all that are near.
    [[nodiscard]] bool isLooking() const { return m_asking && m_thin; }
    /// Asks for nothing more until another filter comes, or `reload`.
    void endLook();
    [[nodiscard]] bool isEnded() const { return m_ended; }
    /// How far back in time the list has come; 0 = not begun, or all was looked at.
    [[nodiscard]] WallMicros lookedBackTo() const;
    /// Types at hand, at most a few.
    [[nodiscard]] QStringList types() const;
    /// Reads again from the newest; the rows stay until the answer is there.
    void reload();
    /// The answer to `pageWanted`; `first` if it is the newest page.
    void acceptPage(const DeadLetterQuery& query, DeadLetterPage page);
    /// For the names of destinations.
    void setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot);
    /// From now on these stay when they leave.
    void keep(const std::set<Pointer>& pointers) { m_kept = pointers; }
    /// They are dead letters no more; those that are not kept go.
    void depart(const std::set<Pointer>& pointers, const Departure& departure);
    /// Takes the ghosts out that are not kept any more.
    void dismissGhosts();
    /// What became of a row; nothing as long as it is a dead letter.
    [[nodiscard]] const Departure* departure(Pointer pointer) const;
    /// Rows that are dead letters.
    [[nodiscard]] int living() const;

    [[nodiscard]] const DeadLetterRow* letter(int row) const;
    [[nodiscard]] int rowOf(Pointer pointer) const;
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] QString destinationName(DestinationId id) const;

signals:
    void pageWanted(const lanes::DeadLetterQuery& query);
    /// The rows were replaced by newer ones: find yours again by their pointers.
    void reloaded();

private:
    void ask();
    [[nodiscard]] QString display(const DeadLetterRow& row, int column) const;
    [[nodiscard]] QString tooltip(const DeadLetterRow& row, int column) const;
    [[nodiscard]] QVariant ghost(const DeadLetterRow& row, int column, int role) const;
    void remove(const std::set<Pointer>& pointers);
    void gatherGhosts(const std::vector<DeadLetterRow>& fresh);
    void addGhosts(std::vector<DeadLetterRow>& rows);
    [[nodiscard]] WallMicros now() const;

    const TimeDisplay& m_times;
    Filter m_filter;
    std::vector<DeadLetterRow> m_rows;
    /// Where the list goes on; nothing: at its beginning.
    std::optional<DeadLetterQuery::Key> m_place;
    std::size_t m_enough = 0;  ///< rows to ask on for, where pages are thin
    bool m_thin = false;       ///< the last page was neither full nor the last one
    bool m_ended = false;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    std::set<Pointer> m_kept;
    std::map<Pointer, Departure> m_ghosts;
    /// Ghosts whose places are behind the rows at hand, in the order of the list.
    std::vector<DeadLetterRow> m_ghostsBehind;
    QIcon m_mark;
    QIcon m_noteMark;
    bool m_loaded = false;
    bool m_complete = false;
    bool m_asking = false;
};

}  // namespace lanes::ui
