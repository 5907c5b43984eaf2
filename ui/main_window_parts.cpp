// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window is made of, how its parts are connected, and how its layout is kept.
#include "ui/main_window.h"

#include "ui/attempts/attempts_view.h"
#include "ui/backup_action.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcut_sheet.h"
#include "ui/common/command_tracker.h"
#include "ui/common/dock_title.h"
#include "ui/common/filter_bar.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/message_bar.h"
#include "ui/common/page_loader.h"
#include "ui/common/preferences.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/common/window_state.h"
#include "ui/dead_letters/dead_letters_view.h"
#include "ui/demo/demo_badge.h"
#include "ui/demo/demo_dock.h"
#include "ui/demo/mock_watch.h"
#include "ui/destinations/destinations_dock.h"
#include "ui/exports/export_bar.h"
#include "ui/health/health_dock.h"
#include "ui/imports/import_bar.h"
#include "ui/lanes/lanes_view.h"
#include "ui/layout_menu.h"
#include "ui/life_page.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/alerts_model.h"
#include "ui/overview/overview_view.h"
#include "ui/quarantine/quarantine_view.h"
#include "ui/status_strip.h"
#include "ui/tray_notes.h"

#include <QAction>
#include <QCloseEvent>
#include <QDateTime>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

/// Fits the smallest screen that the console is made for.
constexpr QSize kDefaultSize(1280, 720);
/// Of the graphs at first: one row of them can be read, and the lists keep most of the height.
constexpr int kGraphsShare = 27;  // per cent of the window
constexpr int kLeastGraphs = 190;

}  // namespace

void MainWindow::buildActions() {
    const auto action = [this](const char* name, const QString& text, const QIcon& icon,
                               const QKeySequence& keys) {
        auto* result = new QAction(icon, text, this);
        result->setObjectName(QLatin1String(name));
        result->setShortcut(keys);
        addAction(result);
        return result;
    };
    m_freeze = action("actionFreeze", tr("&Freeze view"), icon(Symbol::freeze),
                      QKeySequence(Qt::CTRL | Qt::Key_Space));
    m_freeze->setCheckable(true);
    m_freeze->setToolTip(tr("The lists stand still; deliveries go on (Ctrl+Space)"));
    m_liveOrder = action("actionLiveOrder", tr("Li&ve order"), icon(Symbol::liveOrder),
                         QKeySequence(Qt::CTRL | Qt::Key_L));
    m_liveOrder->setCheckable(true);
    m_zone = action("actionZone", tr("&Local time"), icon(Symbol::clock), {});
    m_zone->setCheckable(true);
    m_pause = action("actionPause", tr("&Pause…"), icon(Symbol::pause), QKeySequence(Qt::Key_F9));
    m_rewind = action("actionRewind", tr("&Rewind selected…"), icon(Symbol::rewind),
                      QKeySequence(Qt::Key_F8));
    m_discard = action("actionDiscard", tr("&Discard selected…"), icon(Symbol::discard), {});
    m_rewindMatching = action("actionRewindMatching", tr("Rewind all &matching…"),
                              icon(Symbol::rewind), QKeySequence(Qt::SHIFT | Qt::Key_F8));
    m_discardMatching = action("actionDiscardMatching", tr("Discard all m&atching…"),
                               icon(Symbol::discard), {});
    m_note = action("actionNote", tr("&Note on selected…"), icon(Symbol::note),
                    QKeySequence(Qt::CTRL | Qt::Key_M));
    m_editLetter = action("actionEditLetter", tr("Ed&it selected and rewind…"),
                          icon(Symbol::edit), {});
    m_find = action("actionFilter", tr("&Filter"), icon(Symbol::filter), {});
    m_find->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)});
    m_undo = action("actionUndoRewind", tr("&Undo the last rewind"), {},
                    QKeySequence(Qt::CTRL | Qt::Key_Z));
    m_add = action("actionAddDestination", tr("&Add destination…"), icon(Symbol::add),
                   QKeySequence(Qt::CTRL | Qt::Key_N));
    m_edit = action("actionEditDestination", tr("&Edit destination…"), icon(Symbol::edit), {});
    m_import = action("actionImport", tr("&Import events…"), {},
                      QKeySequence(Qt::CTRL | Qt::Key_I));
    m_export = action("actionExport", tr("&Export list…"), icon(Symbol::exportFile),
                      QKeySequence(Qt::CTRL | Qt::Key_E));
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    centre->setObjectName(QStringLiteral("centre"));
    m_storeBar = new MessageBar(centre);
    m_storeBar->setObjectName(QStringLiteral("storeBar"));
    m_intakeBar = new MessageBar(centre);
    m_intakeBar->setObjectName(QStringLiteral("intakeBar"));
    m_freezeBar = new MessageBar(centre);
    m_freezeBar->setObjectName(QStringLiteral("freezeBar"));
    m_messageBar = new MessageBar(centre);
    m_messageBar->setObjectName(QStringLiteral("messageBar"));

    m_importBar = new ImportBar(m_engine, *m_commands, centre);
    m_exportBar = new ExportBar(*m_times, centre);

    m_stack = new QStackedWidget(centre);
    m_life = new LifePage(m_stack);
    m_tabs = new QTabWidget(m_stack);
    m_tabs->setObjectName(QStringLiteral("tabs"));
    m_tabs->setDocumentMode(true);
    m_overview = new OverviewView(m_engine, m_rates, *m_times, m_tabs);
    m_lanes = new LanesView(m_engine, *m_loader, *m_times, m_tabs);
    m_deadLetters = new DeadLettersView(m_engine, *m_commands, *m_loader, *m_times, m_tabs);
    m_attempts = new AttemptsView(m_engine, *m_loader, *m_times, m_tabs);
    m_filter = new FilterBar([this](FilterList list) { return filterContext(list); });
    m_filter->addList(*m_lanes);
    m_filter->addList(*m_deadLetters);
    m_filter->addList(*m_attempts);
    m_tabs->addTab(m_overview, icon(Symbol::chart), tr("Overview"));
    m_tabs->addTab(m_lanes, icon(Symbol::lane), tr("Lanes"));
    m_tabs->addTab(m_deadLetters, icon(Symbol::deadLetter), tr("Dead letters"));
    m_operations = new OperationsView(m_engine, *m_commands, *m_loader, *m_times, m_tabs);
    m_tabs->addTab(m_attempts, icon(Symbol::list), tr("Attempts"));
    m_tabs->addTab(m_operations, icon(Symbol::rewind), tr("Operations"));
    m_quarantine = new QuarantineView(m_engine, *m_commands, *m_loader, *m_times, m_tabs);
    m_tabs->addTab(m_quarantine, icon(Symbol::warning), tr("Quarantine"));
    m_stack->addWidget(m_life);
    m_stack->addWidget(m_tabs);

    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (MessageBar* bar : {m_storeBar, m_intakeBar, m_freezeBar, m_messageBar})
        layout->addWidget(bar);
    layout->addWidget(m_importBar);
    layout->addWidget(m_exportBar);
    layout->addWidget(&m_filter->strip());
    layout->addWidget(m_stack, 1);
    setCentralWidget(centre);
}

