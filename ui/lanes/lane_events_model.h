// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// The events of one lane in their order. It knows no store: a page is asked for by `pageWanted`
/// and handed in.
class LaneEventsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Place, Event, Type, Accepted, Size, Attempts, State, ColumnCount };
    /// Rows held at most: 64 pages.
    static constexpr std::size_t kMostRows = 64 * limits::kPageRows;

    LaneEventsModel(LaneKey lane, const TimeDisplay& times, QObject* parent = nullptr);

    /// Reads from the first one; rows that are there stay until the answer.
    void reload();
    /// The answer to `pageWanted`.
    void acceptPage(const LaneEventQuery& query, LaneEventPage page);
    /// The live state of the lane: what its head does.
    void setLane(const std::optional<LaneRow>& lane);
    [[nodiscard]] const LaneEventRow* event(int row) const;
    /// -1 if it is not there.
    [[nodiscard]] int rowOf(Sequence sequence) const;
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    /// Whether every event of the lane is listed.
    [[nodiscard]] bool isComplete() const { return m_complete; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

signals:
    void pageWanted(const lanes::LaneEventQuery& query);

private:
    void ask(Sequence after);
    void replaceRows(std::vector<LaneEventRow> rows);
    [[nodiscard]] QString display(const LaneEventRow& row, int place, int column) const;
    [[nodiscard]] QString stateText(const LaneEventRow& row) const;

    const LaneKey m_key;
    const TimeDisplay& m_times;
    std::vector<LaneEventRow> m_rows;
    std::optional<LaneRow> m_lane;
    std::optional<Sequence> m_asked;  ///< behind which; one question at a time
    bool m_loaded = false;
    bool m_complete = false;
};

}  // namespace lanes::ui
