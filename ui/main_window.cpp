// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/attempts/attempts_view.h"
#include "ui/backup_action.h"
#include "ui/common/command_tracker.h"
#include "ui/common/filter_bar.h"
#include "ui/common/filter_menu.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/message_bar.h"
#include "ui/common/page_loader.h"
#include "ui/common/row_source.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/dead_letters/dead_letters_view.h"
#include "ui/destinations/destinations_dock.h"
#include "ui/diagnostics_text.h"
#include "ui/exports/export_bar.h"
#include "ui/health/health_dock.h"
#include "ui/imports/import_bar.h"
#include "ui/lanes/lane_window.h"
#include "ui/lanes/lanes_view.h"
#include "ui/life_page.h"
#include "ui/overview/alerts_model.h"
#include "ui/overview/overview_view.h"
#include "ui/operations/operation_words.h"
#include "ui/operations/operations_view.h"
#include "ui/quarantine/quarantine_view.h"
#include "ui/search/go_to_dialog.h"
#include "ui/search/story_window.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/sources_dialog.h"
#include "ui/status_strip.h"
#include "ui/tray_notes.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMessageBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>

namespace lanes::ui {

namespace {

/// How often the age of the data is shown.
constexpr int kAgeMs = 500;

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
    return a > b ? a - b : b - a;
}

}  // namespace

MainWindow::MainWindow(Engine& engine, MockControl* mocks, QWidget* parent)
    : QMainWindow(parent),
      m_engine(engine),
      m_mocks(mocks),
      m_times(new TimeDisplay(this)),
      m_loader(new PageLoader(this)),
      m_commands(new CommandTracker(engine, this)),
      m_ageTimer(new QTimer(this)),
      m_layouts(mocks ? QStringLiteral("demonstration") : QString()) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(mocks ? tr("Rivora Lanes: demonstration") : tr("Rivora Lanes"));
    setWindowIcon(applicationIcon());
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    m_clock.start();
    buildActions();
    buildCentre();
    buildDocks();
    buildMenus();
    buildToolbar();
    m_status = new StatusStrip(*statusBar());
    connectParts();
    restoreLayout();
    m_ageTimer->setInterval(kAgeMs);
    m_ageTimer->start();
    showSnapshot();
}

MainWindow::~MainWindow() {
    delete m_filter;  // it knows the lists
    // Parts refer to the loader and the time display, which are children too: parts go first.
    qDeleteAll(findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly));
    const auto docks = findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
    qDeleteAll(docks);
    delete takeCentralWidget();
}

bool MainWindow::grabTo(const QString& file) {
    return grab().save(file);
}

void MainWindow::releaseStore() {
    m_loader->setReader(nullptr);
}

void MainWindow::setScope(DestinationId destination) {
    if (!m_engine.snapshot()->find(destination)) destination = {};
    m_filter->setDestination(destination);
    destinationChosen(destination);
}

/// What the filter says, for everything that is no list.
void MainWindow::destinationChosen(DestinationId destination) {
    m_scope = destination;
    m_destinations->setScope(destination);
    m_health->setDestination(destination);
    showActions();
    showTabTitles();
}

/// A stretch of the graphs as conditions that can be seen and changed.
void MainWindow::narrowToTime(FilteredList& list, DestinationId destination, FilterField field,
                              WallMicros from, WallMicros until) {
    std::vector<Filter> conditions;
    if (destination)
        conditions.push_back(
            numberIs(FilterField::destination, std::int64_t{destination.value}));
    conditions.push_back(timeIs(field, from, until));
    setScope(destination);
    if (const auto filter = Filter::allOf(conditions)) m_filter->narrow(list, *filter);
}

void MainWindow::showOverview() {
    m_tabs->setCurrentWidget(m_overview);
}

void MainWindow::showLanes() {
    m_tabs->setCurrentWidget(m_lanes);
}

void MainWindow::showDeadLetters() {
    m_tabs->setCurrentWidget(m_deadLetters);
}

void MainWindow::showAttempts() {
    m_tabs->setCurrentWidget(m_attempts);
}

void MainWindow::showOperations() {
    m_tabs->setCurrentWidget(m_operations);
}

void MainWindow::showQuarantine() {
    m_tabs->setCurrentWidget(m_quarantine);
}