void MainWindow::buildDocks() {
    const auto dock = [this](const char* name, const QString& title, QWidget* content) {
        auto* result = new QDockWidget(title, this);
        result->setObjectName(QLatin1String(name));
        result->setWidget(content);
        result->setTitleBarWidget(new DockTitle(result));
        return result;
    };
    m_destinations = new DestinationsDock(m_engine, *m_commands, m_rates);
    m_destinationsDock = dock("destinationsDock", tr("Destinations"), m_destinations);
    m_health = new HealthDock(m_engine);
    m_health->setTimeDisplay(m_times);
    m_health->setLoader(m_loader);
    m_healthDock = dock("healthDock", tr("Health"), m_health);
    if (m_mocks) {
        auto* demo = new DemoDock(m_engine, *m_mocks);
        demo->setTimeDisplay(m_times);
        m_demoDock = dock("demoDock", tr("Demo"), demo);
        connect(new MockWatch(*m_mocks, this), &MockWatch::changed, m_health,
                &HealthDock::noteMock);
    }
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, m_destinationsDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_healthDock);
    if (m_demoDock) addDockWidget(Qt::BottomDockWidgetArea, m_demoDock);
}

void MainWindow::buildMenus() {
    auto* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_add);
    file->addAction(m_import);
    file->addAction(m_export);
    m_backUp = new BackupAction(*m_commands, this);
    file->addAction(m_backUp);
    file->addSeparator();
    auto* copy = file->addAction(icon(Symbol::copy), tr("&Copy diagnostics"), this,
                                 &MainWindow::copyDiagnostics);
    copy->setObjectName(QStringLiteral("actionDiagnostics"));
    file->addSeparator();
    auto* settings = file->addAction(icon(Symbol::settings), tr("&Settings…"),
                                     QKeySequence(Qt::CTRL | Qt::Key_Comma), this,
                                     &MainWindow::showSettings);
    settings->setObjectName(QStringLiteral("actionSettings"));
    auto* sources = file->addAction(tr("S&ources…"), this, &MainWindow::showSources);
    sources->setObjectName(QStringLiteral("actionSources"));
    file->addSeparator();
    auto* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setObjectName(QStringLiteral("actionQuit"));
    quit->setShortcut(QKeySequence::Quit);

    auto* view = menuBar()->addMenu(tr("&View"));
    view->addAction(m_freeze);
    view->addAction(m_liveOrder);
    view->addAction(m_zone);
    view->addAction(m_find);
    auto* apply = view->addAction(tr("&Apply pending changes"), this, [this] {
        m_lanes->applyPending();
        m_deadLetters->applyPending();
        m_attempts->applyPending();
        m_operations->applyPending();
        m_quarantine->applyPending();
    });
    apply->setObjectName(QStringLiteral("actionApply"));
    apply->setShortcut(QKeySequence(Qt::Key_F5));
    view->addSeparator();
    view->addAction(tr("&Overview"), QKeySequence(Qt::CTRL | Qt::Key_1), this,
                    &MainWindow::showOverview);
    view->addAction(tr("&Lanes"), QKeySequence(Qt::CTRL | Qt::Key_2), this, &MainWindow::showLanes);
    view->addAction(tr("&Dead letters"), QKeySequence(Qt::CTRL | Qt::Key_3), this,
                    &MainWindow::showDeadLetters);
    view->addAction(tr("A&ttempts"), QKeySequence(Qt::CTRL | Qt::Key_4), this,
                    &MainWindow::showAttempts);
    view->addAction(tr("&Operations"), QKeySequence(Qt::CTRL | Qt::Key_5), this,
                    &MainWindow::showOperations);
    view->addAction(tr("&Quarantine"), QKeySequence(Qt::CTRL | Qt::Key_6), this,
                    &MainWindow::showQuarantine);
    auto* goTo = view->addAction(icon(Symbol::search), tr("&Go to…"),
                                 QKeySequence(Qt::CTRL | Qt::Key_G), this, &MainWindow::goTo);
    goTo->setObjectName(QStringLiteral("actionGoTo"));
    view->addAction(tr("All de&stinations"), QKeySequence(Qt::Key_Escape), this,
                    [this] { setScope({}); });
    view->addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), this, &MainWindow::focusNextPane);
    view->addSeparator();
    view->addAction(m_destinationsDock->toggleViewAction());
    view->addAction(m_healthDock->toggleViewAction());
    if (m_demoDock) view->addAction(m_demoDock->toggleViewAction());
    m_layoutMenu = new LayoutMenu(m_layouts, this);
    view->addMenu(m_layoutMenu);

    auto* delivery = menuBar()->addMenu(tr("&Delivery"));
    delivery->addAction(m_pause);
    delivery->addAction(m_edit);
    delivery->addSeparator();
    delivery->addAction(m_rewind);
    delivery->addAction(m_discard);
    delivery->addAction(m_rewindMatching);
    delivery->addAction(m_discardMatching);
    delivery->addAction(m_undo);
    delivery->addAction(m_editLetter);
    delivery->addAction(m_note);

    auto* help = menuBar()->addMenu(tr("&Help"));
    auto* palette = help->addAction(icon(Symbol::search), tr("&Find a command…"),
                                    QKeySequence(Qt::CTRL | Qt::Key_K), this, [this] {
                                        (new CommandPalette(listedCommands(*menuBar()), this))
                                            ->open();
                                    });
    palette->setObjectName(QStringLiteral("actionPalette"));
    auto* sheet = help->addAction(tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1), this,
                                  [this] {
                                      (new ShortcutSheet(listedCommands(*menuBar()), this))->open();
                                  });
    sheet->setObjectName(QStringLiteral("actionShortcuts"));
    help->addSeparator();
    auto* about = help->addAction(tr("&About Rivora Lanes"), this, &MainWindow::showAbout);
    about->setObjectName(QStringLiteral("actionAbout"));
}

