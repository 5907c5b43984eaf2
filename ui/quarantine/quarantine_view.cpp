// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quarantine/quarantine_view.h"

#include "ui/common/command_tracker.h"
#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/quarantine/quarantine_model.h"
#include "ui/quarantine/quarantine_rows.h"
#include "ui/quarantine/rejected_details.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <memory>

namespace lanes::ui {

namespace {

QString hint() {
    return QuarantineView::tr(
        "Choose an event to see what was sent and why it was not taken. It can be mended there.");
}

struct AllRows {
    std::vector<QuarantineRow> rows;
    std::string error;
};

/// There are few enough to read all of them at once.
AllRows readAll(PageReader& reader) {
    AllRows all;
    QuarantineQuery query;
    query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    for (bool more = true; more;) {
        auto page = reader.quarantine(query);
        all.error = page.error;
        more = page.error.empty() && !page.interrupted && !page.complete && !page.rows.empty();
        if (!page.rows.empty()) query.before = page.rows.back().id;
        std::move(page.rows.begin(), page.rows.end(), std::back_inserter(all.rows));
    }
    return all;
}

}  // namespace

QuarantineView::QuarantineView(Engine& engine, CommandTracker& commands, PageLoader& loader,
                               TimeDisplay& times, QWidget* parent)
    : ListPage(new RejectedDetails(times), parent),
      m_engine(engine),
      m_commands(commands),
      m_loader(loader),
      m_details(findChild<RejectedDetails*>()),
      m_model(new QuarantineModel(times, this)),
      m_discard(new QPushButton(icon(Symbol::discard), {}, this)),
      m_listChannel(loader.addChannel()),
      m_bodyChannel(loader.addChannel()) {
    setObjectName(QStringLiteral("quarantineView"));
    table().setObjectName(QStringLiteral("quarantineTable"));
    table().setAccessibleName(tr("Rejected events, newest first"));
    table().setModel(m_model);
    table().setSelectionMode(QAbstractItemView::ExtendedSelection);
    table().setColumnWidths({17, 11, 11, 12, 16, 9}, QuarantineModel::Reason);
    m_discard->setObjectName(QStringLiteral("quarantineDiscard"));
    m_discard->hide();
    strip().addWidget(m_discard);
    m_details->clear(hint());
    connect(m_discard, &QPushButton::clicked, this, &QuarantineView::discardSelected);
    connect(this, &ListPage::applyWanted, this, &QuarantineView::applyPending);
    connect(this, &ListPage::detailsOpened, this, &QuarantineView::showChosen);
    connect(m_details, &RejectedDetails::retryWanted, this, &QuarantineView::retry);
    connect(m_details, &RejectedDetails::discardWanted, this,
            [this](QuarantineId id) { askToDiscard({id}); });
    connectModel();
    showState();
}

void QuarantineView::connectModel() {
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_restoring = true; });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_restoring = false;
        selectAgain();
    });
    auto* selection = table().selectionModel();
    connect(selection, &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_restoring) return;
        m_selected.clear();
        for (const QModelIndex& row : table().selectionModel()->selectedRows())
            if (const auto* rejected = m_model->rejected(row.row()))
                m_selected.insert(rejected->id);
        showState();
    });
    connect(selection, &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_restoring) return;
                const auto* rejected = m_model->rejected(current.row());
                m_current = rejected ? rejected->id : QuarantineId();
                showChosen();
            });
}

std::unique_ptr<RowSource> QuarantineView::allRows() const {
    return quarantineRows(m_loader);
}

void QuarantineView::setFrozen(bool frozen) {
    m_frozen = frozen;
    showSnapshot();
}

void QuarantineView::applyPending() {
    if (!m_frozen && isVisible()) reload();
}

void QuarantineView::reload() {
    if (!m_loader.isOpen()) return;
    const auto snapshot = m_engine.snapshot();
    m_asOf = {snapshot->intake.rejectedEvents, snapshot->intake.quarantined};
    m_loader.load(m_listChannel, readAll, [this](AllRows all) {
        take(std::move(all.rows), plainLine(all.error));
    });
}

void QuarantineView::take(std::vector<QuarantineRow> rows, const QString& error) {
    m_error = error;
    m_loaded = m_loaded || error.isEmpty();
    // What is shown is better than a part.
    if (error.isEmpty()) m_model->setRows(std::move(rows));
    showChosen();
    showState();
}

void QuarantineView::showEvent(QShowEvent* event) {
    ListPage::showEvent(event);
    if (!m_frozen && (!m_loaded || isStale())) reload();
    showSnapshot();
}

bool QuarantineView::isStale() const {
    const auto snapshot = m_engine.snapshot();
    return m_asOf != std::pair(snapshot->intake.rejectedEvents, snapshot->intake.quarantined);
}

