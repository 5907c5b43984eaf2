// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/groups_model.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

QVariant alignment(int column) {
    const bool number = column == GroupsModel::Count || column == GroupsModel::Notes;
    return QVariant::fromValue(number ? Qt::AlignRight | Qt::AlignVCenter
                                      : Qt::AlignLeft | Qt::AlignVCenter);
}

}  // namespace

GroupsModel::GroupsModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent),
      m_times(times),
      m_marks(outcomeMarks()),
      m_untriedMark(stateStyle(LaneState::ready).icon),
      m_noteMark(icon(Symbol::note)) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_groups.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

int GroupsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int GroupsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GroupsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    if (role == Qt::ToolTipRole) return tr("The group with most dead letters first.");
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case Group: return tr("Group");
        case Count: return tr("Count");
        case Last: return tr("Last died");
        case First: return tr("First died");
        case LastRewind: return tr("Last rewind");
        case Notes: return tr("Notes");
        case ColumnCount: break;
    }
    return {};
}

QVariant GroupsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& group = m_groups[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole: return display(group, column);
        case Qt::TextAlignmentRole: return alignment(column);
        case Qt::ToolTipRole: return plainTooltip(tooltip(group, column));
        case Qt::DecorationRole: return mark(group, column);
        case Qt::AccessibleTextRole:
            if (column == Notes && group.noted > 0)
                return tr("%1 with a note").arg(countText(group.noted));
            return display(group, column);
        case kCopyRole:
            switch (static_cast<Column>(column)) {
                case Count: return QString::number(group.count);
                case Notes: return QString::number(group.noted);
                case Last: return m_times.iso(group.lastDiedAt);
                case First: return m_times.iso(group.firstDiedAt);
                case LastRewind: return m_times.iso(group.rewoundAt);
                case Group:
                case ColumnCount: return {};
            }
            return {};
        default: return {};
    }
}

QString GroupsModel::nameOf(const LetterGroup& group) const {
    switch (group.by) {
        case Grouping::errorClass:
            return QStringLiteral("%1 · %2").arg(
                group.outcome ? outcomeWord(*group.outcome) : tr("never tried"),
                ui::nameOf(m_snapshot.get(), group.destination, kNameCharacters));
        case Grouping::type:
            return group.text.empty() ? tr("without a type") : plainLine(group.text);
        case Grouping::user: return userText({group.kind, group.text});
        case Grouping::hour: return tr("from %1").arg(m_times.text(group.hour));
    }
    return {};
}

QString GroupsModel::display(const LetterGroup& group, int column) const {
    switch (static_cast<Column>(column)) {
        case Group: return nameOf(group);
        case Count: return countText(group.count);
        case Last: return m_times.text(group.lastDiedAt);
        case First: return m_times.text(group.firstDiedAt);
        case LastRewind:
            return group.rewoundAt == 0 ? tr("never") : m_times.text(group.rewoundAt);
        case Notes: return group.noted == 0 ? QString() : countText(group.noted);
        case ColumnCount: break;
    }
    return {};
}

QString GroupsModel::tooltip(const LetterGroup& group, int column) const {
    switch (static_cast<Column>(column)) {
        case Group: return tr("%1\nA click shows them.").arg(nameOf(group));
        case Last: return m_times.iso(group.lastDiedAt);
        case First: return m_times.iso(group.firstDiedAt);
        case LastRewind: return m_times.iso(group.rewoundAt);
        case Notes:
            return group.noted == 0 ? QString()
                                    : tr("%1 of %2 have a note.")
                                          .arg(countText(group.noted), countText(group.count));
        case Count:
        case ColumnCount: break;
    }
    return {};
}

QVariant GroupsModel::mark(const LetterGroup& group, int column) const {
    if (column == Notes && group.noted > 0) return m_noteMark;
    if (column != Group || group.by != Grouping::errorClass) return {};
    return group.outcome ? m_marks[static_cast<std::size_t>(*group.outcome)] : m_untriedMark;
}

void GroupsModel::setGroups(std::vector<LetterGroup> groups) {
    beginResetModel();
    m_groups = std::move(groups);
    endResetModel();
}

void GroupsModel::setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
}

const LetterGroup* GroupsModel::group(int row) const {
    return row >= 0 && row < rowCount() ? &m_groups[static_cast<std::size_t>(row)] : nullptr;
}

int GroupsModel::rowOf(const LetterGroup& group) const {
    const auto it = std::find_if(m_groups.begin(), m_groups.end(), [&](const LetterGroup& other) {
        return other.isSame(group);
    });
    return it == m_groups.end() ? -1 : static_cast<int>(it - m_groups.begin());
}

}  // namespace lanes::ui
