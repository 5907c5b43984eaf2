// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_view.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/live_order.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/operations/operation_details.h"
#include "ui/operations/operation_rows.h"
#include "ui/operations/operation_words.h"
#include "ui/operations/progress_delegate.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QScopedValueRollback>
#include <QTimer>

#include <utility>

namespace lanes::ui {

namespace {
/// Twice a second: rows that change faster cannot be read.
constexpr int kTickMs = 500;
/// How often the store is asked for new operations and for those that have just ended.
constexpr qint64 kLookMs = 1000;
/// Rows beyond the visible ones that are read before anybody gets there.
constexpr int kAhead = 64;

QString hint() {
    return OperationsView::tr(
        "Choose an operation to see what became of its events, and what can be done about it.");
}
}  // namespace

OperationsView::OperationsView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                               TimeDisplay& times, QWidget* parent)
    : ListPage(new OperationDetails(loader, times), parent),
      m_engine(engine),
      m_commands(commands),
      m_loader(loader),
      m_details(findChild<OperationDetails*>()),
      m_model(new OperationsModel(times, this)),
      m_timer(new QTimer(this)),
      m_leftChannel(loader.addChannel()),
      m_failedChannel(loader.addChannel()) {
    setObjectName(QStringLiteral("operationsView"));
    table().setObjectName(QStringLiteral("operationsTable"));
    table().setAccessibleName(tr("Operations, newest first"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    table().setItemDelegateForColumn(OperationsModel::Progress, new ProgressDelegate(this));
    table().setColumnWidths({3, 16, 6, 13, 11, 11, 10, 6, 6, 6, 6, 9, 14}, OperationsModel::Scope);
    m_details->clear(hint());
    connect(this, &ListPage::applyWanted, this, &OperationsView::applyPending);
    connect(this, &ListPage::detailsOpened, this, &OperationsView::showChosen);
    connect(&table(), &Table::visibleRowsChanged, this, [this] {
        const int last = table().visibleRows().second;
        if (isVisible() && last + kAhead >= m_model->rowCount() && m_model->canFetchMore({}))
            m_model->fetchMore({});
    });
    m_timer->setInterval(kTickMs);
    connect(m_timer, &QTimer::timeout, this, &OperationsView::tick);
    connectModel();
    connectDetails();
    showState();
}

void OperationsView::connectModel() {
    connect(m_model, &OperationsModel::pageWanted, this, &OperationsView::load);
    connect(m_model, &OperationsModel::reloaded, this, &OperationsView::selectAgain);
    connect(m_model, &OperationsModel::changed, this, [this](OperationId id) {
        if (id == m_current) showChosen();
    });
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_restoring = true; });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { m_restoring = false; });
    auto* selection = table().selectionModel();
    connect(selection, &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_restoring) return;
        m_selected.clear();
        for (const QModelIndex& row : table().selectionModel()->selectedRows())
            if (const auto* operation = m_model->operation(row.row()))
                m_selected.insert(operation->id);
    });
    connect(selection, &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_restoring) return;
                const auto* operation = m_model->operation(current.row());
                m_current = operation ? operation->id : OperationId();
                showChosen();
            });
}

void OperationsView::connectDetails() {
    connect(m_details, &OperationDetails::stopWanted, this, &OperationsView::stop);
    connect(m_details, &OperationDetails::undoWanted, this, &OperationsView::undo);
    connect(m_details, &OperationDetails::rewindFailedWanted, this, &OperationsView::gatherFailed);
}

std::unique_ptr<RowSource> OperationsView::allRows() const {
    return operationRows(m_loader);
}

void OperationsView::setFrozen(bool frozen) {
    m_frozen = frozen;
    showState();
}

void OperationsView::applyPending() {
    if (!m_loader.isOpen() || m_frozen || !isVisible()) return;
    m_toTop = true;
    m_model->reload();
    if (isDetailsOpen()) m_details->reload();
}

void OperationsView::reload() {
    if (m_loader.isOpen()) m_model->reload();
}

