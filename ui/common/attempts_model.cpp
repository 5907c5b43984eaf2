// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/attempts_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace lanes::ui {

AttemptsModel::AttemptsModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times), m_marks(outcomeMarks()) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
    });
}

void AttemptsModel::setRows(std::vector<AttemptRow> rows, bool complete) {
    m_complete = complete;
    // The log only grows at its newest end, so new rows come before the ones that are there.
    const auto same = [&](const AttemptRow& row) {
        return !m_rows.empty() && row.position == m_rows.front().position;
    };
    const auto known = std::find_if(rows.begin(), rows.end(), same);
    if (known != rows.end()) {
        const auto fresh = static_cast<int>(known - rows.begin());
        if (fresh == 0) return;
        beginInsertRows({}, 0, fresh - 1);
        m_rows.insert(m_rows.begin(), std::make_move_iterator(rows.begin()),
                      std::make_move_iterator(known));
        endInsertRows();
        const auto most = static_cast<int>(limits::kPageRows);
        if (rowCount() > most) {
            beginRemoveRows({}, most, rowCount() - 1);
            m_rows.resize(static_cast<std::size_t>(most));
            endRemoveRows();
        }
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void AttemptsModel::clear() {
    if (m_rows.empty()) return;
    beginResetModel();
    m_rows.clear();
    m_complete = true;
    endResetModel();
}

int AttemptsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AttemptsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AttemptsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const AttemptRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return display(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(index.column() == Latency || index.column() == Number
                                           ? Qt::AlignRight | Qt::AlignVCenter
                                           : Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            if (index.column() == Time) return m_times.iso(row.startedAt);
            if (index.column() == Error)
                return plainTooltip(plainLine(row.error.empty() ? row.response : row.error));
            return {};
        case kCopyRole:
            return index.column() == Time ? QVariant(m_times.iso(row.startedAt)) : QVariant();
        case Qt::ForegroundRole:
            if (index.column() == Result)
                return stateTextColour(row.outcome, QGuiApplication::palette());
            return {};
        case Qt::DecorationRole:
            return index.column() == Result
                       ? QVariant(m_marks[static_cast<std::size_t>(row.outcome)])
                       : QVariant();
        default: return {};
    }
}

QString AttemptsModel::display(const AttemptRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Time: return m_times.text(row.startedAt);
        case Number:
            return row.life > 1 ? tr("%1 · life %2").arg(row.number).arg(row.life)
                                : QString::number(row.number);
        case Result: return resultText(row.outcome, row.status);
        case Latency: return durationText(row.duration);
        case CauseColumn: return causeWord(row.cause);
        case Error: return plainLine(row.error.empty() ? row.response : row.error);
        case ColumnCount: break;
    }
    return {};
}

QVariant AttemptsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(section == Latency || section == Number
                                       ? Qt::AlignRight | Qt::AlignVCenter
                                       : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Time: return tr("Time");
        case Number: return tr("#");
        case Result: return tr("Result");
        case Latency: return tr("Took");
        case CauseColumn: return tr("Cause");
        case Error: return tr("Error");
        case ColumnCount: break;
    }
    return {};
}

}  // namespace lanes::ui
