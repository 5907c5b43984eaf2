// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/life_page.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/damage_choices.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {
constexpr int kTextWidth = 560;
constexpr int kMark = 40;

/// The engine's reason as the first sentence of a page.
QString asSentence(const std::string& reason) {
    QString text = plainLine(reason, 1000);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}
}  // namespace

LifePage::LifePage(QWidget* parent)
    : QWidget(parent),
      m_mark(new QLabel(this)),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_damage(new DamageChoices(this)),
      m_copy(new QPushButton(icon(Symbol::copy), tr("Copy diagnostics"), this)) {
    setObjectName(QStringLiteral("lifePage"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_title->setObjectName(QStringLiteral("lifeTitle"));
    m_title->setTextFormat(Qt::PlainText);
    QFont big = m_title->font();
    big.setPointSizeF(big.pointSizeF() * 1.5);
    big.setBold(true);
    m_title->setFont(big);
    m_title->setAlignment(Qt::AlignHCenter);
    m_text->setObjectName(QStringLiteral("lifeText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setFixedWidth(kTextWidth);
    m_progress->setObjectName(QStringLiteral("lifeProgress"));
    m_progress->setFixedWidth(kTextWidth / 2);
    m_progress->setTextVisible(true);
    m_copy->setObjectName(QStringLiteral("lifeCopy"));
    connect(m_copy, &QPushButton::clicked, this, &LifePage::diagnosticsWanted);

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch(2);
    layout->addWidget(m_mark, 0, Qt::AlignHCenter);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addWidget(m_progress, 0, Qt::AlignHCenter);
    layout->addWidget(m_damage, 0, Qt::AlignHCenter);
    layout->addWidget(m_copy, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void LifePage::showSnapshot(const EngineSnapshot& snapshot) {
    const bool recovering = snapshot.lifecycle == Lifecycle::recovering;
    m_progress->setVisible(recovering || snapshot.lifecycle == Lifecycle::starting);
    m_progress->setRange(0, recovering && snapshot.recoveryProgress > 0 ? 100 : 0);
    m_progress->setValue(static_cast<int>(snapshot.recoveryProgress * 100));
    m_copy->setVisible(snapshot.lifecycle == Lifecycle::failed);
    const bool damaged = snapshot.lifecycle == Lifecycle::failed && snapshot.damaged;
    m_damage->setVisible(damaged);
    QIcon mark = stateStyle(HealthState::recovering).icon;
    switch (snapshot.lifecycle) {
        case Lifecycle::starting:
            m_title->setText(tr("Starting"));
            m_text->setText(tr("The data directory is being opened."));
            break;
        case Lifecycle::recovering:
            m_title->setText(tr("Recovering"));
            m_text->setText(
                tr("Lanes are being rebuilt from the event log. Intake opens and "
                   "deliveries go on when this is done; nothing is lost."));
            break;
        case Lifecycle::failed:
            mark = errorStyle().icon;
            if (damaged) {
                m_title->setText(tr("The data file is damaged"));
                m_text->setText(tr("%1\n\nNothing is accepted or delivered now. Whatever you "
                                   "choose, the files are kept: they are moved aside, never "
                                   "deleted.")
                                    .arg(asSentence(snapshot.failure)));
                break;
            }
            m_title->setText(tr("The engine could not start"));
            m_text->setText(
                tr("%1\n\nNothing is accepted or delivered now. Events that were acknowledged are "
                   "still in the data directory. Mend the cause and start the program again.")
                    .arg(asSentence(snapshot.failure)));
            break;
        case Lifecycle::stopped:
        case Lifecycle::draining:
        case Lifecycle::running:
            mark = stateStyle(HealthState::paused).icon;
            m_title->setText(tr("The engine has stopped"));
            m_text->setText(
                tr("Everything acknowledged is stored and goes on with the next start."));
            break;
    }
    // A layout that centres a label does not ask it for the height of its wrapped text.
    m_text->setMinimumHeight(m_text->heightForWidth(kTextWidth));
    m_mark->setPixmap(mark.pixmap(kMark, kMark));
}

}  // namespace lanes::ui