void QuarantineView::showSnapshot() {
    if (!isVisible()) return;
    // They come in by themselves only where they disturb nobody.
    const bool idle = live().mayMove() && m_selected.empty() && !m_details->isEdited();
    if (!m_frozen && isStale() && (idle || !m_loaded) && !m_loader.isBusy(m_listChannel)) reload();
    showState();
}

void QuarantineView::selectAgain() {
    std::erase_if(m_selected, [this](QuarantineId id) { return m_model->rowOf(id) < 0; });
    QItemSelection selection;
    for (const QuarantineId id : m_selected)
        selection.select(m_model->index(m_model->rowOf(id), 0),
                         m_model->index(m_model->rowOf(id), QuarantineModel::ColumnCount - 1));
    const QScopedValueRollback<bool> restoring(m_restoring, true);
    auto* model = table().selectionModel();
    model->select(selection, QItemSelectionModel::ClearAndSelect);
    if (const int row = m_model->rowOf(m_current); row >= 0)
        model->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
}

void QuarantineView::showChosen() {
    const auto* row = m_model->rejected(m_model->rowOf(m_current));
    if (!row) {
        setWhy({});
        m_details->clear(hint());
        return;
    }
    setWhy(plainLine(row->detail));
    if (!isDetailsOpen()) return;
    m_details->show(*row);
    m_loader.load(
        m_bodyChannel, [id = row->id](PageReader& reader) { return reader.quarantined(id); },
        [this](const std::optional<QuarantineRow>& whole) {
            if (whole) m_details->showBody(*whole);
        });
}

void QuarantineView::showState() {
    const int rows = m_model->rowCount();
    setCount(rows == 0 ? QString() : tr("%Ln rejected events", nullptr, rows));
    const auto chosen = static_cast<int>(m_selected.size());
    m_discard->setVisible(chosen > 1);
    m_discard->setText(tr("Discard %Ln selected…", nullptr, chosen));
    if (!m_error.isEmpty() && rows > 0)
        setPending(tr("Some could not be read · F5 tries again"));
    else
        setPending(!m_frozen && m_loaded && isStale() ? tr("Changed · F5") : QString());
    if (rows > 0) return;
    if (!m_loader.isOpen())
        table().setEmptyText(tr("The store is not open"),
                             tr("Rejected events are shown once the engine runs."));
    else if (!m_error.isEmpty())
        table().setEmptyText(tr("The rejected events could not be read"),
                             tr("%1\nDeliveries go on. F5 tries again.").arg(m_error));
    else if (!m_loaded)
        table().setEmptyText(tr("Loading…"), {});
    else
        table().setEmptyText(
            tr("Nothing was rejected"),
            tr("Events that cannot be taken are kept here with the reason, so that they can be "
               "mended. Of a batch, only the bad ones are rejected."));
}

void QuarantineView::retry(QuarantineId id, const std::string& body) {
    m_details->setBusy(true);
    m_commands.submit(RetryQuarantined{id, body}, this, [this, id](const CommandResult& result) {
        if (!result.ok()) {
            if (id == m_current) m_details->showError(plainLine(result.error));
            return;
        }
        emit succeeded(result.duplicate
                           ? tr("Event %1 was accepted before, under the same id. It is out of the "
                                "quarantine.")
                                 .arg(id.value)
                           : tr("Rejected event %1 is accepted and on its way.").arg(id.value));
        reload();
    });
}

void QuarantineView::discardSelected() {
    if (!m_selected.empty()) askToDiscard({m_selected.begin(), m_selected.end()});
}

void QuarantineView::askToDiscard(std::vector<QuarantineId> ids) {
    const int count = static_cast<int>(ids.size());
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("quarantineDiscardDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Discard rejected events"));
    auto* layout = dialogLayout(*dialog);
    layout->addWidget(
        dialogHeading(tr("Discard %Ln rejected events?", nullptr, count), dialog));
    layout->addWidget(dialogWords(
        tr("They were never accepted, and nobody has delivered them. What was sent cannot be "
           "brought back here; only their sender may still have it."),
        "quarantineDiscardWords", dialog));
    addDialogButtons(*dialog, *layout, tr("Discard %Ln events", nullptr, count), Symbol::discard,
                     "quarantineDiscardAccept");
    connect(dialog, &QDialog::accepted, this, [this, ids = std::move(ids)] { discard(ids); });
    dialog->open();
}

void QuarantineView::discard(const std::vector<QuarantineId>& ids) {
    m_commands.submit(DiscardQuarantined{ids}, this, [this](const CommandResult& result) {
        if (!result.ok())
            return emit failed(tr("Nothing was discarded: %1").arg(plainLine(result.error)));
        emit succeeded(
            tr("%Ln rejected events were discarded.", nullptr, static_cast<int>(result.done)));
        reload();
    });
}

}  // namespace lanes::ui
