// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/go_to_dialog.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/time_display.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace lanes::ui {

namespace {
/// After the last key: who types is not asked about each letter.
constexpr int kTypingMs = 200;
constexpr int kWidth = 620;
constexpr int kRows = 9;
constexpr int kMargin = 12;
}  // namespace

GoToDialog::GoToDialog(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_loader(loader),
      m_times(times),
      m_channel(loader.addChannel()),
      m_typed(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_note(new QLabel(this)),
      m_wait(new QTimer(this)) {
    setObjectName(QStringLiteral("goToDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Go to an event, a user or a lane"));
    m_typed->setObjectName(QStringLiteral("goToTyped"));
    m_typed->setPlaceholderText(tr("Id or number of an event, or a user"));
    m_typed->setAccessibleName(tr("What to look for"));
    m_typed->setClearButtonEnabled(true);
    m_typed->addAction(icon(Symbol::search), QLineEdit::LeadingPosition);
    m_typed->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("goToList"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setUniformItemSizes(true);
    m_list->setIconSize({16, 16});
    m_list->setMinimumHeight(kRows * (m_list->fontMetrics().height() + 8));
    m_note->setObjectName(QStringLiteral("goToNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->setSpacing(kMargin - 4);
    layout->addWidget(m_typed);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    resize(kWidth, sizeHint().height());
    m_wait->setSingleShot(true);
    m_wait->setInterval(kTypingMs);
    connect(m_typed, &QLineEdit::textChanged, m_wait, qOverload<>(&QTimer::start));
    connect(m_wait, &QTimer::timeout, this, &GoToDialog::ask);
    connect(m_typed, &QLineEdit::returnPressed, this, &GoToDialog::openChosen);
    connect(m_list, &QListWidget::itemActivated, this, &GoToDialog::openChosen);
    ask();
}

GoToDialog::~GoToDialog() {
    m_loader.cancel(m_channel);
}

QString GoToDialog::destinationName(DestinationId id) const {
    return nameOf(m_engine.snapshot().get(), id, kNameCharacters);
}

void GoToDialog::ask() {
    m_wait->stop();
    SearchQuestion question;
    question.text = m_typed->text().trimmed().toStdString();
    m_loader.cancel(m_channel);
    m_list->clear();
    m_answer = {};
    if (question.text.empty()) {
        m_note->setText(tr("An event that came with another source is written source:id."));
        return;
    }
    if (!m_loader.isOpen()) {
        m_note->setText(tr("The store is not open."));
        return;
    }
    m_note->setText(tr("Looking…"));
    const auto snapshot = m_engine.snapshot();
    for (const auto& destination : snapshot->destinations)
        question.destinations.push_back(destination.id);
    for (const auto& source : snapshot->sources) question.sources.push_back(source.config.name);
    m_loader.load(
        m_channel,
        [question = std::move(question)](PageReader& reader) { return search(reader, question); },
        [this](const SearchAnswer& answer) { showAnswer(answer); });
}

void GoToDialog::showAnswer(const SearchAnswer& answer) {
    m_answer = answer;
    for (const EventRow& event : answer.events) {
        auto* item =
            new QListWidgetItem(icon(Symbol::list),
                                tr("Event %1 · %2 of %3, accepted %4")
                                    .arg(plainLine(event.id, 80), plainLine(event.type, 60),
                                         userText(event.user), m_times.text(event.acceptedAt)),
                                m_list);
        item->setToolTip(plainTooltip(plainLine(event.id)));
    }
    for (const FoundLane& found : answer.lanes)
        new QListWidgetItem(icon(Symbol::lane),
                            tr("Lane of %1 to %2")
                                .arg(userText(found.user), destinationName(found.lane.destination)),
                            m_list);
    if (m_list->count() > 0) m_list->setCurrentRow(0);
    if (!answer.error.empty())
        m_note->setText(tr("Not everything could be looked at: %1").arg(plainLine(answer.error)));
    else if (m_list->count() == 0)
        m_note->setText(
            tr("Nothing in the log has this id, number or user. Events that are "
               "finished everywhere leave the log after some days."));
    else
        m_note->setText(tr("Enter opens it."));
}

void GoToDialog::openChosen() {
    if (m_wait->isActive()) return ask();
    const int row = m_list->currentRow();
    if (row < 0) return;
    const auto place = static_cast<std::size_t>(row);
    if (place < m_answer.events.size()) {
        emit eventWanted(m_answer.events[place].sequence);
    } else {
        const FoundLane& found = m_answer.lanes[place - m_answer.events.size()];
        emit laneWanted(found.lane, found.user);
    }
    accept();
}

bool GoToDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_typed && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        // The list obeys the arrows while one types.
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
            key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace lanes::ui
