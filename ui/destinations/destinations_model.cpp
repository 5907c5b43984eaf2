// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destinations_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// How badly a state wants to be seen: the row of all shows the worst.
int severity(HealthState state) {
    switch (state) {
        case HealthState::healthy: return 0;
        case HealthState::paused: return 1;
        case HealthState::recovering: return 2;
        case HealthState::throttled: return 3;
        case HealthState::degraded: return 4;
    }
    return 0;
}

}  // namespace

DestinationsModel::DestinationsModel(QObject* parent) : QAbstractListModel(parent) {
    for (std::size_t i = 0; i < m_icons.size(); ++i) {
        const auto style = stateStyle(static_cast<HealthState>(i));
        m_icons[i] = style.icon;
        m_colours[i] = style.colour;
        m_words[i] = style.word;
    }
    Row all;
    all.name = tr("All destinations");
    all.anyState = false;
    m_rows.push_back(std::move(all));
}

void DestinationsModel::setSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot,
                                    const RateTracker& rates) {
    std::vector<Row> rows;
    rows.reserve(snapshot->destinations.size() + 1);
    rows.push_back(makeTotal(*snapshot, rates.ofAll()));
    rows.back().trend = rates.trend({});
    for (const auto& destination : snapshot->destinations)
        rows.push_back(
            makeRow(destination, rates.of(destination.id), rates.trend(destination.id)));
    // By name: it only changes when a destination is renamed, so rows stay where they are.
    std::sort(rows.begin() + 1, rows.end(), [](const Row& a, const Row& b) {
        const int order = QString::compare(a.name, b.name, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : a.id < b.id;
    });
    const bool sameRows = rows.size() == m_rows.size() &&
                          std::equal(rows.begin(), rows.end(), m_rows.begin(),
                                     [](const Row& a, const Row& b) { return a.id == b.id; });
    if (sameRows) {
        m_rows = std::move(rows);
        emit dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

DestinationsModel::Row DestinationsModel::makeRow(const DestinationSnapshot& destination,
                                                  const Rates& rates,
                                                  std::vector<float> trend) const {
    Row row;
    row.id = destination.id;
    row.name = plainLine(destination.name, 64);
    row.health = destination.health;
    row.word = m_words[static_cast<std::size_t>(destination.health)];
    if (destination.health == HealthState::paused && destination.inFlight > 0)
        row.word = tr("pausing (%1 in flight)").arg(countText(destination.inFlight));
    row.counters = destination.counters;
    row.inFlight = destination.inFlight;
    row.rates = rates;
    row.trend = std::move(trend);
    row.tip = plainLine(destination.url);
    if (destination.health == HealthState::paused) {
        const QString by =
            destination.pausedBySystem ? tr("the program") : plainLine(destination.pausedBy, 64);
        row.tip += QLatin1Char('\n') + tr("Paused by %1").arg(by);
        if (!destination.pauseReason.empty())
            row.tip += tr(": %1").arg(plainLine(destination.pauseReason, 200));
    }
    if (!destination.lastError.empty())
        row.tip +=
            QLatin1Char('\n') + tr("Last error: %1").arg(plainLine(destination.lastError, 200));
    return row;
}

DestinationsModel::Row DestinationsModel::makeTotal(const EngineSnapshot& snapshot,
                                                    const Rates& rates) const {
    Row row;
    row.name = tr("All destinations");
    row.counters = snapshot.totals;
    row.inFlight = snapshot.inFlight;
    row.rates = rates;
    row.anyState = !snapshot.destinations.empty();
    std::array<int, 5> counts{};
    for (const auto& destination : snapshot.destinations) {
        ++counts[static_cast<std::size_t>(destination.health)];
        if (severity(destination.health) > severity(row.health)) row.health = destination.health;
    }
    if (!row.anyState) {
        row.word = tr("none yet");
    } else if (row.health == HealthState::healthy) {
        row.word = tr("all healthy");
    } else {
        // The worst in full; the rest only as a number, for a narrow dock.
        const auto worst = static_cast<std::size_t>(row.health);
        const auto healthy = static_cast<std::size_t>(HealthState::healthy);
        const int others =
            static_cast<int>(snapshot.destinations.size()) - counts[worst] - counts[healthy];
        row.word = QStringLiteral("%1 %2").arg(counts[worst]).arg(m_words[worst]);
        if (others > 0) row.word += tr(", %1 more").arg(others);
        QStringList words;
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (counts[i] > 0) words << QStringLiteral("%1 %2").arg(counts[i]).arg(m_words[i]);
        row.tip = words.join(QStringLiteral(", "));
    }
    return row;
}

int DestinationsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant DestinationsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto state = static_cast<std::size_t>(row.health);
    switch (role) {
        case Qt::DisplayRole:
        case NameRole: return row.name;
        case Qt::AccessibleTextRole: return accessibleText(row);
        case Qt::ToolTipRole: return plainTooltip(row.tip);
        case StateWordRole: return row.word;
        case StateIconRole: return row.anyState ? m_icons[state] : QIcon();
        case StateColourRole: return m_colours[state];
        case BacklogRole: return shortCount(row.counters.waiting);
        case InFlightRole: return countText(row.inFlight);
        case ErrorRole: return row.rates.attempted ? percentText(row.rates.errorShare) : QString();
        case ErrorShareRole: return row.rates.errorShare;
        case InRateRole: return row.rates.known ? rateText(row.rates.inPerMinute) : QString();
        case OutRateRole: return row.rates.known ? rateText(row.rates.outPerMinute) : QString();
        case TrendRole: return QVariant::fromValue(row.trend);
        case DeadRole:
            return row.counters.dead == 0 || !row.id ? QString() : shortCount(row.counters.dead);
        default: return {};
    }
}

QString DestinationsModel::accessibleText(const Row& row) const {
    QString text =
        tr("%1, %2, backlog %3, in flight %4")
            .arg(row.name, row.word, countText(row.counters.waiting), countText(row.inFlight));
    if (row.rates.attempted)
        text += tr(", errors %1 in the last minute").arg(percentText(row.rates.errorShare));
    if (row.counters.dead > 0) text += tr(", dead letters %1").arg(countText(row.counters.dead));
    return text;
}

DestinationId DestinationsModel::idOf(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].id
                                        : DestinationId{};
}

int DestinationsModel::rowOf(DestinationId id) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_rows[static_cast<std::size_t>(row)].id == id) return row;
    return -1;
}

}  // namespace lanes::ui
