// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/attempts/attempt_list_model.h"

#include "ui/common/format.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes::ui {

namespace {

QVariant alignment(int column) {
    const bool number = column == AttemptListModel::Number || column == AttemptListModel::Status ||
                        column == AttemptListModel::Latency;
    return QVariant::fromValue(number ? Qt::AlignRight | Qt::AlignVCenter
                                      : Qt::AlignLeft | Qt::AlignVCenter);
}

const std::string& errorOf(const AttemptRow& row) {
    return row.error.empty() && row.outcome != Outcome::delivered ? row.response : row.error;
}

}  // namespace

bool contains(const AttemptScope& scope, const AttemptRow& row, WallMicros now) {
    const WallMicros ended = row.startedAt + row.duration;
    return match(scope.filter, row, now, nullptr) != Match::no &&
           (scope.from == 0 || ended >= scope.from) && (scope.until == 0 || ended < scope.until);
}

QString causeText(const AttemptRow& row) {
    if (!row.operation) return causeWord(row.cause);
    return AttemptListModel::tr("%1 #%2").arg(causeWord(row.cause)).arg(row.operation.value);
}

AttemptListModel::AttemptListModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times), m_marks(outcomeMarks()) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Ended), index(rowCount() - 1, Ended));
    });
}

int AttemptListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AttemptListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AttemptListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    if (role == Qt::ToolTipRole) return tr("In the order in which they ended, newest first.");
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Ended: return tr("Ended");
        case Destination: return tr("Destination");
        case User: return tr("User");
        case Event: return tr("Event");
        case Number: return tr("Attempt");
        case OutcomeColumn: return tr("Outcome");
        case Status: return tr("Status");
        case Latency: return tr("Took");
        case CauseColumn: return tr("Cause");
        case Error: return tr("Error");
        case ColumnCount: break;
    }
    return {};
}

QVariant AttemptListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const AttemptRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole: return display(row, column);
        case Qt::AccessibleTextRole:
            return column == Number ? tr("attempt %1 of life %2").arg(row.number).arg(row.life)
                                    : display(row, column);
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::ToolTipRole: return plainTooltip(tooltip(row, column));
        case Qt::DecorationRole:
            return column == OutcomeColumn
                       ? QVariant(m_marks[static_cast<std::size_t>(row.outcome)])
                       : QVariant();
        case Qt::ForegroundRole:
            if (column == OutcomeColumn)
                return stateTextColour(row.outcome, QGuiApplication::palette());
            return {};
        case kCopyRole: return copied(row, column);
        default: return {};
    }
}

QString AttemptListModel::display(const AttemptRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Ended: return m_times.text(row.startedAt + row.duration);
        case Destination: return destinationName(row.pointer.destination);
        case User: return userText(row.user);
        case Event:
            return row.eventId.empty() ? tr("sequence %1").arg(row.pointer.sequence.value)
                                       : plainLine(row.eventId);
        case Number:
            return row.life > 1 ? tr("%1 · life %2").arg(countText(row.number)).arg(row.life)
                                : countText(row.number);
        case OutcomeColumn: return outcomeWord(row.outcome);
        case Status: return row.status == 0 ? QString() : QString::number(row.status);
        case Latency: return durationText(row.duration);
        case CauseColumn: return causeText(row);
        case Error: return plainLine(errorOf(row));
        case ColumnCount: break;
    }
    return {};
}

QVariant AttemptListModel::copied(const AttemptRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Ended: return m_times.iso(row.startedAt + row.duration);
        case Number: return QStringLiteral("%1/%2").arg(row.number).arg(row.life);
        case Latency: return QStringLiteral("%1 ms").arg(row.duration / kMillisecond);
        default: return {};
    }
}

QString AttemptListModel::tooltip(const AttemptRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Ended:
            return tr("started %1\nended %2")
                .arg(m_times.iso(row.startedAt), m_times.iso(row.startedAt + row.duration));
        case Event: {
            const QString sequence = tr("sequence %1").arg(row.pointer.sequence.value);
            if (row.eventId.empty())
                return tr("The event has left the log; it was %1").arg(sequence);
            return QStringLiteral("%1\n%2\n%3")
                .arg(plainLine(row.eventId), plainLine(row.type), sequence);
        }
        case Number:
            return row.life > 1 ? tr("attempt %1 of life %2: the event was rewound")
                                      .arg(row.number)
                                      .arg(row.life)
                                : QString();
        case OutcomeColumn:
            return row.outcome == Outcome::unknown
                       ? tr("No final status was seen: the destination may have received it. It is "
                            "sent again.")
                       : QString();
        default: return {};
    }
}

QString AttemptListModel::destinationName(DestinationId id) const {
    return nameOf(m_snapshot.get(), id);
}

bool AttemptListModel::startsAtNewest() const {
    return m_rows.empty() || m_rows.front().position == m_newest;
}

bool AttemptListModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_loaded && !m_endsAtOldest && !m_asked && m_error.isEmpty();
}

void AttemptListModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(Part::older);
}

void AttemptListModel::fetchNewer() {
    if (m_loaded && !startsAtNewest() && !m_asked && m_error.isEmpty()) ask(Part::newer);
}

