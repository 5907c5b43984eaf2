// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/dead_letters_view.h"

#include "ui/common/event_details.h"
#include "ui/common/filter_menu.h"
#include "ui/common/filter_remains.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/common/window_state.h"
#include "ui/dead_letters/dead_letter_rows.h"
#include "ui/dead_letters/dead_letters_model.h"
#include "ui/dead_letters/groups_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {
constexpr qint64 kReloadMs = 1000;
constexpr qint64 kPauseForTime = 10;
/// Once a second it is looked what became of what is selected: of as many as fit on a screen.
constexpr qint64 kLookMs = 1000;
constexpr std::size_t kLookedAfter = 100;
/// Who was looked at so long ago may have left long before it is seen.
constexpr qint64 kLongAgoMs = 5 * kLookMs;

Departure::Fate fateOf(LaneEventState state) {
    switch (state) {
        case LaneEventState::waiting: return Departure::Fate::rewound;
        case LaneEventState::delivered: return Departure::Fate::delivered;
        case LaneEventState::discarded: return Departure::Fate::discarded;
        case LaneEventState::dead: break;
    }
    return Departure::Fate::unknown;
}
}  // namespace

DeadLettersView::DeadLettersView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                                 TimeDisplay& times, QWidget* parent)
    : ListPage(loader, times, parent),
      m_engine(engine),
      m_commands(commands),
      m_loader(loader),
      m_times(times),
      m_model(new DeadLettersModel(times, this)),
      m_groups(new GroupsPanel(loader, times, [this] { return deadNow(); }, this)),
      m_rewind(new QPushButton(this)),
      m_discard(new QPushButton(this)),
      m_rewindMatching(new QPushButton(this)),
      m_discardMatching(new QPushButton(this)),
      m_note(new QPushButton(tr("Note…"), this)),
      m_edit(new QPushButton(tr("Edit and rewind…"), this)),
      m_selectedChannel(loader.addChannel()) {
    setObjectName(QStringLiteral("deadLettersView"));
    table().setObjectName(QStringLiteral("deadLettersTable"));
    table().setAccessibleName(tr("Dead letters, newest first"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    table().setContextMenuPolicy(Qt::CustomContextMenu);
    table().setColumnWidths({16, 10, 9, 14, 8, 7, 13, 18, 14, 9, 12},
                            DeadLettersModel::Reason);
    details().clear(
        tr("Choose a dead letter to see why it was given up, its attempts and its body."));

    m_rewind->setObjectName(QStringLiteral("rewindButton"));
    m_rewind->setIcon(icon(Symbol::rewind));
    m_rewind->setToolTip(tr("Return the selected events to their lanes (F8)"));
    m_discard->setObjectName(QStringLiteral("discardButton"));
    m_discard->setIcon(icon(Symbol::discard));
    m_rewindMatching->setObjectName(QStringLiteral("rewindMatchingButton"));
    m_rewindMatching->setIcon(icon(Symbol::rewind));
    m_rewindMatching->setToolTip(
        tr("Return all that match the filter to their lanes (Shift+F8)"));
    m_discardMatching->setObjectName(QStringLiteral("discardMatchingButton"));
    m_discardMatching->setIcon(icon(Symbol::discard));
    m_note->setObjectName(QStringLiteral("noteButton"));
    m_note->setIcon(icon(Symbol::note));
    m_note->setToolTip(tr("Put a note on the selected dead letters (Ctrl+M)"));
    details().acts().insertWidget(0, m_note);
    connect(m_note, &QPushButton::clicked, this, &DeadLettersView::noteSelected);
    m_edit->setObjectName(QStringLiteral("editButton"));
    m_edit->setIcon(icon(Symbol::edit));
    details().acts().insertWidget(1, m_edit);
    connect(m_edit, &QPushButton::clicked, this, &DeadLettersView::editSelected);
    addSide(*m_groups, tr("Groups"), icon(Symbol::group),
            tr("What the dead letters have in common, counted by error, type, user or hour"));
    for (auto* button : {m_rewind, m_discard, m_rewindMatching, m_discardMatching})
        strip().insertWidget(strip().count() - 1, button);
    connect(m_rewindMatching, &QPushButton::clicked, this, &DeadLettersView::rewindMatching);
    connect(m_discardMatching, &QPushButton::clicked, this, &DeadLettersView::discardMatching);
    connect(m_rewind, &QPushButton::clicked, this, &DeadLettersView::rewindSelected);
    connect(m_discard, &QPushButton::clicked, this, &DeadLettersView::discardSelected);
    connect(&table(), &QWidget::customContextMenuRequested, this, &DeadLettersView::showMenu);
    connect(this, &ListPage::applyWanted, this, &DeadLettersView::applyPending);
    connect(this, &ListPage::detailsOpened, this, &DeadLettersView::showChosen);
    connect(m_groups, &GroupsPanel::groupChosen, this, &DeadLettersView::narrow);
    connect(m_groups, &GroupsPanel::noteWanted, this, &DeadLettersView::noteMatching);
    m_groups->setSnapshot(engine.snapshot());
    connectModel();
    showSelection();
    showState();
}

void DeadLettersView::connectModel() {
    connect(m_model, &DeadLettersModel::pageWanted, this, &DeadLettersView::load);
    connect(m_model, &DeadLettersModel::reloaded, this, &DeadLettersView::selectAgain);
    // The model forgets rows of another scope: what was selected there must not be acted on.
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_restoring = true; });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { m_restoring = false; });
    auto* selection = table().selectionModel();
    connect(selection, &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_restoring) showSelection();
    });
    connect(selection, &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_restoring) return;
                const auto* letter = m_model->letter(current.row());
                m_current = letter ? letter->pointer : Pointer{};
                showChosen();
            });
}

