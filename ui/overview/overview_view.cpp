// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/overview_view.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/overview/alerts_model.h"
#include "ui/overview/destination_table_model.h"
#include "ui/overview/figure_tile.h"
#include "ui/overview/first_run_page.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr int kMargin = 16;
constexpr int kSpacing = 10;
constexpr int kCompactMargin = 8;
constexpr int kMark = 32;
/// Below this height of the whole tab the figures stand in two lines and the margins are narrow.
constexpr int kCompactBelow = 560;
/// Rows that each table shows at least; with less height than that all of it scrolls.
constexpr int kLeastAlerts = 2;
constexpr int kLeastDestinations = 3;
/// Rows of alerts that are shown before the destinations give room for more.
constexpr int kManyAlerts = 8;

/// Of a table with so many rows, its header and, where columns do not fit, its scroll bar.
int heightOf(const Table& table, int rows) {
    const auto* header = table.horizontalHeader();
    const bool scrolls = table.isVisible() && header->length() > table.viewport()->width();
    return header->sizeHint().height() + rows * table.verticalHeader()->defaultSectionSize() +
           (scrolls ? table.horizontalScrollBar()->sizeHint().height() : 0);
}

/// Of this process, for whom a watcher's time never jumps.
Micros watcherTime() {
    return QDeadlineTimer::current().deadlineNSecs() / 1000;
}

std::uint64_t sum(const EngineSnapshot& snapshot, std::uint64_t DestinationSnapshot::*field) {
    std::uint64_t all = 0;
    for (const auto& destination : snapshot.destinations) all += destination.*field;
    return all;
}

}  // namespace

OverviewView::OverviewView(Engine& engine, const RateTracker& rates, TimeDisplay& times,
                           QWidget* parent)
    : QWidget(parent),
      m_engine(engine),
      m_rates(rates),
      m_times(times),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_firstRun(new FirstRunPage(engine, this)),
      m_mark(new QLabel(this)),
      m_verdict(sectionTitle({}, this)),
      m_life(new QLabel(this)),
      m_delivered(new FigureTile(tr("Delivered a minute"), this)),
      m_backlog(new FigureTile(tr("Backlog"), this)),
      m_retrying(new FigureTile(tr("Lanes that retry"), this)),
      m_errors(new FigureTile(tr("Errors, last minute"), this)),
      m_dead(new FigureTile(tr("Dead letters"), this)),
      m_alertsTitle(sectionTitle(tr("Alerts"), this)),
      m_alerts(new Table(this)),
      m_alertsModel(new AlertsModel(times, this)),
      m_open(new QPushButton(tr("Open"), this)),
      m_acknowledge(new QPushButton(tr("Acknowledge"), this)),
      m_acknowledgeAll(new QPushButton(tr("Acknowledge all"), this)),
      m_destinationsTitle(sectionTitle(tr("Destinations"), this)),
      m_destinations(new Table(this)),
      m_destinationsModel(new DestinationTableModel(times, this)) {
    setObjectName(QStringLiteral("overviewView"));
    build();
    connect(m_delivered, &QAbstractButton::clicked, this, [this] { emit scopeWanted({}); });
    connect(m_backlog, &QAbstractButton::clicked, this, [this] { emit lanesWanted({}); });
    connect(m_retrying, &QAbstractButton::clicked, this, [this] { emit lanesWanted({}); });
    connect(m_errors, &QAbstractButton::clicked, this, [this] { emit lanesWanted({}); });
    connect(m_dead, &QAbstractButton::clicked, this, [this] { emit deadLettersWanted({}); });
    connect(m_firstRun, &FirstRunPage::addWanted, this, &OverviewView::addWanted);
    connect(m_firstRun, &FirstRunPage::demoWanted, this, &OverviewView::demoWanted);
    connect(m_open, &QPushButton::clicked, this, &OverviewView::openAlert);
    connect(m_acknowledge, &QPushButton::clicked, this, [this] { acknowledge(false); });
    connect(m_acknowledgeAll, &QPushButton::clicked, this, [this] { acknowledge(true); });
    connect(m_alerts, &Table::opened, this, &OverviewView::openAlert);
    connect(m_destinations, &Table::opened, this, &OverviewView::openDestination);
    connect(m_alerts->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                // A model that is read anew has no current row for a moment.
                if (const Alert* alert = m_alertsModel->alert(current.row()))
                    m_chosen = alert->number;
                showButtons();
            });
    connect(&times, &TimeDisplay::changed, this, &OverviewView::showVerdict);
}

