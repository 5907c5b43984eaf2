// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/clock_panel.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"
#include "ui/demo/demo_badge.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace lanes::ui {

namespace {

/// From the real clock to the product's 72 hours in two minutes.
constexpr std::array kScales{1.0, 10.0, 60.0, 360.0, 2160.0};

}  // namespace

ClockPanel::ClockPanel(lanes::Engine& engine, QWidget* parent)
    : QWidget(parent), m_engine(engine), m_commands(new CommandTracker(engine, this)) {
    setObjectName(QStringLiteral("clockPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("clockNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->hide();
    for (const double scale : kScales) {
        auto* button = new QPushButton(DemoBadge::scaleText(scale), this);
        button->setObjectName(QStringLiteral("clock%1").arg(static_cast<int>(scale)));
        button->setAccessibleName(tr("Clock at %1").arg(DemoBadge::scaleText(scale)));
        button->setToolTip(tr("72 hours pass in %1")
                               .arg(durationText(static_cast<Micros>(
                                   static_cast<double>(72 * kHour) / scale))));
        makeChoice(*button);
        button->setMinimumWidth(0);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this, [this, scale] {
            refresh();  // the button shows the engine's clock, not the wish
            m_commands->submit(SetClockScale{scale}, this, [this](const CommandResult& result) {
                m_note->setText(plainLine(result.error));
                m_note->setVisible(!result.ok());
            });
        });
        m_scales.push_back(button);
        row->addWidget(button, scale >= 1000 ? 5 : 4);
    }
    column->addLayout(row);
    column->addWidget(m_note);
    refresh();
}

void ClockPanel::refresh() {
    const auto snapshot = m_engine.snapshot();
    for (std::size_t i = 0; i < kScales.size(); ++i)
        m_scales[i]->setChecked(snapshot->clockScale == kScales[i]);
    QPalette inked = palette();
    inked.setColor(QPalette::WindowText,
                   readableText(errorStyle().colour, palette().color(QPalette::Window)));
    m_note->setPalette(inked);
}

}  // namespace lanes::ui