void OperationsView::showOperation(OperationId operation) {
    m_wanted = operation;
    setDetailsOpen(true);
    chooseWanted();
    if (m_wanted) reload();
}

void OperationsView::chooseWanted() {
    if (!m_wanted) return;
    const int row = m_model->rowOf(m_wanted);
    if (row < 0) {
        // It may stand beyond what is listed; numbers fall, so that is known.
        const auto* last = m_model->operation(m_model->rowCount() - 1);
        if (!last || last->id > m_wanted) m_model->fetchMore({});
        return;
    }
    m_wanted = {};
    table().selectRow(row);
    table().scrollTo(m_model->index(row, 0));
}

void OperationsView::load(const OperationsModel::Request& request) {
    m_loader.load(
        PageLoader::Channel::operations,
        [query = request.query](PageReader& reader) { return reader.operations(query); },
        [this, request](OperationPage page) {
            m_model->acceptPage(request, std::move(page));
            if (!m_frozen) m_model->showRunning(m_engine.snapshot()->operations);
            if (std::exchange(m_toTop, m_toTop && m_model->isAsking())) table().scrollToTop();
            chooseWanted();
            showState();
        });
}

/// Operations that ended are on no snapshot any more: their last values are in the store.
void OperationsView::readLeft() {
    auto ids = m_model->left();
    if (ids.empty() || m_loader.isBusy(m_leftChannel)) return;
    m_loader.load(
        m_leftChannel,
        [ids = std::move(ids)](PageReader& reader) {
            std::vector<OperationRow> rows;
            for (const OperationId id : ids) {
                OperationQuery one;
                one.before = OperationId(id.value + 1);
                one.limit = 1;
                for (auto& row : reader.operations(one).rows)
                    if (row.id == id) rows.push_back(std::move(row));
            }
            return rows;
        },
        [this](const std::vector<OperationRow>& rows) {
            if (!m_frozen) m_model->acceptRows(rows);
        });
}

void OperationsView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    m_timer->start();
    showSnapshot();
    tick();
}

void OperationsView::hideEvent(QHideEvent* event) {
    ListPage::hideEvent(event);
    m_timer->stop();
}

void OperationsView::showSnapshot() {
    if (!m_frozen && isVisible()) showState();
}

void OperationsView::tick() {
    if (m_frozen || m_engine.snapshot()->lifecycle != Lifecycle::running) return;
    m_model->showRunning(m_engine.snapshot()->operations);
    if (!m_sinceLook.isValid() || m_sinceLook.hasExpired(kLookMs)) {
        m_sinceLook.start();
        lookForNewcomers();
        readLeft();
    }
    if (isDetailsOpen()) m_details->refresh();
    showState();
}

void OperationsView::lookForNewcomers() {
    if (!m_loader.isOpen() || m_loader.isBusy(PageLoader::Channel::operations)) return;
    m_model->forgetQuestion();
    if (!m_model->error().isEmpty()) return;
    if (!m_model->isLoaded() || (isIdle() && m_model->newcomers() > 0))
        m_model->reload();
    else
        m_model->lookForNewcomers();
}

/// New ones come in by themselves only where they disturb nobody.
bool OperationsView::isIdle() const {
    return live().mayMove() && m_selected.empty();
}

void OperationsView::selectAgain() {
    QItemSelection selection;
    for (const OperationId id : m_selected)
        if (const int row = m_model->rowOf(id); row >= 0)
            selection.select(m_model->index(row, 0),
                             m_model->index(row, OperationsModel::ColumnCount - 1));
    const QScopedValueRollback<bool> restoring(m_restoring, true);
    auto* model = table().selectionModel();
    model->select(selection, QItemSelectionModel::ClearAndSelect);
    if (const int row = m_model->rowOf(m_current); row >= 0)
        model->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
}

void OperationsView::showChosen() {
    const auto* row = m_model->operation(m_model->rowOf(m_current));
    if (!row) {
        setWhy({});
        m_details->clear(hint());
        return;
    }
    if (row->id != m_failed.operation) {
        m_loader.cancel(m_failedChannel);
        m_failed = {};
    }
    setWhy(progressSentence(*row));
    if (isDetailsOpen()) m_details->show(*row, m_engine.snapshot());
}