void OverviewView::build() {
    setBackgroundRole(QPalette::Window);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    QFont large = m_verdict->font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    m_verdict->setFont(large);
    m_life->setObjectName(QStringLiteral("proofOfLife"));
    m_life->setTextFormat(Qt::PlainText);
    m_life->setWordWrap(true);
    m_life->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_mark->setFixedSize(kMark, kMark);

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_verdict);
    words->addWidget(m_life);
    auto* top = new QHBoxLayout;
    top->setSpacing(kSpacing + 2);
    top->addWidget(m_mark, 0, Qt::AlignTop);
    top->addLayout(words, 1);

    auto* figures = new QHBoxLayout;
    figures->setSpacing(kSpacing);
    const std::initializer_list<std::pair<FigureTile*, const char*>> tiles = {
        {m_delivered, "figureDelivered"},
        {m_backlog, "figureBacklog"},
        {m_retrying, "figureRetrying"},
        {m_errors, "figureErrors"},
        {m_dead, "figureDead"}};
    for (const auto& [tile, name] : tiles) {
        tile->setObjectName(QLatin1String(name));
        m_tiles.push_back(tile);
        figures->addWidget(tile);
    }

    m_alerts->setObjectName(QStringLiteral("alertsTable"));
    m_alerts->setAccessibleName(tr("Alerts, the most pressing first"));
    m_alerts->setModel(m_alertsModel);
    m_alerts->setSelectionMode(QAbstractItemView::SingleSelection);
    m_alerts->setColumnWidths({20, 14, 40, 10}, AlertsModel::Details);
    m_open->setObjectName(QStringLiteral("alertOpen"));
    m_acknowledge->setObjectName(QStringLiteral("alertAcknowledge"));
    m_acknowledgeAll->setObjectName(QStringLiteral("alertAcknowledgeAll"));
    m_acknowledge->setToolTip(tr("It has been seen: it does not count any more"));
    auto* alertStrip = new QHBoxLayout;
    alertStrip->addWidget(m_alertsTitle);
    alertStrip->addStretch(1);
    for (QPushButton* button : {m_open, m_acknowledge, m_acknowledgeAll})
        alertStrip->addWidget(button);
    auto* alerts = new QWidget(this);
    auto* alertLayout = new QVBoxLayout(alerts);
    alertLayout->setContentsMargins(0, 0, 0, 0);
    alertLayout->setSpacing(6);
    alertLayout->addLayout(alertStrip);
    alertLayout->addWidget(m_alerts, 1);

    m_destinations->setObjectName(QStringLiteral("destinationsTable"));
    m_destinations->setAccessibleName(tr("Destinations, by name"));
    m_destinations->setModel(m_destinationsModel);
    m_destinations->setSelectionMode(QAbstractItemView::SingleSelection);
    m_destinations->setColumnWidths({13, 14, 9, 12, 8, 7, 7, 7, 8, 8, 6, 16, 9, 7, 24},
                                    DestinationTableModel::Note);
    m_destinations->setEmptyText(
        tr("No destination yet"),
        tr("Add one with File, Add destination: an HTTP address that events are delivered to."));
    auto* destinations = new QWidget(this);
    auto* destinationLayout = new QVBoxLayout(destinations);
    destinationLayout->setContentsMargins(0, 0, 0, 0);
    destinationLayout->setSpacing(6);
    destinationLayout->addWidget(m_destinationsTitle);
    destinationLayout->addWidget(m_destinations, 1);

    m_splitter->setObjectName(QStringLiteral("overviewSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(kSpacing);
    m_splitter->addWidget(alerts);
    m_splitter->addWidget(destinations);
    m_alerts->setMinimumHeight(heightOf(*m_alerts, kLeastAlerts));
    m_destinations->setMinimumHeight(heightOf(*m_destinations, kLeastDestinations));
    // Its least height counts, not the one that tables like to have: else it would scroll too soon.
    m_splitter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_divided = true; });

    auto* content = new QWidget(this);
    m_layout = new QVBoxLayout(content);
    m_layout->addLayout(top);
    m_layout->addLayout(figures);
    m_layout->addWidget(m_splitter, 1);
    m_layout->addWidget(m_firstRun, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("overviewScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    fitHeight();
}

void OverviewView::fitHeight() {
    const bool compact = height() < kCompactBelow;
    for (FigureTile* tile : m_tiles) tile->setCompact(compact);
    m_destinationsTitle->setVisible(!compact);  // a column is called so as well
    m_splitter->setMinimumHeight(m_splitter->minimumSizeHint().height());
    const int margin = compact ? kCompactMargin : kMargin;
    m_layout->setContentsMargins(margin, margin, margin, margin);
    m_layout->setSpacing(compact ? kCompactMargin : kSpacing + 2);
}

/// The alerts get the height that they need, up to a part of it, the destinations what is left.
void OverviewView::shareHeight() {
    if (m_divided || m_splitter->height() <= 0) return;
    const auto wanted = [](const Table& table, int rows) {
        // With its title, which stands above it in the same part.
        return table.parentWidget()->sizeHint().height() - table.sizeHint().height() +
               heightOf(table, rows);
    };
    const int all = m_splitter->height() - m_splitter->handleWidth();
    // An empty list says in two lines that there is nothing.
    const int alerts = std::clamp(m_alertsModel->rowCount(), kLeastAlerts + 1, kManyAlerts);
    const int above = wanted(*m_alerts, alerts);
    const int below = wanted(*m_destinations, m_destinationsModel->rowCount());
    const int share = std::min(above, std::max(all * 2 / 5, all - below));
    if (m_splitter->sizes().value(0) != share) m_splitter->setSizes({share, all - share});
}

void OverviewView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHeight();
    shareHeight();
}

