// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/attempts/attempts_view.h"

#include "ui/attempts/attempt_rows.h"
#include "ui/common/event_details.h"
#include "ui/common/filter_chip.h"
#include "ui/common/filter_menu.h"
#include "ui/common/filter_remains.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lanes::ui {

namespace {
/// Twice a second: rows that change faster cannot be read.
constexpr qint64 kReloadMs = 500;
/// Rows beyond the visible ones that are read before anybody gets there.
constexpr int kAhead = 64;

/// Of the chip with two times and their zone.
constexpr int kRangeCharacters = 64;

/// What the cell says, as a condition.
std::optional<Filter> conditionOf(const AttemptRow& attempt, int column) {
    switch (static_cast<AttemptListModel::Column>(column)) {
        case AttemptListModel::Destination:
            return numberIs(FilterField::destination,
                            std::int64_t{attempt.pointer.destination.value});
        case AttemptListModel::User: return textIs(FilterField::user, attempt.user.text);
        case AttemptListModel::Event: return textIs(FilterField::event, attempt.eventId);
        case AttemptListModel::Number:
            return numberIs(FilterField::attempts, std::int64_t{attempt.number});
        case AttemptListModel::OutcomeColumn:
            return numberIs(FilterField::outcome, static_cast<std::int64_t>(attempt.outcome));
        case AttemptListModel::Status:
            if (attempt.status == 0) return std::nullopt;
            return numberIs(FilterField::status, std::int64_t{attempt.status});
        case AttemptListModel::CauseColumn:
            return numberIs(FilterField::cause, static_cast<std::int64_t>(attempt.cause));
        case AttemptListModel::Error: return textIs(FilterField::error, attempt.error);
        case AttemptListModel::Ended:
        case AttemptListModel::Latency:
        case AttemptListModel::ColumnCount: break;
    }
    return std::nullopt;
}

int plural(std::uint64_t n) {
    return static_cast<int>(std::min<std::uint64_t>(n, std::numeric_limits<int>::max()));
}
}  // namespace

AttemptsView::AttemptsView(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : ListPage(loader, times, parent),
      m_engine(engine),
      m_loader(loader),
      m_times(times),
      m_model(new AttemptListModel(times, this)),
      m_range(addChip("rangeChip")) {
    setObjectName(QStringLiteral("attemptsView"));
    table().setObjectName(QStringLiteral("attemptsTable"));
    table().setAccessibleName(tr("Attempts, newest first"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    table().setContextMenuPolicy(Qt::CustomContextMenu);
    table().setColumnWidths({16, 12, 10, 10, 8, 17, 6, 6, 11, 12}, AttemptListModel::Error);
    m_range->setRemoveTip(tr("Show attempts of any time"));
    details().clear(
        tr("Choose an attempt to see its event, what was answered and the attempts "
           "before and after it."));

    connect(m_range, &FilterChip::removed, this, [this] { setTimeRange(0, 0); });
    connect(&times, &TimeDisplay::changed, this, [this] {
        showRange();
        showChosen();
    });
    connect(&table(), &QWidget::customContextMenuRequested, this, &AttemptsView::showMenu);
    connect(&table(), &Table::visibleRowsChanged, this, &AttemptsView::fetchAhead);
    connect(this, &ListPage::applyWanted, this, &AttemptsView::applyPending);
    connect(this, &ListPage::detailsOpened, this, &AttemptsView::showChosen);
    connectModel();
    showState();
}

void AttemptsView::connectModel() {
    connect(m_model, &AttemptListModel::pageWanted, this, &AttemptsView::load);
    connect(m_model, &AttemptListModel::rowsAboutToMove, this, &AttemptsView::rememberPlace);
    connect(m_model, &AttemptListModel::rowsMoved, this, &AttemptsView::findPlace);
    auto* selection = table().selectionModel();
    connect(selection, &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_moving) return;
        m_selected.clear();
        for (const QModelIndex& row : table().selectionModel()->selectedRows())
            if (const auto* attempt = m_model->attempt(row.row()))
                m_selected.insert(attempt->position);
    });
    connect(selection, &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_moving) return;
                const auto* attempt = m_model->attempt(current.row());
                m_current = attempt ? *attempt : AttemptRow{};
                showChosen();
            });
}