void MainWindow::buildToolbar() {
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("mainToolbar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize({16, 16});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addAction(m_freeze);
    bar->addAction(m_zone);
    m_filter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(m_filter);
    if (m_mocks) {
        auto* badge = new DemoBadge(m_engine, DemoBadge::AtRealPace::quiet, bar);
        badge->setObjectName(QStringLiteral("demoBadge"));
        bar->addWidget(badge);
    }
    bar->addAction(m_pause);
    bar->addAction(m_rewind);
}

FilterContext MainWindow::filterContext(FilterList list) const {
    FilterContext context;
    context.list = list;
    const auto snapshot = m_engine.snapshot();
    for (const auto& destination : snapshot->destinations)
        context.destinations.emplace_back(destination.id,
                                          QString::fromStdString(destination.name));
    context.zone = m_times->zone() == TimeDisplay::Zone::utc ? QTimeZone(0)
                                                             : QTimeZone::systemTimeZone();
    context.now = QDateTime::currentMSecsSinceEpoch() * kMillisecond;
    if (list == FilterList::lanes) context.types = m_lanes->typesAtHand();
    if (list == FilterList::deadLetters) context.types = m_deadLetters->typesAtHand();
    return context;
}

void MainWindow::connectParts() {
    connect(&m_engine, &Engine::snapshotPublished, this, &MainWindow::showSnapshot);
    connect(&m_engine, &Engine::lifecycleChanged, this, &MainWindow::showLifecycle);
    connect(m_ageTimer, &QTimer::timeout, this, &MainWindow::showAge);
    connect(m_loader, &PageLoader::failed, this, [this](const QString& error) {
        m_messageBar->showMessage(MessageBar::Kind::error,
                                  tr("The store could not be read: %1").arg(error));
    });

    connect(m_freeze, &QAction::toggled, this, &MainWindow::setFrozen);
    connect(m_freezeBar, &MessageBar::actionTriggered, this, [this] { setFrozen(false); });
    for (ListPage* page : pages()) {
        page->live().setOn(Preferences::liveOrder(page->objectName()));
        connect(&page->live(), &LiveOrder::changed, this, [this, page](bool on) {
            Preferences::setLiveOrder(page->objectName(), on);
            showLiveOrder();
        });
    }
    connect(m_liveOrder, &QAction::triggered, this, [this](bool on) {
        if (const auto* page = qobject_cast<ListPage*>(m_tabs->currentWidget()))
            page->live().setOn(on);
    });
    connect(m_zone, &QAction::triggered, this, &MainWindow::switchZone);
    m_times->setZone(Preferences::zone());
    connect(m_times, &TimeDisplay::changed, this, [this] {
        Preferences::setZone(m_times->zone());
        m_filter->refresh();
        showZone();
        showFreeze();
    });
    connect(m_pause, &QAction::triggered, this, &MainWindow::pauseOrResume);
    connect(m_rewind, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->rewindSelected();
    });
    connect(m_undo, &QAction::triggered, this, &MainWindow::undoRewind);
    connect(m_deadLetters, &DeadLettersView::rewound, this, [this](OperationId operation) {
        m_lastRewind = operation;
        showUndo();
    });
    connect(m_discard, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->discardSelected();
    });
    connect(m_editLetter, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->editSelected();
    });
    connect(m_note, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->noteSelected();
    });
    connect(m_add, &QAction::triggered, m_destinations, &DestinationsDock::addDestination);
    connect(m_edit, &QAction::triggered, this,
            [this] { m_destinations->editDestination(target()); });

    connect(m_import, &QAction::triggered, m_importBar, &ImportBar::chooseFile);
    connect(m_importBar, &ImportBar::told, m_messageBar, &MessageBar::showMessage);
    connect(m_export, &QAction::triggered, this, &MainWindow::exportList);
    connect(m_exportBar, &ExportBar::told, m_messageBar, &MessageBar::showMessage);
    connect(m_exportBar, &ExportBar::busyChanged, this, &MainWindow::showExport);

    connect(m_overview, &OverviewView::pressingChanged, this, &MainWindow::showTabTitles);
    connect(m_overview, &OverviewView::scopeWanted, this, &MainWindow::setScope);
    connect(m_overview, &OverviewView::lanesWanted, this, [this](DestinationId destination) {
        setScope(destination);
        showLanes();
    });
    connect(m_overview, &OverviewView::deadLettersWanted, this, [this](DestinationId destination) {
        setScope(destination);
        showDeadLetters();
    });
    connect(m_overview, &OverviewView::destinationWanted, m_destinations,
            &DestinationsDock::editDestination);
    m_overview->setDemoOffered(m_mocks == nullptr);
    connect(m_overview, &OverviewView::addWanted, m_add, &QAction::trigger);
    connect(m_overview, &OverviewView::demoWanted, this, &MainWindow::demoWanted);
    m_notes = new TrayNotes(*this);
    connect(m_overview, &OverviewView::alertRaised, m_notes, [this](const Alert& alert) {
        if (!Preferences::wantsNote(alertKey(alert.kind))) return;
        m_notes->tell(alert.name.empty()
                          ? alertTitle(alert.kind)
                          : tr("%1: %2").arg(plainLine(alert.name, 64), alertTitle(alert.kind)),
                      alertText(alert));
    });

    connect(m_health, &HealthDock::attemptsWanted, this,
            [this](DestinationId destination, WallMicros from, WallMicros until) {
                setScope(destination);
                m_attempts->setTimeRange(from, until);
                showAttempts();
            });
    connect(m_health, &HealthDock::lanesWanted, this,
            [this](DestinationId destination, WallMicros from, WallMicros until) {
                showLanes();
                if (until == 0) return setScope(destination);
                narrowToTime(*m_lanes, destination, FilterField::accepted, from, until);
            });
    connect(m_health, &HealthDock::deadLettersWanted, this,
            [this](DestinationId destination, WallMicros from, WallMicros until) {
                showDeadLetters();
                narrowToTime(*m_deadLetters, destination, FilterField::died, from, until);
            });
    connect(m_layoutMenu, &LayoutMenu::showWanted, this, &MainWindow::showLayout);
    connect(m_layoutMenu, &LayoutMenu::saveWanted, this, &MainWindow::saveLayout);
    connect(m_layoutMenu, &LayoutMenu::deleteWanted, this, &MainWindow::deleteLayout);
    connect(m_layoutMenu, &LayoutMenu::resetWanted, this, &MainWindow::resetLayout);
    connect(m_destinations, &DestinationsDock::scopeWanted, this, &MainWindow::setScope);
    connect(m_filter, &FilterBar::destinationChanged, this, &MainWindow::destinationChosen);
    connect(m_find, &QAction::triggered, m_filter, &FilterBar::focusField);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        showExport();
        showLiveOrder();
        if (auto* list = dynamic_cast<FilteredList*>(m_tabs->currentWidget()))
            m_filter->showList(*list);
    });
    connect(m_deadLetters, &DeadLettersView::matchingChanged, this, &MainWindow::showMatching);
    connect(m_rewindMatching, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->rewindMatching();
    });
    connect(m_discardMatching, &QAction::triggered, this, [this] {
        showDeadLetters();
        m_deadLetters->discardMatching();
    });
    connect(m_deadLetters, &DeadLettersView::eventWanted, this, &MainWindow::openEvent);
    connect(m_attempts, &AttemptsView::eventWanted, this, &MainWindow::openEvent);
    connect(m_lanes, &LanesView::laneWanted, this, &MainWindow::openLane);
    connect(m_lanes, &LanesView::pauseWanted, m_destinations, &DestinationsDock::pause);
    connect(m_lanes, &LanesView::deadLettersWanted, this, &MainWindow::showDeadLetters);
    connect(m_operations, &OperationsView::rewindWanted, m_deadLetters,
            &DeadLettersView::rewindPointers);
    connect(m_deadLetters, &DeadLettersView::selectionChanged, this, &MainWindow::showActions);
    const auto succeeded = [this](const QString& text) {
        m_messageBar->showMessage(MessageBar::Kind::success, text);
    };
    const auto failed = [this](const QString& text) {
        m_messageBar->showMessage(MessageBar::Kind::error, text);
    };
    connect(m_deadLetters, &DeadLettersView::succeeded, this, succeeded);
    connect(m_deadLetters, &DeadLettersView::failed, this, failed);
    connect(m_operations, &OperationsView::succeeded, this, succeeded);
    connect(m_operations, &OperationsView::failed, this, failed);
    connect(m_quarantine, &QuarantineView::succeeded, this, succeeded);
    connect(m_quarantine, &QuarantineView::failed, this, failed);
    connect(m_destinations, &DestinationsDock::succeeded, this, succeeded);
    connect(m_destinations, &DestinationsDock::failed, this, failed);
    connect(m_backUp, &BackupAction::succeeded, this, succeeded);
    connect(m_backUp, &BackupAction::failed, this, failed);

    connect(m_status, &StatusStrip::lanesWanted, this, &MainWindow::showLanes);
    connect(m_status, &StatusStrip::deadLettersWanted, this, &MainWindow::showDeadLetters);
    connect(m_status, &StatusStrip::operationWanted, this, [this](OperationId operation) {
        showOperations();
        m_operations->showOperation(operation);
    });
    connect(m_status, &StatusStrip::pausedWanted, this, &MainWindow::goToPaused);
    connect(m_status, &StatusStrip::zoneSwitchWanted, this, &MainWindow::switchZone);
    connect(m_status, &StatusStrip::diagnosticsWanted, this, &MainWindow::copyDiagnostics);
    connect(m_life, &LifePage::diagnosticsWanted, this, &MainWindow::copyDiagnostics);
    showZone();
    showLiveOrder();
}

