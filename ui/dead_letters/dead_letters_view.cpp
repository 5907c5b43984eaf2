// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/dead_letters_view.h"

#include "ui/common/command_tracker.h"
#include "ui/common/event_details.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/dead_letters/dead_letters_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {
constexpr qint64 kReloadMs = 1000;
}  // namespace

DeadLettersView::DeadLettersView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                                 TimeDisplay& times, QWidget* parent)
    : ListPage(loader, times, parent),
      m_engine(engine),
      m_commands(commands),
      m_loader(loader),
      m_times(times),
      m_model(new DeadLettersModel(times, this)),
      m_rewind(new QPushButton(this)),
      m_discard(new QPushButton(this)) {
    setObjectName(QStringLiteral("deadLettersView"));
    table().setObjectName(QStringLiteral("deadLettersTable"));
    table().setAccessibleName(tr("Dead letters, newest first"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    table().setContextMenuPolicy(Qt::CustomContextMenu);
    table().setColumnWidths({13, 10, 9, 14, 8, 7, 11, 12, 9, 9}, DeadLettersModel::Reason);
    details().clear(
        tr("Choose a dead letter to see why it was given up, its attempts and its body."));

    m_rewind->setObjectName(QStringLiteral("rewindButton"));
    m_rewind->setIcon(icon(Symbol::rewind));
    m_rewind->setToolTip(tr("Return the selected events to their lanes (F8)"));
    m_discard->setObjectName(QStringLiteral("discardButton"));
    m_discard->setIcon(icon(Symbol::discard));
    m_discard->setToolTip(tr("Give the selected events up for good"));
    strip().insertWidget(strip().count() - 1, m_rewind);
    strip().insertWidget(strip().count() - 1, m_discard);
    connect(m_rewind, &QPushButton::clicked, this, &DeadLettersView::rewindSelected);
    connect(m_discard, &QPushButton::clicked, this, &DeadLettersView::discardSelected);
    connect(&table(), &QWidget::customContextMenuRequested, this, &DeadLettersView::showMenu);
    connect(this, &ListPage::applyWanted, this, &DeadLettersView::applyPending);
    connect(this, &ListPage::filterRemoved, this, [this] { emit scopeWanted(DestinationId{}); });
    connect(this, &ListPage::detailsOpened, this, &DeadLettersView::showChosen);
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

void DeadLettersView::setScope(DestinationId destination) {
    const auto* found = m_engine.snapshot()->find(destination);
    setFilter(found ? plainLine(found->name) : QString());
    if (destination == m_model->scope()) return;
    m_selected.clear();
    m_current = {};
    m_model->setScope(destination);
    showSelection();
    showState();
}

void DeadLettersView::setFrozen(bool frozen) {
    m_frozen = frozen;
    details().setFrozen(frozen);
    if (!frozen) showSnapshot();
}

void DeadLettersView::applyPending() {
    reload();
}

void DeadLettersView::reload() {
    if (m_loader.isOpen()) m_model->reload();
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
            showState();
        });
}

std::uint64_t DeadLettersView::deadNow() const {
    const auto snapshot = m_engine.snapshot();
    if (!m_model->scope()) return snapshot->totals.dead;
    const auto* found = snapshot->find(m_model->scope());
    return found ? found->counters.dead : 0;
}

void DeadLettersView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    showSnapshot();
}

void DeadLettersView::showSnapshot() {
    if (m_frozen) return;
    m_model->setSnapshot(m_engine.snapshot());
    if (!isVisible()) return;
    // New deaths come in by themselves only where they disturb nobody: at the top, with nothing
    // selected and the pointer elsewhere.
    const bool idle =
        m_selected.empty() && !table().isUnderHand() && table().verticalScrollBar()->value() == 0;
    const std::uint64_t dead = deadNow();
    const auto rows = static_cast<std::uint64_t>(m_model->rowCount());
    // The counter may be a commit ahead of what the reader saw: a whole list has as many rows as
    // are counted, else it is read again, but not more often than once a second.
    const bool behind = m_model->isComplete() && rows != dead && m_sinceLoad.hasExpired(kReloadMs);
    const bool changed = dead != m_deadAtLoad || !m_model->isLoaded() || behind;
    const bool empty = m_model->rowCount() == 0;
    if (changed && (idle || empty) && !m_loader.isBusy(PageLoader::Channel::deadLetters)) reload();
    showState();
}