void AttemptsView::setFilter(const Filter& filter) {
    AttemptScope scope = m_model->scope();
    if (filter == scope.filter) return;
    m_loader.cancel(PageLoader::Channel::counts);
    scope.filter = filter;
    narrow(scope);
}

FilterProgress AttemptsView::filterProgress() const {
    FilterProgress progress;
    const Filter& filter = m_model->scope().filter;
    progress.looking = m_model->isAsking() && !filter.isIndexed(FilterList::attempts);
    progress.ended = m_ended;
    progress.nothing = m_model->isLoaded() && !m_model->isAsking() && m_model->endsAtOldest() &&
                       m_model->rowCount() == 0 && !filter.isEverything();
    const QString found = countText(static_cast<std::uint64_t>(m_model->rowCount()));
    if (progress.looking)
        progress.text = tr("Looks at each attempt: %1 fit so far…").arg(found);
    else if (progress.ended)
        progress.text = tr("Ended; %1 fit so far.").arg(found);
    return progress;
}

void AttemptsView::endLook() {
    m_loader.cancel(PageLoader::Channel::attempts);
    m_model->forgetQuestion();
    m_ended = true;
    showState();
}

void AttemptsView::lookOn() {
    m_ended = false;
    if (m_model->canFetchMore({}))
        m_model->fetchMore({});
    else
        reload();
    showState();
}

void AttemptsView::countRemains(const Filter& filter, Counted counted) {
    countRemainsWith(
        m_loader, filter,
        [](PageReader& reader, const Filter& others) {
            AttemptQuery query;
            query.filter = others;
            return countRows([&] {
                auto page = reader.attempts(query);
                query.before = page.resume;
                return page;
            });
        },
        std::move(counted));
}

bool AttemptsView::countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) {
    if (!m_loader.isOpen()) return false;
    AttemptQuery query;
    query.filter = filter;
    countPages(
        m_loader,
        [query](PageReader& reader) mutable {
            const auto page = reader.attempts(query);
            if (page.resume != 0)
                query.before = page.resume;
            else if (!page.rows.empty())
                query.before = page.rows.back().position;
            const bool stuck = page.resume == 0 && page.rows.empty();
            return CountedPage{page.rows.size(), page.complete || !page.error.empty() || stuck};
        },
        most, std::move(counted));
    return true;
}

QWidget& AttemptsView::focusOfList() {
    return table();
}

QStringList AttemptsView::typesAtHand() const {
    QStringList types;
    for (int row = 0; row < m_model->rowCount(); ++row)
        types << plainLine(m_model->attempt(row)->type);
    types.removeDuplicates();
    return types;
}

std::unique_ptr<RowSource> AttemptsView::allRows() const {
    return attemptRows(m_loader, m_model->scope(), m_engine.snapshot());
}

void AttemptsView::setTimeRange(WallMicros from, WallMicros until) {
    AttemptScope scope = m_model->scope();
    scope.from = from;
    scope.until = until;
    narrow(scope);
    showRange();
}

/// What is chosen stays so where the new scope has it.
void AttemptsView::narrow(const AttemptScope& scope) {
    m_selected.clear();
    m_ended = false;
    if (!contains(scope, m_current, m_engine.snapshot()->at)) m_current = {};
    if (m_current.position != 0) m_selected.insert(m_current.position);
    m_model->setScope(scope);
    showChosen();
    showState();
}

void AttemptsView::showRange() {
    const AttemptScope& scope = m_model->scope();
    m_range->setVisible(scope.from != 0 || scope.until != 0);
    if (!m_range->isHidden()) {
        const QString from = m_times.exactText(scope.from);
        const QString until = m_times.exactText(scope.until);
        const QString zone = m_times.zoneLabel();
        m_range->setText(scope.until == 0  ? tr("Ended from %1 %2").arg(from, zone)
                         : scope.from == 0 ? tr("Ended before %1 %2").arg(until, zone)
                                           : tr("Ended %1 to %2 %3").arg(from, until, zone),
                         kRangeCharacters);
    }
}

void AttemptsView::setFrozen(bool frozen) {
    m_frozen = frozen;
    details().setFrozen(frozen);
    if (!frozen) showSnapshot();
    showState();
}

