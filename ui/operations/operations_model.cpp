// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_model.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/operations/operation_words.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace lanes::ui {

namespace {

bool isNumber(int column) {
    switch (column) {
        case OperationsModel::Id:
        case OperationsModel::Asked:
        case OperationsModel::Moved:
        case OperationsModel::Skipped:
        case OperationsModel::Delivered:
        case OperationsModel::FailedAgain: return true;
        default: return false;
    }
}

QVariant alignment(int column) {
    return QVariant::fromValue(isNumber(column) ? Qt::AlignRight | Qt::AlignVCenter
                                                : Qt::AlignLeft | Qt::AlignVCenter);
}

/// What can change of a row once it is written.
auto values(const OperationRow& row) {
    return std::tie(row.state, row.note, row.done, row.skipped, row.delivered, row.deadAgain,
                    row.returned, row.untried);
}

/// The number of a column; empty where the kind of operation has none.
std::optional<std::uint64_t> numberOf(const OperationRow& row, int column) {
    if (column == OperationsModel::Id) return row.id.value;
    if (row.kind == OperationKind::setting) return std::nullopt;
    switch (column) {
        case OperationsModel::Asked: return row.asked;
        case OperationsModel::Moved: return row.done;
        case OperationsModel::Skipped: return row.skipped;
        default: break;
    }
    if (!row.rewinds()) return std::nullopt;
    return column == OperationsModel::Delivered ? row.delivered : row.deadAgain;
}

}  // namespace

OperationsModel::OperationsModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times), m_done(icon(Symbol::check)) {
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        m_marks[i] = stateStyle(static_cast<OperationState>(i)).icon;
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
    });
}

int OperationsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OperationsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OperationsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    const bool tip = role == Qt::ToolTipRole;
    if (!tip && role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Id: return tip ? tr("Newest first.") : tr("#");
        case Time: return tip ? tr("When it was asked for.") : tr("Time");
        case Who: return tip ? tr("The user of the machine who asked for it.") : tr("Who");
        case Action: return tip ? QVariant() : tr("Action");
        case State: return tip ? QVariant() : tr("State");
        case Progress:
            return tip ? tr("Light: moved. Strong: delivered, failed again or returned.")
                       : tr("Progress");
        case Asked: return tip ? tr("Events that it was asked for.") : tr("Asked");
        case Moved: return tip ? tr("Of these, moved back, discarded or returned.") : tr("Moved");
        case Skipped:
            return tip ? tr("Of these, left where they are; the details say why.") : tr("Skipped");
        case Delivered:
            return tip ? tr("Of those that were moved, delivered since.") : tr("Delivered");
        case FailedAgain:
            return tip ? tr("Of those that were moved, dead letters again.") : tr("Failed again");
        case Scope: return tip ? tr("How its events were chosen.") : tr("Scope");
        case Reason: return tip ? QVariant() : tr("Reason");
        case ColumnCount: break;
    }
    return {};
}

QVariant OperationsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const OperationRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole: return display(row, column);
        case Qt::AccessibleTextRole:
            if (column == Progress && isOpen(row)) return progressSentence(row);
            if (column == Id) return tr("operation %1").arg(row.id.value);
            return display(row, column);
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::ToolTipRole: return plainTooltip(tooltip(row, column));
        case Qt::DecorationRole: return column == State ? QVariant(mark(row)) : QVariant();
        case Qt::ForegroundRole: return foreground(row, column);
        case MovedShareRole:
            return column == Progress && isOpen(row) ? QVariant(movedShare(row)) : QVariant();
        case SettledShareRole:
            return column == Progress && isOpen(row) ? QVariant(settledShare(row)) : QVariant();
        case kCopyRole: return copied(row, column);
        default: return {};
    }
}

QString OperationsModel::display(const OperationRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Time: return m_times.text(row.at);
        case Who: return plainLine(row.who);
        case Action: return actionWord(row);
        case State: return stateWord(row);
        case Progress:
            if (!isOpen(row)) return {};
            return percentText(row.moves() ? movedShare(row) : settledShare(row));
        case Scope: return plainLine(row.scope);
        case Reason: return plainLine(row.reason);
        default: break;
    }
    const auto number = numberOf(row, column);
    return number ? countText(*number) : QString();
}

QVariant OperationsModel::copied(const OperationRow& row, int column) const {
    if (column == Time) return m_times.iso(row.at);
    if (!isNumber(column)) return {};
    const auto number = numberOf(row, column);
    return number ? QString::number(*number) : QString();
}

QString OperationsModel::tooltip(const OperationRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Time: return m_times.iso(row.at);
        case State: return plainLine(row.note);
        case Progress: return isOpen(row) ? progressSentence(row) : QString();
        default: return {};
    }
}

