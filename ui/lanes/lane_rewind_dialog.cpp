// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_rewind_dialog.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"

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
    const auto events = eventsOf(plan);
    const QString title =
        events == 0
            ? tr("There is nothing to rewind from here on")
            : tr("Deliver %1 of %2 to %3 again?").arg(eventsText(events), user, destination);
    auto* facts = dialogWords(lanePlanText(plan), "lanePlan", this);
    facts->setVisible(!facts->text().isEmpty());
    const QString rules =
        tr("They go in their original order, one in flight, each with a new retry window. The lane "
           "moves as a whole while nothing of it is in flight.");
    m_reason->setObjectName(QStringLiteral("laneRewindReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("kept with the operation, may stay empty"));
    auto* form = new QFormLayout;
    form->addRow(tr("Rea&son"), m_reason);
    auto* layout = dialogLayout(*this);
    layout->addWidget(dialogHeading(title, this));
    layout->addWidget(facts);
    layout->addWidget(dialogWords(rules, "laneRewindRules", this));
    layout->addLayout(form);
    const auto [accept, cancel] =
        addDialogButtons(*this, *layout, tr("Rewind %1").arg(eventsText(events)), Symbol::rewind,
                         "laneRewindAccept");
    accept->setEnabled(events > 0);
    // What was delivered is sent once more: Enter alone must not do that.
    (plan.delivered > 0 || events == 0 ? cancel : accept)->setDefault(true);
}

std::string LaneRewindDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
