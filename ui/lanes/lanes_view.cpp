// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanes_view.h"

#include "ui/common/departure.h"
#include "ui/common/event_details.h"
#include "ui/common/filter_menu.h"
#include "ui/common/filter_remains.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/lanes/lane_rows.h"
#include "ui/lanes/lanes_model.h"
#include "ui/lanes/why_line.h"

#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {
/// Twice a second: rows that change faster cannot be read.
constexpr int kRefreshMs = 500;
/// While lanes are looked at for a filter: most looks are over by then.
constexpr int kSoonMs = 60;
/// Our tokens of counts have this mark.
constexpr std::uint64_t kCountMark = 0x4c43'4e54ULL << 32;

/// What the cell says, as a condition.
std::optional<Filter> conditionOf(const LaneRow& lane, int column) {
    switch (static_cast<LanesModel::Column>(column)) {
        case LanesModel::State:
            return numberIs(FilterField::state, static_cast<std::int64_t>(lane.state));
        case LanesModel::Destination:
            return numberIs(FilterField::destination, std::int64_t{lane.key.destination.value});
        case LanesModel::User: return textIs(FilterField::user, lane.user.text);
        case LanesModel::HeadEvent: return textIs(FilterField::type, lane.type);
        case LanesModel::Attempts:
            return numberIs(FilterField::attempts, std::int64_t{lane.attempts});
        case LanesModel::LastResult:
            if (lane.lastStatus != 0)
                return numberIs(FilterField::status, std::int64_t{lane.lastStatus});
            if (!lane.lastOutcome) return std::nullopt;
            return numberIs(FilterField::outcome, static_cast<std::int64_t>(*lane.lastOutcome));
        case LanesModel::Backlog:
            return numberIs(FilterField::backlog, static_cast<std::int64_t>(lane.backlog));
        case LanesModel::HeadAge:
        case LanesModel::NextAttempt:
        case LanesModel::DeadLettersIn:
        case LanesModel::InFlightFor:
        case LanesModel::ColumnCount: break;
    }
    return std::nullopt;
}
}  // namespace

LanesView::LanesView(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : ListPage(loader, times, parent),
      m_engine(engine),
      m_times(times),
      m_model(new LanesModel(this)),
      m_timer(new QTimer(this)),
      m_soon(new QTimer(this)),
      m_countOn(new QTimer(this)) {
    m_model->setTimeDisplay(times);
    setObjectName(QStringLiteral("lanesView"));
    table().setObjectName(QStringLiteral("lanesTable"));
    table().setAccessibleName(tr("Lanes: who waits for which destination"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::SingleSelection);
    table().setContextMenuPolicy(Qt::CustomContextMenu);
    table().setColumnWidths({11, 9, 9, 6, 11, 8, 6, 8, 9, 12, 7}, LanesModel::HeadEvent);
    auto* header = table().horizontalHeader();
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    indicateOrder();
    details().clear(tr("Choose a lane to see why it waits, its attempts and its next event."));

    connect(header, &QHeaderView::sectionClicked, this, &LanesView::sortBy);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &LanesView::indicateOrder);
    connect(m_model, &LanesModel::pageWanted, this,
            [this](const LanePageRequest& request) { m_engine.readLanes(request); });
    connect(&m_engine, &Engine::lanesRead, m_model, &LanesModel::acceptPage);
    connect(m_model, &LanesModel::rowsMoved, this, &LanesView::findChosenAgain);
    connect(m_model, &LanesModel::totalChanged, this, [this] {
        showState();
        if (filterProgress().looking && isVisible()) m_soon->start();
    });
    connect(m_model, &LanesModel::pendingChangesChanged, this, &LanesView::showState);
    connect(&table(), &Table::visibleRowsChanged, this, [this] {
        const auto [first, last] = table().visibleRows();
        m_model->setVisibleRows(first, last);
    });
    connect(table().selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_moving) chooseRow(current.row());
            });
    // At once: a page may be on its way.
    connect(table().selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_model->setOrderHeld(!live().mayMove()); });
    connect(&table(), &QWidget::customContextMenuRequested, this, &LanesView::showMenu);
    connect(&table(), &QAbstractItemView::doubleClicked, this, [this](const QModelIndex& index) {
        const LaneRow* lane = m_model->lane(index.row());
        if (lane) emit laneWanted(lane->key, lane->user);
    });
    connect(this, &ListPage::applyWanted, this, &LanesView::applyPending);
    connect(this, &ListPage::detailsOpened, this, &LanesView::showWhy);
    m_timer->setInterval(kRefreshMs);
    connect(m_timer, &QTimer::timeout, this, &LanesView::tick);
    m_soon->setInterval(kSoonMs);
    m_soon->setSingleShot(true);
    connect(m_soon, &QTimer::timeout, m_model, &LanesModel::refresh);
    m_countOn->setSingleShot(true);
    connect(&m_engine, &Engine::lanesRead, this, &LanesView::acceptCount);
    connect(m_countOn, &QTimer::timeout, this, [this] {
        if (m_counting) m_engine.readLanes(m_counting->request);
    });
    showState();
}

