// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operations.h"
#include "engine/snapshot.h"

#include <QElapsedTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;

namespace lanes::ui {

class ElidedLabel;
class OperationEventsModel;
class PageLoader;
class Table;
class TimeDisplay;

/// One operation beside the list: what it did in plain words, what can be done about it, and what
/// became of each of its events.
class OperationDetails : public QWidget {
    Q_OBJECT

public:
    OperationDetails(PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    /// Shows an operation, or newer values of the one that is shown.
    void show(const OperationRow& row, const std::shared_ptr<const EngineSnapshot>& snapshot);
    /// Nothing is chosen; `hint` says what to do.
    void clear(const QString& hint);
    /// Looks at the visible events once more, if they may have changed.
    void refresh();
    /// Reads the visible events again, even if they could not be read before.
    void reload();
    /// The events that failed again are being gathered.
    void setGathering(bool gathering);

signals:
    void stopWanted(lanes::OperationId operation);
    void undoWanted(lanes::OperationId operation);
    void rewindFailedWanted(lanes::OperationId operation);

private:
    void build();
    void showFacts();
    void showActs();
    void showEvents();

    PageLoader& m_loader;
    TimeDisplay& m_times;
    OperationRow m_row;
    bool m_gathering = false;
    bool m_changed = false;  ///< values came since the events were read
    QElapsedTimer m_sinceEvents;

    QLabel* m_hint;
    QWidget* m_rest;
    ElidedLabel* m_title;
    ElidedLabel* m_facts;
    QLabel* m_sentence;
    QLabel* m_note;
    QLabel* m_reason;
    QWidget* m_stopLine;
    QPushButton* m_stop;
    QLabel* m_stopSays;
    QPushButton* m_undo;
    QPushButton* m_again;
    QLabel* m_eventsTitle;
    Table* m_events;
    OperationEventsModel* m_model;
};

}  // namespace lanes::ui
