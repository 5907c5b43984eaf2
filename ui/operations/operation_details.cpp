// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operation_details.h"

#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/operations/operation_events_model.h"
#include "ui/operations/operation_words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace lanes::ui {

namespace {

/// How often the events of an operation that goes on are read again.
constexpr qint64 kEventsMs = 1000;

void setLine(QLabel& label, const QString& text) {
    if (label.text() != text) label.setText(text);
    label.setVisible(!text.isEmpty());
}

}  // namespace

OperationDetails::OperationDetails(PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : QWidget(parent),
      m_loader(loader),
      m_times(times),
      m_hint(wrappedLabel("operationHint", this)),
      m_rest(new QWidget(this)),
      m_title(new ElidedLabel(m_rest)),
      m_facts(new ElidedLabel(m_rest)),
      m_sentence(wrappedLabel("operationSentence", m_rest)),
      m_note(wrappedLabel("operationNote", m_rest)),
      m_reason(wrappedLabel("operationReason", m_rest)),
      m_stopLine(new QWidget(m_rest)),
      m_stop(new QPushButton(m_stopLine)),
      m_stopSays(wrappedLabel("operationStopSays", m_stopLine)),
      m_undo(new QPushButton(m_rest)),
      m_again(new QPushButton(m_rest)),
      m_eventsTitle(new QLabel(tr("Events"), m_rest)),
      m_events(new Table(m_rest)),
      m_model(new OperationEventsModel(this)) {
    setObjectName(QStringLiteral("operationDetails"));
    build();
    connect(&times, &TimeDisplay::changed, this, &OperationDetails::showFacts);
    connect(m_stop, &QPushButton::clicked, this, [this] { emit stopWanted(m_row.id); });
    connect(m_undo, &QPushButton::clicked, this, [this] { emit undoWanted(m_row.id); });
    connect(m_again, &QPushButton::clicked, this, [this] { emit rewindFailedWanted(m_row.id); });
    connect(m_model, &OperationEventsModel::pageWanted, this,
            [this](const OperationEventsModel::Request& request) {
                m_changed = false;
                m_sinceEvents.start();
                m_loader.load(
                    PageLoader::Channel::operationEvents,
                    [query = request.query](PageReader& reader) {
                        return reader.operationEvents(query);
                    },
                    [this, request](OperationEventPage page) {
                        m_model->acceptPage(request, std::move(page));
                        showEvents();
                    });
            });
    clear({});
}

void OperationDetails::build() {
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setObjectName(QStringLiteral("operationTitle"));
    m_facts->setObjectName(QStringLiteral("operationFacts"));
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_stopSays->setForegroundRole(QPalette::PlaceholderText);
    m_eventsTitle->setFont(bold);
    m_eventsTitle->setTextFormat(Qt::PlainText);
    m_stop->setObjectName(QStringLiteral("operationStop"));
    m_stop->setText(tr("Stop"));
    m_stop->setIcon(icon(Symbol::close));
    m_undo->setObjectName(QStringLiteral("operationUndo"));
    m_undo->setIcon(icon(Symbol::deadLetter));
    m_again->setObjectName(QStringLiteral("operationRewindFailed"));
    m_again->setIcon(icon(Symbol::rewind));
    m_events->setObjectName(QStringLiteral("operationEvents"));
    m_events->setAccessibleName(tr("Events of this operation, in the order of its set"));
    m_events->setModel(m_model);
    m_events->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_events->setColumnWidths({4, 15, 13, 9, 9, 10, 7}, OperationEventsModel::Fate);

    auto* stop = new QHBoxLayout(m_stopLine);
    stop->setContentsMargins(0, 0, 0, 0);
    stop->setSpacing(10);
    stop->addWidget(m_stop, 0, Qt::AlignTop);
    stop->addWidget(m_stopSays, 1);
    auto* rest = new QVBoxLayout(m_rest);
    rest->setContentsMargins(0, 0, 0, 0);
    rest->setSpacing(6);
    for (QWidget* line : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_facts),
                          static_cast<QWidget*>(m_sentence), static_cast<QWidget*>(m_note),
                          static_cast<QWidget*>(m_reason), m_stopLine})
        rest->addWidget(line);
    rest->addWidget(m_undo, 0, Qt::AlignLeft);
    rest->addWidget(m_again, 0, Qt::AlignLeft);
    rest->addSpacing(4);
    rest->addWidget(m_eventsTitle);
    rest->addWidget(m_events, 1);
    rest->addStretch();  // takes the room where there are no events
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 10, 8);
    layout->addWidget(m_hint);
    layout->addWidget(m_rest, 1);
}