void LanesView::setFilter(const Filter& filter) {
    m_model->setFilter(filter);
    table().scrollToTop();
    const auto destination = destinationOf(filter);
    if (m_chosen && destination && m_chosen->destination != destination) {
        m_chosen.reset();
        setWhy({});
        details().clear(tr("Choose a lane to see why it waits, its attempts and its next event."));
    }
}

FilterProgress LanesView::filterProgress() const {
    FilterProgress progress;
    if (!m_model->isFiltered()) return progress;
    const auto& look = m_model->look();
    const bool all = m_model->isLoaded() && look.complete && m_model->readiness() >= 1;
    progress.looking = !all && m_model->isLooking();
    progress.ended = !all && !m_model->isLooking();
    progress.nothing = all && look.fitting == 0;
    if (progress.looking)
        progress.text = m_model->readiness() < 1
                            ? tr("The order is being built (%1)…")
                                  .arg(percentText(m_model->readiness()))
                            : tr("Looks at each lane: %1 of %2 so far, %3 fit…")
                                  .arg(countText(look.looked), countText(look.lanes),
                                       countText(look.fitting));
    else if (progress.ended)
        progress.text = tr("Ended after %1 of %2 lanes; %3 fit so far.")
                            .arg(countText(look.looked), countText(look.lanes),
                                 countText(look.fitting));
    return progress;
}

void LanesView::endLook() {
    m_model->setLooking(false);
    showState();
}

void LanesView::lookOn() {
    m_model->setLooking(true);
    showState();
}

/// The look itself has counted them.
void LanesView::countRemains(const Filter& filter, Counted counted) {
    bool texts = false;
    for (const auto field : {FilterField::user, FilterField::type, FilterField::event,
                             FilterField::accepted})
        texts = texts || filter.asks(field);
    std::vector<FilterRemains> remains;
    for (const auto rows : m_model->look().fittingWithout) remains.push_back({rows, false, texts});
    // Not at once: whoever asks is not done with asking.
    QTimer::singleShot(0, this, [remains, counted = std::move(counted)] { counted(remains); });
}

/// The engine looks for one filter at a time, and the one of the list on screen goes first.
bool LanesView::countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) {
    if (m_model->isFiltered() || m_engine.snapshot()->lifecycle != Lifecycle::running)
        return false;
    Counting counting;
    counting.request.token = kCountMark | (++m_counts & 0xffff'ffffULL);
    counting.request.limit = 1;
    if (isDestinationOnly(filter))
        counting.request.destination = destinationOf(filter);
    else
        counting.request.filter = filter;
    counting.most = most;
    counting.counted = std::move(counted);
    counting.time.start();
    m_counting = std::move(counting);
    m_countOn->start(0);
    return true;
}

void LanesView::acceptCount(const LanePage& page) {
    if (!m_counting || page.request.token != m_counting->request.token) return;
    const bool whole = page.request.filter.isEverything();
    const auto fitting = whole ? page.total : page.look.fitting;
    const bool all = whole || (page.look.complete && page.readiness >= 1);
    const bool enough = fitting > m_counting->most || m_counting->time.hasExpired(kCountedMs);
    if (!m_model->isFiltered() && !all && !enough) return m_countOn->start(kSoonMs);
    auto counting = std::move(*m_counting);
    m_counting.reset();
    if (!all && !m_model->isFiltered()) {
        // Nobody needs the rest of the look.
        counting.request.look = false;
        m_engine.readLanes(counting.request);
    }
    counting.counted({fitting, !all, false});
}

QWidget& LanesView::focusOfList() {
    return table();
}

QStringList LanesView::typesAtHand() const {
    return m_model->types();
}

std::unique_ptr<RowSource> LanesView::allRows() const {
    LanePageRequest wanted;
    wanted.order = m_model->order();
    wanted.descending = m_model->isDescending();
    wanted.filter = m_model->filter();
    wanted.destination = m_model->scope() ? m_model->scope() : destinationOf(wanted.filter);
    return std::make_unique<LaneRows>(m_engine, std::move(wanted));
}

void LanesView::setFrozen(bool frozen) {
    m_frozen = frozen;
    m_model->setFrozen(frozen);
    details().setFrozen(frozen);
    showState();
}

void LanesView::applyPending() {
    m_model->applyPending();
}

std::uint64_t LanesView::total() const {
    return m_model->total();
}

void LanesView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    m_timer->start();
    tick();
}

