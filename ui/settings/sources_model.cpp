// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/sources_model.h"

#include "ui/common/format.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

bool isNumber(int column) {
    return column >= SourcesModel::Keys && column <= SourcesModel::Rejected;
}

std::uint64_t numberOf(const SourceSnapshot& source, int column) {
    switch (column) {
        case SourcesModel::Keys: return source.config.keys.size();
        case SourcesModel::Accepted: return source.accepted;
        case SourcesModel::Duplicates: return source.duplicates;
        default: return source.rejected;
    }
}

}  // namespace

SourcesModel::SourcesModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty())
            emit dataChanged(index(0, LastRequest), index(rowCount() - 1, Added));
    });
}

int SourcesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SourcesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SourcesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    const bool tip = role == Qt::ToolTipRole;
    if (!tip && role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Name: return tip ? tr("Its events are kept under this name.") : tr("Source");
        case Keys: return tip ? tr("Write keys that open; every one does.") : tr("Keys");
        case Accepted: return tip ? tr("Events since the engine started.") : tr("Accepted");
        case Duplicates:
            return tip ? tr("Events whose id was there already.") : tr("Duplicates");
        case Rejected: return tip ? tr("Events that were not taken.") : tr("Rejected");
        case LastRequest: return tip ? tr("Since the engine started.") : tr("Last request");
        case Added: return tip ? tr("When, and by whom.") : tr("Added");
        case ColumnCount: break;
    }
    return {};
}

QVariant SourcesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const SourceSnapshot& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) return headerData(column, Qt::Horizontal, role);
    if (role == kCopyRole) {
        if (isNumber(column)) return QString::number(numberOf(row, column));
        if (column == LastRequest) return m_times.iso(row.lastRequestAt);
        return column == Added ? QVariant(m_times.iso(row.config.addedAt)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    if (isNumber(column)) return countText(numberOf(row, column));
    switch (static_cast<Column>(column)) {
        case Name: return plainLine(row.config.name, kNameCharacters);
        case LastRequest:
            return row.lastRequestAt == 0 ? tr("none yet") : m_times.text(row.lastRequestAt);
        case Added:
            return tr("%1 by %2").arg(m_times.text(row.config.addedAt),
                                      plainLine(row.config.addedBy, kNameCharacters));
        default: return {};
    }
}

void SourcesModel::show(std::vector<SourceSnapshot> sources) {
    std::sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) {
        return a.config.name < b.config.name;
    });
    const bool same =
        std::equal(sources.begin(), sources.end(), m_rows.begin(), m_rows.end(),
                   [](const auto& a, const auto& b) { return a.config.id == b.config.id; });
    if (!same) beginResetModel();
    m_rows = std::move(sources);
    if (!same)
        endResetModel();
    else if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const SourceSnapshot* SourcesModel::source(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

}  // namespace lanes::ui
