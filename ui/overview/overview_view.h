// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/rates.h"
#include "ui/overview/alert_watch.h"

#include <QWidget>

#include <vector>

class QBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;

namespace lanes::ui {

class AlertsModel;
class DestinationTableModel;
class FigureTile;
class FirstRunPage;
class Table;
class TimeDisplay;

/// The first tab: is something broken that needs a hand? The answer in one sentence, then what to
/// look at, then every destination with its figures. Where there is little height, the figures are
/// made smaller before a row of the tables is lost; below that it scrolls.
class OverviewView : public QWidget {
    Q_OBJECT

public:
    OverviewView(Engine& engine, const RateTracker& rates, TimeDisplay& times,
                 QWidget* parent = nullptr);

    /// Whether the demonstration is offered while there is no destination.
    void setDemoOffered(bool offered);
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
    void addWanted();   ///< a destination
    void demoWanted();  ///< in a process of its own

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void fitHeight();
    void shareHeight();
    void showFirstRun();
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
    bool m_divided = false;  ///< somebody has placed the divider

    QBoxLayout* m_layout = nullptr;
    QSplitter* m_splitter;
    std::vector<FigureTile*> m_tiles;
    FirstRunPage* m_firstRun;
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
    QLabel* m_destinationsTitle;
    Table* m_destinations;
    DestinationTableModel* m_destinationsModel;
};

}  // namespace lanes::ui