void DeadLettersView::showState() {
    const std::uint64_t dead = deadNow();
    QString count = dead == 1 ? tr("one dead letter") : tr("%1 dead letters").arg(countText(dead));
    if (m_model->rowCount() >= static_cast<int>(DeadLettersModel::kMostRows))
        count += tr(" · the newest %1 are listed").arg(countText(DeadLettersModel::kMostRows));
    setCount(count);
    const bool waiting = m_model->isLoaded() && dead != m_deadAtLoad && !m_frozen;
    if (!waiting)
        setPending({});
    else if (dead > m_deadAtLoad)
        setPending(tr("%Ln new · F5", nullptr, static_cast<int>(dead - m_deadAtLoad)));
    else
        setPending(tr("%Ln gone · F5", nullptr, static_cast<int>(m_deadAtLoad - dead)));
    if (m_model->rowCount() > 0) return;
    const auto snapshot = m_engine.snapshot();
    if (!m_loader.isOpen()) {
        table().setEmptyText(tr("The store is not open"),
                             tr("Dead letters are shown once the engine runs."));
        return;
    }
    if (!m_model->isLoaded() || dead > 0) {
        table().setEmptyText(tr("Loading…"), {});
        return;
    }
    Micros window = 72 * kHour;
    if (const auto* scope = snapshot->find(m_model->scope())) window = scope->window;
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
        if (const auto* letter = m_model->letter(row.row())) letters.push_back(*letter);
    return letters;
}

std::size_t DeadLettersView::selectedCount() const {
    return m_selected.size();
}

void DeadLettersView::showSelection() {
    m_selected.clear();
    for (const QModelIndex& row : table().selectionModel()->selectedRows())
        if (const auto* letter = m_model->letter(row.row())) m_selected.insert(letter->pointer);
    const std::size_t count = m_selected.size();
    m_rewind->setText(count == 0 ? tr("Rewind selected")
                                 : tr("Rewind selected (%1)").arg(countText(count)));
    m_discard->setText(count == 0 ? tr("Discard…") : tr("Discard (%1)…").arg(countText(count)));
    m_rewind->setEnabled(count > 0);
    m_discard->setEnabled(count > 0);
    emit selectionChanged(count);
}

void DeadLettersView::selectAgain() {
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
    const QString reason = plainLine(letter->reason);
    const QString result = letter->attempts == 0
                               ? tr("never tried")
                               : resultText(letter->lastOutcome, letter->lastStatus);
    const QString attempts = letter->attempts == 1
                                 ? tr("one attempt")
                                 : tr("%1 attempts").arg(countText(letter->attempts));
    setWhy(tr("Given up at %1 %2 after %3: %4 (last result: %5).")
               .arg(m_times.text(letter->diedAt), m_times.zoneLabel(), attempts, reason, result));
    if (isDetailsOpen())
        details().showPointer(letter->pointer,
                              m_model->destinationName(letter->pointer.destination));
}

void DeadLettersView::rewindSelected() {
    ask(RewindDialog::Act::rewind);
}

void DeadLettersView::discardSelected() {
    ask(RewindDialog::Act::discard);
}

void DeadLettersView::ask(RewindDialog::Act act) {
    // Frozen here: what dies, moves or is selected later is not part of it.
    const auto letters = selectedLetters();
    if (letters.empty()) return;
    auto* dialog = new RewindDialog(act, letters, *m_engine.snapshot(), this);
    m_loader.load(
        PageLoader::Channel::plan,
        [pointers = dialog->pointers()](PageReader& reader) { return reader.planRewind(pointers); },
        [dialog = QPointer<RewindDialog>(dialog)](const RewindPlan& plan) {
            if (dialog) dialog->showPlan(plan);
        });
    open(dialog, act, {});
}

