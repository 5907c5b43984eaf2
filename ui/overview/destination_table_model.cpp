// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/destination_table_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// What comes in and what goes out are called the same below this share of difference.
constexpr double kSame = 0.02;

bool isNumber(int column) {
    return column != DestinationTableModel::State && column != DestinationTableModel::Name &&
           column != DestinationTableModel::Note;
}

QString latencyText(const Rates& rates, Micros latency) {
    return rates.answered ? durationText(latency) : QString();
}

}  // namespace

QString drainText(const DestinationSnapshot& destination, const Rates& rates) {
    const auto tr = [](const char* text) { return DestinationTableModel::tr(text); };
    if (destination.counters.waiting == 0) return {};
    switch (destination.health) {
        case HealthState::paused: return tr("when resumed");
        case HealthState::degraded: return tr("when it recovers");
        case HealthState::healthy:
        case HealthState::throttled:
        case HealthState::recovering: break;
    }
    // Held lanes do not drain at all, and what comes in faster than it goes out never does.
    const Micros least = drainEstimate(destination);
    if (!rates.known || least == 0) return tr("not known yet");
    const double net = rates.outPerMinute - rates.inPerMinute;
    const auto waiting = static_cast<double>(destination.counters.waiting);
    if (net <= 0 && rates.inPerMinute > 0 && waiting > rates.outPerMinute / 60) {
        if (rates.outPerMinute <= 0) return tr("stands still");
        return -net < kSame * rates.inPerMinute ? tr("does not shrink") : tr("grows");
    }
    const auto byRate =
        net > 0 ? static_cast<Micros>(waiting / net * static_cast<double>(kMinute)) : Micros{0};
    return DestinationTableModel::tr("about %1").arg(durationText(std::max(least, byRate)));
}

DestinationTableModel::DestinationTableModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, Note), index(rowCount() - 1, Note));
    });
}

void DestinationTableModel::setSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot,
                                        const RateTracker& rates) {
    std::vector<Row> rows;
    rows.reserve(snapshot->destinations.size());
    for (const auto& destination : snapshot->destinations)
        rows.push_back({destination, rates.of(destination.id), plainLine(destination.name, 64)});
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        const int order = QString::compare(a.name, b.name, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : a.destination.id < b.destination.id;
    });
    const bool sameRows =
        std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                   [](const Row& a, const Row& b) { return a.destination.id == b.destination.id; });
    if (sameRows) {
        m_rows = std::move(rows);
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

DestinationId DestinationTableModel::idOf(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].destination.id
                                        : DestinationId{};
}

int DestinationTableModel::rowOf(DestinationId id) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_rows[static_cast<std::size_t>(row)].destination.id == id) return row;
    return -1;
}

int DestinationTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DestinationTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DestinationTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const auto error = [](bool bad) {
        return bad ? QVariant(errorTextColour(QGuiApplication::palette())) : QVariant();
    };
    switch (role) {
        case Qt::DisplayRole: return display(row, column);
        case Qt::DecorationRole:
            return column == State ? QVariant(stateStyle(row.destination.health).icon) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                       Qt::AlignVCenter);
        case Qt::ToolTipRole: return plainTooltip(tip(row, column));
        case Qt::ForegroundRole:
            if (column == Errors) return error(row.rates.errorShare >= kNotableErrors);
            if (column == NearDeath || column == Dead) return error(true);
            return {};
        default: return {};
    }
}

QString DestinationTableModel::display(const Row& row, int column) const {
    const auto& d = row.destination;
    const auto some = [](std::uint64_t count) { return count == 0 ? QString() : countText(count); };
    switch (static_cast<Column>(column)) {
        case State:
            return d.health == HealthState::paused && d.inFlight > 0
                       ? tr("pausing (%1 in flight)").arg(countText(d.inFlight))
                       : stateStyle(d.health).word;
        case Name: return row.name;
        case Backlog: return countText(d.counters.waiting);
        case Lanes: return tr("%1 of %2").arg(countText(d.lanesBackingOff), countText(d.lanes));
        case InFlight: return countText(d.inFlight);
        case Errors: return row.rates.attempted ? percentText(row.rates.errorShare) : QString();
        case Median: return latencyText(row.rates, row.rates.median);
        case Slow: return latencyText(row.rates, row.rates.slow);
        case In: return row.rates.known ? rateText(row.rates.inPerMinute) : QString();
        case Out: return row.rates.known ? rateText(row.rates.outPerMinute) : QString();
        case Budget: return QLocale().toString(d.budget, 'f', d.budget < 10 ? 1 : 0);
        case Drain: return drainText(d, row.rates);
        case NearDeath: return some(d.lanesNearDeath);
        case Dead: return some(d.counters.dead);
        case Note: return note(d);
        case ColumnCount: break;
    }
    return {};
}

QString DestinationTableModel::note(const DestinationSnapshot& d) const {
    if (d.health == HealthState::paused) {
        const QString by = d.pausedBySystem ? tr("the program") : plainLine(d.pausedBy, 64);
        const QString since = tr("Paused by %1 at %2").arg(by, m_times.text(d.pausedAt));
        return d.pauseReason.empty() ? since
                                     : tr("%1: %2").arg(since, plainLine(d.pauseReason, 200));
    }
    if (d.silentFor > 0)
        return tr("Asked to wait %1 (Retry-After)").arg(countdownText(d.silentFor));
    if (d.health != HealthState::healthy && !d.lastError.empty())
        return plainLine(d.lastError, 200);
    return {};
}

QString DestinationTableModel::tip(const Row& row, int column) const {
    const auto& d = row.destination;
    switch (static_cast<Column>(column)) {
        case Name: return plainLine(d.url);
        case Lanes: return tr("Lanes that wait for a retry, of all that have something to deliver");
        case Errors: return tr("Attempts of the last minute that did not deliver");
        case Median:
        case Slow: return tr("Answers of the last minute");
        case Budget:
            return d.lastChange.reason.empty()
                       ? tr("Requests that may be in flight at once")
                       : tr("Requests that may be in flight at once. Last change: %1")
                             .arg(plainLine(d.lastChange.reason, 200));
        case Drain:
            return tr(
                "When its backlog will be gone at the rates of the last minute. The longest "
                "lane governs: its events go one after another.");
        case NearDeath:
            return tr("Lanes whose head is given up within %1, unless it is delivered")
                .arg(durationText(d.nearDeath));
        case Dead: return tr("Dead letters that wait to be rewound or discarded");
        case Note: return note(d);
        case State:
        case Backlog:
        case InFlight:
        case In:
        case Out:
        case ColumnCount: break;
    }
    return {};
}

QVariant DestinationTableModel::headerData(int section, Qt::Orientation orientation,
                                           int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case State: return tr("State");
        case Name: return tr("Destination");
        case Backlog: return tr("Backlog");
        case Lanes: return tr("Retrying");
        case InFlight: return tr("In flight");
        case Errors: return tr("Errors");
        case Median: return tr("p50");
        case Slow: return tr("p95");
        case In: return tr("In/min");
        case Out: return tr("Out/min");
        case Budget: return tr("Budget");
        case Drain: return tr("Drained in");
        case NearDeath: return tr("Dying soon");
        case Dead: return tr("Dead");
        case Note: return tr("Note");
        case ColumnCount: break;
    }
    return {};
}

}  // namespace lanes::ui