void DeadLettersView::setFilter(const Filter& filter) {
    if (filter == m_model->filter()) return;
    m_loader.cancel(PageLoader::Channel::counts);
    m_selected.clear();
    m_current = {};
    m_model->keep({});
    m_model->setFilter(filter);
    m_groups->setFilter(m_model->wanted());
    showSelection();
    showState();
}

FilterProgress DeadLettersView::filterProgress() const {
    FilterProgress progress;
    progress.looking = m_model->isLooking();
    progress.ended = m_model->isEnded();
    progress.nothing = m_model->isLoaded() && m_model->isComplete() && m_model->rowCount() == 0 &&
                       !m_model->filter().isEverything();
    const auto back = m_model->lookedBackTo();
    const QString found = countText(static_cast<std::uint64_t>(m_model->living()));
    const QString when = back == 0 ? tr("now") : m_times.text(back);
    if (progress.looking)
        progress.text = tr("Looks at each dead letter: back to %1 %2 so far, %3 fit…")
                            .arg(when, m_times.zoneLabel(), found);
    else if (progress.ended)
        progress.text = tr("Ended at those that died at %1 %2; %3 fit so far.")
                            .arg(when, m_times.zoneLabel(), found);
    return progress;
}

void DeadLettersView::endLook() {
    m_loader.cancel(PageLoader::Channel::deadLetters);
    m_model->endLook();
    showState();
}

void DeadLettersView::lookOn() {
    readAgain();
    showState();
}

void DeadLettersView::countRemains(const Filter& filter, Counted counted) {
    countRemainsWith(
        m_loader, filter,
        [](PageReader& reader, const Filter& others) {
            DeadLetterQuery query;
            query.filter.rest = others;
            return countRows([&] {
                auto page = reader.deadLetters(query);
                query.after = page.resume;
                return page;
            });
        },
        std::move(counted));
}

