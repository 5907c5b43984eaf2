// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/first_run_page.h"

#include "ui/common/icons.h"
#include "ui/common/intake_words.h"
#include "ui/common/labels.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {

constexpr int kWidth = 760;
constexpr int kPadding = 14;
constexpr int kCommandLines = 4;

/// A thing to do: its title and words on the left, its button on the right.
struct Card {
    QFrame* frame;
    QVBoxLayout* column;
    QLabel* words;
};

Card card(const QString& title, const QString& text, QPushButton* button, QWidget* parent) {
    auto* frame = new QFrame(parent);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setBackgroundRole(QPalette::Base);
    frame->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(kPadding, kPadding - 2, kPadding, kPadding - 2);
    column->setSpacing(8);
    auto* heading = sectionTitle(title, frame);
    heading->setWordWrap(true);
    auto* explanation = hintLabel(text, frame);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(heading);
    texts->addWidget(explanation);
    auto* row = new QHBoxLayout;
    row->setSpacing(kPadding);
    row->addLayout(texts, 1);
    row->addWidget(button, 0, Qt::AlignVCenter);
    column->addLayout(row);
    return {frame, column, explanation};
}

QPushButton* cardButton(const QString& text, Symbol symbol, const char* name, QWidget* parent) {
    auto* button = new QPushButton(icon(symbol), text, parent);
    button->setObjectName(QLatin1String(name));
    return button;
}

}  // namespace

FirstRunPage::FirstRunPage(Engine& engine, QWidget* parent)
    : QWidget(parent), m_engine(engine), m_command(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("firstRunPage"));
    auto* add = cardButton(tr("Add destination…"), Symbol::add, "firstRunAdd", this);
    m_copy = cardButton(tr("Copy"), Symbol::copy, "firstRunCopy", this);
    auto* demo = cardButton(tr("Open the demonstration"), Symbol::demo, "firstRunDemo", this);
    connect(add, &QPushButton::clicked, this, &FirstRunPage::addWanted);
    connect(demo, &QPushButton::clicked, this, &FirstRunPage::demoWanted);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
    m_command->setObjectName(QStringLiteral("firstRunCommand"));
    m_command->setAccessibleName(tr("A command that sends one event"));
    m_command->setReadOnly(true);
    m_command->setTabChangesFocus(true);
    m_command->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setFixedHeight(kCommandLines * m_command->fontMetrics().height() + 14);

    const Card first = card(tr("1. Add a destination"),
                            tr("An HTTP address, such as a CRM or a webhook. The events of each "
                               "user are delivered to it strictly in order."),
                            add, this);
    const Card second = card(tr("2. Send an event"), QString(), m_copy, this);
    second.column->addWidget(m_command);
    m_sendWords = second.words;
    const Card third = card(tr("Or look around first"),
                            tr("The demonstration has mock destinations that fail on demand, "
                               "traffic, and a clock that can be sped up. Its data is apart."),
                            demo, this);
    m_demo = third.frame;
    auto* cards = new QWidget(this);
    cards->setMaximumWidth(kWidth);
    auto* column = new QVBoxLayout(cards);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    for (const Card& each : {first, second, third}) column->addWidget(each.frame);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(cards, kWidth);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    layout->addStretch(1);
    showSnapshot();
}

void FirstRunPage::setDemoOffered(bool offered) {
    m_demo->setVisible(offered);
}

void FirstRunPage::showSnapshot() {
    const QString command = curlCommand(m_engine);
    m_copy->setEnabled(!command.isEmpty());
    m_command->setVisible(!command.isEmpty());
    if (m_command->toPlainText() != command) m_command->setPlainText(command);
    const QString words =
        command.isEmpty()
            ? tr("No events are accepted now; the line above the tabs says why.")
            : tr("From a shell on this machine, once the destination is there. The write key is in "
                 "the command; Settings has it too.");
    if (m_sendWords->text() != words) m_sendWords->setText(words);
}

}  // namespace lanes::ui