void MainWindow::openLane(LaneKey lane, const UserKey& user) {
    for (auto* open : findChildren<LaneWindow*>()) {
        if (open->lane() != lane) continue;
        open->raise();
        open->activateWindow();
        return;
    }
    auto* window = new LaneWindow(m_engine, *m_commands, *m_loader, *m_times, lane, user, this);
    connect(window, &LaneWindow::succeeded, m_messageBar, [this](const QString& text) {
        m_messageBar->showMessage(MessageBar::Kind::success, text);
    });
    connect(window, &LaneWindow::failed, m_messageBar, [this](const QString& text) {
        m_messageBar->showMessage(MessageBar::Kind::error, text);
    });
    connect(window, &LaneWindow::rewound, this, [this](OperationId operation) {
        m_lastRewind = operation;
        showUndo();
    });
    window->show();
}

void MainWindow::openEvent(Sequence sequence) {
    auto* window = new StoryWindow(m_engine, *m_loader, *m_times, sequence, this);
    connect(window, &StoryWindow::laneWanted, this, &MainWindow::openLane);
    window->show();
}

void MainWindow::goTo() {
    auto* dialog = new GoToDialog(m_engine, *m_loader, *m_times, this);
    connect(dialog, &GoToDialog::eventWanted, this, &MainWindow::openEvent);
    connect(dialog, &GoToDialog::laneWanted, this, &MainWindow::openLane);
    dialog->open();
}

void MainWindow::showSources() {
    auto* dialog = new SourcesDialog(m_engine, *m_commands, *m_times, this);
    connect(dialog, &SourcesDialog::succeeded, m_messageBar, [this](const QString& what) {
        m_messageBar->showMessage(MessageBar::Kind::success, what);
    });
    dialog->open();
}

void MainWindow::showSettings() {
    SettingsDialog::Facts facts;
    facts.dataDirectory = m_dataDirectory;
    for (const AlertKind kind : kAlertKinds)
        facts.alerts.emplace_back(alertKey(kind), alertTitle(kind));
    facts.hasTray = m_notes->hasTray();
    auto* dialog = new SettingsDialog(m_engine, *m_times, facts, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::sourcesWanted, this, &MainWindow::showSources);
    connect(dialog, &SettingsDialog::layoutResetWanted, this, &MainWindow::resetLayout);
    connect(dialog, &SettingsDialog::copied, m_messageBar, [this](const QString& what) {
        m_messageBar->showMessage(MessageBar::Kind::success, what);
    });
    dialog->open();
}

void MainWindow::exportList() {
    if (const auto* list = qobject_cast<ListPage*>(m_tabs->currentWidget()))
        m_exportBar->choose(list->allRows());
}

void MainWindow::showExport() {
    const bool list = qobject_cast<ListPage*>(m_tabs->currentWidget()) != nullptr;
    m_export->setEnabled(list && !m_exportBar->isBusy() &&
                         m_engine.snapshot()->lifecycle == Lifecycle::running);
    m_export->setToolTip(m_exportBar->isBusy() ? tr("One export at a time")
                         : list ? tr("Write all rows that fit the filter to a file (Ctrl+E)")
                                : tr("Show a list first (Ctrl+E)"));
}

/// Each list has a switch of its own; the command is that of the list in front.
void MainWindow::showLiveOrder() {
    const auto* list = qobject_cast<ListPage*>(m_tabs->currentWidget());
    m_liveOrder->setEnabled(list != nullptr);
    m_liveOrder->setChecked(list && list->live().isOn());
    m_liveOrder->setToolTip(list ? tr("Rows come and move by themselves while nobody is at the "
                                      "list (Ctrl+L)")
                                 : tr("Show a list first (Ctrl+L)"));
}

std::vector<ListPage*> MainWindow::pages() const {
    return {m_lanes, m_deadLetters, m_attempts, m_operations, m_quarantine};
}

void MainWindow::showSnapshot() {
    const auto snapshot = m_engine.snapshot();
    m_lastSnapshotMs = m_clock.elapsed();
    m_rates.add(snapshot);
    showLifecycle();
    showConditions();
    m_importBar->showSnapshot();
    m_status->showSnapshot(*snapshot);
    m_backUp->showSnapshot(*snapshot);
    showAge();
    m_overview->showSnapshot();
    if (m_frozenAt) {
        showFreeze();
    } else {
        m_destinations->showSnapshot();
        m_lanes->showSnapshot();
        m_deadLetters->showSnapshot();
        m_attempts->showSnapshot();
        m_operations->showSnapshot();
        m_quarantine->showSnapshot();
        if (m_scope && !snapshot->find(m_scope)) setScope({});
    }
    showTabTitles();
    showActions();
}