void OperationDetails::show(const OperationRow& row,
                            const std::shared_ptr<const EngineSnapshot>& snapshot) {
    const bool other = row.id != m_row.id;
    m_changed = m_changed || other || isOpen(m_row) || isOpen(row);
    m_row = row;
    if (other) m_gathering = false;
    m_model->setSnapshot(snapshot);
    m_hint->setVisible(false);
    m_rest->setVisible(true);
    showFacts();
    showActs();
    m_model->setOperation(row.kind == OperationKind::setting ? OperationId() : row.id);
    showEvents();
}

void OperationDetails::clear(const QString& hint) {
    m_row = {};
    m_gathering = false;
    m_loader.cancel(PageLoader::Channel::operationEvents);
    m_model->setOperation({});
    m_rest->setVisible(false);
    setLine(*m_hint, hint);
}

void OperationDetails::refresh() {
    if (!m_row.id || !isVisible() || m_loader.isBusy(PageLoader::Channel::operationEvents)) return;
    m_model->forgetQuestion();
    if (m_changed && m_model->error().isEmpty() && m_sinceEvents.hasExpired(kEventsMs))
        m_model->refresh(m_events->visibleRows().first);
}

void OperationDetails::reload() {
    if (m_row.id && isVisible()) m_model->refresh(m_events->visibleRows().first);
}

void OperationDetails::setGathering(bool gathering) {
    m_gathering = gathering;
    showActs();
}

void OperationDetails::showFacts() {
    if (!m_row.id) return;
    QString action = actionWord(m_row);
    if (!action.isEmpty()) action[0] = action[0].toUpper();
    m_title->setFullText(tr("%1 #%2 · %3").arg(action).arg(m_row.id.value).arg(stateWord(m_row)));
    m_facts->setFullText(tr("by %1 at %2 %3 · %4")
                             .arg(plainLine(m_row.who), m_times.text(m_row.at), m_times.zoneLabel(),
                                  plainLine(m_row.scope)));
    setLine(*m_sentence, progressSentence(m_row));
    setLine(*m_note,
            m_row.note.empty() ? QString() : tr("Why it ended: %1.").arg(plainLine(m_row.note)));
    setLine(*m_reason,
            m_row.reason.empty() ? QString() : tr("Reason: %1").arg(plainLine(m_row.reason)));
}

void OperationDetails::showActs() {
    m_stopLine->setVisible(m_row.moves());
    setLine(*m_stopSays, stopSentence(m_row));
    const bool undoable = m_row.moves() || m_row.untried > 0;
    m_undo->setVisible(m_row.rewinds() && isOpen(m_row));
    m_undo->setEnabled(undoable);
    const QString untried = countText(m_row.untried);
    m_undo->setText(m_row.kind == OperationKind::rewindLanes
                        ? tr("Return %1 untried to where they came from").arg(untried)
                        : tr("Return %1 untried to the dead letters").arg(untried));
    m_undo->setToolTip(undoable ? tr("Stops it and takes back what was not tried yet (Ctrl+Z takes "
                                     "back the last rewind)")
                                : tr("Every event that was moved was tried already."));
    m_again->setVisible(m_row.rewinds() && m_row.deadAgain > 0);
    m_again->setEnabled(!m_gathering);
    m_again->setText(m_gathering ? tr("Looking for those that failed again…")
                     : m_row.deadAgain == 1
                         ? tr("Rewind the one that failed again…")
                         : tr("Rewind the %1 that failed again…").arg(countText(m_row.deadAgain)));
    m_again->setToolTip(tr("Exactly those; you see first what it would do."));
}

void OperationDetails::showEvents() {
    const bool setting = m_row.kind == OperationKind::setting;
    m_eventsTitle->setVisible(!setting);
    m_events->setVisible(!setting);
    if (!m_model->error().isEmpty())
        m_events->setEmptyText(tr("The events could not be read"), m_model->error());
    else if (!m_model->isLoaded())
        m_events->setEmptyText(tr("Loading…"), {});
    else
        m_events->setEmptyText(tr("Its events are not kept any more"),
                               tr("The record of what was done stays."));
}

}  // namespace lanes::ui
