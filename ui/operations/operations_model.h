// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <array>
#include <optional>
#include <set>
#include <vector>

namespace lanes::ui {

class TimeDisplay;

/// What operators did, newest first. Pages are appended as the reader scrolls; new operations wait
/// until they are let in. Values of those that are not finished come from snapshots and, where a
/// snapshot does not have them any more, from the store. It knows neither: questions go out as
/// signals and answers are handed in.
class OperationsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Id,
        Time,
        Who,
        Action,
        Scope,
        State,
        Progress,
        Asked,
        Moved,
        Skipped,
        Delivered,
        FailedAgain,
        Reason,
        ColumnCount
    };
    /// Of the progress column: shares 0..1.
    enum Role { MovedShareRole = Qt::UserRole, SettledShareRole };
    enum class Part { newest, older, newcomers };
    /// One question; an answer to any but the last one is dropped.
    struct Request {
        OperationQuery query = {};
        Part part = Part::newest;
        std::uint64_t token = 0;
    };
    /// Rows held at most: 64 pages, more acts than anybody looks through.
    static constexpr std::size_t kMostRows = 64 * limits::kPageRows;
    /// Unfinished rows that are read again at once, at most.
    static constexpr std::size_t kMostOpen = 32;

    explicit OperationsModel(const TimeDisplay& times, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Reads the newest page; rows that are still among them stay as they are.
    void reload();
    /// Looks for operations newer than the first row and counts them; they wait.
    void lookForNewcomers();
    void acceptPage(const Request& request, OperationPage page);
    void forgetQuestion() { m_asked.reset(); }

    /// Live values of those that are not finished; only rows that are listed take them.
    void showRunning(const std::vector<OperationRow>& running);
    /// Unfinished rows of which the last `showRunning` knew nothing: the store knows more.
    [[nodiscard]] std::vector<OperationId> left() const;
    /// Rows as the store has them now, the answer to `left`.
    void acceptRows(const std::vector<OperationRow>& rows);

    [[nodiscard]] const OperationRow* operation(int row) const;
    /// -1 if it is not listed.
    [[nodiscard]] int rowOf(OperationId id) const;
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] bool endsAtOldest() const { return m_endsAtOldest; }
    [[nodiscard]] bool isAsking() const { return m_asked.has_value(); }
    /// Operations that wait to be listed, and whether there are more than could be counted.
    [[nodiscard]] std::uint64_t newcomers() const { return m_newcomers; }
    [[nodiscard]] bool hasMoreNewcomers() const { return m_moreNewcomers; }
    [[nodiscard]] QString error() const { return m_error; }

signals:
    void pageWanted(const lanes::ui::OperationsModel::Request& request);
    /// The rows were replaced: find yours again by their numbers.
    void reloaded();
    /// The values of a row have changed.
    void changed(lanes::OperationId id);

private:
    [[nodiscard]] QString display(const OperationRow& row, int column) const;
    [[nodiscard]] QVariant copied(const OperationRow& row, int column) const;
    [[nodiscard]] QString tooltip(const OperationRow& row, int column) const;
    [[nodiscard]] QIcon mark(const OperationRow& row) const;
    [[nodiscard]] QVariant foreground(const OperationRow& row, int column) const;
    void ask(Part part);
    void placeNewest(OperationPage page);
    void addOlder(OperationPage page);
    void update(const OperationRow& fresh);

    const TimeDisplay& m_times;
    std::vector<OperationRow> m_rows;
    std::set<OperationId> m_running;  ///< known to the last snapshot
    std::uint64_t m_newcomers = 0;
    bool m_moreNewcomers = false;
    bool m_loaded = false;
    bool m_endsAtOldest = false;
    std::optional<Request> m_asked;
    std::uint64_t m_token = 0;
    QString m_error;
    std::array<QIcon, 5> m_marks;
    QIcon m_done;
};

}  // namespace lanes::ui
