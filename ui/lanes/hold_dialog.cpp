// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/hold_dialog.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace lanes::ui {

HoldDialog::HoldDialog(const QString& user, const QString& destination, std::uint64_t waiting,
                       QWidget* parent)
    : QDialog(parent), m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("holdDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Hold a user"));
    const QString backlog = waiting == 0 ? tr("Nothing of this user waits there now.")
                            : waiting == 1
                                ? tr("One event waits there now.")
                                : tr("%1 events wait there now.").arg(countText(waiting));
    const QString rules = tr("%1 What is in flight is finished; everything else of this user, and "
                             "what comes, waits until it is released. Its retry time stands still. "
                             "All other users and destinations go on.")
                              .arg(backlog);
    m_reason->setObjectName(QStringLiteral("holdReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("shown with the lane, may stay empty"));
    auto* form = new QFormLayout;
    form->addRow(tr("Rea&son"), m_reason);
    auto* layout = dialogLayout(*this);
    layout->addWidget(
        dialogHeading(tr("Deliver nothing of %1 to %2?").arg(user, destination), this));
    layout->addWidget(dialogWords(rules, "holdRules", this));
    layout->addLayout(form);
    addDialogButtons(*this, *layout, tr("Hold this user"), Symbol::pause, "holdAccept");
    m_reason->setFocus();
}

std::string HoldDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