void MainWindow::keepHistoryIn(const QString& path) {
    m_health->keepHistoryIn(path);
}

DamageChoices& MainWindow::damageChoices() {
    return m_life->damage();
}

void MainWindow::showLifecycle() {
    const auto snapshot = m_engine.snapshot();
    switch (snapshot->lifecycle) {
        case Lifecycle::running:
            m_stack->setCurrentWidget(m_tabs);
            if (!m_loader->isOpen()) {
                m_loader->setReader(m_engine.openPageReader());
                m_deadLetters->reload();
                m_attempts->reload();
                m_operations->reload();
                m_quarantine->reload();
            }
            break;
        case Lifecycle::draining: releaseStore(); break;
        case Lifecycle::starting:
        case Lifecycle::recovering:
        case Lifecycle::stopped:
        case Lifecycle::failed:
            if (snapshot->lifecycle != Lifecycle::starting) releaseStore();
            m_life->showSnapshot(*snapshot);
            m_stack->setCurrentWidget(m_life);
            break;
    }
}

void MainWindow::showConditions() {
    const auto snapshot = m_engine.snapshot();
    const bool running = snapshot->lifecycle == Lifecycle::running;
    if (running && (!snapshot->store.fault.empty() || !snapshot->store.writable)) {
        // The engine says what happened, what to do and what still works.
        m_storeBar->showCondition(snapshot->store.writable ? MessageBar::Kind::warning
                                                           : MessageBar::Kind::error,
                                  snapshot->store.fault.empty()
                                      ? tr("Nothing can be stored for now.")
                                      : plainLine(snapshot->store.fault));
    } else {
        m_storeBar->clear();
    }
    if (running && !snapshot->intake.error.empty())
        m_intakeBar->showCondition(MessageBar::Kind::warning,
                                   tr("No events are accepted: %1 What waits is still delivered.")
                                       .arg(plainLine(snapshot->intake.error)));
    else
        m_intakeBar->clear();
}

void MainWindow::setFrozen(bool frozen) {
    m_freeze->setChecked(frozen);
    if (frozen == (m_frozenAt != nullptr)) return;
    m_frozenAt = frozen ? m_engine.snapshot() : nullptr;
    m_overview->setFrozen(frozen);
    m_lanes->setFrozen(frozen);
    m_deadLetters->setFrozen(frozen);
    m_attempts->setFrozen(frozen);
    m_operations->setFrozen(frozen);
    m_quarantine->setFrozen(frozen);
    m_filter->setFrozen(frozen);
    if (!frozen) showSnapshot();
    showFreeze();
}

void MainWindow::showFreeze() {
    if (!m_frozenAt) {
        m_freezeBar->clear();
        return;
    }
    m_freezeBar->showCondition(
        MessageBar::Kind::info,
        tr("Frozen at %1 %2 · engine %3 · %4 changes since")
            .arg(m_times->text(m_frozenAt->at), m_times->zoneLabel(),
                 lifecycleWord(m_engine.snapshot()->lifecycle), countText(changesSinceFreeze())));
    m_freezeBar->setAction(tr("Go live"));
}

std::uint64_t MainWindow::changesSinceFreeze() const {
    const DeliveryCounters& then = m_frozenAt->totals;
    const DeliveryCounters now = m_engine.snapshot()->totals;
    return distance(now.accepted, then.accepted) + distance(now.delivered, then.delivered) +
           distance(now.discarded, then.discarded) + distance(now.dead, then.dead);
}