void LanesView::hideEvent(QHideEvent* event) {
    ListPage::hideEvent(event);
    m_timer->stop();
}

void LanesView::showSnapshot() {
    if (m_frozen) return;
    const auto snapshot = m_engine.snapshot();
    m_model->acceptSnapshot(snapshot);
    if (m_chosen) {
        const auto& rows = snapshot->watched;
        const auto it = std::find_if(rows.begin(), rows.end(),
                                     [&](const LaneRow& lane) { return lane.key == *m_chosen; });
        if (it != rows.end()) {
            m_lastSeen = *it;
            m_gone = false;
        } else if (snapshot->number >= m_chosenSince + 2) {
            if (!std::exchange(m_gone, true)) m_goneAt = snapshot->at;
        }
    }
    if (!isVisible()) return;
    showWhy();
    showState();
}

void LanesView::tick() {
    if (m_frozen || m_engine.snapshot()->lifecycle != Lifecycle::running) return;
    m_model->setOrderHeld(!live().mayMove());
    const auto [first, last] = table().visibleRows();
    m_model->setVisibleRows(first, last);
    m_model->refresh();
    watchVisible();
    if (isDetailsOpen()) details().refresh();
}

void LanesView::watchVisible() {
    std::vector<LaneKey> keys = m_model->visibleKeys();
    if (m_chosen) {
        keys.erase(std::remove(keys.begin(), keys.end(), *m_chosen), keys.end());
        keys.insert(keys.begin(), *m_chosen);
        if (keys.size() > limits::kWatchedLanes) keys.resize(limits::kWatchedLanes);
    }
    if (keys == m_watched) return;
    m_watched = keys;
    m_model->setWatched(keys);
    m_engine.watchLanes(std::move(keys));
}

void LanesView::chooseRow(int row) {
    const LaneRow* lane = m_model->lane(row);
    if (!lane) return;
    m_chosen = lane->key;
    m_lastSeen = *lane;
    m_goneAt = m_model->drainedAt(row);
    m_gone = m_goneAt != 0;
    m_chosenSince = m_engine.snapshot()->number;
    watchVisible();
    showWhy();
}

void LanesView::findChosenAgain() {
    if (!m_chosen) return;
    const QScopedValueRollback<bool> moving(m_moving, true);
    const int row = m_model->rowOf(*m_chosen);
    if (row == table().currentIndex().row() && row >= 0) return;
    if (row < 0) {
        table().setCurrentIndex({});
        table().clearSelection();
        return;
    }
    const int column = std::max(0, table().currentIndex().column());
    // The list is not scrolled after the row: that would take the place from under the reader.
    const bool scrolls = table().hasAutoScroll();
    table().setAutoScroll(false);
    table().setCurrentIndex(m_model->index(row, column));
    table().setAutoScroll(scrolls);
}

void LanesView::showWhy() {
    if (!m_chosen) return;
    const auto snapshot = m_engine.snapshot();
    const auto* destination = snapshot->find(m_chosen->destination);
    const QString name = destination ? plainLine(destination->name) : QString();
    if (m_gone) {
        const Departure gone{Departure::Fate::drained, m_goneAt};
        setWhy(tr("The lane of %1 to %2 has %3 %4: everything in it was delivered or dealt with.")
                   .arg(userText(m_lastSeen.user), name, departureText(gone, m_times),
                        m_times.zoneLabel()));
    } else {
        setWhy(whyLine(m_lastSeen, destination, m_times));
    }
    if (isDetailsOpen()) details().showPointer({m_chosen->destination, m_lastSeen.head}, name);
}

void LanesView::showState() {
    setCount(countWords());
    const int moved = m_model->pendingChanges();
    setPending(moved == 0 || m_frozen ? QString()
               : moved == 1           ? tr("One row would move · F5")
                                      : tr("%Ln rows would move · F5", nullptr, moved));
    filterProgressed();
    if (m_model->rowCount() == 0) showEmpty();
}

