// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/groups_panel.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/dead_letters/groups_model.h"

#include <QComboBox>
#include <QDateTime>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include <utility>

namespace lanes::ui {

namespace {

/// Between two slices of a count other questions have their turn.
constexpr qint64 kSliceMs = 40;
constexpr auto kKept = "layout/deadLettersView/grouping";

/// Pages, one after another, until the time is over.
void countSome(PageReader& reader, GroupTally& tally, DeadLetterQuery& query, bool& complete,
               std::string& error) {
    QElapsedTimer since;
    since.start();
    do {
        const auto page = reader.deadLetters(query);
        for (const auto& row : page.rows) tally.add(row);
        complete = page.complete;
        error = page.error;
        // Interrupted before it moved: whoever did that drops the answer.
        if (complete || !error.empty() || page.interrupted || !page.resume) return;
        query.after = page.resume;
    } while (since.elapsed() < kSliceMs);
}

}  // namespace

GroupsPanel::GroupsPanel(PageLoader& loader, TimeDisplay& times,
                         std::function<std::uint64_t()> dead, QWidget* parent)
    : QWidget(parent),
      m_loader(loader),
      m_times(times),
      m_dead(std::move(dead)),
      m_channel(loader.addChannel()),
      m_model(new GroupsModel(times, this)),
      m_by(new QComboBox(this)),
      m_act(new QPushButton(this)),
      m_table(new Table(this)),
      m_state(new QLabel(this)) {
    setObjectName(QStringLiteral("groupsPanel"));
    build();
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] {
        m_model->setGroups({});
        m_tally.reset();
        refresh();
    });
    connect(m_act, &QPushButton::clicked, this, [this] {
        m_stopping = m_counting;
        if (!m_counting) refresh();
    });
    connect(m_table, &QAbstractItemView::clicked, this, &GroupsPanel::choose);
    connect(m_table, &Table::opened, this, [this] { choose(m_table->currentIndex()); });
    connect(m_table, &QWidget::customContextMenuRequested, this, &GroupsPanel::showMenu);
    connect(&times, &TimeDisplay::changed, this, &GroupsPanel::showState);
    showState();
}