void MainWindow::showActions() {
    const auto snapshot = m_engine.snapshot();
    const bool running = snapshot->lifecycle == Lifecycle::running;
    const auto* found = snapshot->find(target());
    const bool paused = found && found->health == HealthState::paused;
    const QString name =
        found ? plainLine(found->name, 32).replace(QLatin1Char('&'), QStringLiteral("&&"))
              : QString();
    m_pause->setText(!found   ? tr("&Pause…")
                     : paused ? tr("&Resume %1…").arg(name)
                              : tr("&Pause %1…").arg(name));
    m_pause->setIcon(icon(paused ? Symbol::resume : Symbol::pause));
    m_pause->setToolTip(!found   ? tr("Choose one destination on the left first (F9)")
                        : paused ? tr("Start deliveries to it again (F9)")
                                 : tr("Stop deliveries to it; nothing is lost (F9)"));
    m_pause->setEnabled(found && running);
    m_edit->setEnabled(found && running);
    m_add->setEnabled(running);
    m_import->setEnabled(running && !snapshot->fileImport.active());
    const std::size_t selected = m_deadLetters->selectedCount();
    m_rewind->setEnabled(running && selected > 0);
    m_discard->setEnabled(running && selected > 0);
    m_note->setEnabled(running && selected > 0);
    const QString& editProblem = m_deadLetters->editProblem();
    m_editLetter->setEnabled(running && editProblem.isEmpty());
    m_editLetter->setToolTip(plainTooltip(
        editProblem.isEmpty() ? tr("Rewind it with another payload") : editProblem));
    m_rewind->setText(selected == 0 ? tr("&Rewind selected…")
                                    : tr("&Rewind selected (%1)…").arg(countText(selected)));
    m_rewind->setToolTip(selected == 0 ? tr("Select dead letters first (F8)")
                                       : tr("Return them to their lanes (F8)"));
    m_discard->setText(selected == 0 ? tr("&Discard selected…")
                                     : tr("&Discard selected (%1)…").arg(countText(selected)));
    showMatching();
    showUndo();
    showExport();
}

void MainWindow::showMatching() {
    const QString count = m_deadLetters->matchingCount();
    const bool may =
        !count.isEmpty() && m_engine.snapshot()->lifecycle == Lifecycle::running;
    m_rewindMatching->setEnabled(may);
    m_discardMatching->setEnabled(may);
    m_rewindMatching->setText(may ? tr("Rewind all &matching (%1)…").arg(count)
                                  : tr("Rewind all &matching…"));
    m_discardMatching->setText(may ? tr("Discard all m&atching (%1)…").arg(count)
                                   : tr("Discard all m&atching…"));
}

void MainWindow::showUndo() {
    const auto snapshot = m_engine.snapshot();
    std::uint64_t untried = 0;
    bool moving = false;
    for (const auto& operation : snapshot->operations) {
        if (operation.id != m_lastRewind) continue;
        untried = operation.untried;
        moving = operation.moves();
    }
    m_undo->setEnabled(m_lastRewind && (untried > 0 || moving));
    if (untried == 0)
        m_undo->setText(moving ? tr("&Stop the last rewind") : tr("&Undo the last rewind"));
    else
        m_undo->setText(
            untried == 1
                ? tr("Ret&urn 1 untried event to the dead letters")
                : tr("Ret&urn %1 untried events to the dead letters").arg(countText(untried)));
}

void MainWindow::undoRewind() {
    if (!m_lastRewind) return;
    m_commands->submit(UndoRewind{m_lastRewind, operatorName()}, this,
                       [this](const CommandResult& result) {
                           if (!result.ok()) {
                               m_messageBar->showMessage(
                                   MessageBar::Kind::error,
                                   tr("Nothing was returned: %1").arg(plainLine(result.error)));
                               return;
                           }
                           m_messageBar->showMessage(
                               MessageBar::Kind::success,
                               tr("%1 of %2 events returned to the dead letters; %3 were tried "
                                  "already.")
                                   .arg(countText(result.done), countText(result.asked),
                                        countText(result.skipped)));
                           m_deadLetters->reload();
                       });
}

void MainWindow::showTabTitles() {
    const auto snapshot = m_engine.snapshot();
    const auto* scope = snapshot->find(m_scope);
    const std::uint64_t waiting = scope ? scope->lanes : snapshot->lanes;
    const std::uint64_t dead = scope ? scope->counters.dead : snapshot->totals.dead;
    const auto set = [this](QWidget* page, const QString& text) {
        const int tab = m_tabs->indexOf(page);
        if (m_tabs->tabText(tab) != text) m_tabs->setTabText(tab, text);
    };
    const std::size_t alerts = m_overview->pressing();
    set(m_overview, alerts == 0 ? tr("Overview") : tr("Overview (%1)").arg(alerts));
    set(m_lanes, tr("Lanes (%1)").arg(shortCount(waiting)));
    set(m_deadLetters, tr("Dead letters (%1)").arg(shortCount(dead)));
    const auto& operations = snapshot->operations;
    const auto running = std::count_if(operations.begin(), operations.end(), isUnderWay);
    set(m_operations, running == 0
                          ? tr("Operations")
                          : tr("Operations (%Ln running)", nullptr, static_cast<int>(running)));
    const auto rejected = snapshot->intake.quarantined;
    set(m_quarantine,
        rejected == 0 ? tr("Quarantine") : tr("Quarantine (%1)").arg(shortCount(rejected)));
}

