// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lanes::ui {

/// The events of one operation in the order of its set, with what became of each. Pages are
/// appended as the reader scrolls, and read again while the operation goes on.
class OperationEventsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Position, Fate, Result, Destination, User, Event, Attempts, ColumnCount };
    struct Request {
        OperationEventQuery query = {};
        std::uint64_t token = 0;
    };
    /// Rows held at most: 64 pages.
    static constexpr std::size_t kMostRows = 64 * limits::kPageRows;

    explicit OperationEventsModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Starts anew with the events of another operation; none shows nothing.
    void setOperation(OperationId operation);
    [[nodiscard]] OperationId operation() const { return m_operation; }
    /// Asks again for the page with this row, whose values change in place.
    void refresh(int row);
    void acceptPage(const Request& request, OperationEventPage page);
    void forgetQuestion() { m_asked.reset(); }
    /// For the names of destinations.
    void setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot);

    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] const OperationEventRow* event(int row) const;
    [[nodiscard]] QString error() const { return m_error; }

signals:
    void pageWanted(const lanes::ui::OperationEventsModel::Request& request);

private:
    [[nodiscard]] QString display(const OperationEventRow& row, int column) const;
    [[nodiscard]] QString destinationName(DestinationId id) const;
    void ask(std::uint64_t from);
    void place(std::size_t from, OperationEventPage page);

    OperationId m_operation;
    std::vector<OperationEventRow> m_rows;
    bool m_loaded = false;
    bool m_complete = false;
    std::optional<Request> m_asked;
    std::uint64_t m_token = 0;
    QString m_error;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    std::array<QIcon, 8> m_marks;
};

}  // namespace lanes::ui
