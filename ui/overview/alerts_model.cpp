// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/alerts_model.h"

#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QIcon>

#include <algorithm>

namespace lanes::ui {

namespace {

QIcon alertIcon(const Alert& alert) {
    if (!alert.active()) return stateStyle(HealthState::healthy).icon;
    switch (alert.kind) {
        case AlertKind::storeFault:
        case AlertKind::intakeClosed:
        case AlertKind::deadLetters:
        case AlertKind::nearDeath: return errorStyle().icon;
        case AlertKind::autoPaused: return stateStyle(HealthState::paused).icon;
        case AlertKind::degraded: return stateStyle(HealthState::degraded).icon;
    }
    return {};
}

QString counted(std::uint64_t count, const QString& one, const QString& many) {
    return count == 1 ? one : many.arg(countText(count));
}

}  // namespace

QString alertTitle(AlertKind kind) {
    switch (kind) {
        case AlertKind::storeFault: return AlertsModel::tr("Storage fault");
        case AlertKind::autoPaused: return AlertsModel::tr("Paused by the program");
        case AlertKind::nearDeath: return AlertsModel::tr("Dead letters soon");
        case AlertKind::degraded: return AlertsModel::tr("Degraded");
        case AlertKind::deadLetters: return AlertsModel::tr("Dead letters");
        case AlertKind::intakeClosed: return AlertsModel::tr("Intake closed");
    }
    return {};
}

QString alertKey(AlertKind kind) {
    switch (kind) {
        case AlertKind::storeFault: return QStringLiteral("store-fault");
        case AlertKind::autoPaused: return QStringLiteral("auto-paused");
        case AlertKind::nearDeath: return QStringLiteral("near-death");
        case AlertKind::degraded: return QStringLiteral("degraded");
        case AlertKind::deadLetters: return QStringLiteral("dead-letters");
        case AlertKind::intakeClosed: return QStringLiteral("intake-closed");
    }
    return {};
}

QString alertText(const Alert& alert) {
    const QString reason = plainLine(alert.reason);
    switch (alert.kind) {
        case AlertKind::storeFault:
            return reason.isEmpty() ? AlertsModel::tr("Nothing can be stored for now.") : reason;
        case AlertKind::intakeClosed:
            return AlertsModel::tr("No events are accepted: %1").arg(reason);
        case AlertKind::autoPaused: return AlertsModel::tr("Its events are kept: %1").arg(reason);
        case AlertKind::nearDeath:
            return counted(alert.count,
                           AlertsModel::tr("One lane reaches the end of its retry window within "
                                           "%1, unless its event is delivered.")
                               .arg(durationText(alert.span)),
                           AlertsModel::tr("%2 lanes reach the end of their retry window within "
                                           "%1, unless their events are delivered.")
                               .arg(durationText(alert.span), QStringLiteral("%1")));
        case AlertKind::degraded: {
            const QString lanes =
                counted(alert.count, AlertsModel::tr("One lane waits and is probed"),
                        AlertsModel::tr("%1 lanes wait and are probed"));
            return reason.isEmpty() ? lanes + u'.'
                                    : AlertsModel::tr("%1. Last error: %2").arg(lanes, reason);
        }
        case AlertKind::deadLetters:
            return counted(alert.count,
                           AlertsModel::tr("One event was given up. Rewind or discard it."),
                           AlertsModel::tr("%1 events were given up. Rewind or discard them."));
    }
    return {};
}

AlertsModel::AlertsModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent), m_times(times) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_alerts.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Since));
    });
}

void AlertsModel::setAlerts(const std::vector<Alert>& alerts) {
    const bool sameRows =
        std::equal(alerts.begin(), alerts.end(), m_alerts.begin(), m_alerts.end(),
                   [](const Alert& a, const Alert& b) { return a.number == b.number; });
    if (sameRows) {
        m_alerts = alerts;
        if (!m_alerts.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_alerts = alerts;
    endResetModel();
}

const Alert* AlertsModel::alert(int row) const {
    return row >= 0 && row < rowCount() ? &m_alerts[static_cast<std::size_t>(row)] : nullptr;
}

int AlertsModel::rowOf(std::uint64_t number) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_alerts[static_cast<std::size_t>(row)].number == number) return row;
    return -1;
}

int AlertsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_alerts.size());
}

int AlertsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AlertsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Alert& alert = m_alerts[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return display(alert, index.column());
        case Qt::DecorationRole:
            return index.column() == What ? QVariant(alertIcon(alert)) : QVariant();
        case Qt::ToolTipRole:
            if (index.column() == Since)
                return alert.active()
                           ? m_times.iso(alert.since)
                           : tr("%1 to %2")
                                 .arg(m_times.iso(alert.since), m_times.iso(alert.endedAt));
            return index.column() == Details ? plainTooltip(alertText(alert)) : QVariant();
        case kCopyRole:
            return index.column() == Since ? QVariant(m_times.iso(alert.since)) : QVariant();
        case Qt::ForegroundRole:
            if (!alert.pressing())
                return QGuiApplication::palette().color(QPalette::PlaceholderText);
            return {};
        case Qt::AccessibleTextRole:
            if (index.column() == What && !alert.active())
                return tr("%1, over").arg(alertTitle(alert.kind));
            if (index.column() == What && alert.acknowledged)
                return tr("%1, acknowledged").arg(alertTitle(alert.kind));
            return {};
        default: return {};
    }
}

QString AlertsModel::display(const Alert& alert, int column) const {
    switch (static_cast<Column>(column)) {
        case What: return alertTitle(alert.kind);
        case Destination: return plainLine(alert.name, 64);
        case Details:
            if (!alert.active())
                return tr("Over since %1 %2").arg(m_times.text(alert.endedAt), m_times.zoneLabel());
            return alert.acknowledged ? tr("Acknowledged. %1").arg(alertText(alert))
                                      : alertText(alert);
        case Since: return m_times.text(alert.since);
        case ColumnCount: break;
    }
    return {};
}

QVariant AlertsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case What: return tr("Alert");
        case Destination: return tr("Destination");
        case Details: return tr("What is the matter");
        case Since: return tr("Since");
        case ColumnCount: break;
    }
    return {};
}

}  // namespace lanes::ui