void MainWindow::showAge() {
    m_status->showAge((m_clock.elapsed() - m_lastSnapshotMs) * kMillisecond,
                      m_engine.snapshot()->lifecycle == Lifecycle::running);
}

DestinationId MainWindow::target() const {
    if (m_scope) return m_scope;
    // With one destination there is nothing to choose.
    const auto snapshot = m_engine.snapshot();
    return snapshot->destinations.size() == 1 ? snapshot->destinations.front().id : DestinationId{};
}

void MainWindow::pauseOrResume() {
    const auto snapshot = m_engine.snapshot();
    const auto* found = snapshot->find(target());
    if (!found) return;
    if (found->health == HealthState::paused)
        m_destinations->resume(found->id);
    else
        m_destinations->pause(found->id);
}

void MainWindow::goToPaused() {
    // Each click goes on to the next one.
    const auto snapshot = m_engine.snapshot();
    DestinationId first;
    for (const auto& destination : snapshot->destinations) {
        if (destination.health != HealthState::paused) continue;
        if (!first) first = destination.id;
        if (destination.id > m_scope) {
            setScope(destination.id);
            return;
        }
    }
    if (first) setScope(first);
}

void MainWindow::switchZone() {
    m_times->setZone(m_times->zone() == TimeDisplay::Zone::utc ? TimeDisplay::Zone::local
                                                               : TimeDisplay::Zone::utc);
}

void MainWindow::showZone() {
    const bool local = m_times->zone() == TimeDisplay::Zone::local;
    m_zone->setChecked(local);
    m_zone->setIconText(tr("Times in %1").arg(m_times->zoneLabel()));
    m_zone->setToolTip(local ? tr("Times are local; click for UTC")
                             : tr("Times are UTC; click for local time"));
    m_status->showZone(m_times->zoneLabel());
}

void MainWindow::copyDiagnostics() {
    const Micros age = (m_clock.elapsed() - m_lastSnapshotMs) * kMillisecond;
    QApplication::clipboard()->setText(diagnosticsText(*m_engine.snapshot(), age));
    m_messageBar->showMessage(MessageBar::Kind::success, tr("Diagnostics were copied."));
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Rivora Lanes"),
                                tr("Rivora Lanes %1").arg(QStringLiteral(LANES_VERSION)),
                                QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("aboutDialog"));
    box->setTextFormat(Qt::PlainText);
    box->setIconPixmap(applicationIcon().pixmap(64, 64));
    box->setInformativeText(
        tr("Keeps every event that is destined for an HTTP endpoint, delivers the events of each "
           "user strictly in order, and shows what is happening while it happens.\n\n"
           "Free software under the GNU General Public License, version 3 or later."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::focusNextPane() {
    std::vector<QWidget*> panes{m_destinationsDock->widget()};
    if (const auto* page = qobject_cast<ListPage*>(m_tabs->currentWidget())) {
        panes.push_back(&page->table());
    } else {
        panes.push_back(&m_overview->alertsTable());
        panes.push_back(&m_overview->destinationsTable());
    }
    panes.push_back(m_healthDock->widget());
    if (m_demoDock) panes.push_back(m_demoDock->widget());
    const auto holds = [](QWidget* pane) {
        const QWidget* focus = QApplication::focusWidget();
        return focus && (focus == pane || pane->isAncestorOf(focus));
    };
    const auto present = std::find_if(panes.begin(), panes.end(), holds);
    const auto start = present == panes.end() ? panes.size() - 1
                                              : static_cast<std::size_t>(present - panes.begin());
    for (std::size_t step = 1; step <= panes.size(); ++step) {
        QWidget* pane = panes[(start + step) % panes.size()];
        if (!pane->isVisible()) continue;
        pane->setFocus(Qt::TabFocusReason);
        if (!holds(pane)) {
            // The pane itself takes no focus: its first child that does.
            const auto children = pane->findChildren<QWidget*>();
            for (QWidget* child : children)
                if (child->isVisible() && child->focusPolicy() & Qt::TabFocus) {
                    child->setFocus(Qt::TabFocusReason);
                    break;
                }
        }
        if (holds(pane)) return;
    }
}

}  // namespace lanes::ui