void AttemptListModel::setScope(const AttemptScope& scope) {
    if (scope == m_scope) return;
    emit rowsAboutToMove();
    beginResetModel();
    m_scope = scope;
    m_rows.clear();
    m_newest = 0;
    m_loaded = false;
    m_endsAtOldest = false;
    endResetModel();
    emit rowsMoved();
    reload();
}

void AttemptListModel::reload() {
    ask(Part::newest);
}

void AttemptListModel::ask(Part part) {
    Request request;
    request.part = part;
    request.token = ++m_token;
    request.query.filter = m_scope.filter;
    request.query.endedFrom = m_scope.from;
    request.query.endedBefore = m_scope.until;
    request.query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    if (part == Part::older) request.query.before = m_olderFrom;
    if (part == Part::newer) request.query.after = m_newerFrom;
    m_error.clear();
    m_asked = request;
    emit pageWanted(request);
}

void AttemptListModel::acceptPage(const Request& request, AttemptPage page) {
    if (!m_asked || m_asked->token != request.token) return;
    m_error = plainLine(page.error);
    // What is shown is better than nothing.
    if (!page.error.empty() && page.rows.empty()) return m_asked.reset();
    // A long stretch of other entries: the page says where to look on.
    const bool more = page.rows.empty() && !page.complete && page.resume != 0;
    const Part part = request.part;
    switch (part) {
        case Part::newest: placeNewest(std::move(page)); break;
        case Part::older: addOlder(std::move(page)); break;
        case Part::newer: addNewer(std::move(page)); break;
    }
    // Only now: who listens to the rows that come may want to fetch more at once.
    m_asked.reset();
    if (more) ask(part == Part::newer ? Part::newer : Part::older);
}

void AttemptListModel::placeNewest(AttemptPage page) {
    m_loaded = true;
    const auto known = std::find_if(page.rows.begin(), page.rows.end(), [this](const auto& row) {
        return !m_rows.empty() && row.position == m_rows.front().position;
    });
    if (known != page.rows.end()) {
        m_newest = page.rows.front().position;
        page.rows.erase(known, page.rows.end());
        insertFront(std::move(page.rows));
        return;
    }
    emit rowsAboutToMove();
    beginResetModel();
    m_rows = std::move(page.rows);
    m_newest = m_rows.empty() ? 0 : m_rows.front().position;
    m_newerFrom = m_newest;
    m_olderFrom = page.resume != 0 || m_rows.empty() ? page.resume : m_rows.back().position;
    m_endsAtOldest = page.complete;
    endResetModel();
    emit rowsMoved();
}

void AttemptListModel::addOlder(AttemptPage page) {
    m_endsAtOldest = page.complete;
    if (page.resume != 0)
        m_olderFrom = page.resume;
    else if (!page.rows.empty())
        m_olderFrom = page.rows.back().position;
    if (page.rows.empty()) return;
    if (m_rows.empty()) m_newest = m_newerFrom = page.rows.front().position;
    emit rowsAboutToMove();
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(page.rows.size()) - 1);
    std::move(page.rows.begin(), page.rows.end(), std::back_inserter(m_rows));
    endInsertRows();
    if (m_rows.size() > kMostRows) removeRange(0, m_rows.size() - kMostRows);
    emit rowsMoved();
}

void AttemptListModel::addNewer(AttemptPage page) {
    if (page.resume != 0) m_newerFrom = page.resume;
    std::erase_if(page.rows, [this](const auto& row) { return row.position > m_newest; });
    if (page.rows.empty()) return;
    if (page.resume == 0) m_newerFrom = page.rows.front().position;
    insertFront(std::move(page.rows));
}

void AttemptListModel::insertFront(std::vector<AttemptRow> rows) {
    if (rows.empty()) return;
    emit rowsAboutToMove();
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    m_rows.insert(m_rows.begin(), std::make_move_iterator(rows.begin()),
                  std::make_move_iterator(rows.end()));
    endInsertRows();
    if (m_rows.size() > kMostRows) removeRange(kMostRows, m_rows.size() - kMostRows);
    emit rowsMoved();
}

/// Takes rows out at one end; they are read again when somebody scrolls back.
void AttemptListModel::removeRange(std::size_t first, std::size_t count) {
    beginRemoveRows({}, static_cast<int>(first), static_cast<int>(first + count) - 1);
    const auto begin = m_rows.begin() + static_cast<std::ptrdiff_t>(first);
    m_rows.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    endRemoveRows();
    if (first == 0) {
        m_newerFrom = m_rows.front().position;
    } else {
        m_olderFrom = m_rows.back().position;
        m_endsAtOldest = false;
    }
}

void AttemptListModel::setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
}

const AttemptRow* AttemptListModel::attempt(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int AttemptListModel::rowOf(std::uint64_t position) const {
    // They stand by falling positions.
    const auto it = std::lower_bound(
        m_rows.begin(), m_rows.end(), position,
        [](const AttemptRow& row, std::uint64_t wanted) { return row.position > wanted; });
    return it == m_rows.end() || it->position != position ? -1
                                                          : static_cast<int>(it - m_rows.begin());
}

}  // namespace lanes::ui
