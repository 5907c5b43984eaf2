// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/mock_panel.h"

#include "engine/config.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"
#include "ui/demo/mock_presets.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {

constexpr int kPresetColumns = 3;
/// Requests a second that a mock can be limited to; the engine sends no more to one destination.
constexpr double kMostCapacity = 10'000;

StateStyle styleOf(const MockBehaviour& behaviour) {
    const auto preset = presetOf(behaviour);
    if (preset == Preset::healthy) return stateStyle(HealthState::healthy);
    if (behaviour.mode == MockBehaviour::Mode::down) return errorStyle();
    return stateStyle(HealthState::degraded);
}

/// "a · b · c" that wraps only between its parts.
QString unbroken(QStringList parts) {
    for (QString& part : parts) part.replace(u' ', QChar::Nbsp);
    return parts.join(QStringLiteral("\u00a0· "));
}

}  // namespace

MockPanel::MockPanel(lanes::MockControl& mocks, QWidget* parent)
    : QWidget(parent), m_mocks(mocks) {
    setObjectName(QStringLiteral("mockPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    buildState();
    buildPresets();
    buildDetails();
    refresh();
}

void MockPanel::buildState() {
    m_names = new QComboBox(this);
    m_names->setObjectName(QStringLiteral("mockNames"));
    m_names->setAccessibleName(tr("Mock destination"));
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_names->setMinimumContentsLength(8);
    connect(m_names, &QComboBox::activated, this, [this](int index) {
        m_mock = static_cast<std::uint32_t>(index);
        refresh();
        emit mockChosen(m_mock);
    });
    m_power = new QPushButton(this);
    m_power->setObjectName(QStringLiteral("mockPower"));
    QFont bold = m_power->font();
    bold.setBold(true);
    m_power->setFont(bold);
    connect(m_power, &QPushButton::clicked, this, &MockPanel::takeDownOrBringUp);
    auto* first = new QHBoxLayout;
    first->addWidget(m_names, 1);
    first->addWidget(m_power);

    m_mark = new QLabel(this);
    m_state = new ElidedLabel(this);
    m_state->setObjectName(QStringLiteral("mockState"));
    auto* second = new QHBoxLayout;
    second->setSpacing(6);
    second->addWidget(m_mark);
    second->addWidget(m_state, 1);

    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addLayout(first);
    column->addLayout(second);
}

void MockPanel::buildPresets() {
    auto* grid = new QGridLayout;
    grid->setSpacing(4);
    for (std::size_t i = 0; i < kPresets.size(); ++i) {
        const Preset preset = kPresets[i];
        auto* button = new QPushButton(presetWord(preset), this);
        button->setObjectName(QStringLiteral("mockPreset%1").arg(i));
        button->setToolTip(presetExplanation(preset));
        button->setAccessibleDescription(presetExplanation(preset));
        makeChoice(*button);
        connect(button, &QPushButton::clicked, this, [this, preset, button] {
            // The button shows what the mock does, not what was asked of it.
            button->setChecked(presetOf(m_now) == preset);
            send(withDetails(withPreset(m_now, preset)));
        });
        m_presets.push_back(button);
        const int position = static_cast<int>(i);
        grid->addWidget(button, position / kPresetColumns, position % kPresetColumns);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

void MockPanel::buildDetails() {
    auto* form = new QFormLayout;
    form->setSpacing(4);
    m_poison = new QLineEdit(this);
    m_poison->setObjectName(QStringLiteral("mockPoison"));
    m_poison->setMaxLength(static_cast<int>(limits::kUserKeyBytes) / 4);
    m_poison->setPlaceholderText(tr("user whose events get 500"));
    m_poison->setClearButtonEnabled(true);
    connect(m_poison, &QLineEdit::editingFinished, this, &MockPanel::applyDetails);
    m_capacity = new QDoubleSpinBox(this);
    m_capacity->setObjectName(QStringLiteral("mockCapacity"));
    m_capacity->setRange(0, kMostCapacity);
    m_capacity->setDecimals(0);
    m_capacity->setSingleStep(5);
    m_capacity->setSpecialValueText(tr("no limit"));
    m_capacity->setSuffix(tr(" /s, then 429"));
    m_capacity->setKeyboardTracking(false);
    connect(m_capacity, &QDoubleSpinBox::valueChanged, this, &MockPanel::applyDetails);
    form->addRow(tr("&Poison"), m_poison);
    form->addRow(tr("Capac&ity"), m_capacity);

    m_order = new QLabel(this);
    m_order->setObjectName(QStringLiteral("mockOrder"));
    m_ledger = new QLabel(this);
    m_ledger->setObjectName(QStringLiteral("mockLedger"));
    for (QLabel* label : {m_order, m_ledger}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setFont(tabularDigits(label->font()));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_order->setToolTip(tr("What this mock destination wrote down itself"));
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addWidget(m_order);
    column->addWidget(m_ledger);
    column->addLayout(form);
}

void MockPanel::fillNames(const std::vector<MockReport>& reports) {
    const QSignalBlocker quiet(m_names);
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const int index = static_cast<int>(i);
        const QString name = plainLine(reports[i].name, 64);
        if (index >= m_names->count()) m_names->addItem(name);
        if (m_names->itemText(index) != name) m_names->setItemText(index, name);
        m_names->setItemIcon(index, styleOf(reports[i].behaviour).icon);
        m_names->setItemData(index, plainTooltip(plainLine(reports[i].url)), Qt::ToolTipRole);
    }
    while (m_names->count() > static_cast<int>(reports.size()))
        m_names->removeItem(m_names->count() - 1);
}

void MockPanel::refresh() {
    const auto reports = m_mocks.mocks();
    fillNames(reports);
    setEnabled(!reports.empty());
    if (reports.empty()) {
        m_state->setFullText(tr("No mock destination was started."));
        return;
    }
    if (m_mock >= reports.size()) m_mock = 0;
    m_names->setCurrentIndex(static_cast<int>(m_mock));
    showBehaviour(reports[m_mock]);
    showLedger(reports[m_mock]);
}

void MockPanel::showBehaviour(const MockReport& report) {
    m_now = report.behaviour;
    const bool down = m_now.mode == MockBehaviour::Mode::down;
    const auto preset = presetOf(m_now);
    const StateStyle style = styleOf(m_now);
    m_mark->setPixmap(style.icon.pixmap(QSize(16, 16), devicePixelRatioF()));
    const QString word = preset ? presetWord(*preset) : tr("Custom");
    m_state->setFullText(QStringLiteral("%1 – %2").arg(word, behaviourText(m_now)));
    for (std::size_t i = 0; i < kPresets.size(); ++i)
        m_presets[i]->setChecked(preset == kPresets[i]);
    m_power->setText(down ? tr("&Bring up") : tr("&Take down"));
    m_power->setIcon(icon(down ? Symbol::bringUp : Symbol::takeDown,
                          down ? stateStyle(HealthState::healthy).colour : errorStyle().colour));
    m_power->setToolTip(down ? tr("Listen again, as before")
                             : tr("Stop listening: connections are refused"));
    // What is being typed is not touched.
    if (!m_poison->hasFocus()) m_poison->setText(QString::fromStdString(m_now.poisonUser));
    if (!m_capacity->hasFocus()) {
        const QSignalBlocker quiet(m_capacity);
        m_capacity->setValue(m_now.capacityPerSecond);
    }
}

void MockPanel::showLedger(const MockReport& r) {
    m_order->setText(unbroken({tr("%1 accepted").arg(countText(r.accepted)),
                               tr("%1 out of order").arg(countText(r.orderViolations)),
                               tr("%1 duplicates").arg(countText(r.duplicates)),
                               tr("%1 bad signatures").arg(countText(r.badSignatures))}));
    m_ledger->setText(unbroken({tr("%1 requests").arg(countText(r.requests)),
                                tr("%1 rewound").arg(countText(r.rewinds)),
                                tr("%1 overlaps").arg(countText(r.overlaps)),
                                tr("peak %1 /s").arg(countText(r.peakPerSecond))}));
    const bool broken = r.orderViolations > 0 || r.badSignatures > 0 || r.overlaps > 0;
    QPalette inked = palette();
    if (broken)
        inked.setColor(QPalette::WindowText,
                       readableText(errorStyle().colour, palette().color(QPalette::Window)));
    m_order->setPalette(inked);
}

void MockPanel::takeDownOrBringUp() {
    if (m_now.mode == MockBehaviour::Mode::down) {
        MockBehaviour up = m_beforeDown.mode == MockBehaviour::Mode::down
                               ? withPreset(m_now, Preset::healthy)
                               : m_beforeDown;
        send(withDetails(up));
    } else {
        send(withDetails(withPreset(m_now, Preset::down)));
    }
}

MockBehaviour MockPanel::withDetails(MockBehaviour behaviour) const {
    // From the fields, not from the last report: that may be older than the last change to them.
    behaviour.poisonUser = m_poison->text().trimmed().toStdString();
    behaviour.capacityPerSecond = m_capacity->value();
    return behaviour;
}

void MockPanel::send(const MockBehaviour& behaviour) {
    if (m_now.mode != MockBehaviour::Mode::down) m_beforeDown = m_now;
    m_mocks.setBehaviour(m_mock, behaviour);
}

void MockPanel::applyDetails() {
    const auto reports = m_mocks.mocks();
    if (m_mock >= reports.size()) return;
    m_now = reports[m_mock].behaviour;
    const MockBehaviour wanted = withDetails(m_now);
    if (wanted != m_now) send(wanted);
}

}  // namespace lanes::ui
