// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_events_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QGuiApplication>
#include <QIcon>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

bool isNumber(int column) {
    return column == LaneEventsModel::Place || column == LaneEventsModel::Size ||
           column == LaneEventsModel::Attempts;
}

}  // namespace

LaneEventsModel::LaneEventsModel(LaneKey lane, const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_key(lane), m_times(times) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Accepted), index(rowCount() - 1, Accepted));
    });
}

void LaneEventsModel::ask(Sequence after) {
    LaneEventQuery query;
    query.lane = m_key;
    query.after = after;
    m_asked = after;
    emit pageWanted(query);
}

void LaneEventsModel::reload() {
    ask(Sequence());
}

void LaneEventsModel::acceptPage(const LaneEventQuery& query, LaneEventPage page) {
    if (!m_asked || query.after != *m_asked) return;
    m_asked.reset();
    const bool behind = query.after != Sequence();
    if (!behind && !page.rows.empty() && m_loaded && m_rows.size() > page.rows.size() &&
        !page.complete) {
        // More was read before: it stands where it stood, only the first page is new.
        page.rows.insert(page.rows.end(),
                         std::upper_bound(m_rows.begin(), m_rows.end(), page.rows.back().sequence,
                                          [](Sequence sequence, const LaneEventRow& row) {
                                              return sequence < row.sequence;
                                          }),
                         m_rows.end());
        replaceRows(std::move(page.rows));
        m_loaded = true;
        return;
    }
    if (!behind) {
        replaceRows(std::move(page.rows));
    } else if (!page.rows.empty()) {
        const auto first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(page.rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(page.rows.begin()),
                      std::make_move_iterator(page.rows.end()));
        endInsertRows();
    }
    m_loaded = true;
    m_complete = page.complete;
    // A page may have come to its time before it came to a row.
    if (!page.complete && page.error.empty() && page.rows.empty() && page.resume) ask(page.resume);
}

/// Rows that stay are drawn anew; only what came or went moves anything.
void LaneEventsModel::replaceRows(std::vector<LaneEventRow> rows) {
    const bool sameStart =
        !m_rows.empty() && !rows.empty() && m_rows.front().sequence == rows.front().sequence;
    const auto common = static_cast<int>(std::min(m_rows.size(), rows.size()));
    if (!sameStart) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    const int before = rowCount();
    const int after = static_cast<int>(rows.size());
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_rows = std::move(rows);
        endRemoveRows();
    } else if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else {
        m_rows = std::move(rows);
    }
    emit dataChanged(index(0, 0), index(common - 1, ColumnCount - 1));
}

void LaneEventsModel::setLane(const std::optional<LaneRow>& lane) {
    m_lane = lane;
    if (!m_rows.empty()) emit dataChanged(index(0, State), index(rowCount() - 1, State));
}

const LaneEventRow* LaneEventsModel::event(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int LaneEventsModel::rowOf(Sequence sequence) const {
    const auto found = std::lower_bound(
        m_rows.begin(), m_rows.end(), sequence,
        [](const LaneEventRow& row, Sequence wanted) { return row.sequence < wanted; });
    return found == m_rows.end() || found->sequence != sequence
               ? -1
               : static_cast<int>(found - m_rows.begin());
}

int LaneEventsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LaneEventsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

bool LaneEventsModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_loaded && !m_complete && !m_asked && m_rows.size() < kMostRows;
}

void LaneEventsModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) ask(m_rows.empty() ? Sequence() : m_rows.back().sequence);
}

QVariant LaneEventsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const LaneEventRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole: return display(row, index.row() + 1, column);
        case Qt::DecorationRole:
            if (column != State) return {};
            switch (row.state) {
                case LaneEventState::waiting:
                    return m_lane && m_lane->head == row.sequence ? stateStyle(m_lane->state).icon
                                                                  : QIcon();
                case LaneEventState::delivered: return stateStyle(HealthState::healthy).icon;
                case LaneEventState::dead: return errorStyle().icon;
                case LaneEventState::discarded: return QIcon();
            }
            return {};
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                       Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (column == Accepted) return m_times.iso(row.acceptedAt);
            return column == Event ? plainTooltip(plainLine(row.id)) : QVariant();
        case kCopyRole:
            if (column == Accepted) return m_times.iso(row.acceptedAt);
            return column == Size ? QVariant(qulonglong{row.bytes}) : QVariant();
        case Qt::ForegroundRole:
            if (column == State && row.state == LaneEventState::dead)
                return errorTextColour(QGuiApplication::palette());
            if (row.state == LaneEventState::delivered || row.state == LaneEventState::discarded)
                return QGuiApplication::palette().color(QPalette::PlaceholderText);
            return {};
        default: return {};
    }
}

QString LaneEventsModel::display(const LaneEventRow& row, int place, int column) const {
    switch (static_cast<Column>(column)) {
        case Place: return QString::number(place);
        case Event: return plainLine(row.id);
        case Type: return plainLine(row.type);
        case Accepted: return m_times.text(row.acceptedAt);
        case Size: return bytesText(row.bytes);
        case Attempts:
            return row.life > 1 ? tr("%1 · life %2").arg(row.attempts).arg(row.life)
                                : QString::number(row.attempts);
        case State: return stateText(row);
        case ColumnCount: break;
    }
    return {};
}

QString LaneEventsModel::stateText(const LaneEventRow& row) const {
    switch (row.state) {
        case LaneEventState::delivered: return tr("delivered");
        case LaneEventState::discarded: return tr("discarded");
        case LaneEventState::dead:
            return row.lastOutcome
                       ? tr("dead letter: %1").arg(resultText(row.lastOutcome, row.lastStatus))
                       : tr("dead letter, never tried");
        case LaneEventState::waiting: break;
    }
    if (!m_lane || m_lane->head != row.sequence) {
        const int head = m_lane ? rowOf(m_lane->head) : -1;
        return head >= 0 ? tr("waits for #%1").arg(head + 1) : tr("waits");
    }
    const QString word = stateStyle(m_lane->state).word;
    return row.lastOutcome
               ? tr("head, %1: %2").arg(word, resultText(row.lastOutcome, row.lastStatus))
               : tr("head, %1").arg(word);
}

QVariant LaneEventsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Place: return tr("#");
        case Event: return tr("Event");
        case Type: return tr("Type");
        case Accepted: return tr("Accepted");
        case Size: return tr("Size");
        case Attempts: return tr("Attempts");
        case State: return tr("State");
        case ColumnCount: break;
    }
    return {};
}

}  // namespace lanes::ui
