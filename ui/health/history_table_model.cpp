// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_table_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/time_display.h"
#include "ui/health/axis_tickers.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lanes::ui {

namespace {

QString decimal(double value) {
    return QLocale().toString(value, 'f', 1);
}

QString whole(double value) {
    return QLocale().toString(std::llround(value));
}

bool isText(int column) {
    return column <= HistoryTableModel::state || column == HistoryTableModel::done;
}

}  // namespace

HistoryTableModel::HistoryTableModel(const std::vector<Bucket>& buckets,
                                     const std::vector<HealthFlag>& flags,
                                     const TimeDisplay* display, QObject* parent)
    : QAbstractTableModel(parent),
      m_buckets(buckets.rbegin(), buckets.rend()),
      m_flags(flagsByBucket(buckets, flags)),
      m_display(display) {
    std::reverse(m_flags.begin(), m_flags.end());
}

QStringList HistoryTableModel::doneIn(std::size_t row) const {
    QStringList lines;
    for (const auto& flag : m_flags[row])
        lines << QStringLiteral("%1 %2").arg(
            stampText(m_display, static_cast<double>(flag.at) / kSecond), flagText(flag, true));
    return lines;
}

int HistoryTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_buckets.size());
}

int HistoryTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QString HistoryTableModel::text(std::size_t row, int column) const {
    const Bucket& bucket = m_buckets[row];
    // Where nothing was watched or tried there is no rate: a zero would be an answer.
    const QString nothing(QChar(0x2013));
    switch (static_cast<Column>(column)) {
        case time: return stampText(m_display, static_cast<double>(bucket.start));
        case state: return stateStyle(bucket.state).word;
        case in: return bucket.covered > 0 ? decimal(bucket.inPerSecond()) : nothing;
        case out: return bucket.covered > 0 ? decimal(bucket.outPerSecond()) : nothing;
        case errors: {
            const auto share = bucket.errorShare();
            return share ? decimal(*share * 100) : nothing;
        }
        case budget: return decimal(bucket.budget.mean());
        case inFlight: return decimal(bucket.inFlight.mean());
        case backlog: return whole(bucket.backlog.mean());
        case done: return doneIn(row).join(QStringLiteral(" · "));
        case columns: break;
    }
    return {};
}

QVariant HistoryTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const Bucket& bucket = m_buckets[row];
    switch (role) {
        case Qt::DisplayRole: return text(row, index.column());
        case Qt::DecorationRole:
            return index.column() == state ? QVariant(stateStyle(bucket.state).icon) : QVariant();
        case Qt::ToolTipRole:
            if (index.column() == done) return plainTooltip(doneIn(row).join(u'\n'));
            return index.column() == time
                       ? QVariant(QDateTime::fromSecsSinceEpoch(bucket.start, Qt::UTC)
                                      .toString(Qt::ISODate))
                       : QVariant();
        case Qt::TextAlignmentRole:
            return isText(index.column()) ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                           : QVariant(Qt::AlignRight | Qt::AlignVCenter);
        default: return {};
    }
}

QVariant HistoryTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return isText(section) ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case time:
            return m_display != nullptr ? tr("Time (%1)").arg(m_display->zoneLabel())
                                        : tr("Time (UTC)");
        case state: return tr("State");
        case in: return tr("In /s");
        case out: return tr("Out /s");
        case errors: return tr("Errors %");
        case budget: return tr("Budget");
        case inFlight: return tr("In flight");
        case backlog: return tr("Backlog");
        case done: return tr("What was done");
        case columns: break;
    }
    return {};
}

}  // namespace lanes::ui
