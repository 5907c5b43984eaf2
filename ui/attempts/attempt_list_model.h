// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/filter.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "ui/common/state_style.h"

#include <QAbstractTableModel>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// What the list of attempts is narrowed to.
struct AttemptScope {
    Filter filter = {};
    WallMicros from = 0;   ///< ended from then on; 0 = no bound
    WallMicros until = 0;  ///< exclusive; 0 = no bound

    friend bool operator==(const AttemptScope&, const AttemptScope&) = default;
};

/// All attempts, newest first: a window of pages that follow each other in the log. It grows at the
/// end that the reader scrolls to and forgets rows at the other one, so that a log of any length
/// can be walked in bounded memory. It knows no store: a page is asked for by `pageWanted` and
/// handed in.
///
/// Attempts that end after the last `reload` never come in by themselves, whichever way is
/// scrolled: rows do not move under the reader.
class AttemptListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Ended,
        Destination,
        User,
        Event,
        Number,
        OutcomeColumn,
        Status,
        Latency,
        CauseColumn,
        Error,
        ColumnCount
    };
    enum class Part { newest, older, newer };
    /// One question; an answer to any but the last one is dropped.
    struct Request {
        AttemptQuery query = {};
        Part part = Part::newest;
        std::uint64_t token = 0;
    };
    /// Rows held at most: 16 pages. An answer of 4 KiB in each would be 17 MB.
    static constexpr std::size_t kMostRows = 16 * limits::kPageRows;

    explicit AttemptListModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Starts the list anew.
    void setScope(const AttemptScope& scope);
    [[nodiscard]] const AttemptScope& scope() const { return m_scope; }
    /// Reads the newest; rows that are still among them stay as they are.
    void reload();
    /// Asks for the page in front of the first row, if that is not the newest one known.
    void fetchNewer();
    void acceptPage(const Request& request, AttemptPage page);
    /// The question that is out will not be answered.
    void forgetQuestion() { m_asked.reset(); }
    /// For the names of destinations.
    void setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot);

    [[nodiscard]] const AttemptRow* attempt(int row) const;
    /// By its position in the log; -1 if it is not in the window.
    [[nodiscard]] int rowOf(std::uint64_t position) const;
    /// The first page has come.
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    /// The window begins with the newest attempt of the last `reload`.
    [[nodiscard]] bool startsAtNewest() const;
    /// The window ends with the oldest attempt of the scope.
    [[nodiscard]] bool endsAtOldest() const { return m_endsAtOldest; }
    [[nodiscard]] bool isAsking() const { return m_asked.has_value(); }
    /// Why the last page could not be read; empty if it could.
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QString destinationName(DestinationId id) const;

signals:
    void pageWanted(const lanes::ui::AttemptListModel::Request& request);
    /// Rows are about to come, go or be replaced: remember yours by their positions ...
    void rowsAboutToMove();
    /// ... and find them again.
    void rowsMoved();

private:
    [[nodiscard]] QString display(const AttemptRow& row, int column) const;
    [[nodiscard]] QVariant copied(const AttemptRow& row, int column) const;
    [[nodiscard]] QString tooltip(const AttemptRow& row, int column) const;
    void ask(Part part);
    void placeNewest(AttemptPage page);
    void addOlder(AttemptPage page);
    void addNewer(AttemptPage page);
    void insertFront(std::vector<AttemptRow> rows);
    void removeRange(std::size_t first, std::size_t count);

    const TimeDisplay& m_times;
    AttemptScope m_scope;
    std::vector<AttemptRow> m_rows;
    std::uint64_t m_newest = 0;     ///< position at which the last reload began; 0 = none
    std::uint64_t m_olderFrom = 0;  ///< older rows are asked for from here on
    std::uint64_t m_newerFrom = 0;  ///< newer ones from here on
    bool m_endsAtOldest = false;
    bool m_loaded = false;
    std::optional<Request> m_asked;
    std::uint64_t m_token = 0;
    QString m_error;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    std::array<QIcon, kOutcomes> m_marks;
};

/// Whether a row fits, as far as that is known from the row and at once.
[[nodiscard]] bool contains(const AttemptScope& scope, const AttemptRow& row, WallMicros now);
/// What made an attempt start, with the operation where one did: "rewind #12".
[[nodiscard]] QString causeText(const AttemptRow& row);

}  // namespace lanes::ui