bool DeadLettersView::countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) {
    if (!m_loader.isOpen()) return false;
    DeadLetterQuery query;
    query.filter.rest = filter;
    countPages(
        m_loader,
        [query](PageReader& reader) mutable {
            const auto page = reader.deadLetters(query);
            const bool last = page.complete || !page.error.empty() || !page.resume;
            query.after = page.resume;
            return CountedPage{page.rows.size(), last};
        },
        most, std::move(counted));
    return true;
}

QWidget& DeadLettersView::focusOfList() {
    return table();
}

QStringList DeadLettersView::typesAtHand() const {
    return m_model->types();
}

std::unique_ptr<RowSource> DeadLettersView::allRows() const {
    return deadLetterRows(m_loader, m_model->wanted(), m_engine.snapshot(),
                          isDestinationOnly(m_model->filter()) ? deadNow() : 0);
}

void DeadLettersView::saveGroups(QSettings& settings) const {
    saveColumns(settings, *m_groups->table().horizontalHeader());
    m_groups->saveGrouping(settings);
}

void DeadLettersView::restoreGroups(QSettings& settings) {
    restoreColumns(settings, *m_groups->table().horizontalHeader());
    m_groups->restoreGrouping(settings);
}

void DeadLettersView::setFrozen(bool frozen) {
    m_frozen = frozen;
    details().setFrozen(frozen);
    m_groups->setFrozen(frozen);
    if (!frozen) showSnapshot();
}

void DeadLettersView::applyPending() {
    // Nobody is kept back, not even who is not known yet to have left.
    m_applying = m_loader.isOpen();
    m_model->keep({});
    m_model->dismissGhosts();
    showSelection();
    reload();
}

void DeadLettersView::reload() {
    readAgain();
    m_groups->refresh();
}

/// Without the groups, which wait until they are asked for.
void DeadLettersView::readAgain() {
    if (m_loader.isOpen()) m_model->reload();
}

/// What stands in the filter already is not said again.
std::optional<Filter> DeadLettersView::narrowed(const std::vector<Filter>& conditions) const {
    auto parts = m_model->filter().conditions();
    for (const auto& condition : conditions)
        if (std::find(parts.begin(), parts.end(), condition) == parts.end())
            parts.push_back(condition);
    return Filter::allOf(parts);
}

void DeadLettersView::narrow(const std::vector<Filter>& conditions) {
    const auto filter = narrowed(conditions);
    if (!filter) return emit failed(tr("The filter has as many conditions as it can have."));
    if (bar().wishedOnly)
        bar().wishedOnly(*filter);
    else
        setFilter(*filter);
}

void DeadLettersView::load(const DeadLetterQuery& query) {
    if (!query.after) {
        m_deadAtLoad = deadNow();
        m_sinceLoad.start();
    }
    m_loader.load(
        PageLoader::Channel::deadLetters,
        [query](PageReader& reader) { return reader.deadLetters(query); },
        [this, query](DeadLetterPage page) {
            m_model->acceptPage(query, std::move(page));
            if (!m_model->isLooking()) m_loadMs = m_sinceLoad.elapsed();
            showState();
        });
}

std::uint64_t DeadLettersView::deadNow() const {
    const auto snapshot = m_engine.snapshot();
    const auto scope = destinationOf(m_model->filter());
    if (!scope) return snapshot->totals.dead;
    const auto* found = snapshot->find(scope);
    return found ? found->counters.dead : 0;
}

void DeadLettersView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    showSnapshot();
}

