// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/request_log_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/time_display.h"

#include <QDateTime>

#include <algorithm>

namespace lanes::ui {

namespace {

bool same(const MockLogLine& a, const MockLogLine& b) {
    return a.at == b.at && a.sequence == b.sequence && a.attempt == b.attempt &&
           a.status == b.status && a.lane == b.lane;
}

bool isGood(const MockLogLine& line) {
    return line.status >= 200 && line.status < 300;
}

Qt::Alignment alignment(int column) {
    const bool isNumber =
        column == RequestLogModel::sequence || column == RequestLogModel::attempt;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

}  // namespace

void RequestLogModel::setTimeDisplay(const TimeDisplay* display) {
    m_display = display;
    if (!m_lines.empty())
        emit dataChanged(index(0, time), index(rowCount() - 1, time), {Qt::DisplayRole});
}

void RequestLogModel::setLines(std::uint32_t mock, const std::vector<MockLogLine>& lines) {
    // How many lines came in since, if the newest one that is shown is still among them.
    std::size_t fresh = lines.size();
    if (mock == m_mock && !m_lines.empty()) {
        const auto known = std::find_if(lines.begin(), lines.end(), [this](const MockLogLine& l) {
            return same(l, m_lines.front());
        });
        fresh = static_cast<std::size_t>(known - lines.begin());
    }
    const std::size_t kept = lines.size() - fresh;
    const bool continues =
        kept > 0 && kept <= m_lines.size() &&
        std::equal(lines.begin() + static_cast<std::ptrdiff_t>(fresh), lines.end(),
                   m_lines.begin(), same);
    if (!continues) {
        beginResetModel();
        m_mock = mock;
        m_lines.assign(lines.begin(), lines.end());
        endResetModel();
        return;
    }
    if (fresh > 0) {
        beginInsertRows({}, 0, static_cast<int>(fresh) - 1);
        m_lines.insert(m_lines.begin(), lines.begin(),
                       lines.begin() + static_cast<std::ptrdiff_t>(fresh));
        endInsertRows();
    }
    if (m_lines.size() > lines.size()) {
        beginRemoveRows({}, static_cast<int>(lines.size()), rowCount() - 1);
        m_lines.resize(lines.size());
        endRemoveRows();
    }
}

int RequestLogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int RequestLogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QString RequestLogModel::text(const MockLogLine& line, int column) const {
    switch (static_cast<Column>(column)) {
        case time: {
            if (m_display != nullptr) return m_display->text(line.at);
            return QDateTime::fromMSecsSinceEpoch(line.at / kMillisecond, Qt::UTC)
                .toString(QStringLiteral("HH:mm:ss"));
        }
        case lane: return plainLine(line.lane, 128);
        case sequence: return countText(line.sequence);
        case attempt: return countText(line.attempt);
        case type: return plainLine(line.type, 128);
        case status:
            return line.status == 0 ? tr("no answer") : QString::number(line.status);
        case columns: break;
    }
    return {};
}

QVariant RequestLogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const MockLogLine& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return text(line, index.column());
        case Qt::DecorationRole:
            if (index.column() != status) return {};
            return isGood(line) ? stateStyle(HealthState::healthy).icon : errorStyle().icon;
        case Qt::ToolTipRole:
            if (index.column() == time)
                return QDateTime::fromMSecsSinceEpoch(line.at / kMillisecond, Qt::UTC)
                    .toString(Qt::ISODateWithMs);
            return {};
        case Qt::TextAlignmentRole: return QVariant::fromValue(alignment(index.column()));
        default: return {};
    }
}

QVariant RequestLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignment(section));
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case time: return tr("Time");
        case status: return tr("Status");
        case lane: return tr("Lane");
        case sequence: return tr("Sequence");
        case attempt: return tr("Attempt");
        case type: return tr("Type");
        case columns: break;
    }
    return {};
}

}  // namespace lanes::ui