/// Settings are done at once: only what can go wrong has a colour.
QIcon OperationsModel::mark(const OperationRow& row) const {
    return row.kind == OperationKind::setting ? m_done
                                              : m_marks[static_cast<std::size_t>(row.state)];
}

QVariant OperationsModel::foreground(const OperationRow& row, int column) const {
    const QPalette palette = QGuiApplication::palette();
    if (column == State && row.kind != OperationKind::setting)
        return stateTextColour(row.state, palette);
    if (column == FailedAgain && row.deadAgain > 0) return errorTextColour(palette);
    return {};
}

bool OperationsModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_loaded && !m_endsAtOldest && !m_asked && m_error.isEmpty() &&
           m_rows.size() < kMostRows;
}

void OperationsModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(Part::older);
}

void OperationsModel::reload() {
    ask(Part::newest);
}

void OperationsModel::lookForNewcomers() {
    if (m_loaded && !m_asked && m_error.isEmpty())
        ask(m_rows.empty() ? Part::newest : Part::newcomers);
}

void OperationsModel::ask(Part part) {
    Request request;
    request.part = part;
    request.token = ++m_token;
    request.query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    if (part == Part::older) request.query.before = m_rows.back().id;
    if (part == Part::newcomers) request.query.after = m_rows.front().id;
    m_error.clear();
    m_asked = request;
    emit pageWanted(request);
}

void OperationsModel::acceptPage(const Request& request, OperationPage page) {
    if (!m_asked || m_asked->token != request.token) return;
    m_error = plainLine(page.error);
    // What is shown is better than nothing.
    if (!page.error.empty()) return m_asked.reset();
    switch (request.part) {
        case Part::newest: placeNewest(std::move(page)); break;
        case Part::older: addOlder(std::move(page)); break;
        case Part::newcomers:
            m_newcomers = page.rows.size();
            m_moreNewcomers = !page.complete;
            break;
    }
    // Only now: who listens to the rows that come may want to fetch more at once.
    m_asked.reset();
}

void OperationsModel::placeNewest(OperationPage page) {
    m_newcomers = 0;
    m_moreNewcomers = false;
    m_loaded = true;
    const auto known = std::find_if(page.rows.begin(), page.rows.end(), [this](const auto& row) {
        return !m_rows.empty() && row.id == m_rows.front().id;
    });
    if (known == page.rows.end()) {
        beginResetModel();
        m_rows = std::move(page.rows);
        m_endsAtOldest = page.complete;
        endResetModel();
        emit reloaded();
        return;
    }
    if (known == page.rows.begin()) return;
    beginInsertRows({}, 0, static_cast<int>(known - page.rows.begin()) - 1);
    m_rows.insert(m_rows.begin(), std::make_move_iterator(page.rows.begin()),
                  std::make_move_iterator(known));
    endInsertRows();
}

void OperationsModel::addOlder(OperationPage page) {
    m_endsAtOldest = page.complete;
    if (page.rows.empty()) return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(page.rows.size()) - 1);
    std::move(page.rows.begin(), page.rows.end(), std::back_inserter(m_rows));
    endInsertRows();
}

void OperationsModel::update(const OperationRow& fresh) {
    const int row = rowOf(fresh.id);
    if (row < 0) return;
    OperationRow& present = m_rows[static_cast<std::size_t>(row)];
    if (values(present) == values(fresh)) return;
    present = fresh;
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    emit changed(fresh.id);
}

void OperationsModel::showRunning(const std::vector<OperationRow>& running) {
    m_running.clear();
    for (const OperationRow& row : running) {
        m_running.insert(row.id);
        update(row);
    }
}

std::vector<OperationId> OperationsModel::left() const {
    std::vector<OperationId> ids;
    for (const OperationRow& row : m_rows) {
        if (!isOpen(row) || m_running.contains(row.id)) continue;
        ids.push_back(row.id);
        if (ids.size() == kMostOpen) break;
    }
    return ids;
}

void OperationsModel::acceptRows(const std::vector<OperationRow>& rows) {
    // A snapshot may have come in between, and is newer than anything stored.
    for (const OperationRow& row : rows)
        if (!m_running.contains(row.id)) update(row);
}

const OperationRow* OperationsModel::operation(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int OperationsModel::rowOf(OperationId id) const {
    // They stand by falling numbers.
    const auto it = std::lower_bound(
        m_rows.begin(), m_rows.end(), id,
        [](const OperationRow& row, OperationId wanted) { return row.id > wanted; });
    return it == m_rows.end() || it->id != id ? -1 : static_cast<int>(it - m_rows.begin());
}

}  // namespace lanes::ui