void GroupsPanel::build() {
    m_by->setObjectName(QStringLiteral("groupsBy"));
    m_by->addItem(tr("Error and destination"), static_cast<int>(Grouping::errorClass));
    m_by->addItem(tr("Type"), static_cast<int>(Grouping::type));
    m_by->addItem(tr("User"), static_cast<int>(Grouping::user));
    m_by->addItem(tr("Hour of death"), static_cast<int>(Grouping::hour));
    m_by->setAccessibleName(tr("What the dead letters are put together by"));
    // Rather cut than a reason for a wider panel.
    m_by->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_by->setMinimumContentsLength(8);
    m_act->setObjectName(QStringLiteral("groupsAct"));
    m_act->setVisible(false);

    m_table->setObjectName(QStringLiteral("groupsTable"));
    m_table->setAccessibleName(tr("Groups of dead letters, the largest first"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setColumnWidths({22, 6, 10, 10, 10, 4}, GroupsModel::Group);

    m_state->setObjectName(QStringLiteral("groupsState"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setForegroundRole(QPalette::PlaceholderText);

    auto* strip = new QHBoxLayout;
    strip->setContentsMargins(10, 5, 8, 5);
    strip->setSpacing(8);
    strip->addWidget(m_by, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(10, 4, 8, 6);
    foot->setSpacing(8);
    foot->addWidget(m_state, 1);
    foot->addWidget(m_act, 0, Qt::AlignBottom);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(strip);
    layout->addWidget(m_table, 1);
    layout->addLayout(foot);
    setFocusProxy(m_table);
}

void GroupsPanel::setFilter(const DeadLetterFilter& filter) {
    if (filter == m_filter) return;
    m_filter = filter;
    refresh();
}

void GroupsPanel::refresh() {
    m_loader.cancel(m_channel);
    m_counting = false;
    m_wanted = true;
    if (isVisible() && m_loader.isOpen()) start();
    showState();
}

void GroupsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_wanted) refresh();
}

void GroupsPanel::setFrozen(bool frozen) {
    m_frozen = frozen;
    showState();
}

void GroupsPanel::setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
    m_model->setSnapshot(std::move(snapshot));
    if (m_counting && !m_loader.isBusy(m_channel)) {
        // Its reader was closed, and with it went the answer.
        m_counting = false;
        m_wanted = true;
    }
    showState();
}

void GroupsPanel::start() {
    m_wanted = false;
    m_counting = true;
    m_stopping = false;
    m_error.clear();
    m_lettersSoFar = 0;
    m_startedAt = QDateTime::currentMSecsSinceEpoch() * kMillisecond;
    m_deadAtStart = m_dead();
    Slice slice;
    slice.tally = std::make_shared<GroupTally>(static_cast<Grouping>(m_by->currentData().toInt()));
    slice.query.filter = m_filter;
    slice.query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    count(std::move(slice));
}

/// The tally goes to the reader's thread and back: one thread has it at a time.
void GroupsPanel::count(Slice slice) {
    m_loader.load(
        m_channel,
        [slice](PageReader& reader) {
            Slice next = slice;
            countSome(reader, *next.tally, next.query, next.complete, next.error);
            return next;
        },
        [this](Slice next) { counted(std::move(next)); });
}

void GroupsPanel::counted(Slice slice) {
    m_lettersSoFar = slice.tally->letters();
    m_error = slice.error;
    if (m_error.empty() && !slice.complete && !m_stopping) {
        count(std::move(slice));
        showState();
        return;
    }
    m_counting = m_stopping = false;
    if (m_error.empty()) show(slice);
    showState();
}

void GroupsPanel::show(const Slice& slice) {
    const auto* current = m_model->group(m_table->currentIndex().row());
    const auto kept = current ? std::optional(*current) : std::nullopt;
    m_tally = slice.tally;
    m_asOf = m_startedAt;
    m_backTo = slice.complete || !slice.query.after ? 0 : slice.query.after->diedAt;
    m_model->setGroups(m_tally->largest());
    if (!kept) return;
    if (const int row = m_model->rowOf(*kept); row >= 0)
        m_table->setCurrentIndex(m_model->index(row, 0));
}

void GroupsPanel::showState() {
    const bool behind = m_tally && !m_frozen && m_dead() != m_deadAtStart;
    m_act->setVisible(m_counting || behind);
    if (m_counting) {
        m_act->setText(tr("Stop"));
        m_act->setToolTip(tr("Show what was counted so far"));
    } else {
        m_act->setText(tr("Count · F5"));
        m_act->setToolTip(tr("The number of dead letters has changed since (F5)"));
    }
    if (m_model->rowCount() == 0) {
        if (!m_error.empty())
            m_table->setEmptyText(tr("The groups could not be counted"), {});
        else if (!m_tally)
            m_table->setEmptyText(tr("Counting…"), {});
        else
            m_table->setEmptyText(tr("No dead letters"),
                                  tr("Nothing fits, so there are no groups."));
    }
    m_state->setText(stateWords());
}

QString GroupsPanel::stateWords() const {
    if (m_counting)
        return tr("Counting: %1 dead letters so far…").arg(countText(m_lettersSoFar));
    if (!m_error.empty())
        return tr("The groups could not be counted: %1").arg(plainLine(m_error));
    if (!m_tally) return {};
    QStringList lines{tr("As of %1 %2: %3 in %4")
                          .arg(m_times.text(m_asOf), m_times.zoneLabel(),
                               m_tally->letters() == 1
                                   ? tr("one dead letter")
                                   : tr("%1 dead letters").arg(countText(m_tally->letters())),
                               m_tally->groups() == 1
                                   ? tr("one group")
                                   : tr("%1 groups").arg(countText(m_tally->groups())))};
    if (m_backTo != 0)
        lines << tr("Stopped: older deaths than %1 are not counted.").arg(m_times.text(m_backTo));
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    if (m_tally->groups() > shown)
        lines << tr("The largest %1 are shown, and there are %2 more.")
                     .arg(countText(shown), countText(m_tally->groups() - shown));
    if (m_tally->apart() > 0)
        lines << tr("%1 dead letters are in further groups.").arg(countText(m_tally->apart()));
    return lines.join(QLatin1Char('\n'));
}

void GroupsPanel::choose(const QModelIndex& index) {
    const auto* group = m_model->group(index.row());
    if (group && m_tally) emit groupChosen(m_tally->conditionsOf(*group));
}

void GroupsPanel::showMenu(const QPoint& position) {
    const auto* group = m_model->group(m_table->indexAt(position).row());
    if (!group || !m_tally) return;
    const auto conditions = m_tally->conditionsOf(*group);
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("groupMenu"));
    menu.addAction(icon(Symbol::filter), tr("Show this group"), this,
                   [this, conditions] { emit groupChosen(conditions); });
    menu.addAction(icon(Symbol::note),
                   group->count == 1 ? tr("Note on 1 dead letter…")
                                     : tr("Note on %1 dead letters…").arg(countText(group->count)),
                   this, [this, conditions] { emit noteWanted(conditions); });
    m_table->popUp(menu, position);
}

void GroupsPanel::saveGrouping(QSettings& settings) const {
    settings.setValue(QLatin1String(kKept), m_by->currentIndex());
}

void GroupsPanel::restoreGrouping(QSettings& settings) {
    const int kept = settings.value(QLatin1String(kKept)).toInt();
    if (kept >= 0 && kept < m_by->count()) m_by->setCurrentIndex(kept);
}

}  // namespace lanes::ui
