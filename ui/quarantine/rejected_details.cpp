// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quarantine/rejected_details.h"

#include "engine/payload_check.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/state_style.h"
#include "ui/common/time_display.h"
#include "ui/quarantine/quarantine_model.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::ui {

RejectedDetails::RejectedDetails(TimeDisplay& times, QWidget* parent)
    : QWidget(parent),
      m_times(times),
      m_hint(wrappedLabel("rejectedHint", this)),
      m_rest(new QWidget(this)),
      m_title(new ElidedLabel(m_rest)),
      m_facts(new ElidedLabel(m_rest)),
      m_reason(wrappedLabel("rejectedReason", m_rest)),
      m_body(new QPlainTextEdit(m_rest)),
      m_mark(new QLabel(m_rest)),
      m_state(wrappedLabel("rejectedState", m_rest)),
      m_retry(new QPushButton(icon(Symbol::check), tr("Take this event"), m_rest)),
      m_discard(new QPushButton(icon(Symbol::discard), tr("Discard…"), m_rest)),
      m_restore(new QPushButton(tr("As it came"), m_rest)) {
    setObjectName(QStringLiteral("rejectedDetails"));
    build();
    connect(&times, &TimeDisplay::changed, this, &RejectedDetails::showFacts);
    connect(m_body, &QPlainTextEdit::textChanged, this, &RejectedDetails::check);
    connect(m_retry, &QPushButton::clicked, this, [this] {
        if (m_retry->isEnabled()) emit retryWanted(m_row.id, typedText(*m_body).toStdString());
    });
    connect(m_discard, &QPushButton::clicked, this, [this] { emit discardWanted(m_row.id); });
    connect(m_restore, &QPushButton::clicked, this,
            [this] { m_body->setPlainText(m_original); });
    clear({});
}

void RejectedDetails::build() {
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setObjectName(QStringLiteral("rejectedTitle"));
    m_facts->setObjectName(QStringLiteral("rejectedFacts"));
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_body->setObjectName(QStringLiteral("rejectedBody"));
    m_body->setAccessibleName(tr("The event, which can be changed"));
    m_body->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_body->setTabChangesFocus(true);
    m_body->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_mark->setFixedSize(16, 16);
    m_retry->setObjectName(QStringLiteral("rejectedRetry"));
    m_discard->setObjectName(QStringLiteral("rejectedDiscard"));
    m_restore->setObjectName(QStringLiteral("rejectedRestore"));

    auto* state = new QHBoxLayout;
    state->setSpacing(8);
    state->addWidget(m_mark, 0, Qt::AlignTop);
    state->addWidget(m_state, 1);
    auto* acts = new QHBoxLayout;
    acts->setSpacing(6);
    acts->addWidget(m_retry);
    acts->addWidget(m_restore);
    acts->addStretch(1);
    acts->addWidget(m_discard);
    auto* rest = new QVBoxLayout(m_rest);
    rest->setContentsMargins(0, 0, 0, 0);
    rest->setSpacing(8);
    rest->addWidget(m_title);
    rest->addWidget(m_facts);
    rest->addWidget(m_reason);
    rest->addWidget(sectionTitle(tr("The event as it came"), m_rest));
    rest->addWidget(m_body, 1);
    rest->addLayout(state);
    rest->addLayout(acts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->addWidget(m_hint);
    layout->addWidget(m_rest, 1);
}

void RejectedDetails::clear(const QString& hint) {
    m_row = {};
    m_loaded = false;
    m_hint->setText(hint);
    m_hint->show();
    m_rest->hide();
}

void RejectedDetails::show(const QuarantineRow& row) {
    const bool same = row.id == m_row.id;
    if (!same) {
        m_row = row;
        m_loaded = false;
        m_busy = false;
        m_original.clear();
        m_body->setPlainText({});
    }
    m_hint->hide();
    m_rest->show();
    showFacts();
    if (!same) check();
}

void RejectedDetails::showBody(const QuarantineRow& row) {
    if (row.id != m_row.id || m_loaded) return;
    m_loaded = true;
    m_original = QString::fromUtf8(row.body.data(), static_cast<qsizetype>(row.body.size()));
    m_body->setPlainText(m_original);
    check();
}

bool RejectedDetails::isEdited() const {
    return m_loaded && typedText(*m_body) != m_original;
}

void RejectedDetails::showFacts() {
    if (!m_row.id) return;
    const QString event = plainLine(m_row.eventId, kNameCharacters);
    m_title->setFullText(event.isEmpty() ? tr("Rejected event %1").arg(m_row.id.value)
                                     : tr("Rejected event %1: %2").arg(m_row.id.value).arg(event));
    m_facts->setFullText(tr("%1 · from %2 · %3 · %4")
                         .arg(m_times.text(m_row.at), plainLine(m_row.source, kNameCharacters),
                              formWord(m_row.form), bytesText(m_row.bytes)));
    m_reason->setText(plainLine(m_row.detail));
}

void RejectedDetails::setBusy(bool busy) {
    m_busy = busy;
    check();
}

void RejectedDetails::showError(const QString& error) {
    m_busy = false;
    check();
    say(false, error);
}

void RejectedDetails::say(bool good, const QString& text) {
    m_mark->setPixmap((good ? icon(Symbol::info) : errorStyle().icon).pixmap(16, 16));
    m_state->setText(text);
}

void RejectedDetails::check() {
    m_body->setReadOnly(m_busy || !m_loaded);
    m_restore->setVisible(isEdited());
    m_retry->setEnabled(false);
    m_discard->setEnabled(!m_busy);
    if (!m_loaded) return say(true, tr("Loading…"));
    if (m_busy) return say(true, tr("Handed to the engine…"));
    const auto bytes = typedText(*m_body).toStdString();
    if (!m_row.whole() && !isEdited())
        return say(false, tr("Only the first %1 were kept. Put the whole event here to have it "
                             "taken.")
                              .arg(bytesText(limits::kQuarantinedBytes)));
    if (bytes.size() > limits::kEventBytes)
        return say(false, tr("An event has at most %1, this one has %2.")
                              .arg(bytesText(limits::kEventBytes), bytesText(bytes.size())));
    if (const auto fault = payloadFault("application/json", bytes))
        return say(false, tr("No JSON at line %1, column %2: %3.")
                              .arg(QString::number(fault->line), QString::number(fault->column),
                                   plainLine(std::string(fault->what))));
    m_retry->setEnabled(true);
    say(true, isEdited() ? tr("Good JSON, %1. It is checked as if its sender had sent it now.")
                               .arg(bytesText(bytes.size()))
                         : tr("Mend it here, or what it was rejected for, such as a destination "
                              "that there was not; then have it taken."));
}

}  // namespace lanes::ui
