// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/event_details.h"

#include "ui/common/attempts_model.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// Bytes of a body that are laid out at once: more takes the text widget noticeable time.
constexpr std::size_t kShownBodyBytes = 256u << 10;
/// A line without end takes quadratic time to lay out, so long ones are folded.
constexpr qsizetype kFoldAt = 2000;

QLabel* sectionTitle(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    return label;
}

/// The body as text that is safe to show: no NUL, no endless line.
QString shownBody(const std::string& payload) {
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
      m_why(new QLabel(this)),
      m_rest(new QWidget(this)),
      m_title(new ElidedLabel(m_rest)),
      m_facts(new ElidedLabel(m_rest)),
      m_attemptsTitle(sectionTitle(tr("Attempts"), m_rest)),
      m_attempts(new Table(m_rest)),
      m_model(new AttemptsModel(times, this)),
      m_bodyTitle(sectionTitle(tr("Body"), m_rest)),
      m_body(new QPlainTextEdit(m_rest)) {
    setObjectName(QStringLiteral("eventDetails"));
    m_why->setObjectName(QStringLiteral("whyLine"));
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_why->setAlignment(Qt::AlignLeft | Qt::AlignTop);
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
    m_attempts->setColumnWidths({8, 3, 14, 6, 9, 10}, AttemptsModel::Error);
    m_attempts->setEmptyText(tr("Not tried yet"), {});

    m_body->setObjectName(QStringLiteral("detailsBody"));
    m_body->setAccessibleName(tr("Body of the event"));
    m_body->setReadOnly(true);
    m_body->setTabChangesFocus(true);
    m_body->setFrameShape(QFrame::NoFrame);
    m_body->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_body->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);

    auto* rest = new QVBoxLayout(m_rest);
    rest->setContentsMargins(0, 0, 0, 0);
    rest->setSpacing(4);
    rest->addWidget(m_title);
    rest->addWidget(m_facts);
    rest->addSpacing(6);
    rest->addWidget(m_attemptsTitle);
    rest->addWidget(m_attempts, 3);
    rest->addSpacing(6);
    rest->addWidget(m_bodyTitle);
    rest->addWidget(m_body, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 10, 8);
    layout->setSpacing(10);
    layout->addWidget(m_why);
    layout->addWidget(m_rest, 1);
    connect(&m_times, &TimeDisplay::changed, this, &EventDetails::showFacts);
    clear({});
}

void EventDetails::setWhy(const QString& why) {
    if (m_why->text() != why) m_why->setText(why);
}

void EventDetails::showPointer(Pointer pointer, const QString& destination) {
    m_rest->setVisible(true);
    if (pointer == m_pointer) return;
    m_pointer = pointer;
    m_destination = destination;
    m_event.reset();
    m_model->clear();
    m_body->clear();
    m_title->setFullText(tr("Event %1").arg(pointer.sequence.value));
    m_facts->setFullText({});
    m_attempts->setEmptyText(tr("Loading…"), {});
    askEvent();
    askAttempts();
}

void EventDetails::refresh() {
    if (m_pointer.sequence && !m_frozen && isVisible()) askAttempts();
}

void EventDetails::clear(const QString& hint) {
    m_pointer = {};
    m_event.reset();
    m_loader.cancel(PageLoader::Channel::event);
    m_loader.cancel(PageLoader::Channel::attempts);
    m_model->clear();
    m_body->clear();
    m_rest->setVisible(false);
    setWhy(hint);
}

void EventDetails::askEvent() {
    const Pointer asked = m_pointer;
    m_loader.load(
        PageLoader::Channel::event,
        [asked](PageReader& reader) { return reader.event(asked.sequence); },
        [this, asked](std::optional<EventRow> event) {
            if (asked == m_pointer) showBody(event);
        });
}

void EventDetails::askAttempts() {
    if (m_loader.isBusy(PageLoader::Channel::attempts)) return;
    AttemptQuery query;
    query.destination = m_pointer.destination;
    query.sequence = m_pointer.sequence;
    query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    const Pointer asked = m_pointer;
    m_loader.load(
        PageLoader::Channel::attempts,
        [query](PageReader& reader) { return reader.attempts(query); },
        [this, asked](AttemptPage page) {
            if (asked != m_pointer) return;
            m_model->setRows(std::move(page.rows), page.complete);
            m_attempts->setEmptyText(tr("Not tried yet"), {});
        });
}

void EventDetails::showBody(const std::optional<EventRow>& event) {
    m_event = event;
    if (!event) {
        m_bodyTitle->setText(tr("Body"));
        m_body->setPlaceholderText(tr("The event is not kept any more."));
        return;
    }
    const QString type = plainLine(event->type);
    const QString id = plainLine(event->id);
    m_title->setFullText(type.isEmpty() ? id : QStringLiteral("%1 · %2").arg(type, id));
    const bool cut = event->payload.size() > kShownBodyBytes;
    m_bodyTitle->setText(
        cut ? tr("Body: the first %1 of %2")
                  .arg(bytesText(kShownBodyBytes), bytesText(event->payload.size()))
            : tr("Body · %1").arg(bytesText(event->payload.size())));
    m_body->setPlainText(shownBody(event->payload));
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