QString LanesView::countWords() const {
    const auto lanes = m_model->isFiltered() ? m_model->look().fitting : m_model->total();
    QString count = m_model->isFiltered()
                        ? (lanes == 1 ? tr("one lane fits")
                                      : tr("%1 lanes fit").arg(countText(lanes)))
                    : lanes == 1 ? tr("one lane waits")
                                 : tr("%1 lanes wait").arg(countText(lanes));
    if (m_model->isFiltered() && lanes > m_model->total())
        count += tr(" · the first %1 are listed").arg(countText(m_model->total()));
    if (m_model->readiness() < 1)
        count += tr(" · this order is being built (%1)").arg(percentText(m_model->readiness()));
    return count;
}

void LanesView::showEmpty() {
    const auto snapshot = m_engine.snapshot();
    if (snapshot->lifecycle != Lifecycle::running) {
        table().setEmptyText(tr("The engine is not running"), tr("Lanes are shown once it runs."));
    } else if (!m_model->isLoaded() || filterProgress().looking) {
        table().setEmptyText(tr("Loading…"), {});
    } else if (m_model->isFiltered()) {
        table().setEmptyText(tr("No lane fits the filter"),
                             tr("%1 lanes wait.").arg(countText(snapshot->lanes)));
    } else if (snapshot->destinations.empty()) {
        table().setEmptyText(
            tr("No destination yet"),
            tr("Add one on the left, then send events to port %1.").arg(snapshot->intake.port));
    } else if (const auto* scope = snapshot->find(m_model->scope())) {
        table().setEmptyText(
            tr("No backlog for %1").arg(plainLine(scope->name)),
            scope->lastDeliveredAt == 0
                ? tr("Nothing was delivered to it yet.")
                : tr("Last event delivered %1 %2.")
                      .arg(m_times.text(scope->lastDeliveredAt), m_times.zoneLabel()));
    } else {
        WallMicros last = 0;
        for (const auto& d : snapshot->destinations) last = std::max(last, d.lastDeliveredAt);
        table().setEmptyText(
            tr("No backlog"),
            last == 0
                ? tr("Nothing was delivered yet.")
                : tr("Last event delivered %1 %2.").arg(m_times.text(last), m_times.zoneLabel()));
    }
}

void LanesView::showMenu(const QPoint& position) {
    const LaneRow* found = m_model->lane(table().indexAt(position).row());
    if (!found) return;
    const LaneRow lane = *found;  // the row may move while the menu is open
    const auto snapshot = m_engine.snapshot();
    const auto* destination = snapshot->find(lane.key.destination);
    const QString name = destination ? plainLine(destination->name, 40) : QString();
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("laneMenu"));
    menu.addSection(menuText(tr("%1 to %2").arg(userText(lane.user), name)));
    menu.addAction(icon(Symbol::info), tr("Details"), this, [this] { setDetailsOpen(true); });
    menu.addAction(icon(Symbol::list), tr("All events of this lane…"), this,
                   [this, lane] { emit laneWanted(lane.key, lane.user); });
    if (destination && destination->health != HealthState::paused)
        menu.addAction(icon(Symbol::pause),
                       tr("Pause %1…").arg(menuText(name)), this,
                       [this, lane] { emit pauseWanted(lane.key.destination); });
    if (lane.state == LaneState::held)
        menu.addAction(icon(Symbol::deadLetter), tr("Show dead letters"), this,
                       &LanesView::deadLettersWanted);
    addFilterActions(menu, conditionOf(lane, table().indexAt(position).column()), bar());
    m_model->setOrderHeld(true);
    table().popUp(menu, position);
}

void LanesView::sortBy(int column) {
    // A column without an order keeps the arrow where it was.
    const auto order = LanesModel::orderOf(column);
    if (!order) return indicateOrder();
    // What an operator looks for first: the oldest, the most, the soonest.
    const bool soonest = *order == LaneOrder::nextAttempt || *order == LaneOrder::deadLettersIn;
    const bool descending = *order == m_model->order() ? !m_model->isDescending() : !soonest;
    m_model->setOrder(*order, descending);
    indicateOrder();
    table().scrollToTop();
}

/// The arrow says how the list is sorted, whatever a click or a kept layout has made of it.
void LanesView::indicateOrder() {
    auto* header = table().horizontalHeader();
    const QSignalBlocker blocker(header);
    for (int column = 0; column < LanesModel::ColumnCount; ++column)
        if (LanesModel::orderOf(column) == m_model->order())
            header->setSortIndicator(
                column, m_model->isDescending() ? Qt::DescendingOrder : Qt::AscendingOrder);
    header->viewport()->update();
}

}  // namespace lanes::ui
