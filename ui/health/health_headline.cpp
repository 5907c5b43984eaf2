// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_headline.h"

#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/health/history_buffer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>

namespace lanes::ui {

namespace {

/// How long a note stands in the place of the explanation.
constexpr int kNoteMs = 6000;

/// "crm degraded · audit paused", of the first few that are not healthy.
QString illOnes(const EngineSnapshot& snapshot) {
    constexpr qsizetype kNamed = 4;
    QStringList names;
    for (const auto& d : snapshot.destinations) {
        if (d.health == HealthState::healthy) continue;
        if (names.size() == kNamed) {
            names << QString(QChar(0x2026));
            break;
        }
        names << QStringLiteral("%1 %2").arg(plainLine(d.name, 64), stateStyle(d.health).word);
    }
    return names.join(QStringLiteral(" · "));
}

/// Of the state of one destination.
QString explanation(const DestinationSnapshot& d) {
    switch (d.health) {
        case HealthState::paused:
            return d.pauseReason.empty() ? plainLine(d.pausedBy)
                                         : plainLine(d.pausedBy + ": " + d.pauseReason);
        case HealthState::degraded:
            return HealthHeadline::tr("One probe at a time. %1").arg(plainLine(d.lastError));
        case HealthState::healthy:
        case HealthState::throttled:
        case HealthState::recovering: return plainLine(d.lastChange.reason);
    }
    return {};
}

QString nameIn(const EngineSnapshot& snapshot, DestinationId id) {
    if (!id) return HealthHeadline::tr("All destinations");
    const auto* destination = snapshot.find(id);
    return destination != nullptr ? plainLine(destination->name, 64)
                                  : HealthHeadline::tr("Removed destination");
}

}  // namespace

HealthHeadline::HealthHeadline(QWidget* parent)
    : QWidget(parent),
      m_mark(new QLabel(this)),
      m_name(new QLabel(this)),
      m_word(new QLabel(this)),
      m_explanation(new ElidedLabel(this)),
      m_noteTimer(new QTimer(this)) {
    m_name->setObjectName(QStringLiteral("healthName"));
    m_name->setTextFormat(Qt::PlainText);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_word->setObjectName(QStringLiteral("healthWord"));
    m_word->setTextFormat(Qt::PlainText);
    m_explanation->setObjectName(QStringLiteral("healthExplanation"));
    m_explanation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_noteTimer->setSingleShot(true);
    m_noteTimer->setInterval(kNoteMs);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_mark);
    row->addWidget(m_name);
    row->addWidget(m_word);
    row->addWidget(m_explanation, 1);
}

void HealthHeadline::showSnapshot(const EngineSnapshot& snapshot, DestinationId destination) {
    m_name->setText(nameIn(snapshot, destination));
    HealthState state = HealthState::healthy;
    QString why;
    if (destination) {
        if (const auto* d = snapshot.find(destination)) {
            state = d->health;
            why = explanation(*d);
        }
    } else {
        for (const auto& d : snapshot.destinations)
            if (severity(d.health) > severity(state)) state = d.health;
        why = snapshot.destinations.empty() ? tr("There is no destination yet.")
                                            : illOnes(snapshot);
    }
    const bool running = snapshot.lifecycle == Lifecycle::running ||
                         snapshot.lifecycle == Lifecycle::draining;
    if (!running) why = tr("The engine is not running.");
    const StateStyle style = stateStyle(state);
    const bool known = running && !snapshot.destinations.empty();
    const QColor ground = palette().color(QPalette::Window);
    m_mark->setVisible(known);
    m_word->setVisible(known);
    m_mark->setPixmap(style.icon.pixmap(QSize(16, 16), devicePixelRatioF()));
    m_word->setText(style.word);
    QPalette inked = palette();
    inked.setColor(QPalette::WindowText, readableText(style.colour, ground));
    m_word->setPalette(inked);
    if (!m_noteTimer->isActive())
        say(why, readableText(palette().color(QPalette::PlaceholderText), ground));
}

void HealthHeadline::say(const QString& why, const QColor& ink) {
    QPalette inked = palette();
    inked.setColor(QPalette::WindowText, ink);
    m_explanation->setPalette(inked);
    m_explanation->setFullText(why);
}

void HealthHeadline::note(const QString& text, bool bad) {
    const QColor ground = palette().color(QPalette::Window);
    say(text, bad ? readableText(errorStyle().colour, ground)
                  : palette().color(QPalette::WindowText));
    m_noteTimer->start();
}

QString HealthHeadline::name() const {
    return m_name->text();
}

}  // namespace lanes::ui