void DeadLettersView::showSnapshot() {
    if (m_frozen) return;
    m_model->setSnapshot(m_engine.snapshot());
    m_groups->setSnapshot(m_engine.snapshot());
    countNewcomers();
    if (!isVisible()) return;
    lookAfterSelected();
    showEdit();  // settings may have changed
    // New deaths come in by themselves only where they disturb nobody.
    const bool idle = m_selected.empty() && live().mayMove();
    const std::uint64_t dead = deadNow();
    const auto rows = static_cast<std::uint64_t>(m_model->living());
    // The counter may be a commit ahead of what the reader saw: a whole list has as many rows as
    // are counted, else it is read again, but not more often than once a second.
    const bool counted = isDestinationOnly(m_model->filter());
    const bool behind =
        counted && m_model->isComplete() && rows != dead && m_sinceLoad.hasExpired(kReloadMs);
    const bool changed = dead != m_deadAtLoad || !m_model->isLoaded() || behind;
    const bool empty = m_model->rowCount() == 0;
    // What takes long to be read is read again less often, and what the reader ended stays ended.
    const bool due = m_sinceLoad.hasExpired(std::max(kReloadMs, kPauseForTime * m_loadMs));
    const bool may = !m_model->isEnded() && (counted || due);
    const bool free = !m_loader.isBusy(PageLoader::Channel::deadLetters);
    if (may && changed && (idle || empty) && free) readAgain();
    showState();
}

void DeadLettersView::showState() {
    const std::uint64_t dead = deadNow();
    setCount(countWords());
    showMatching();
    filterProgressed();
    const bool waiting = m_model->isLoaded() && dead != m_deadAtLoad && !m_frozen;
    if (!waiting)
        setPending({});
    else if (dead > m_deadAtLoad)
        setPending(tr("%Ln new · F5", nullptr, static_cast<int>(dead - m_deadAtLoad)));
    else
        setPending(tr("%Ln gone · F5", nullptr, static_cast<int>(m_deadAtLoad - dead)));
    fitStrip();
    if (m_model->rowCount() == 0) showEmpty();
}

QString DeadLettersView::countWords() const {
    QString count;
    if (isDestinationOnly(m_model->filter())) {
        const std::uint64_t dead = deadNow();
        count = dead == 1 ? tr("one dead letter") : tr("%1 dead letters").arg(countText(dead));
    } else {
        const QString matching = matchingCount();
        count = matching.isEmpty() ? tr("none fits")
                                   : tr("%1 of %2 fit").arg(matching, countText(deadNow()));
    }
    if (m_model->rowCount() >= static_cast<int>(DeadLettersModel::kMostRows))
        count += tr(" · the newest %1 are listed").arg(countText(DeadLettersModel::kMostRows));
    return count;
}

QString DeadLettersView::matchingCount() const {
    const auto rows = static_cast<std::uint64_t>(m_model->living());
    if (isDestinationOnly(m_model->filter()))
        return deadNow() == 0 ? QString() : countText(deadNow());
    if (m_model->isComplete() || !m_model->isLoaded())
        return rows == 0 ? QString() : countText(rows);
    return tr("%1 or more").arg(countText(rows));
}

void DeadLettersView::showMatching() {
    const QString count = matchingCount();
    const bool any = !count.isEmpty() && m_loader.isOpen();
    m_rewindMatching->setText(any ? tr("Rewind all matching (%1)…").arg(count)
                                  : tr("Rewind all matching…"));
    m_discardMatchingWords =
        any ? tr("Discard all matching (%1)…").arg(count) : tr("Discard all matching…");
    fitStrip();
    m_rewindMatching->setEnabled(any);
    m_discardMatching->setEnabled(any);
    emit matchingChanged();
}

/// Where not all words have room, what gives up goes without them: its icon and its tooltip say
/// enough, and it is not what most people come for.
void DeadLettersView::fitStrip() {
    const QString present =
        QStringLiteral("%1 %2 %3 %4 %5 %6")
            .arg(m_discardWords, m_discardMatchingWords, m_rewind->text(),
                 m_rewindMatching->text(), pendingText())
            .arg(width());
    if (present == m_fitted) return;
    m_fitted = present;
    const auto say = [](QPushButton& button, const QString& words) {
        button.setText(words);
        button.setAccessibleName(words);
    };
    say(*m_discard, m_discardWords);
    say(*m_discardMatching, m_discardMatchingWords);
    m_discard->setToolTip(tr("Give the selected events up for good"));
    m_discardMatching->setToolTip(tr("Give all that match the filter up for good"));
    if (strip().minimumSize().width() <= width()) return;
    for (auto* button : {m_discard, m_discardMatching}) {
        button->setToolTip(button->text() + QLatin1Char('\n') + button->toolTip());
        button->setText({});
    }
}