void OverviewView::setFrozen(bool frozen) {
    m_frozen = frozen;
    if (!frozen) showSnapshot();
}

void OverviewView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showSnapshot();
}

void OverviewView::showSnapshot() {
    const auto snapshot = m_engine.snapshot();
    for (const auto number : m_watch.add(*snapshot, watcherTime()))
        if (const Alert* alert = m_watch.find(number)) emit alertRaised(*alert);
    if (const auto pressing = m_watch.pressing(); pressing != m_told) {
        m_told = pressing;
        emit pressingChanged(pressing);
    }
    if (m_frozen || !isVisible()) return;
    m_destinationsModel->setSnapshot(snapshot, m_rates);
    showFirstRun();
    showVerdict();
    showFigures();
    showAlerts();
}

/// Without a destination there are no figures, but things to do.
void OverviewView::showFirstRun() {
    const bool first = m_engine.snapshot()->destinations.empty();
    for (FigureTile* tile : m_tiles) tile->setVisible(!first);
    m_splitter->setVisible(!first);
    m_firstRun->setVisible(first);
    if (first) m_firstRun->showSnapshot();
}

void OverviewView::setDemoOffered(bool offered) {
    m_firstRun->setDemoOffered(offered);
}

void OverviewView::showVerdict() {
    const auto snapshot = m_engine.snapshot();
    const auto& alerts = m_watch.alerts();
    const auto pressing = static_cast<int>(m_watch.pressing());
    WallMicros last = 0;
    int unwell = 0;
    for (const auto& destination : snapshot->destinations) {
        last = std::max(last, destination.lastDeliveredAt);
        if (destination.health != HealthState::healthy) ++unwell;
    }
    const QString alive =
        last > 0 ? tr("Last event delivered at %1 %2.").arg(m_times.text(last), m_times.zoneLabel())
                 : tr("Nothing has been delivered since the start.");
    QIcon mark = stateStyle(HealthState::healthy).icon;
    QString verdict;
    QString life = alive;
    if (pressing > 0) {
        const Alert& worst = *std::find_if(alerts.begin(), alerts.end(),
                                           [](const Alert& alert) { return alert.pressing(); });
        mark = worst.kind == AlertKind::degraded ? stateStyle(HealthState::degraded).icon
                                                 : errorStyle().icon;
        verdict = pressing == 1 ? tr("One thing asks for you")
                                : tr("%1 things ask for you").arg(pressing);
        life = worst.name.empty()
                   ? tr("%1. %2").arg(alertTitle(worst.kind), alertText(worst))
                   : tr("%1: %2. %3")
                         .arg(plainLine(worst.name, 64), alertTitle(worst.kind), alertText(worst));
    } else if (snapshot->destinations.empty()) {
        mark = icon(Symbol::destination);
        verdict = tr("No destination yet");
        life = tr("Events go to the destinations that are there when they come. Add a destination "
                  "first.");
    } else if (unwell > 0) {
        mark = stateStyle(HealthState::recovering).icon;
        verdict = unwell == 1
                      ? tr("One destination is not healthy; nothing asks for you")
                      : tr("%1 destinations are not healthy; nothing asks for you").arg(unwell);
    } else {
        verdict = tr("All is well");
    }
    m_mark->setPixmap(mark.pixmap(kMark, kMark));
    if (m_verdict->text() != verdict) m_verdict->setText(verdict);
    if (m_life->text() != life) m_life->setText(life);
}