void MainWindow::applyDefaultLayout() {
    for (QDockWidget* dock : {m_destinationsDock, m_healthDock, m_demoDock}) {
        if (!dock) continue;
        dock->setFloating(false);
        dock->setVisible(true);
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_destinationsDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_healthDock);
    resizeDocks({m_destinationsDock}, {260}, Qt::Horizontal);
    if (m_demoDock) {
        splitDockWidget(m_healthDock, m_demoDock, Qt::Horizontal);
        resizeDocks({m_healthDock, m_demoDock}, {680, 340}, Qt::Horizontal);
    }
    giveGraphsHeight();
}

void MainWindow::giveGraphsHeight() {
    m_graphsHeight = std::max(kLeastGraphs, height() * kGraphsShare / 100);
    resizeDocks({m_healthDock}, {m_graphsHeight}, Qt::Vertical);
}

/// The graphs grow with the window for as long as nobody has given them another height.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_graphsHeight != 0 && m_healthDock->height() == m_graphsHeight) giveGraphsHeight();
}

void MainWindow::restoreLayout() {
    resize(kDefaultSize);
    applyDefaultLayout();
    for (const ListPage* page : pages())
        m_defaultColumns.push_back(page->table().horizontalHeader()->saveState());
    m_layouts.atProfile([this](QSettings& settings) { readLayout(settings); });
}

