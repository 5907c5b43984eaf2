// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operation_events_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/operations/operation_words.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes::ui {

namespace {

QVariant alignment(int column) {
    const bool number =
        column == OperationEventsModel::Position || column == OperationEventsModel::Attempts;
    return QVariant::fromValue(number ? Qt::AlignRight | Qt::AlignVCenter
                                      : Qt::AlignLeft | Qt::AlignVCenter);
}

StateStyle fateStyle(OperationFate fate) {
    switch (fate) {
        case OperationFate::planned: return stateStyle(LaneState::ready);
        case OperationFate::skipped: return stateStyle(OperationState::stopped);
        case OperationFate::waiting: return stateStyle(OperationState::delivering);
        case OperationFate::delivered: return stateStyle(Outcome::delivered);
        case OperationFate::deadAgain: return errorStyle();
        case OperationFate::returned: return stateStyle(LaneState::committing);
        case OperationFate::discarded: return stateStyle(Outcome::unreachable);
        case OperationFate::trimmed: return stateStyle(Outcome::unknown);
    }
    return {};
}

}  // namespace

OperationEventsModel::OperationEventsModel(QObject* parent) : QAbstractTableModel(parent) {
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        m_marks[i] = fateStyle(static_cast<OperationFate>(i)).icon;
}

int OperationEventsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OperationEventsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OperationEventsModel::headerData(int section, Qt::Orientation orientation,
                                          int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Position: return tr("#");
        case Fate: return tr("What became of it");
        case Destination: return tr("Destination");
        case User: return tr("User");
        case Event: return tr("Event");
        case Attempts: return tr("Attempts");
        case Result: return tr("Last result");
        case ColumnCount: break;
    }
    return {};
}

QVariant OperationEventsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const OperationEventRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return display(row, index.column());
        case Qt::TextAlignmentRole: return alignment(index.column());
        case Qt::DecorationRole:
            return index.column() == Fate ? QVariant(m_marks[static_cast<std::size_t>(row.fate)])
                                          : QVariant();
        case Qt::ForegroundRole:
            if (index.column() == Fate && row.fate == OperationFate::deadAgain)
                return errorTextColour(QGuiApplication::palette());
            return {};
        case Qt::ToolTipRole:
            if (index.column() == Event)
                return plainTooltip(tr("%1\nsequence %2")
                                        .arg(plainLine(row.eventId))
                                        .arg(row.pointer.sequence.value));
            return {};
        case kCopyRole:
            if (index.column() == Position) return QString::number(row.position + 1);
            if (index.column() == Attempts) return QString::number(row.attempts);
            return {};
        default: return {};
    }
}

QString OperationEventsModel::display(const OperationEventRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Position: return countText(row.position + 1);
        case Fate:
            return row.reason == SkipReason::none
                       ? fateWord(row.fate)
                       : tr("%1: %2").arg(fateWord(row.fate), skipText(row.reason));
        case Destination: return destinationName(row.pointer.destination);
        case User: return userText(row.user);
        case Event:
            return row.eventId.empty() ? tr("sequence %1").arg(row.pointer.sequence.value)
                                       : plainLine(row.eventId);
        case Attempts: return row.attempts == 0 ? QString() : countText(row.attempts);
        case Result:
            return row.attempts == 0 ? QString() : resultText(row.lastOutcome, row.lastStatus);
        case ColumnCount: break;
    }
    return {};
}

QString OperationEventsModel::destinationName(DestinationId id) const {
    return nameOf(m_snapshot.get(), id);
}

bool OperationEventsModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_loaded && !m_complete && !m_asked && m_error.isEmpty() &&
           m_rows.size() < kMostRows;
}

void OperationEventsModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(m_rows.size());
}

void OperationEventsModel::setOperation(OperationId operation) {
    if (operation == m_operation) return;
    beginResetModel();
    m_operation = operation;
    m_rows.clear();
    m_loaded = false;
    m_complete = false;
    m_asked.reset();
    m_error.clear();
    endResetModel();
    if (operation) ask(0);
}

void OperationEventsModel::refresh(int row) {
    if (!m_operation || m_asked) return;
    const auto page = static_cast<std::uint64_t>(std::max(row, 0)) / limits::kPageRows;
    ask(page * limits::kPageRows);
}

void OperationEventsModel::ask(std::uint64_t from) {
    Request request;
    request.query.operation = m_operation;
    request.query.from = from;
    request.query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    request.token = ++m_token;
    m_error.clear();
    m_asked = request;
    emit pageWanted(request);
}

void OperationEventsModel::acceptPage(const Request& request, OperationEventPage page) {
    if (!m_asked || m_asked->token != request.token) return;
    m_error = plainLine(page.error);
    if (page.error.empty()) place(static_cast<std::size_t>(request.query.from), std::move(page));
    // Only now: who listens to the rows that come may want to fetch more at once.
    m_asked.reset();
}

void OperationEventsModel::place(std::size_t from, OperationEventPage page) {
    m_loaded = true;
    const std::size_t known =
        from < m_rows.size() ? std::min(page.rows.size(), m_rows.size() - from) : 0;
    if (known > 0) {
        std::move(page.rows.begin(), page.rows.begin() + static_cast<std::ptrdiff_t>(known),
                  m_rows.begin() + static_cast<std::ptrdiff_t>(from));
        emit dataChanged(index(static_cast<int>(from), 0),
                         index(static_cast<int>(from + known) - 1, ColumnCount - 1));
    }
    // What follows the rows that are there; a page in front of the last one is no end.
    if (from + page.rows.size() >= m_rows.size()) m_complete = page.complete;
    if (known == page.rows.size()) return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(page.rows.size() - known) - 1);
    std::move(page.rows.begin() + static_cast<std::ptrdiff_t>(known), page.rows.end(),
              std::back_inserter(m_rows));
    endInsertRows();
}

void OperationEventsModel::setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
}

const OperationEventRow* OperationEventsModel::event(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

}  // namespace lanes::ui