void DeadLettersView::open(RewindDialog* dialog, RewindDialog::Act act, const std::string& scope) {
    table().setMenuOpen(true);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, act, dialog, scope] { submit(act, *dialog, scope); });
    connect(dialog, &QDialog::finished, this, [this] {
        m_loader.cancel(PageLoader::Channel::plan);
        table().setMenuOpen(false);
    });
    dialog->open();
}

void DeadLettersView::rewindPointers(const std::vector<Pointer>& pointers,
                                     const std::string& scope) {
    m_loader.load(
        PageLoader::Channel::plan,
        [pointers](PageReader& reader) { return reader.planRewind(pointers); },
        [this, scope](const RewindPlan& plan) {
            if (!plan.error.empty())
                return emit failed(
                    tr("What a rewind would do is not known: %1").arg(plainLine(plan.error)));
            if (plan.pointers.empty())
                return emit failed(tr("None of them is a dead letter any more."));
            const auto act = RewindDialog::Act::rewind;
            open(new RewindDialog(act, plan, *m_engine.snapshot(), this), act, scope);
        });
}

void DeadLettersView::submit(RewindDialog::Act act, const RewindDialog& dialog,
                             const std::string& scope) {
    const auto& pointers = dialog.pointers();
    const std::set<Pointer> asked(pointers.begin(), pointers.end());
    const auto answer = [this, act, asked](const CommandResult& result) {
        moved(act, asked, result);
    };
    if (act == RewindDialog::Act::rewind)
        m_commands.submit(
            RewindDeadLetters{pointers, operatorName(), dialog.reason(), dialog.pace(), scope},
            this, answer);
    else
        m_commands.submit(DiscardDeadLetters{pointers, operatorName(), dialog.reason(), scope},
                          this, answer);
}

void DeadLettersView::moved(RewindDialog::Act act, const std::set<Pointer>& asked,
                            const CommandResult& result) {
    const bool rewind = act == RewindDialog::Act::rewind;
    if (!result.ok()) {
        emit failed((rewind ? tr("Nothing was rewound: %1") : tr("Nothing was discarded: %1"))
                        .arg(plainLine(result.error)));
        return;
    }
    if (result.underWay) {
        emit succeeded(tr("%1 are on their way back into their lanes; the list gets shorter as "
                          "they move. Ctrl+Z returns those that were not tried yet.")
                           .arg(result.asked == 1 ? tr("1 event")
                                                  : tr("%1 events").arg(countText(result.asked))));
    } else {
        // Moved or skipped: none of them is a dead letter any more.
        m_model->remove(asked);
        showSelection();
        m_deadAtLoad = deadNow();
        const QString skipped =
            result.skipped == 0
                ? tr("none skipped")
                : tr("%1 skipped: no dead letters any more").arg(countText(result.skipped));
        emit succeeded((rewind ? tr("%1 moved back into their lanes, %2. They are delivered as "
                                    "their destinations allow; Ctrl+Z returns those that were not "
                                    "tried yet.")
                               : tr("%1 discarded, %2."))
                           .arg(countText(result.done), skipped));
    }
    if (rewind) emit rewound(result.operation);
    reload();
}

void DeadLettersView::showMenu(const QPoint& position) {
    const auto* letter = m_model->letter(table().indexAt(position).row());
    if (!letter) return;
    const DestinationId destination = letter->pointer.destination;
    const QString name = m_model->destinationName(destination).replace(u'&', QStringLiteral("&&"));
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("deadLetterMenu"));
    const std::size_t count = m_selected.size();
    menu.addAction(icon(Symbol::rewind), actText(RewindDialog::Act::rewind, count) + QChar(0x2026),
                   this, &DeadLettersView::rewindSelected);
    menu.addAction(icon(Symbol::discard),
                   actText(RewindDialog::Act::discard, count) + QChar(0x2026), this,
                   &DeadLettersView::discardSelected);
    menu.addSeparator();
    menu.addAction(icon(Symbol::info), tr("Details"), this, [this] { setDetailsOpen(true); });
    menu.addAction(icon(Symbol::filter), tr("Only dead letters of %1").arg(name), this,
                   [this, destination] { emit scopeWanted(destination); });
    table().setMenuOpen(true);
    menu.exec(table().viewport()->mapToGlobal(position));
    table().setMenuOpen(false);
}

}  // namespace lanes::ui
