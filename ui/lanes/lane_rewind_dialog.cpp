// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_rewind_dialog.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {

std::uint64_t eventsOf(const LanePlan& plan) {
    std::uint64_t events = 0;
    for (const auto& lane : plan.lanes) events += lane.events.size();
    return events;
}

QString eventsText(std::uint64_t count) {
    return count == 1 ? LaneRewindDialog::tr("1 event")
                      : LaneRewindDialog::tr("%1 events").arg(countText(count));
}

}  // namespace

QString lanePlanText(const LanePlan& plan) {
    QStringList lines;
    if (plan.delivered > 0)
        lines << LaneRewindDialog::tr(
                     "%1 were delivered before: the destination gets them again, "
                     "marked as rewound.")
                     .arg(countText(plan.delivered));
    if (plan.dead > 0)
        lines << LaneRewindDialog::tr("%1 are dead letters and return to their places.")
                     .arg(countText(plan.dead));
    if (plan.waiting > 0)
        lines << LaneRewindDialog::tr("%1 wait already and stay in their places behind them.")
                     .arg(countText(plan.waiting));
    if (plan.trimmed > 0)
        lines << LaneRewindDialog::tr(
            "Some events of this lane have left the log already and "
            "cannot be sent again.");
    return lines.join(u'\n');
}

LaneRewindDialog::LaneRewindDialog(const LanePlan& plan, const QString& user,
                                   const QString& destination, QWidget* parent)
    : QDialog(parent), m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("laneRewindDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Rewind a lane"));
    const auto words = [this](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        return label;
    };
    const auto events = eventsOf(plan);
    auto* title =
        words(events == 0
                  ? tr("There is nothing to rewind from here on")
                  : tr("Deliver %1 of %2 to %3 again?").arg(eventsText(events), user, destination));
    title->setObjectName(QStringLiteral("dialogTitle"));
    QFont large = title->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    title->setFont(large);
    auto* facts = words(lanePlanText(plan));
    facts->setObjectName(QStringLiteral("lanePlan"));
    facts->setVisible(!facts->text().isEmpty());
    auto* rules =
        words(tr("They go in their original order, one in flight, each with a new retry "
                 "window. The lane moves as a whole while nothing of it is in flight."));
    m_reason->setObjectName(QStringLiteral("laneRewindReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("kept with the operation, may stay empty"));
    auto* form = new QFormLayout;
    form->addRow(tr("Rea&son"), m_reason);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* accept =
        buttons->addButton(tr("Rewind %1").arg(eventsText(events)), QDialogButtonBox::AcceptRole);
    accept->setObjectName(QStringLiteral("laneRewindAccept"));
    accept->setIcon(icon(Symbol::rewind));
    accept->setEnabled(events > 0);
    // What was delivered is sent once more: Enter alone must not do that.
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    (plan.delivered > 0 || events == 0 ? cancel : accept)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(title);
    layout->addWidget(facts);
    layout->addWidget(rules);
    layout->addLayout(form);
    layout->addSpacing(4);
    layout->addWidget(buttons);
    setMinimumWidth(500);
}

std::string LaneRewindDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