bool MainWindow::readLayout(QSettings& settings) {
    if (!restoreWindow(settings, *this)) return false;
    m_graphsHeight = 0;
    for (ListPage* page : pages()) {
        restoreColumns(settings, *page->table().horizontalHeader());
        page->restoreLayout(settings);
    }
    m_deadLetters->restoreGroups(settings);
    return true;
}

void MainWindow::writeLayout(QSettings& settings) const {
    saveWindow(settings, *this);
    for (const ListPage* page : pages()) {
        saveColumns(settings, *page->table().horizontalHeader());
        page->saveLayout(settings);
    }
    m_deadLetters->saveGroups(settings);
}

void MainWindow::saveLayout(const QString& name) {
    const bool kept = m_layouts.save(name, [this](QSettings& settings) { writeLayout(settings); });
    m_layoutMenu->refresh();
    const QString shown = plainLine(name.toStdString(), kNameCharacters);
    m_messageBar->showMessage(
        kept ? MessageBar::Kind::success : MessageBar::Kind::error,
        kept ? tr("The layout \"%1\" is kept; View > Layout shows it again.").arg(shown)
             : tr("The layout \"%1\" was not kept: there are %2 already. Delete one first.")
                   .arg(shown)
                   .arg(NamedLayouts::kMost));
}