void DeadLettersView::resizeEvent(QResizeEvent* event) {
    ListPage::resizeEvent(event);
    fitStrip();
}

void DeadLettersView::showEmpty() {
    const auto snapshot = m_engine.snapshot();
    const std::uint64_t dead = deadNow();
    if (!m_loader.isOpen()) {
        table().setEmptyText(tr("The store is not open"),
                             tr("Dead letters are shown once the engine runs."));
        return;
    }
    if (filterProgress().nothing && dead > 0) {
        table().setEmptyText(tr("No dead letter fits the filter"),
                             tr("It hides %1 dead letters.").arg(countText(dead)));
        return;
    }
    if (filterProgress().ended) {
        table().setEmptyText(tr("Nothing was found so far"), filterProgress().text);
        return;
    }
    if (!m_model->isLoaded() || dead > 0) {
        table().setEmptyText(tr("Loading…"), {});
        return;
    }
    Micros window = 72 * kHour;
    if (const auto* scope = snapshot->find(destinationOf(m_model->filter())))
        window = scope->window;
    table().setEmptyText(
        tr("No dead letters"),
        tr("No event has failed for as long as its retry window (%1). Those that do are kept here "
           "with their attempts, and can be rewound into their lanes.")
            .arg(durationText(window)));
}

std::vector<DeadLetterRow> DeadLettersView::selectedLetters() const {
    std::vector<DeadLetterRow> letters;
    const auto rows = table().selectionModel()->selectedRows();
    letters.reserve(static_cast<std::size_t>(rows.size()));
    for (const QModelIndex& row : rows)
        if (const auto* letter = m_model->letter(row.row());
            letter && !m_model->departure(letter->pointer))
            letters.push_back(*letter);
    return letters;
}

std::size_t DeadLettersView::selectedCount() const {
    return static_cast<std::size_t>(
        std::count_if(m_selected.begin(), m_selected.end(),
                      [this](const Pointer& pointer) { return !m_model->departure(pointer); }));
}

void DeadLettersView::showSelection() {
    m_selected.clear();
    for (const QModelIndex& row : table().selectionModel()->selectedRows())
        if (const auto* letter = m_model->letter(row.row())) m_selected.insert(letter->pointer);
    m_model->keep(m_applying ? std::set<Pointer>() : m_selected);
    // Not at once: whoever selects is not done with the rows.
    QMetaObject::invokeMethod(m_model, &DeadLettersModel::dismissGhosts, Qt::QueuedConnection);
    const std::size_t count = selectedCount();
    m_rewind->setText(count == 0 ? tr("Rewind selected")
                                 : tr("Rewind selected (%1)").arg(countText(count)));
    m_discardWords = count == 0 ? tr("Discard…") : tr("Discard (%1)…").arg(countText(count));
    m_rewind->setEnabled(count > 0);
    m_discard->setEnabled(count > 0);
    m_note->setEnabled(count > 0);
    fitStrip();
    showEdit();
    emit selectionChanged(count);
}

