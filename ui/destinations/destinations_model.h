// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "ui/common/rates.h"

#include <QAbstractListModel>
#include <QIcon>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lanes::ui {

/// All destinations as the dock shows them: the first row stands for all of them together, the
/// others are one destination each, in the order of their names.
class DestinationsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        NameRole = Qt::UserRole,
        StateWordRole,    ///< QString; "pausing (3 in flight)" while attempts finish
        StateIconRole,    ///< QIcon
        StateColourRole,  ///< QColor, of the mark
        BacklogRole,      ///< QString
        InFlightRole,     ///< QString
        ErrorRole,        ///< QString, of the last minute; empty if nothing was attempted
        ErrorShareRole,   ///< double 0..1
        InRateRole,       ///< QString, a minute
        OutRateRole,      ///< QString, a minute
        TrendRole,        ///< std::vector<float>, deliveries a second of the last minute
        DeadRole,         ///< QString; empty if there are none, and in the row of all
    };

    explicit DestinationsModel(QObject* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot,
                     const RateTracker& rates);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    /// 0 for the row of all.
    [[nodiscard]] DestinationId idOf(int row) const;
    [[nodiscard]] int rowOf(DestinationId id) const;

private:
    struct Row {
        DestinationId id;
        QString name;
        HealthState health = HealthState::healthy;
        bool anyState = true;  ///< the row of all without a destination has none
        QString word;
        DeliveryCounters counters;
        std::uint32_t inFlight = 0;
        Rates rates;
        std::vector<float> trend;
        QString tip;
    };

    [[nodiscard]] Row makeRow(const DestinationSnapshot& destination, const Rates& rates,
                              std::vector<float> trend) const;
    [[nodiscard]] Row makeTotal(const EngineSnapshot& snapshot, const Rates& rates) const;
    [[nodiscard]] QString accessibleText(const Row& row) const;

    std::vector<Row> m_rows;
    std::array<QIcon, 5> m_icons;
    std::array<QColor, 5> m_colours;
    std::array<QString, 5> m_words;
};

}  // namespace lanes::ui
