// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_window.h"

#include "ui/common/command_tracker.h"
#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/lanes/hold_dialog.h"
#include "ui/lanes/lane_events_model.h"
#include "ui/lanes/lane_rewind_dialog.h"
#include "ui/lanes/why_line.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace lanes::ui {

namespace {

/// Requests for the state of one lane; others number theirs in other ranges.
constexpr std::uint64_t kTokenMark = 0x1a4e'0000'0000'0000ULL;
constexpr QSize kSize(860, 480);

std::uint64_t nextToken() {
    static std::uint64_t last = 0;
    return kTokenMark | ++last;
}

}  // namespace

LaneWindow::LaneWindow(Engine& engine, CommandTracker& commands, PageLoader& loader,
                       TimeDisplay& times, LaneKey lane, const UserKey& user, QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_commands(commands),
      m_loader(loader),
      m_times(times),
      m_lane(lane),
      m_user(user),
      m_channel(loader.addChannel()),
      m_token(nextToken()),
      m_title(new QLabel(this)),
      m_why(new QLabel(this)),
      m_table(new Table(this)),
      m_model(new LaneEventsModel(lane, times, this)),
      m_rewind(new QPushButton(icon(Symbol::rewind), tr("Rewind the lane from here…"), this)),
      m_hold(new QPushButton(icon(Symbol::pause), tr("Hold…"), this)) {
    setObjectName(QStringLiteral("laneWindow"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Lane of %1 to %2").arg(userText(user), destinationName()));
    m_title->setObjectName(QStringLiteral("laneTitle"));
    m_title->setTextFormat(Qt::PlainText);
    makeHeading(*m_title);
    m_title->setText(windowTitle());
    m_why->setObjectName(QStringLiteral("laneWhy"));
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("laneEventsTable"));
    m_table->setAccessibleName(tr("Events of this lane, in their order"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnWidths({4, 16, 14, 10, 8, 9, 26}, LaneEventsModel::State);
    m_table->setEmptyText(tr("Loading…"), {});
    m_rewind->setObjectName(QStringLiteral("laneRewind"));
    m_hold->setObjectName(QStringLiteral("laneHold"));

    auto* close = new QPushButton(tr("Close"), this);
    auto* again = new QPushButton(tr("Read again"), this);
    again->setObjectName(QStringLiteral("laneReload"));
    again->setShortcut(QKeySequence(Qt::Key_F5));
    again->setToolTip(tr("Shows what came since (F5)"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_rewind);
    buttons->addWidget(m_hold);
    buttons->addStretch(1);
    buttons->addWidget(again);
    buttons->addWidget(close);
    for (QPushButton* button : {m_rewind, m_hold, again, close}) button->setAutoDefault(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    layout->addWidget(m_why);
    layout->addWidget(m_table, 1);
    layout->addLayout(buttons);
    resize(kSize);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(again, &QPushButton::clicked, this, &LaneWindow::reload);
    connect(m_rewind, &QPushButton::clicked, this, &LaneWindow::rewindFromHere);
    connect(m_hold, &QPushButton::clicked, this, &LaneWindow::holdOrRelease);
    connect(m_model, &LaneEventsModel::pageWanted, this, &LaneWindow::load);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { showButtons(); });
    connect(&engine, &Engine::lanesRead, this, &LaneWindow::acceptLane);
    connect(&engine, &Engine::snapshotPublished, this, &LaneWindow::showSnapshot);
    connect(&times, &TimeDisplay::changed, this, &LaneWindow::showState);
    showSnapshot();
    reload();
}

LaneWindow::~LaneWindow() {
    m_loader.cancel(m_channel);
}

QString LaneWindow::destinationName() const {
    return nameOf(m_engine.snapshot().get(), m_lane.destination, kNameCharacters);
}

void LaneWindow::reload() {
    if (m_loader.isOpen()) m_model->reload();
}

void LaneWindow::load(const LaneEventQuery& query) {
    m_loader.load(
        m_channel, [query](PageReader& reader) { return reader.laneEvents(query); },
        [this, query](LaneEventPage page) {
            m_model->acceptPage(query, std::move(page));
            showState();
        });
}

void LaneWindow::showSnapshot() {
    askLane();
    showState();
}

void LaneWindow::askLane() {
    LanePageRequest request;
    request.token = m_token;
    request.destination = m_lane.destination;
    request.user = m_lane.user;
    request.limit = 1;
    m_engine.readLanes(request);
}

void LaneWindow::acceptLane(const LanePage& page) {
    if (page.request.token != m_token) return;
    const auto before = m_row;
    m_row = page.rows.empty() ? std::nullopt : std::optional(page.rows.front());
    m_model->setLane(m_row);
    // The head went on: the list is read again, what stands in it keeps its place.
    const bool moved =
        m_told && (before.has_value() != m_row.has_value() ||
                   (before && m_row &&
                    (before->head != m_row->head || before->attempts != m_row->attempts ||
                     before->backlog != m_row->backlog)));
    m_told = true;
    if (moved && !m_loader.isBusy(m_channel)) reload();
    showState();
}

void LaneWindow::showState() {
    const auto snapshot = m_engine.snapshot();
    if (!m_told)
        m_why->setText(QString());
    else if (m_row)
        m_why->setText(whyLine(*m_row, snapshot->find(m_lane.destination), m_times));
    else
        m_why->setText(tr("Nothing waits in this lane."));
    if (m_model->isLoaded())
        m_table->setEmptyText(tr("No event of this lane is in the log"),
                              tr("Events that are finished everywhere leave the log after some "
                                 "days."));
    showButtons();
}

/// What is selected: a row that only has the focus was not chosen by anybody.
const LaneEventRow* LaneWindow::chosen() const {
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : m_model->event(rows.front().row());
}

void LaneWindow::showButtons() {
    const bool running = m_engine.snapshot()->lifecycle == Lifecycle::running;
    const auto* from = chosen();
    m_rewind->setEnabled(running && from && m_loader.isOpen());
    m_rewind->setToolTip(from ? tr("Deliver this event and everything behind it again, in order")
                                : tr("Choose the event to begin with"));
    const bool held = m_row && !m_row->heldBy.empty();
    m_hold->setText(held ? tr("Release") : tr("Hold…"));
    m_hold->setIcon(icon(held ? Symbol::resume : Symbol::pause));
    m_hold->setToolTip(held ? tr("Deliver the events of this user here again")
                            : tr("Deliver nothing of this user here until it is released"));
    m_hold->setEnabled(running && m_told);
}

void LaneWindow::holdOrRelease() {
    const QString user = userText(m_user);
    const auto answer = [this](const QString& done) {
        return [this, done](const CommandResult& result) {
            if (result.ok())
                emit succeeded(done);
            else
                emit failed(tr("Nothing was changed: %1").arg(plainLine(result.error)));
            askLane();
        };
    };
    if (m_row && !m_row->heldBy.empty()) {
        m_commands.submit(ReleaseLane{m_lane, operatorName()}, this,
                          answer(tr("%1 is delivered to %2 again.").arg(user, destinationName())));
        return;
    }
    auto* dialog = new HoldDialog(user, destinationName(), m_row ? m_row->backlog : 0, this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, answer, user] {
        m_commands.submit(
            HoldLane{m_lane, m_user.text, operatorName(), dialog->reason()}, this,
            answer(
                tr("Nothing of %1 goes to %2 until it is released.").arg(user, destinationName())));
    });
    dialog->open();
}

void LaneWindow::rewindFromHere() {
    const auto* from = chosen();
    if (!from || !m_loader.isOpen()) return;
    m_rewind->setEnabled(false);
    m_loader.load(
        PageLoader::Channel::plan,
        [lane = m_lane, first = from->sequence](PageReader& reader) {
            return reader.planLanes({{lane, first}});
        },
        [this](const LanePlan& plan) { askRewind(plan); });
}

void LaneWindow::askRewind(const LanePlan& plan) {
    showButtons();
    if (!plan.error.empty()) {
        emit failed(tr("The lane cannot be rewound: %1").arg(plainLine(plan.error)));
        return;
    }
    auto* dialog = new LaneRewindDialog(plan, userText(m_user), destinationName(), this);
    connect(dialog, &QDialog::accepted, this, [this, plan, dialog] {
        RewindLanes command{plan.lanes, plan.plannedAt, plan.lastOperation, operatorName(),
                            dialog->reason()};
        m_commands.submit(std::move(command), this, [this](const CommandResult& result) {
            if (!result.ok()) {
                emit failed(tr("Nothing was rewound: %1").arg(plainLine(result.error)));
                return;
            }
            emit rewound(result.operation);
            emit succeeded(result.underWay
                               ? tr("The lane is moved as soon as nothing of it is in flight.")
                               : tr("%1 events of this lane are delivered again, in order.")
                                     .arg(countText(result.done)));
            reload();
        });
    });
    dialog->open();
}

}  // namespace lanes::ui
