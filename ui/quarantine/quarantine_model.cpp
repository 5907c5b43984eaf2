// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quarantine/quarantine_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

QVariant alignment(int column) {
    return QVariant::fromValue(column == QuarantineModel::Size ? Qt::AlignRight | Qt::AlignVCenter
                                                               : Qt::AlignLeft | Qt::AlignVCenter);
}

}  // namespace

QString formWord(EventForm form) {
    switch (form) {
        case EventForm::native: return QuarantineModel::tr("native");
        case EventForm::segment: return QuarantineModel::tr("Segment");
        case EventForm::cloudEvent: break;
    }
    return QuarantineModel::tr("CloudEvent");
}

QuarantineModel::QuarantineModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
    });
}

int QuarantineModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int QuarantineModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant QuarantineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    const bool tip = role == Qt::ToolTipRole;
    if (!tip && role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Time: return tip ? tr("When it came. Newest first.") : tr("Time");
        case Source:
            return tip ? tr("Whose write key was shown; the general one has the name of the form.")
                       : tr("Source");
        case Form: return tip ? tr("In what form it came.") : tr("Form");
        case Event: return tip ? tr("Its id, as far as it could be read.") : tr("Event");
        case Reason: return tip ? tr("What its sender was told.") : tr("Why it was rejected");
        case Size: return tip ? tr("As it was sent.") : tr("Size");
        case ColumnCount: break;
    }
    return {};
}

QVariant QuarantineModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const QuarantineRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole: return display(row, column);
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::DecorationRole: return column == Time ? QVariant(errorStyle().icon) : QVariant();
        case Qt::ToolTipRole:
            if (column == Time) return plainTooltip(m_times.iso(row.at));
            return column == Reason ? plainTooltip(plainLine(row.detail)) : QVariant();
        case kCopyRole:
            if (column == Time) return m_times.iso(row.at);
            return column == Size ? QVariant(QString::number(row.bytes)) : QVariant();
        default: return {};
    }
}

QString QuarantineModel::display(const QuarantineRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case Time: return m_times.text(row.at);
        case Source: return plainLine(row.source, kNameCharacters);
        case Form: return formWord(row.form);
        case Event: return plainLine(row.eventId, kNameCharacters);
        case Reason: return plainLine(row.detail);
        case Size: return bytesText(row.bytes);
        case ColumnCount: break;
    }
    return {};
}

void QuarantineModel::setRows(std::vector<QuarantineRow> rows) {
    const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                 [](const auto& a, const auto& b) { return a.id == b.id; });
    if (same) return;
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const QuarantineRow* QuarantineModel::rejected(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int QuarantineModel::rowOf(QuarantineId id) const {
    const auto found = std::lower_bound(
        m_rows.begin(), m_rows.end(), id,
        [](const QuarantineRow& row, QuarantineId wanted) { return row.id > wanted; });
    return found == m_rows.end() || found->id != id ? -1
                                                    : static_cast<int>(found - m_rows.begin());
}

}  // namespace lanes::ui
