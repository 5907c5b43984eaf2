// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/filtered_list.h"
#include "ui/common/list_page.h"
#include "ui/common/page_loader.h"
#include "ui/dead_letters/rewind_dialog.h"

#include <QElapsedTimer>
#include <QPointer>

#include <optional>
#include <set>
#include <string>
#include <vector>

class QMenu;
class QPushButton;
class QSettings;

namespace lanes::ui {

class CommandTracker;
class DeadLettersModel;
class GroupsPanel;

/// The tab with the dead letters: what was given up, why, and the way back.
class DeadLettersView : public ListPage, public FilteredList {
    Q_OBJECT

public:
    DeadLettersView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                    TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] FilterList filterList() const override { return FilterList::deadLetters; }
    void setFilter(const Filter& filter) override;
    [[nodiscard]] FilterProgress filterProgress() const override;
    void endLook() override;
    void lookOn() override;
    void countRemains(const Filter& filter, Counted counted) override;
    bool countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) override;
    [[nodiscard]] QWidget& focusOfList() override;
    [[nodiscard]] QStringList typesAtHand() const override;
    [[nodiscard]] std::unique_ptr<RowSource> allRows() const override;
    void setFrozen(bool frozen);
    void applyPending();
    /// Of those that are dead letters still.
    [[nodiscard]] std::size_t selectedCount() const;
    /// "1 284", or "256 or more" as long as not all were looked at; empty if nothing matches.
    [[nodiscard]] QString matchingCount() const;
    /// Why what is selected cannot be edited; empty if it can.
    [[nodiscard]] const QString& editProblem() const { return m_editProblem; }
    /// How wide the columns of the groups are and what they are put together by.
    void saveGroups(QSettings& settings) const;
    void restoreGroups(QSettings& settings);

public slots:
    void showSnapshot();
    /// Reads anew and counts the groups again; for when the store has become readable.
    void reload();
    /// Asks and then rewinds exactly what is selected.
    void rewindSelected();
    void discardSelected();
    /// Asks and then rewinds those of these that are dead letters now; `scope` says for the record
    /// how they were chosen.
    void rewindPointers(const std::vector<lanes::Pointer>& pointers, const std::string& scope);
    /// Asks and then rewinds all that match the filter in force, as they are when it is asked.
    void rewindMatching();
    void discardMatching();
    /// Asks for a note and puts it on what is selected.
    void noteSelected();
    /// Asks for another payload of the one that is selected, and rewinds it with that.
    void editSelected();

signals:
    /// The whole story of an event, in a window of its own.
    void eventWanted(lanes::Sequence sequence);
    void selectionChanged(std::size_t count);
    /// Somebody rewound something here; it can be undone for a while.
    void rewound(lanes::OperationId operation);
    /// What the commands for all that match would say has changed.
    void matchingChanged();
    void succeeded(const QString& message);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectModel();
    void load(const DeadLetterQuery& query);
    void readAgain();
    [[nodiscard]] std::optional<Filter> narrowed(const std::vector<Filter>& conditions) const;
    void narrow(const std::vector<Filter>& conditions);
    void showState();
    void showChosen();
    void showSelection();
    void showMatching();
    void fitStrip();
    void showEmpty();
    [[nodiscard]] QString countWords() const;
    void selectAgain();
    void showMenu(const QPoint& position);
    void addActs(QMenu& menu, std::size_t count);
    void ask(RewindDialog::Act act);
    void askMatching(RewindDialog::Act act);
    /// \param scope how the set was chosen, for the record; empty: it was selected.
    void open(RewindDialog* dialog, RewindDialog::Act act, const std::string& scope);
    void plan(RewindDialog* dialog, const RewindScope& scope);
    void countNewcomers();
    void lookAfterSelected();
    void submit(RewindDialog::Act act, const RewindDialog& dialog, const std::string& scope);
    void moved(RewindDialog::Act act, const std::set<Pointer>& asked, const CommandResult& result);
    void showEdit();
    [[nodiscard]] QString whyNoEdit() const;
    void openEdit(const DeadLetterRow& letter, const EventRow& event,
                  const std::optional<std::string>& edited);
    void noteMatching(const std::vector<Filter>& conditions);
    void askNote(const std::vector<DeadLetterRow>& letters);
    void noted(bool written, const CommandResult& result);
    [[nodiscard]] std::uint64_t deadNow() const;
    [[nodiscard]] std::vector<DeadLetterRow> selectedLetters() const;

    Engine& m_engine;
    CommandTracker& m_commands;
    PageLoader& m_loader;
    TimeDisplay& m_times;
    DeadLettersModel* m_model;
    GroupsPanel* m_groups;
    QPushButton* m_rewind;
    QPushButton* m_discard;
    QPushButton* m_rewindMatching;
    QPushButton* m_discardMatching;
    QString m_discardWords;
    QString m_discardMatchingWords;
    QString m_fitted;  ///< what the strip was fitted to
    QPushButton* m_note;
    QPushButton* m_edit;
    QString m_editProblem;
    QPointer<RewindDialog> m_dialog;  ///< about what matches
    WallMicros m_plannedAt = 0;       ///< its plan; 0 = there is none yet
    std::uint64_t m_deadAtPlan = 0;
    std::set<Pointer> m_selected;  ///< what is selected, by key, ghosts too
    PageLoader::Channel m_selectedChannel;
    QElapsedTimer m_sinceLook;  ///< at what is selected
    std::uint64_t m_commitsAtLook = 0;
    Pointer m_current;
    bool m_restoring = false;
    bool m_applying = false;  ///< changes are let in, until the list is read
    bool m_frozen = false;
    QElapsedTimer m_sinceLoad;
    qint64 m_loadMs = 0;  ///< that the list took to be read
    std::uint64_t m_deadAtLoad = 0;  ///< dead letters in scope when the list was read
};

}  // namespace lanes::ui
