// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/list_page.h"
#include "ui/common/page_loader.h"
#include "ui/operations/operations_model.h"

#include <QElapsedTimer>

#include <set>
#include <vector>

class QTimer;

namespace lanes::ui {

class CommandTracker;
class OperationDetails;

/// The tab with the operations: who did what, how far it has come, and what can be done about it.
class OperationsView : public ListPage {
    Q_OBJECT

public:
    OperationsView(Engine& engine, CommandTracker& commands, PageLoader& loader, TimeDisplay& times,
                   QWidget* parent = nullptr);

    [[nodiscard]] std::unique_ptr<RowSource> allRows() const override;
    void setFrozen(bool frozen);
    /// Lets new operations in.
    void applyPending();
    /// Chooses an operation and opens its details, as soon as it is listed.
    void showOperation(OperationId operation);

public slots:
    void showSnapshot();
    /// Reads anew; for when the store has become readable.
    void reload();

signals:
    /// Exactly these are to be rewound once more, if somebody agrees; `scope` says what they are.
    void rewindWanted(const std::vector<lanes::Pointer>& pointers, const std::string& scope);
    void succeeded(const QString& message);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void connectModel();
    void connectDetails();
    void load(const OperationsModel::Request& request);
    void readLeft();
    void tick();
    void lookForNewcomers();
    [[nodiscard]] bool isIdle() const;
    void selectAgain();
    void chooseWanted();
    void showChosen();
    void showState();
    void stop(OperationId operation);
    void undo(OperationId operation);
    void gatherFailed(OperationId operation);
    void gatherFrom(std::uint64_t position);

    /// The events of an operation that failed again, as far as they are gathered.
    struct Gathering {
        OperationId operation = {};  ///< 0 = none is under way
        std::vector<Pointer> pointers = {};
    };

    Engine& m_engine;
    CommandTracker& m_commands;
    PageLoader& m_loader;
    OperationDetails* m_details;
    OperationsModel* m_model;
    QTimer* m_timer;
    std::set<OperationId> m_selected;
    OperationId m_current;
    OperationId m_wanted;  ///< to be chosen once it is listed
    Gathering m_failed;
    bool m_restoring = false;
    bool m_toTop = false;
    bool m_frozen = false;
    QElapsedTimer m_sinceLook;
    PageLoader::Channel m_leftChannel;
    PageLoader::Channel m_failedChannel;
};

}  // namespace lanes::ui
