// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/hold_dialog.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lanes::ui {

HoldDialog::HoldDialog(const QString& user, const QString& destination, std::uint64_t waiting,
                       QWidget* parent)
    : QDialog(parent), m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("holdDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Hold a user"));
    const auto words = [this](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        return label;
    };
    auto* title = words(tr("Deliver nothing of %1 to %2?").arg(user, destination));
    title->setObjectName(QStringLiteral("dialogTitle"));
    QFont large = title->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    title->setFont(large);
    const QString backlog = waiting == 0 ? tr("Nothing of this user waits there now.")
                            : waiting == 1
                                ? tr("One event waits there now.")
                                : tr("%1 events wait there now.").arg(countText(waiting));
    auto* rules = words(tr("%1 What is in flight is finished; everything else of this user, and "
                           "what comes, waits until it is released. Its retry time stands still. "
                           "All other users and destinations go on.")
                            .arg(backlog));
    m_reason->setObjectName(QStringLiteral("holdReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("shown with the lane, may stay empty"));
    auto* form = new QFormLayout;
    form->addRow(tr("Rea&son"), m_reason);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* accept = buttons->addButton(tr("Hold this user"), QDialogButtonBox::AcceptRole);
    accept->setObjectName(QStringLiteral("holdAccept"));
    accept->setIcon(icon(Symbol::pause));
    accept->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(title);
    layout->addWidget(rules);
    layout->addLayout(form);
    layout->addSpacing(4);
    layout->addWidget(buttons);
    setMinimumWidth(480);
    m_reason->setFocus();
}

std::string HoldDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
