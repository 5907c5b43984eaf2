// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"
#include "ui/common/filter_language.h"
#include "ui/common/named_layouts.h"
#include "ui/common/rates.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QMainWindow>

#include <memory>
#include <vector>

class QAction;
class QDockWidget;
class QSettings;
class QStackedWidget;
class QTabWidget;
class QTimer;

namespace lanes::ui {

class AttemptsView;
class BackupAction;
class CommandTracker;
class DamageChoices;
class DeadLettersView;
class DemoDock;
class DestinationsDock;
class ExportBar;
class FilterBar;
class FilteredList;
class HealthDock;
class ImportBar;
class LanesView;
class LayoutMenu;
class LifePage;
class ListPage;
class MessageBar;
class OverviewView;
class OperationsView;
class PageLoader;
class QuarantineView;
class StatusStrip;
class TimeDisplay;
class TrayNotes;

/// The console. It holds the parts together: what is chosen in one reaches the others through
/// here. It does not own the engine and neither starts nor stops it.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `mocks` is null outside the demonstration. Both must outlive the window.
    MainWindow(Engine& engine, MockControl* mocks, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Writes a picture of the window; false if the file cannot be written.
    [[nodiscard]] bool grabTo(const QString& file);
    /// Closes the connection to the store. Call it before the engine is stopped; it also happens
    /// when the engine says that it drains.
    void releaseStore();
    /// The page that is shown while the data file is damaged.
    [[nodiscard]] DamageChoices& damageChoices();
    /// A file that keeps what the graphs remember; before the engine runs.
    void keepHistoryIn(const QString& path);
    /// Of the engine, to be shown.
    void setDataDirectory(const QString& path) { m_dataDirectory = path; }

public slots:
    /// Narrows the lists and graphs to one destination; 0 shows all.
    void setScope(lanes::DestinationId destination);
    void showOverview();
    void showLanes();
    void showDeadLetters();
    void showAttempts();
    void showOperations();
    void showQuarantine();
    void setFrozen(bool frozen);
    void resetLayout();
    /// Keeps the layout as it is under a name, or shows one that was kept.
    void saveLayout(const QString& name);
    void showLayout(const QString& name);
    void deleteLayout(const QString& name);
    /// Windows of their own, beside this one; a lane that is open already comes to the front.
    void openLane(lanes::LaneKey lane, const lanes::UserKey& user);
    void openEvent(lanes::Sequence sequence);
    /// Asks what to look for.
    void goTo();
    void showSettings();
    /// Senders with write keys of their own.
    void showSources();
    /// Asks for a file and writes all rows of the list in front into it.
    void exportList();

signals:
    /// The demonstration, in a process of its own.
    void demoWanted();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildActions();
    void buildMenus();
    void buildToolbar();
    void buildCentre();
    void buildDocks();
    void connectParts();
    void applyDefaultLayout();
    void giveGraphsHeight();
    void restoreLayout();
    void writeLayout(QSettings& settings) const;
    bool readLayout(QSettings& settings);

    void showSnapshot();
    void showLifecycle();
    void showConditions();
    void showFreeze();
    void showActions();
    void showExport();
    void showLiveOrder();
    void showUndo();
    void showMatching();
    [[nodiscard]] FilterContext filterContext(FilterList list) const;
    void destinationChosen(DestinationId destination);
    void narrowToTime(FilteredList& list, DestinationId destination, FilterField field,
                      WallMicros from, WallMicros until);
    void undoRewind();
    void showTabTitles();
    void showAge();
    void pauseOrResume();
    void goToPaused();
    void switchZone();
    void showZone();
    void copyDiagnostics();
    void showAbout();
    void focusNextPane();
    [[nodiscard]] std::vector<ListPage*> pages() const;
    [[nodiscard]] DestinationId target() const;
    [[nodiscard]] std::uint64_t changesSinceFreeze() const;

    Engine& m_engine;
    MockControl* m_mocks;
    TimeDisplay* m_times;
    PageLoader* m_loader;
    CommandTracker* m_commands;
    RateTracker m_rates;
    DestinationId m_scope;
    QString m_dataDirectory;
    OperationId m_lastRewind;                          ///< made from this window
    std::shared_ptr<const EngineSnapshot> m_frozenAt;  ///< null while live
    QElapsedTimer m_clock;
    qint64 m_lastSnapshotMs = 0;
    QTimer* m_ageTimer;
    const NamedLayouts m_layouts;
    LayoutMenu* m_layoutMenu = nullptr;
    std::vector<QByteArray> m_defaultColumns;  ///< of the lists, in their order
    int m_graphsHeight = 0;  ///< as this window chose it; 0 once a kept layout has

    QAction* m_freeze = nullptr;
    QAction* m_liveOrder = nullptr;
    QAction* m_zone = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_rewind = nullptr;
    QAction* m_discard = nullptr;
    QAction* m_note = nullptr;
    QAction* m_editLetter = nullptr;
    QAction* m_rewindMatching = nullptr;
    QAction* m_discardMatching = nullptr;
    QAction* m_find = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_add = nullptr;
    QAction* m_edit = nullptr;
    BackupAction* m_backUp = nullptr;
    QAction* m_import = nullptr;
    QAction* m_export = nullptr;
    StatusStrip* m_status = nullptr;
    MessageBar* m_storeBar = nullptr;
    MessageBar* m_intakeBar = nullptr;
    MessageBar* m_freezeBar = nullptr;
    MessageBar* m_messageBar = nullptr;
    ImportBar* m_importBar = nullptr;
    ExportBar* m_exportBar = nullptr;
    QStackedWidget* m_stack = nullptr;
    LifePage* m_life = nullptr;
    QTabWidget* m_tabs = nullptr;
    OverviewView* m_overview = nullptr;
    FilterBar* m_filter = nullptr;
    LanesView* m_lanes = nullptr;
    DeadLettersView* m_deadLetters = nullptr;
    AttemptsView* m_attempts = nullptr;
    OperationsView* m_operations = nullptr;
    QuarantineView* m_quarantine = nullptr;
    DestinationsDock* m_destinations = nullptr;
    HealthDock* m_health = nullptr;
    TrayNotes* m_notes = nullptr;
    QDockWidget* m_destinationsDock = nullptr;
    QDockWidget* m_healthDock = nullptr;
    QDockWidget* m_demoDock = nullptr;
};

}  // namespace lanes::ui
