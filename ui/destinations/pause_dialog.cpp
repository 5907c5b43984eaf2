// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/pause_dialog.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {

QFormLayout* factsForm() {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(7);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

}  // namespace

PauseDialog::PauseDialog(const DestinationSnapshot& destination, const Rates& rates,
                         QWidget* parent)
    : QDialog(parent), m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("pauseDialog"));
    const QString name = plainLine(destination.name, 64);
    setWindowTitle(tr("Pause delivery"));
    auto* layout = dialogLayout(*this);
    layout->addWidget(dialogHeading(tr("Pause deliveries to %1?").arg(name), this));
    auto* form = factsForm();
    form->addRow(tr("In flight now"),
                 dialogWords(destination.inFlight == 0
                                 ? tr("none")
                             : destination.inFlight == 1
                                 ? tr("1, it will finish")
                                 : tr("%1, they will finish").arg(countText(destination.inFlight)),
                             "pauseInFlight", this));
    form->addRow(tr("Waiting"), dialogWords(tr("%1 events in %2 lanes, all kept")
                                                .arg(countText(destination.counters.waiting),
                                                     countText(destination.lanes)),
                                            "pauseBacklog", this));
    form->addRow(
        tr("Growth"),
        dialogWords(rates.known ? tr("about %1 events a minute").arg(rateText(rates.inPerMinute))
                                : tr("not known yet"),
                    "pauseGrowth", this));
    form->addRow(tr("Retry clock"), dialogWords(tr("stands still until you resume: nothing dies"),
                                                "pauseClock", this));
    m_reason->setObjectName(QStringLiteral("pauseReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("shown to everybody while it is paused"));
    form->addRow(tr("Rea&son"), m_reason);
    layout->addLayout(form);
    addDialogButtons(*this, *layout,
                     tr("Pause %1").arg(menuText(name)),
                     Symbol::pause, "pauseAccept");
}

std::string PauseDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

ResumeDialog::ResumeDialog(const DestinationSnapshot& destination, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("resumeDialog"));
    const QString name = plainLine(destination.name, 64);
    setWindowTitle(tr("Resume delivery"));
    auto* layout = dialogLayout(*this);
    layout->addWidget(dialogHeading(tr("Resume deliveries to %1?").arg(name), this));
    auto* form = factsForm();
    form->addRow(tr("Waiting"), dialogWords(tr("%1 events in %2 lanes")
                                                .arg(countText(destination.counters.waiting),
                                                     countText(destination.lanes)),
                                            "resumeBacklog", this));
    form->addRow(
        tr("Ramp"),
        dialogWords(tr("starts with a few requests at once and grows with each success, up to "
                       "%1")
                        .arg(countText(destination.maxInFlight)),
                    "resumeRamp", this));
    const Micros estimate = drainEstimate(destination);
    QString drain = tr("no estimate: nothing was answered yet");
    if (destination.counters.waiting == 0)
        drain = tr("nothing waits");
    else if (estimate > 0)
        drain = tr("about %1 or more, if it answers as before").arg(durationText(estimate));
    form->addRow(tr("Drained in"), dialogWords(drain, "resumeDrain", this));
    if (!destination.pauseReason.empty())
        form->addRow(tr("Paused for"),
                     dialogWords(plainLine(destination.pauseReason, 256), "resumeReason", this));
    layout->addLayout(form);
    addDialogButtons(*this, *layout,
                     tr("Resume %1").arg(menuText(name)),
                     Symbol::resume, "resumeAccept");
}

}  // namespace lanes::ui
