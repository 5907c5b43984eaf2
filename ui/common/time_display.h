// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/types.h"

#include <QObject>
#include <QString>

// The one switch between UTC and local time. Every view shows times through it, so that a table
// and a graph can never disagree.
namespace lanes::ui {

class TimeDisplay : public QObject {
    Q_OBJECT

public:
    enum class Zone { utc, local };

    explicit TimeDisplay(QObject* parent = nullptr);

    [[nodiscard]] Zone zone() const { return m_zone; }
    void setZone(Zone zone);

    /// "UTC", or the offset of the local zone ("UTC+02:00").
    [[nodiscard]] QString zoneLabel() const;
    /// Today: "14:03:22"; any other day: "2026-11-28 14:03", the rest is in `iso`. Empty for 0.
    [[nodiscard]] QString text(WallMicros at) const;
    /// The same to the second on any day, where one minute is too coarse.
    [[nodiscard]] QString exactText(WallMicros at) const;
    /// ISO 8601 with milliseconds and offset, for tooltips and copies. Empty for 0.
    [[nodiscard]] QString iso(WallMicros at) const { return iso(at, m_zone); }
    /// The same on any thread.
    [[nodiscard]] static QString iso(WallMicros at, Zone zone);

signals:
    void changed();

private:
    [[nodiscard]] QString text(WallMicros at, const QString& otherDays) const;

    Zone m_zone = Zone::utc;
};

}  // namespace lanes::ui