void OverviewView::showFigures() {
    const auto snapshot = m_engine.snapshot();
    const Rates rates = m_rates.ofAll();
    m_delivered->setFigure(rates.known ? rateText(rates.outPerMinute) : QString(QChar(0x2013)),
                           rates.known ? tr("%1 come in").arg(rateText(rates.inPerMinute))
                                       : tr("not known yet"));
    m_backlog->setFigure(countText(snapshot->totals.waiting),
                         snapshot->lanes == 1 ? tr("in one lane")
                                              : tr("in %1 lanes").arg(countText(snapshot->lanes)));
    const auto retrying = sum(*snapshot, &DestinationSnapshot::lanesBackingOff);
    Micros oldest = 0;
    for (const auto& destination : snapshot->destinations)
        oldest = std::max(oldest, destination.oldestHeadAge);
    m_retrying->setFigure(countText(retrying),
                          oldest >= kMinute ? tr("oldest %1").arg(durationText(oldest))
                                            : tr("none for long"));
    m_errors->setFigure(
        rates.attempted ? percentText(rates.errorShare) : QString(QChar(0x2013)),
        rates.answered ? tr("p95 %1").arg(durationText(rates.slow)) : tr("no attempt"),
        rates.errorShare >= kNotableErrors);
    const auto near = sum(*snapshot, &DestinationSnapshot::lanesNearDeath);
    m_dead->setFigure(countText(snapshot->totals.dead),
                      near == 0   ? tr("none is near")
                      : near == 1 ? tr("one lane is near")
                                  : tr("%1 lanes are near").arg(countText(near)),
                      snapshot->totals.dead > 0 || near > 0);
}

void OverviewView::showAlerts() {
    const auto chosen = m_chosen;
    m_alertsModel->setAlerts(m_watch.alerts());
    if (const int row = m_alertsModel->rowOf(chosen);
        row >= 0 && m_alerts->currentIndex().row() != row)
        m_alerts->setCurrentIndex(m_alertsModel->index(row, 0));
    const auto pressing = m_watch.pressing();
    m_alertsTitle->setText(pressing == 0 ? tr("Alerts") : tr("Alerts (%1)").arg(pressing));
    m_alerts->setEmptyText(
        tr("Nothing asks for you"),
        tr("Outages, events that are given up soon, dead letters and storage faults stand here."));
    shareHeight();
    showButtons();
}

const Alert* OverviewView::chosenAlert() const {
    return m_alertsModel->alert(m_alerts->currentIndex().row());
}

void OverviewView::showButtons() {
    const Alert* alert = chosenAlert();
    m_open->setEnabled(alert && alert->destination);
    m_acknowledge->setEnabled(alert && (!alert->acknowledged || !alert->active()));
    m_acknowledgeAll->setEnabled(m_alertsModel->rowCount() > 0);
    if (!alert) {
        m_open->setText(tr("Open"));
        return;
    }
    switch (alert->kind) {
        case AlertKind::autoPaused: m_open->setText(tr("Settings…")); break;
        case AlertKind::nearDeath:
        case AlertKind::degraded: m_open->setText(tr("Show its lanes")); break;
        case AlertKind::deadLetters: m_open->setText(tr("Show its dead letters")); break;
        case AlertKind::storeFault:
        case AlertKind::intakeClosed: m_open->setText(tr("Open")); break;
    }
}

void OverviewView::openAlert() {
    const Alert* alert = chosenAlert();
    if (!alert || !alert->destination) return;
    switch (alert->kind) {
        case AlertKind::autoPaused: emit destinationWanted(alert->destination); break;
        case AlertKind::nearDeath:
        case AlertKind::degraded: emit lanesWanted(alert->destination); break;
        case AlertKind::deadLetters: emit deadLettersWanted(alert->destination); break;
        case AlertKind::storeFault:
        case AlertKind::intakeClosed: break;
    }
}

void OverviewView::openDestination() {
    const auto id = m_destinationsModel->idOf(m_destinations->currentIndex().row());
    if (id) emit lanesWanted(id);
}

void OverviewView::acknowledge(bool all) {
    if (all)
        m_watch.acknowledgeAll();
    else if (const Alert* alert = chosenAlert())
        m_watch.acknowledge(alert->number);
    m_told = m_watch.pressing();
    emit pressingChanged(m_told);
    showAlerts();
    showVerdict();
}

}  // namespace lanes::ui
