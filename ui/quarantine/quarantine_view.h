// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/list_page.h"
#include "ui/common/page_loader.h"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

class QPushButton;

namespace lanes::ui {

class CommandTracker;
class QuarantineModel;
class RejectedDetails;

/// The tab with the events that were rejected: why, from whom, and what can be done: mend them and
/// have them taken, or give them up.
class QuarantineView : public ListPage {
    Q_OBJECT

public:
    QuarantineView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                   TimeDisplay& times, QWidget* parent = nullptr);

    [[nodiscard]] std::unique_ptr<RowSource> allRows() const override;
    void setFrozen(bool frozen);
    /// Lets what has changed in.
    void applyPending();
    /// Asks, and gives the selected ones up.
    void discardSelected();

public slots:
    void showSnapshot();
    void reload();

signals:
    void succeeded(const QString& message);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectModel();
    void take(std::vector<QuarantineRow> rows, const QString& error);
    void showChosen();
    void showState();
    void selectAgain();
    void retry(QuarantineId id, const std::string& body);
    void askToDiscard(std::vector<QuarantineId> ids);
    void discard(const std::vector<QuarantineId>& ids);
    [[nodiscard]] bool isStale() const;

    Engine& m_engine;
    CommandTracker& m_commands;
    PageLoader& m_loader;
    RejectedDetails* m_details;
    QuarantineModel* m_model;
    QPushButton* m_discard;
    PageLoader::Channel m_listChannel;
    PageLoader::Channel m_bodyChannel;
    std::set<QuarantineId> m_selected;
    QuarantineId m_current;
    /// What the engine had rejected and kept when the list was asked for.
    std::pair<std::uint64_t, std::uint64_t> m_asOf;
    bool m_loaded = false;
    bool m_restoring = false;
    bool m_frozen = false;
    QString m_error;
};

}  // namespace lanes::ui
