// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/traffic_panel.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace lanes::ui {

namespace {

/// One generator with one connection pool; more than this measures the generator.
constexpr double kMostEventsPerSecond = 5'000;
constexpr int kMostUsers = 1'000'000;

}  // namespace

TrafficPanel::TrafficPanel(lanes::Engine& engine, lanes::MockControl& mocks, QWidget* parent)
    : QWidget(parent), m_engine(engine), m_mocks(mocks) {
    setObjectName(QStringLiteral("trafficPanel"));
    build();
    refresh();
}

void TrafficPanel::build() {
    m_switch = new QPushButton(this);
    m_switch->setObjectName(QStringLiteral("trafficSwitch"));
    connect(m_switch, &QPushButton::clicked, this,
            [this] { send(!m_mocks.traffic().shape.running); });
    m_rate = new QDoubleSpinBox(this);
    m_rate->setObjectName(QStringLiteral("trafficRate"));
    m_rate->setRange(0.1, kMostEventsPerSecond);
    m_rate->setDecimals(1);
    m_rate->setSuffix(tr(" events/s"));
    m_users = new QSpinBox(this);
    m_users->setObjectName(QStringLiteral("trafficUsers"));
    m_users->setRange(1, kMostUsers);
    m_users->setGroupSeparatorShown(true);
    m_seed = new QSpinBox(this);
    m_seed->setObjectName(QStringLiteral("trafficSeed"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setToolTip(tr("The same seed makes the same events"));
    for (QAbstractSpinBox* box : std::initializer_list<QAbstractSpinBox*>{m_rate, m_users, m_seed})
        box->setKeyboardTracking(false);
    const auto changed = [this] { send(m_mocks.traffic().shape.running); };
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, changed);
    connect(m_users, &QSpinBox::valueChanged, this, changed);
    connect(m_seed, &QSpinBox::valueChanged, this, changed);
    m_counts = new QLabel(this);
    m_counts->setObjectName(QStringLiteral("trafficCounts"));
    m_counts->setTextFormat(Qt::PlainText);
    m_counts->setWordWrap(true);
    m_counts->setFont(tabularDigits(font()));

    auto* first = new QHBoxLayout;
    first->addWidget(m_rate, 1);
    first->addWidget(m_switch);
    auto* second = new QHBoxLayout;
    auto* users = new QLabel(tr("&Users"), this);
    users->setBuddy(m_users);
    auto* seed = new QLabel(tr("S&eed"), this);
    seed->setBuddy(m_seed);
    m_rate->setAccessibleName(tr("Events a second"));
    second->addWidget(users);
    second->addWidget(m_users, 1);
    second->addSpacing(6);
    second->addWidget(seed);
    second->addWidget(m_seed, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(first);
    column->addLayout(second);
    column->addWidget(m_counts);
}

void TrafficPanel::refresh() {
    const TrafficReport report = m_mocks.traffic();
    const auto snapshot = m_engine.snapshot();
    const bool running = report.shape.running;
    m_switch->setText(running ? tr("Stop traffic") : tr("Start traffic"));
    m_switch->setIcon(icon(running ? Symbol::close : Symbol::resume));
    m_switch->setEnabled(running || snapshot->intake.listening);
    // What is being typed is not touched.
    const QSignalBlocker quietRate(m_rate);
    const QSignalBlocker quietUsers(m_users);
    const QSignalBlocker quietSeed(m_seed);
    if (!m_rate->hasFocus()) m_rate->setValue(report.shape.eventsPerSecond);
    if (!m_users->hasFocus()) m_users->setValue(static_cast<int>(report.shape.users));
    if (!m_seed->hasFocus()) m_seed->setValue(static_cast<int>(report.shape.seed));

    QString text = tr("%1 sent · %2 accepted · %3 refused")
                       .arg(countText(report.sent), countText(report.accepted),
                            countText(report.refused));
    if (!snapshot->intake.listening && !running)
        text += tr("\nThe intake does not listen. %1").arg(plainLine(snapshot->intake.error));
    else if (!report.lastError.empty())
        text += u'\n' + plainLine(report.lastError, 160);
    m_counts->setText(text.trimmed());
}

void TrafficPanel::send(bool running) {
    TrafficShape shape = m_mocks.traffic().shape;
    shape.running = running;
    shape.eventsPerSecond = m_rate->value();
    shape.users = static_cast<std::uint32_t>(m_users->value());
    shape.seed = static_cast<std::uint64_t>(m_seed->value());
    m_mocks.setTraffic(shape, m_engine.snapshot()->intake.port, m_engine.writeKey());
}

}  // namespace lanes::ui
