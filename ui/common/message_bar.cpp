// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/message_bar.h"

#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

namespace lanes::ui {

namespace {

/// Long enough to read a line twice.
constexpr int kSuccessTimeMs = 8000;

QColor colourOf(MessageBar::Kind kind, const QPalette& palette) {
    switch (kind) {
        case MessageBar::Kind::info: return palette.color(QPalette::Highlight);
        case MessageBar::Kind::success: return stateStyle(HealthState::healthy).colour;
        case MessageBar::Kind::warning: return stateStyle(HealthState::degraded).colour;
        case MessageBar::Kind::error: return errorStyle().colour;
    }
    return {};
}

Symbol symbolOf(MessageBar::Kind kind) {
    switch (kind) {
        case MessageBar::Kind::info: return Symbol::info;
        case MessageBar::Kind::success: return Symbol::check;
        case MessageBar::Kind::warning: return Symbol::warning;
        case MessageBar::Kind::error: return Symbol::error;
    }
    return Symbol::info;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_action(new QToolButton(this)),
      m_close(new QToolButton(this)),
      m_expiry(new QTimer(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 6, 5);
    layout->setSpacing(8);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action, 0, Qt::AlignVCenter);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    m_icon->setFixedSize(16, 18);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_action->setObjectName(QStringLiteral("messageAction"));
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setAutoRaise(true);
    m_close->setIcon(icon(Symbol::close));
    m_close->setIconSize({12, 12});
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close this message"));
    m_expiry->setSingleShot(true);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    connect(m_action, &QToolButton::clicked, this, &MessageBar::actionTriggered);
    connect(m_expiry, &QTimer::timeout, this, &MessageBar::clear);
    clear();
}

void MessageBar::showMessage(Kind kind, const QString& text) {
    show(kind, text, true);
    if (kind == Kind::success) m_expiry->start(kSuccessTimeMs);
}

void MessageBar::showCondition(Kind kind, const QString& text) {
    if (isVisibleTo(parentWidget()) && m_kind == kind && m_text->text() == text) return;
    show(kind, text, false);
}

void MessageBar::setAction(const QString& text) {
    m_action->setText(text);
    m_action->setVisible(!text.isEmpty());
}

void MessageBar::clear() {
    m_expiry->stop();
    m_text->clear();
    setVisible(false);
}

QString MessageBar::text() const {
    return m_text->text();
}

void MessageBar::show(Kind kind, const QString& text, bool closable) {
    m_expiry->stop();
    m_kind = kind;
    m_text->setText(text);
    setAccessibleName(text);
    m_close->setVisible(closable);
    m_action->setVisible(false);
    updateIcon();
    setVisible(true);
    update();
}

void MessageBar::updateIcon() {
    m_icon->setPixmap(icon(symbolOf(m_kind), colourOf(m_kind, palette())).pixmap(16, 16));
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_text->text().isEmpty()) updateIcon();
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor colour = colourOf(m_kind, palette());
    QColor wash = colour;
    wash.setAlphaF(isDark(palette()) ? 0.20F : 0.13F);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.fillRect(rect(), wash);
    painter.fillRect(QRect(0, 0, 4, height()), colour);
    painter.fillRect(QRect(0, height() - 1, width(), 1), palette().color(QPalette::Mid));
}

}  // namespace lanes::ui