void MainWindow::showLayout(const QString& name) {
    const bool shown =
        m_layouts.show(name, [this](QSettings& settings) { return readLayout(settings); });
    if (!shown)
        m_messageBar->showMessage(MessageBar::Kind::error,
                                  tr("The layout \"%1\" cannot be shown.")
                                      .arg(plainLine(name.toStdString(), kNameCharacters)));
}

void MainWindow::deleteLayout(const QString& name) {
    m_layouts.remove(name);
    m_layoutMenu->refresh();
    m_messageBar->showMessage(MessageBar::Kind::success,
                              tr("The layout \"%1\" is deleted; the window stays as it is.")
                                  .arg(plainLine(name.toStdString(), kNameCharacters)));
}

void MainWindow::resetLayout() {
    m_layouts.atProfile([](QSettings& settings) { forgetLayout(settings); });
    applyDefaultLayout();
    auto columns = m_defaultColumns.begin();
    for (ListPage* page : pages()) {
        page->table().horizontalHeader()->restoreState(*columns++);
        page->table().fitStretch();
        page->resetLayout();
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_exportBar->mayClose()) return event->ignore();
    m_layouts.atProfile([this](QSettings& settings) { writeLayout(settings); });
    QMainWindow::closeEvent(event);
}

}  // namespace lanes::ui