void AttemptsView::applyPending() {
    if (!m_loader.isOpen() || m_frozen || !isVisible()) return;
    m_toTop = true;
    m_model->reload();
}

void AttemptsView::reload() {
    if (m_loader.isOpen()) m_model->reload();
}

void AttemptsView::load(const AttemptListModel::Request& request) {
    if (request.part == AttemptListModel::Part::newest) {
        const std::uint64_t ended = endedNow();
        m_settled = ended == m_endedAtLoad;
        m_endedAtLoad = ended;
        m_sinceLoad.start();
    }
    m_loader.load(
        PageLoader::Channel::attempts,
        [query = request.query](PageReader& reader) { return reader.attempts(query); },
        [this, request](AttemptPage page) {
            m_model->acceptPage(request, std::move(page));
            if (request.part == AttemptListModel::Part::newest && m_toTop) {
                m_toTop = false;
                table().scrollToTop();
            }
            fetchAhead();
            showState();
        });
}

/// Reads on at the end that the reader comes near to.
void AttemptsView::fetchAhead() {
    if (m_moving || m_ended || !isVisible()) return;
    const auto [first, last] = table().visibleRows();
    if (first < 0) return;
    if (last + kAhead >= m_model->rowCount() && m_model->canFetchMore({})) m_model->fetchMore({});
    if (first < kAhead) m_model->fetchNewer();
}

void AttemptsView::rememberPlace() {
    m_moving = true;
    m_scrolls = table().hasAutoScroll();
    table().setAutoScroll(false);
    const auto* attempt = m_model->attempt(table().visibleRows().first);
    // Whoever is at the top stays there.
    const bool top = table().verticalScrollBar()->value() == 0 && m_model->startsAtNewest();
    m_first = attempt && !top ? attempt->position : 0;
}

/// The first visible row, the selected ones and the current one are what they were before.
void AttemptsView::findPlace() {
    QItemSelection selection;
    for (const std::uint64_t position : m_selected)
        if (const int row = m_model->rowOf(position); row >= 0)
            selection.select(m_model->index(row, 0),
                             m_model->index(row, AttemptListModel::ColumnCount - 1));
    auto* chosen = table().selectionModel();
    chosen->select(selection, QItemSelectionModel::ClearAndSelect);
    const int current = m_current.position == 0 ? -1 : m_model->rowOf(m_current.position);
    chosen->setCurrentIndex(current < 0 ? QModelIndex() : m_model->index(current, 0),
                            QItemSelectionModel::NoUpdate);
    if (const int row = m_first == 0 ? -1 : m_model->rowOf(m_first); row >= 0)
        table().scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtTop);
    table().setAutoScroll(m_scrolls);
    m_moving = false;
}

std::uint64_t AttemptsView::endedNow() const {
    const auto snapshot = m_engine.snapshot();
    const auto scope = destinationOf(m_model->scope().filter);
    std::uint64_t sum = 0;
    for (const auto& destination : snapshot->destinations)
        if (!scope || destination.id == scope)
            sum += destination.attempts;
    return sum;
}

/// Whether an attempt that ends now belongs to what the list is narrowed to.
bool AttemptsView::takesNew() const {
    const AttemptScope& scope = m_model->scope();
    return scope.until == 0 || scope.until > m_engine.snapshot()->at;
}

void AttemptsView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    showSnapshot();
}

void AttemptsView::showSnapshot() {
    if (m_frozen) return;
    m_model->setSnapshot(m_engine.snapshot());
    if (!isVisible()) return;
    if (!m_loader.isBusy(PageLoader::Channel::attempts)) {
        m_model->forgetQuestion();
        // The counter may be a commit ahead of what the reader saw, so the list is read once more
        // when it has come to rest.
        const bool changed = takesNew() && (endedNow() != m_endedAtLoad || !m_settled);
        const bool wanted = !m_ended && (!m_model->isLoaded() || (changed && isIdle()));
        if (wanted && m_model->error().isEmpty() &&
            (!m_sinceLoad.isValid() || m_sinceLoad.hasExpired(kReloadMs)))
            reload();
    }
    if (isDetailsOpen()) details().refresh();
    showState();
}