/// What is selected may be rewound or discarded elsewhere; then it is said what became of it.
void DeadLettersView::lookAfterSelected() {
    const std::uint64_t commits = m_engine.snapshot()->store.commits;
    const bool due = !m_sinceLook.isValid() || m_sinceLook.hasExpired(kLookMs);
    if (m_selected.empty() || !due || commits == m_commitsAtLook) return;
    if (!m_loader.isOpen() || m_loader.isBusy(m_selectedChannel)) return;
    std::vector<LaneEventQuery> questions;
    for (const Pointer& pointer : m_selected) {
        const auto* departure = m_model->departure(pointer);
        const auto* letter = m_model->letter(m_model->rowOf(pointer));
        if (!letter || (departure && departure->fate != Departure::Fate::unknown)) continue;
        LaneEventQuery question;
        question.lane = {pointer.destination, letter->userId};
        question.after = Sequence(pointer.sequence.value - 1);
        question.limit = 1;
        questions.push_back(question);
        if (questions.size() == kLookedAfter) break;
    }
    const bool before = m_sinceLook.isValid() && m_sinceLook.hasExpired(kLongAgoMs);
    m_sinceLook.start();
    m_commitsAtLook = commits;
    using Left = std::vector<std::pair<Pointer, LaneEventState>>;
    m_loader.load(
        m_selectedChannel,
        [questions = std::move(questions)](PageReader& reader) {
            Left left;
            for (const auto& question : questions)
                for (const auto& row : reader.laneEvents(question).rows)
                    if (row.sequence.value == question.after.value + 1 &&
                        row.state != LaneEventState::dead)
                        left.emplace_back(Pointer{question.lane.destination, row.sequence},
                                          row.state);
            return left;
        },
        [this, before](const Left& left) {
            for (const auto& [pointer, state] : left)
                m_model->depart({pointer}, {fateOf(state), m_engine.snapshot()->at, before});
            if (left.empty()) return;
            showSelection();
            showChosen();
        });
}

void DeadLettersView::selectAgain() {
    m_applying = false;
    QItemSelection selection;
    const int last = DeadLettersModel::ColumnCount - 1;
    for (const Pointer& pointer : m_selected)
        if (const int row = m_model->rowOf(pointer); row >= 0)
            selection.select(m_model->index(row, 0), m_model->index(row, last));
    {
        const QScopedValueRollback<bool> restoring(m_restoring, true);
        auto* model = table().selectionModel();
        model->select(selection, QItemSelectionModel::ClearAndSelect);
        if (const int row = m_model->rowOf(m_current); row >= 0)
            model->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
    }
    // What is known of it may have changed; who is gone stays to be read.
    if (m_model->rowOf(m_current) >= 0) showChosen();
    showSelection();
}

void DeadLettersView::showChosen() {
    const auto* letter = m_model->letter(m_model->rowOf(m_current));
    if (!letter) {
        setWhy({});
        details().clear(
            tr("Choose a dead letter to see why it was given up, its attempts and its body."));
        return;
    }
    if (const auto* departure = m_model->departure(letter->pointer)) {
        details().setNote({});
        setWhy(tr("No dead letter any more: %1 %2. It stands here until something else is "
                  "selected, or F5.")
                   .arg(departureText(*departure, m_times), m_times.zoneLabel()));
        if (isDetailsOpen())
            details().showPointer(letter->pointer,
                                  m_model->destinationName(letter->pointer.destination));
        return;
    }
    const QString reason = plainLine(letter->reason);
    const QString result = letter->attempts == 0
                               ? tr("never tried")
                               : resultText(letter->lastOutcome, letter->lastStatus);
    details().setNote(letter->note.text.empty()
                          ? QString()
                          : tr("Note by %1, %2 %3: %4")
                                .arg(plainLine(letter->note.by), m_times.text(letter->note.at),
                                     m_times.zoneLabel(),
                                     QString::fromStdString(letter->note.text)));
    const QString attempts = letter->attempts == 1
                                 ? tr("one attempt")
                                 : tr("%1 attempts").arg(countText(letter->attempts));
    setWhy(tr("Given up at %1 %2 after %3: %4 (last result: %5).")
               .arg(m_times.text(letter->diedAt), m_times.zoneLabel(), attempts, reason, result));
    if (isDetailsOpen())
        details().showPointer(letter->pointer,
                              m_model->destinationName(letter->pointer.destination));
}

}  // namespace lanes::ui
