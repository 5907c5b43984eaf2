// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/event_details.h"

#include "ui/common/attempts_model.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/labels.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// Bytes of a body that are laid out at once: more takes the text widget noticeable time.
constexpr std::size_t kShownBodyBytes = 256u << 10;
/// A line without end takes quadratic time to lay out, so long ones are folded.
constexpr qsizetype kFoldAt = 2000;
constexpr int kBodyTab = 0;
constexpr int kResponseTab = 1;

/// A text of others as it is safe to show: no NUL, no endless line.
QString shownText(const std::string& payload) {
    const auto bytes = std::min(payload.size(), kShownBodyBytes);
    QString text = QString::fromUtf8(payload.data(), static_cast<qsizetype>(bytes));
    text.replace(QChar::Null, QChar::ReplacementCharacter);
    qsizetype run = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        run = text[i] == QLatin1Char('\n') ? 0 : run + 1;
        if (run < kFoldAt) continue;
        text.insert(i + 1, QLatin1Char('\n'));
        run = 0;
    }
    return text;
}

}  // namespace

EventDetails::EventDetails(PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : QWidget(parent),
      m_loader(loader),
      m_times(times),
      m_eventChannel(loader.addChannel()),
      m_attemptsChannel(loader.addChannel()),
      m_why(new QLabel(this)),
      m_note(new QLabel(this)),
      m_acts(new QHBoxLayout),
      m_rest(new QWidget(this)),
      m_title(new ElidedLabel(m_rest)),
      m_facts(new ElidedLabel(m_rest)),
      m_attemptsTitle(sectionTitle(tr("Attempts"), m_rest)),
      m_attempts(new Table(m_rest)),
      m_model(new AttemptsModel(times, this)),
      m_tabs(new QTabBar(m_rest)),
      m_texts(new QStackedWidget(m_rest)),
      m_body(new QPlainTextEdit(m_texts)),
      m_response(new QPlainTextEdit(m_texts)) {
    setObjectName(QStringLiteral("eventDetails"));
    m_why->setObjectName(QStringLiteral("whyLine"));
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_why->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_note->setObjectName(QStringLiteral("detailsNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setVisible(false);
    m_acts->setSpacing(8);
    m_acts->addStretch(1);
    QFont big = m_title->font();
    big.setBold(true);
    m_title->setFont(big);
    m_title->setObjectName(QStringLiteral("detailsTitle"));
    m_facts->setObjectName(QStringLiteral("detailsFacts"));
    m_facts->setForegroundRole(QPalette::PlaceholderText);

    m_attempts->setObjectName(QStringLiteral("detailsAttempts"));
    m_attempts->setAccessibleName(tr("Attempts of this event, newest first"));
    m_attempts->setModel(m_model);
    m_attempts->setSelectionMode(QAbstractItemView::SingleSelection);
    m_attempts->setColumnWidths({8, 3, 17, 6, 9, 10}, AttemptsModel::Error);
    m_attempts->setEmptyText(tr("Not tried yet"), {});

    buildTexts();
    auto* rest = new QVBoxLayout(m_rest);
    rest->setContentsMargins(0, 0, 0, 0);
    rest->setSpacing(4);
    rest->addWidget(m_title);
    rest->addWidget(m_facts);
    rest->addLayout(m_acts);
    rest->addSpacing(6);
    rest->addWidget(m_attemptsTitle);
    rest->addWidget(m_attempts, 3);
    rest->addSpacing(6);
    rest->addWidget(m_tabs);
    rest->addWidget(m_texts, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 10, 8);
    layout->setSpacing(10);
    layout->addWidget(m_why);
    layout->addWidget(m_note);
    layout->addWidget(m_rest, 1);
    connect(&m_times, &TimeDisplay::changed, this, &EventDetails::showFacts);
    connect(m_attempts->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { chooseAttempt(current.row()); });
    clear({});
}

void EventDetails::buildTexts() {
    m_tabs->setObjectName(QStringLiteral("detailsTabs"));
    m_tabs->setAccessibleName(tr("Body of the event, or the response to an attempt"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->addTab(tr("Body"));
    m_tabs->addTab(tr("Response"));
    m_body->setObjectName(QStringLiteral("detailsBody"));
    m_body->setAccessibleName(tr("Body of the event"));
    m_response->setObjectName(QStringLiteral("detailsResponse"));
    m_response->setAccessibleName(tr("Response to the attempt"));
    for (QPlainTextEdit* text : {m_body, m_response}) {
        text->setReadOnly(true);
        text->setTabChangesFocus(true);
        text->setFrameShape(QFrame::NoFrame);
        text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        m_texts->addWidget(text);
    }
    connect(m_tabs, &QTabBar::currentChanged, m_texts, &QStackedWidget::setCurrentIndex);
}

void EventDetails::setWhy(const QString& why) {
    if (m_why->text() != why) m_why->setText(why);
}

void EventDetails::setNote(const QString& note) {
    if (m_note->text() != note) m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void EventDetails::showPointer(Pointer pointer, const QString& destination) {
    m_rest->setVisible(true);
    if (pointer == m_pointer) return;
    m_pointer = pointer;
    m_destination = destination;
    m_event.reset();
    m_attempt = 0;
    m_model->clear();
    m_body->clear();
    m_response->clear();
    m_response->setPlaceholderText({});
    m_tabs->setTabText(kBodyTab, tr("Body"));
    m_tabs->setTabText(kResponseTab, tr("Response"));
    m_title->setFullText(tr("Event %1").arg(pointer.sequence.value));
    m_facts->setFullText({});
    m_attempts->setEmptyText(tr("Loading…"), {});
    askEvent();
    askAttempts();
}

void EventDetails::showAttempt(const AttemptRow& attempt, const QString& destination) {
    showPointer(attempt.pointer, destination);
    m_attempt = attempt.position;
    showResponse(attempt);
    findAttempt();
    m_tabs->setCurrentIndex(kResponseTab);
}

void EventDetails::refresh() {
    if (m_pointer.sequence && !m_frozen && isVisible()) askAttempts();
}

void EventDetails::clear(const QString& hint) {
    m_pointer = {};
    m_event.reset();
    m_attempt = 0;
    m_loader.cancel(m_eventChannel);
    m_loader.cancel(m_attemptsChannel);
    m_model->clear();
    m_body->clear();
    m_response->clear();
    m_rest->setVisible(false);
    setNote({});
    setWhy(hint);
}

void EventDetails::askEvent() {
    const Pointer asked = m_pointer;
    m_loader.load(
        m_eventChannel,
        [asked](PageReader& reader) {
            return std::pair(reader.event(asked.sequence), reader.editedPayload(asked));
        },
        [this, asked](const auto& found) {
            if (asked == m_pointer) showBody(found.first, found.second);
        });
}

void EventDetails::askAttempts() {
    if (m_loader.isBusy(m_attemptsChannel)) return;
    AttemptQuery query;
    query.destination = m_pointer.destination;
    query.sequence = m_pointer.sequence;
    query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    const Pointer asked = m_pointer;
    m_loader.load(
        m_attemptsChannel, [query](PageReader& reader) { return reader.attempts(query); },
        [this, asked](AttemptPage page) {
            if (asked != m_pointer) return;
            m_model->setRows(std::move(page.rows), page.complete);
            m_attempts->setEmptyText(tr("Not tried yet"), {});
            findAttempt();
        });
}

void EventDetails::chooseAttempt(int row) {
    const auto& rows = m_model->rows();
    if (m_finding || row < 0 || row >= static_cast<int>(rows.size())) return;
    m_attempt = rows[static_cast<std::size_t>(row)].position;
    showResponse(rows[static_cast<std::size_t>(row)]);
    m_tabs->setCurrentIndex(kResponseTab);
}

/// Selects the chosen attempt among those that were read.
void EventDetails::findAttempt() {
    const auto& rows = m_model->rows();
    if (rows.empty()) return;
    if (m_attempt == 0) return showResponse(rows.front());
    const auto it = std::find_if(rows.begin(), rows.end(), [this](const AttemptRow& row) {
        return row.position == m_attempt;
    });
    if (it == rows.end()) return;  // older than what is listed; its response is shown all the same
    const QScopedValueRollback<bool> finding(m_finding, true);
    m_attempts->setCurrentIndex(m_model->index(static_cast<int>(it - rows.begin()), 0));
}

void EventDetails::showResponse(const AttemptRow& attempt) {
    const QString title = tr("Response to #%1").arg(attempt.number);
    const QString size = bytesText(attempt.response.size());
    QString tab = title;
    if (attempt.response.size() >= limits::kResponseKeptBytes)
        tab = tr("%1 · the first %2").arg(title, size);
    else if (!attempt.response.empty())
        tab = tr("%1 · %2").arg(title, size);
    m_tabs->setTabText(kResponseTab, tab);
    if (attempt.status != 0)
        m_response->setPlaceholderText(
            tr("The answer was %1, without a body.").arg(attempt.status));
    else if (attempt.error.empty())
        m_response->setPlaceholderText(tr("No answer came."));
    else
        m_response->setPlaceholderText(tr("No answer came: %1").arg(plainLine(attempt.error)));
    const QString text = shownText(attempt.response);
    if (m_response->toPlainText() != text) m_response->setPlainText(text);
}

/// The body that this destination gets, which is not the accepted one where somebody edited it.
void EventDetails::showBody(const std::optional<EventRow>& event,
                            const std::optional<std::string>& edited) {
    m_event = event;
    if (!event) {
        m_tabs->setTabText(kBodyTab, tr("Body"));
        m_body->setPlaceholderText(tr("The event is not kept any more."));
        return;
    }
    const QString type = plainLine(event->type);
    const QString id = plainLine(event->id);
    m_title->setFullText(type.isEmpty() ? id : QStringLiteral("%1 · %2").arg(type, id));
    const std::string& payload = edited ? *edited : event->payload;
    const QString size = bytesText(payload.size());
    const QString title = edited ? tr("Body, edited") : tr("Body");
    m_tabs->setTabText(kBodyTab, payload.size() > kShownBodyBytes
                                     ? tr("%1: the first %2 of %3")
                                           .arg(title, bytesText(kShownBodyBytes), size)
                                     : tr("%1 · %2").arg(title, size));
    m_body->setPlainText(shownText(payload));
    showFacts();
}

void EventDetails::showFacts() {
    if (!m_event) return;
    m_facts->setFullText(tr("user %1 · to %2 · accepted %3 %4 · sequence %5")
                             .arg(userText(m_event->user), m_destination,
                                  m_times.text(m_event->acceptedAt), m_times.zoneLabel(),
                                  QString::number(m_event->sequence.value)));
}

}  // namespace lanes::ui
