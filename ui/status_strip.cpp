// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/status_strip.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"
#include "ui/operations/operation_words.h"
#include "ui/progress_button.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace lanes::ui {

namespace {

constexpr Micros kStale = 2 * kSecond;
constexpr Micros kSilent = 10 * kSecond;

int plural(std::uint64_t n) {
    return static_cast<int>(std::min<std::uint64_t>(n, std::numeric_limits<int>::max()));
}

}  // namespace

QString lifecycleWord(Lifecycle lifecycle) {
    switch (lifecycle) {
        case Lifecycle::starting: return StatusStrip::tr("starting");
        case Lifecycle::recovering: return StatusStrip::tr("recovering");
        case Lifecycle::running: return StatusStrip::tr("running");
        case Lifecycle::draining: return StatusStrip::tr("stopping");
        case Lifecycle::stopped: return StatusStrip::tr("stopped");
        case Lifecycle::failed: return StatusStrip::tr("failed");
    }
    return {};
}

StatusStrip::StatusStrip(QStatusBar& bar)
    : QObject(&bar),
      m_engine(
          addButton(bar, "statusEngine", tr("State of the engine; click to copy diagnostics"))),
      m_inFlight(addButton(bar, "statusInFlight", tr("Requests that are out now"))),
      m_backlog(addButton(bar, "statusBacklog",
                          tr("Events that wait for delivery; click to see their lanes"))),
      m_dead(addButton(bar, "statusDead", tr("Events that were given up; click to see them"))),
      m_paused(
          addButton(bar, "statusPaused", tr("Destinations that are paused; click to go there"))),
      m_unknown(addButton(bar, "statusUnknown",
                          tr("Attempts since the start whose outcome was not seen. Each may have "
                             "been received and is sent again: a possible duplicate."))),
      m_operation(new ProgressButton(&bar)),
      m_intake(new QLabel(&bar)),
      m_age(addButton(bar, "statusAge", tr("Age of what is shown"))),
      m_zone(addButton(bar, "statusZone", tr("Time zone of every view; click to switch"))) {
    bar.setObjectName(QStringLiteral("statusBar"));
    bar.setSizeGripEnabled(false);
    bar.setContentsMargins(4, 0, 4, 0);
    m_intake->setObjectName(QStringLiteral("statusIntake"));
    m_intake->setTextFormat(Qt::PlainText);
    m_intake->setForegroundRole(QPalette::PlaceholderText);
    m_intake->setContentsMargins(6, 0, 6, 0);
    for (QToolButton* button : {m_engine, m_inFlight, m_backlog, m_dead, m_paused, m_unknown})
        bar.addWidget(button);
    m_operation->setObjectName(QStringLiteral("statusOperation"));
    m_operation->setFont(tabularDigits(m_operation->font()));
    m_operation->setVisible(false);
    bar.addWidget(m_operation);
    bar.addPermanentWidget(m_intake);
    bar.addPermanentWidget(m_age);
    bar.addPermanentWidget(m_zone);
    m_zone->setIcon(icon(Symbol::clock));
    m_unknown->setVisible(false);
    connect(m_engine, &QToolButton::clicked, this, &StatusStrip::diagnosticsWanted);
    connect(m_age, &QToolButton::clicked, this, &StatusStrip::diagnosticsWanted);
    connect(m_inFlight, &QToolButton::clicked, this, &StatusStrip::lanesWanted);
    connect(m_backlog, &QToolButton::clicked, this, &StatusStrip::lanesWanted);
    connect(m_dead, &QToolButton::clicked, this, &StatusStrip::deadLettersWanted);
    connect(m_paused, &QToolButton::clicked, this, &StatusStrip::pausedWanted);
    connect(m_zone, &QToolButton::clicked, this, &StatusStrip::zoneSwitchWanted);
    connect(m_operation, &QToolButton::clicked, this,
            [this] { emit operationWanted(m_shownOperation); });
}

QToolButton* StatusStrip::addButton(QStatusBar& bar, const char* name, const QString& tip) {
    auto* button = new QToolButton(&bar);
    button->setObjectName(QLatin1String(name));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize({13, 13});
    button->setToolTip(tip);
    button->setFont(tabularDigits(button->font()));
    return button;
}

void StatusStrip::setColour(QWidget* widget, const QColor& colour) {
    QPalette palette;
    if (colour.isValid()) {
        const QColor text = readableText(colour, palette.color(QPalette::Window));
        palette.setColor(QPalette::ButtonText, text);
        palette.setColor(QPalette::WindowText, text);
    }
    if (widget->palette() != palette) widget->setPalette(palette);
}

