// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/rewind_dialog.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <map>
#include <set>

namespace lanes::ui {

namespace {

/// Destinations that are listed one by one; the rest is told as a number.
constexpr std::size_t kListedDestinations = 6;

QLabel* line(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

struct Share {
    std::size_t events = 0;
    std::set<UserId> lanes;
};

QString willHappen(const DestinationSnapshot& destination) {
    switch (destination.health) {
        case HealthState::healthy: return RewindDialog::tr("delivers at once");
        case HealthState::throttled: return RewindDialog::tr("delivers slowly: it is throttled");
        case HealthState::degraded: return RewindDialog::tr("waits for probes: it is degraded");
        case HealthState::recovering: return RewindDialog::tr("joins the ramp of its recovery");
        case HealthState::paused: return RewindDialog::tr("will wait until it is resumed");
    }
    return {};
}

/// A row per destination: state, name, share and what will happen there.
QWidget* destinationList(const std::map<DestinationId, Share>& shares,
                         const EngineSnapshot& snapshot, RewindDialog::Act act, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(6);
    int row = 0;
    for (const auto& [id, share] : shares) {
        if (static_cast<std::size_t>(row) == kListedDestinations) {
            grid->addWidget(line(RewindDialog::tr("and %Ln more", nullptr,
                                                  static_cast<int>(shares.size()) - row),
                                 box),
                            row, 1);
            break;
        }
        const auto* destination = snapshot.find(id);
        auto* mark = new QLabel(box);
        if (destination) {
            const auto style = stateStyle(destination->health);
            mark->setPixmap(style.icon.pixmap(16, 16));
            mark->setAccessibleName(style.word);
        }
        grid->addWidget(mark, row, 0);
        grid->addWidget(line(destination ? plainLine(destination->name, 64)
                                         : RewindDialog::tr("destination %1").arg(id.value),
                             box),
                        row, 1);
        auto* count =
            line(share.events == 1 ? RewindDialog::tr("1 event")
                                   : RewindDialog::tr("%1 events").arg(countText(share.events)),
                 box);
        count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(count, row, 2);
        if (act == RewindDialog::Act::rewind && destination) {
            auto* fate = line(willHappen(*destination), box);
            fate->setForegroundRole(QPalette::PlaceholderText);
            grid->addWidget(fate, row, 3);
        }
        ++row;
    }
    grid->setColumnStretch(3, 1);
    return box;
}

}  // namespace

QString actText(RewindDialog::Act act, std::size_t count) {
    const QString number = countText(count);
    switch (act) {
        case RewindDialog::Act::rewind:
            return count == 1 ? RewindDialog::tr("Rewind 1 event")
                              : RewindDialog::tr("Rewind %1 events").arg(number);
        case RewindDialog::Act::discard:
            return count == 1 ? RewindDialog::tr("Discard 1 event")
                              : RewindDialog::tr("Discard %1 events").arg(number);
    }
    return {};
}

RewindDialog::RewindDialog(Act act, const std::vector<DeadLetterRow>& letters,
                           const EngineSnapshot& snapshot, QWidget* parent)
    : QDialog(parent), m_act(act), m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("rewindDialog"));
    setWindowTitle(act == Act::rewind ? tr("Rewind dead letters") : tr("Discard dead letters"));
    std::map<DestinationId, Share> shares;
    std::size_t lanes = 0;
    for (const auto& letter : letters) {
        Share& share = shares[letter.pointer.destination];
        ++share.events;
        if (share.lanes.insert(letter.userId).second) ++lanes;
    }

    auto* title =
        line(act == Act::rewind
                 ? tr("%1 back into %2?")
                       .arg(letters.size() == 1 ? tr("1 event")
                                                : tr("%1 events").arg(countText(letters.size())),
                            lanes == 1 ? tr("its lane") : tr("%1 lanes").arg(countText(lanes)))
                 : tr("Give %1 up for good?")
                       .arg(letters.size() == 1 ? tr("1 event")
                                                : tr("%1 events").arg(countText(letters.size()))),
             this);
    title->setObjectName(QStringLiteral("rewindTitle"));
    QFont big = title->font();
    big.setBold(true);
    big.setPointSizeF(big.pointSizeF() * 1.2);
    title->setFont(big);

    auto* rules = line(
        act == Act::rewind
            ? tr("Each event returns to its original place: before everything that waits in its "
                 "lane, in the original order, one in flight per lane. Its retry window starts "
                 "anew. Events that die from now on are not included.")
            : tr("A discarded event is never delivered and cannot be rewound. It stays in the "
                 "counts as discarded."),
        this);
    rules->setObjectName(QStringLiteral("rewindRules"));

    m_reason->setObjectName(QStringLiteral("rewindReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("kept with the operation, may stay empty"));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Rea&son"), m_reason);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    auto* accept = buttons->addButton(actText(act, letters.size()), QDialogButtonBox::AcceptRole);
    accept->setObjectName(QStringLiteral("rewindAccept"));
    accept->setIcon(icon(act == Act::rewind ? Symbol::rewind : Symbol::discard));
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("rewindCancel"));
    // Where it cannot be taken back, Enter must not do it by itself.
    (act == Act::rewind ? accept : cancel)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(title);
    layout->addWidget(destinationList(shares, snapshot, act, this));
    layout->addWidget(rules);
    layout->addLayout(form);
    layout->addSpacing(4);
    layout->addWidget(buttons);
    setMinimumWidth(500);
}

std::string RewindDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
