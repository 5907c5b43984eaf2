// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/rates.h"
#include "ui/overview/alert_watch.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lanes::ui {

class AlertsModel;
class DestinationTableModel;
class FigureTile;
class Table;
class TimeDisplay;

/// The first tab: is something broken that needs a hand? The answer in one sentence, then what to
/// look at, then every destination with its figures.
class OverviewView : public QWidget {
    Q_OBJECT

public:
    OverviewView(Engine& engine, const RateTracker& rates, TimeDisplay& times,
                 QWidget* parent = nullptr);

    /// The watch goes on while the view stands still.
    void setFrozen(bool frozen);
    /// Alerts that ask for somebody: the number in the tab.
    [[nodiscard]] std::size_t pressing() const { return m_watch.pressing(); }
    [[nodiscard]] Table& alertsTable() const { return *m_alerts; }
    [[nodiscard]] Table& destinationsTable() const { return *m_destinations; }

public slots:
    void showSnapshot();

signals:
    /// For a note outside the window: something new asks for somebody.
    void alertRaised(const lanes::ui::Alert& alert);
    void pressingChanged(std::size_t count);
    void scopeWanted(lanes::DestinationId destination);
    void lanesWanted(lanes::DestinationId destination);
    void deadLettersWanted(lanes::DestinationId destination);
    void destinationWanted(lanes::DestinationId destination);  ///< its settings

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void showVerdict();
    void showFigures();
    void showAlerts();
    void showButtons();
    void openAlert();
    void openDestination();
    void acknowledge(bool all);
    [[nodiscard]] const Alert* chosenAlert() const;

    Engine& m_engine;
    const RateTracker& m_rates;
    TimeDisplay& m_times;
    AlertWatch m_watch;
    std::size_t m_told = 0;
    std::uint64_t m_chosen = 0;  ///< number of the chosen alert
    bool m_frozen = false;

    QLabel* m_mark;
    QLabel* m_verdict;
    QLabel* m_life;
    FigureTile* m_delivered;
    FigureTile* m_backlog;
    FigureTile* m_retrying;
    FigureTile* m_errors;
    FigureTile* m_dead;
    QLabel* m_alertsTitle;
    Table* m_alerts;
    AlertsModel* m_alertsModel;
    QPushButton* m_open;
    QPushButton* m_acknowledge;
    QPushButton* m_acknowledgeAll;
    Table* m_destinations;
    DestinationTableModel* m_destinationsModel;
};

}  // namespace lanes::ui