void OperationsView::showState() {
    const int rows = m_model->rowCount();
    if (rows == 0)
        setCount({});
    else if (m_model->endsAtOldest())
        setCount(tr("%Ln operations", nullptr, rows));
    else if (static_cast<std::size_t>(rows) >= OperationsModel::kMostRows)
        setCount(tr("the newest %Ln operations", nullptr, rows));
    else
        setCount(tr("%Ln operations; scroll for older ones", nullptr, rows));
    const auto waiting = static_cast<int>(m_model->newcomers());
    if (!m_model->error().isEmpty() && rows > 0)
        setPending(tr("Some could not be read · F5 tries again"));
    else if (m_frozen || waiting == 0 || isIdle())
        setPending({});
    else
        setPending(m_model->hasMoreNewcomers() ? tr("%Ln new and more · F5", nullptr, waiting)
                                               : tr("%Ln new · F5", nullptr, waiting));
    if (rows > 0) return;
    if (!m_loader.isOpen())
        table().setEmptyText(tr("The store is not open"),
                             tr("Operations are shown once the engine runs."));
    else if (!m_model->error().isEmpty())
        table().setEmptyText(
            tr("The operations could not be read"),
            tr("%1\nThose under way go on. F5 tries again.").arg(m_model->error()));
    else if (!m_model->isLoaded())
        table().setEmptyText(tr("Loading…"), {});
    else
        table().setEmptyText(
            tr("Nobody has done anything yet"),
            tr("The engine works by itself. Whatever somebody does is kept here: pauses, changed "
               "destinations, rewinds and discards, with what became of each event."));
}

void OperationsView::stop(OperationId operation) {
    const auto* row = m_model->operation(m_model->rowOf(operation));
    if (!row) return;
    m_commands.submit(
        StopOperation{operation, operatorName()}, this,
        [this, row = *row](const CommandResult& result) mutable {
            if (!result.ok())
                return emit failed(tr("Nothing was stopped: %1").arg(plainLine(result.error)));
            row.done = result.done;
            emit succeeded(
                tr("Operation %1 was stopped. %2").arg(row.id.value).arg(stopSentence(row)));
        });
}

void OperationsView::undo(OperationId operation) {
    m_commands.submit(
        UndoRewind{operation, operatorName()}, this, [this](const CommandResult& result) {
            if (!result.ok())
                return emit failed(tr("Nothing was returned: %1").arg(plainLine(result.error)));
            emit succeeded(
                tr("%1 events were returned to where they came from; %2 were tried already.")
                    .arg(countText(result.done), countText(result.skipped)));
        });
}

void OperationsView::gatherFailed(OperationId operation) {
    m_failed = {operation, {}};
    m_details->setGathering(true);
    gatherFrom(0);
}

/// A page at a time, so that lists are read in between.
void OperationsView::gatherFrom(std::uint64_t position) {
    OperationEventQuery query;
    query.operation = m_failed.operation;
    query.from = position;
    query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    m_loader.load(
        m_failedChannel, [query](PageReader& reader) { return reader.operationEvents(query); },
        [this, query](const OperationEventPage& page) {
            if (query.operation != m_failed.operation) return;
            for (const auto& row : page.rows)
                if (row.fate == OperationFate::deadAgain) m_failed.pointers.push_back(row.pointer);
            if (page.error.empty() && !page.complete && !page.rows.empty())
                return gatherFrom(page.rows.back().position + 1);
            const Gathering found = std::exchange(m_failed, {});
            m_details->setGathering(false);
            // A part of them is not what the button promised.
            if (!page.error.empty())
                emit failed(
                    tr("Those that failed again could not be read: %1").arg(plainLine(page.error)));
            else if (found.pointers.empty())
                emit failed(tr("None of those that failed again is in the log any more."));
            else
                emit rewindWanted(found.pointers, std::to_string(found.pointers.size()) +
                                                      " that failed again after operation " +
                                                      std::to_string(found.operation.value));
        });
}

}  // namespace lanes::ui