/// New ones come in by themselves only where they disturb nobody.
bool AttemptsView::isIdle() const {
    return live().mayMove() && m_selected.empty() && m_model->startsAtNewest();
}

void AttemptsView::showState() {
    filterProgressed();
    const int rows = m_model->rowCount();
    const bool whole = m_model->startsAtNewest() && m_model->endsAtOldest();
    if (!m_model->isLoaded() || rows == 0)
        setCount({});
    else if (whole)
        setCount(tr("%Ln attempts", nullptr, rows));
    else
        setCount(m_model->startsAtNewest()
                     ? tr("the newest %Ln attempts; scroll for older ones", nullptr, rows)
                     : tr("%Ln attempts; scroll for newer and older ones", nullptr, rows));
    const std::uint64_t ended = endedNow();
    if (!m_model->error().isEmpty() && rows > 0)
        setPending(tr("Some could not be read · F5 tries again"));
    else if (m_model->isLoaded() && takesNew() && !m_frozen && !isIdle() && ended > m_endedAtLoad)
        setPending(tr("%Ln new · F5", nullptr, plural(ended - m_endedAtLoad)));
    else
        setPending({});
    if (rows == 0) showEmpty();
}

void AttemptsView::showEmpty() {
    const auto snapshot = m_engine.snapshot();
    const AttemptScope& scope = m_model->scope();
    if (!m_loader.isOpen())
        table().setEmptyText(tr("The store is not open"),
                             tr("Attempts are shown once the engine runs."));
    else if (!m_model->error().isEmpty())
        table().setEmptyText(
            tr("The attempts could not be read"),
            tr("%1\nDeliveries are not touched by that. F5 tries again.").arg(m_model->error()));
    else if (!m_model->isLoaded() || m_model->isAsking())
        table().setEmptyText(tr("Loading…"), {});
    else if (scope.from != 0 || scope.until != 0)
        table().setEmptyText(tr("No attempts in this time"),
                             tr("None ended between the two times. Close the chip above the list "
                                "to see attempts of any time."));
    else if (!scope.filter.isEverything())
        table().setEmptyText(tr("No attempt fits the filter"),
                             tr("Change it above, or drop one of its conditions."));
    else if (snapshot->destinations.empty())
        table().setEmptyText(tr("No attempts yet"),
                             tr("There is no destination to send to. Add one with Ctrl+N."));
    else if (snapshot->intake.listening)
        table().setEmptyText(
            tr("No attempts yet"),
            tr("The engine runs and takes events on port %1: the first one that is accepted for a "
               "destination shows here as soon as it was tried.")
                .arg(snapshot->intake.port));
    else
        table().setEmptyText(tr("No attempts yet"),
                             tr("The engine runs, but takes no events: its intake is closed."));
}

void AttemptsView::showChosen() {
    if (m_current.position == 0) {
        setWhy({});
        details().clear(
            tr("Choose an attempt to see its event, what was answered and the "
               "attempts before and after it."));
        return;
    }
    const QString number =
        m_current.life > 1 ? tr("Attempt %1 of life %2").arg(m_current.number).arg(m_current.life)
                           : tr("Attempt %1").arg(m_current.number);
    const QString name = m_model->destinationName(m_current.pointer.destination);
    setWhy(tr("%1 to %2 at %3 %4 (%5): %6 after %7.")
               .arg(number, name, m_times.text(m_current.startedAt), m_times.zoneLabel(),
                    causeText(m_current), resultText(m_current.outcome, m_current.status),
                    durationText(m_current.duration)));
    if (isDetailsOpen()) details().showAttempt(m_current, name);
}

void AttemptsView::showMenu(const QPoint& position) {
    const auto* attempt = m_model->attempt(table().indexAt(position).row());
    if (!attempt) return;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("attemptMenu"));
    menu.addAction(icon(Symbol::info), tr("Details"), this, [this] { setDetailsOpen(true); });
    menu.addAction(icon(Symbol::list), tr("Story of this event…"), this,
                   [this, sequence = attempt->pointer.sequence] { emit eventWanted(sequence); });
    addFilterActions(menu, conditionOf(*attempt, table().indexAt(position).column()), bar());
    table().popUp(menu, position);
}

}  // namespace lanes::ui
