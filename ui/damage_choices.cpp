// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/damage_choices.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>

namespace lanes::ui {

namespace {
constexpr int kButtonWidth = 210;
constexpr int kTextWidth = 430;
constexpr int kColumns = 2;
}  // namespace

DamageChoices::DamageChoices(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("damageChoices"));
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(12);
    layout->setVerticalSpacing(10);
    m_restore = addChoice(
        "damageRestore", tr("&Restore from a backup…"),
        tr("Events delivered since the backup are delivered again, with the same ids. Events "
           "accepted since are not in it."));
    m_salvage = addChoice(
        "damageSalvage", tr("&Salvage what is readable…"),
        tr("Keeps every event that can be read. What may have been delivered already becomes a "
           "dead letter, and a report names what is lost."));
    m_empty = addChoice("damageEmpty", tr("Set aside and start &empty…"),
                        tr("Nothing that waits is delivered, and all destinations are gone."));
    m_quit = addChoice("damageQuit", tr("&Quit"), tr("Nothing is changed."));
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("damageState"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->hide();
    layout->addWidget(m_state, layout->rowCount(), 0, 1, kColumns);
    m_busy = new QProgressBar(this);
    m_busy->setObjectName(QStringLiteral("damageBusy"));
    m_busy->setRange(0, 0);
    m_busy->hide();
    layout->addWidget(m_busy, layout->rowCount(), 0, 1, kColumns);

    connect(m_restore, &QPushButton::clicked, this, &DamageChoices::chooseBackup);
    connect(m_salvage, &QPushButton::clicked, this, &DamageChoices::salvageWanted);
    connect(m_empty, &QPushButton::clicked, this, &DamageChoices::confirmEmpty);
    connect(m_quit, &QPushButton::clicked, this, &DamageChoices::quitWanted);
}

QPushButton* DamageChoices::addChoice(const char* name, const QString& label,
                                      const QString& meaning) {
    auto* button = new QPushButton(label, this);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleDescription(meaning);
    auto* text = new QLabel(meaning, this);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    button->setFixedWidth(kButtonWidth);
    text->setFixedWidth(kTextWidth);
    // A layout that is short of room would cut the wrapped text.
    text->setMinimumHeight(text->heightForWidth(kTextWidth));
    auto* grid = static_cast<QGridLayout*>(layout());
    const int row = grid->rowCount();
    grid->addWidget(button, row, 0, Qt::AlignTop);
    grid->addWidget(text, row, 1);
    return button;
}

void DamageChoices::showBusy(const QString& text) {
    setChoosable(false);
    m_state->setText(text);
    m_state->show();
    m_busy->show();
}

void DamageChoices::showFailure(const QString& text) {
    setChoosable(true);
    m_busy->hide();
    m_state->setText(text);
    m_state->show();
    m_restore->setFocus();
}

void DamageChoices::setChoosable(bool choosable) {
    for (auto* button : {m_restore, m_salvage, m_empty, m_quit}) button->setEnabled(choosable);
}

void DamageChoices::chooseBackup() {
    const auto file = QFileDialog::getOpenFileName(this, tr("Restore from a backup"));
    if (!file.isEmpty()) emit restoreWanted(file);
}

void DamageChoices::confirmEmpty() {
    QMessageBox question(QMessageBox::Warning, tr("Start empty"),
                         tr("Start with an empty data file?\n\nThe damaged files are moved aside "
                            "and kept, but events that wait in them are not delivered."),
                         QMessageBox::Cancel, this);
    question.setObjectName(QStringLiteral("damageConfirm"));
    question.setTextFormat(Qt::PlainText);
    const auto* start = question.addButton(tr("Start empty"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() == start) emit emptyWanted();
}

}  // namespace lanes::ui