void StatusStrip::showSnapshot(const EngineSnapshot& snapshot) {
    showEngine(snapshot);
    m_inFlight->setText(tr("%1 in flight").arg(countText(snapshot.inFlight)));
    m_backlog->setText(tr("backlog %1").arg(countText(snapshot.totals.waiting)));
    m_dead->setText(tr("dead %1").arg(countText(snapshot.totals.dead)));
    setColour(m_dead, snapshot.totals.dead > 0 ? errorStyle().colour : QColor());
    std::uint64_t paused = 0;
    std::uint64_t unknown = 0;
    for (const auto& destination : snapshot.destinations) {
        if (destination.health == HealthState::paused) ++paused;
        unknown += destination.outcomes[static_cast<std::size_t>(Outcome::unknown)];
    }
    m_paused->setText(tr("%Ln paused", nullptr, plural(paused)));
    m_paused->setIcon(paused > 0 ? stateStyle(HealthState::paused).icon : QIcon());
    m_paused->setToolButtonStyle(paused > 0 ? Qt::ToolButtonTextBesideIcon
                                            : Qt::ToolButtonTextOnly);
    m_unknown->setText(tr("%Ln unknown", nullptr, plural(unknown)));
    m_unknown->setVisible(unknown > 0);
    showOperations(snapshot);
    m_intake->setText(snapshot.intake.listening ? tr("intake :%1").arg(snapshot.intake.port)
                                                : tr("intake closed"));
    m_intake->setToolTip(
        tr("Events accepted since the start: %1").arg(countText(snapshot.intake.acceptedEvents)));
}

/// The newest of those that are under way; the others are a number.
void StatusStrip::showOperations(const EngineSnapshot& snapshot) {
    const OperationRow* shown = nullptr;
    std::uint64_t others = 0;
    for (const auto& row : snapshot.operations) {
        if (!isUnderWay(row)) continue;
        if (shown)
            ++others;
        else
            shown = &row;
    }
    m_operation->setVisible(shown != nullptr);
    if (!shown) return;
    m_shownOperation = shown->id;
    const QString text = shortProgress(*shown);
    m_operation->setText(others == 0 ? text
                                     : tr("%1 · and %Ln more", nullptr, plural(others)).arg(text));
    m_operation->setToolTip(
        plainTooltip(tr("%1\nClick to see the operation.").arg(progressSentence(*shown))));
    m_operation->setShares(movedShare(*shown), settledShare(*shown));
}

void StatusStrip::showEngine(const EngineSnapshot& snapshot) {
    const bool fault = !snapshot.store.fault.empty() || !snapshot.store.writable;
    if (!m_first && snapshot.lifecycle == m_shown && fault == m_fault) return;
    m_first = false;
    m_shown = snapshot.lifecycle;
    m_fault = fault;
    m_engine->setText(tr("Engine %1").arg(lifecycleWord(snapshot.lifecycle)));
    switch (snapshot.lifecycle) {
        case Lifecycle::starting:
        case Lifecycle::recovering:
            m_engine->setIcon(stateStyle(HealthState::recovering).icon);
            break;
        case Lifecycle::running:
            m_engine->setIcon(fault ? errorStyle().icon : stateStyle(HealthState::healthy).icon);
            if (fault) m_engine->setText(tr("Engine running, store fault"));
            break;
        case Lifecycle::draining:
        case Lifecycle::stopped: m_engine->setIcon(stateStyle(HealthState::paused).icon); break;
        case Lifecycle::failed: m_engine->setIcon(errorStyle().icon); break;
    }
}

void StatusStrip::showAge(Micros age, bool running) {
    if (!running) {
        m_age->setText({});
        m_age->setVisible(false);
        return;
    }
    m_age->setVisible(true);
    const QString seconds =
        QLocale().toString(static_cast<double>(std::max<Micros>(0, age)) / kSecond, 'f', 1);
    if (age < kStale) {
        m_age->setText(tr("data %1 s old").arg(seconds));
        setColour(m_age, {});
    } else {
        m_age->setText(tr("stale %1 s").arg(age / kSecond));
        m_age->setToolTip(tr("The engine is busy or stands still. Click to copy diagnostics."));
        setColour(m_age,
                  age < kSilent ? stateStyle(HealthState::degraded).colour : errorStyle().colour);
    }
}

void StatusStrip::showZone(const QString& zone) {
    m_zone->setText(zone);
}

}  // namespace lanes::ui
