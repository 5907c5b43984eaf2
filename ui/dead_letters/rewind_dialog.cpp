// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/rewind_dialog.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

/// Events of a tracer at most; more are no trial any more.
constexpr int kLargestTracer = 10'000;
constexpr double kFastestPace = 10'000;  // events a second
constexpr int kLabelReserve = 4;         // pixels

int asInt(std::uint64_t n) {
    return static_cast<int>(std::min<std::uint64_t>(n, 2'000'000'000));
}

std::vector<Pointer> pointersOf(const std::vector<DeadLetterRow>& letters) {
    std::vector<Pointer> pointers;
    for (const auto& letter : letters) pointers.push_back(letter.pointer);
    return pointers;
}

}  // namespace

RewindDialog::Shares RewindDialog::sharesOf(const std::vector<DeadLetterRow>& letters) {
    Shares shares;
    std::set<LaneKey> lanes;
    for (const auto& letter : letters) {
        Share& share = shares[letter.pointer.destination];
        ++share.events;
        if (lanes.insert({letter.pointer.destination, letter.userId}).second) ++share.lanes;
    }
    return shares;
}

RewindDialog::Shares RewindDialog::sharesOf(const RewindPlan& plan) {
    Shares shares;
    for (const auto& at : plan.destinations) shares[at.destination] = {at.events, at.lanes};
    return shares;
}

QString RewindDialog::willHappen(const DestinationSnapshot& destination, const Share& share) {
    switch (destination.health) {
        case HealthState::healthy: {
            const auto drain = drainEstimate(destination, share.events, share.lanes);
            return drain > 0 ? RewindDialog::tr("delivers: all of it in about %1")
                                   .arg(durationText(drain))
                             : RewindDialog::tr("delivers at once");
        }
        case HealthState::throttled: return RewindDialog::tr("delivers slowly: it is throttled");
        case HealthState::degraded: return RewindDialog::tr("waits for probes: it is degraded");
        case HealthState::recovering: return RewindDialog::tr("joins the ramp of its recovery");
        case HealthState::paused: return RewindDialog::tr("will wait until it is resumed");
    }
    return {};
}

/// A row per destination: state, name, share and what will happen there.
QWidget* RewindDialog::destinationList(const Shares& shares, const EngineSnapshot& snapshot,
                                       Act act, QWidget* parent) {
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
            auto* fate = line(willHappen(*destination, share), box);
            fate->setForegroundRole(QPalette::PlaceholderText);
            grid->addWidget(fate, row, 3);
        }
        ++row;
    }
    grid->setColumnStretch(3, 1);
    return box;
}

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
    : RewindDialog(act, pointersOf(letters), sharesOf(letters), snapshot, parent) {}

RewindDialog::RewindDialog(Act act, const RewindPlan& plan, const EngineSnapshot& snapshot,
                           QWidget* parent)
    : RewindDialog(act, plan.pointers, sharesOf(plan), snapshot, parent) {
    showPlan(plan);
}

RewindDialog::RewindDialog(Act act, std::vector<Pointer> pointers, const Shares& shares,
                           const EngineSnapshot& snapshot, QWidget* parent)
    : QDialog(parent),
      m_act(act),
      m_pointers(std::move(pointers)),
      m_plan(line({}, this)),
      m_reason(new QLineEdit(this)) {
    setObjectName(QStringLiteral("rewindDialog"));
    setWindowTitle(act == Act::rewind ? tr("Rewind dead letters") : tr("Discard dead letters"));
    std::uint64_t lanes = 0;
    for (const auto& at : shares) lanes += at.second.lanes;
    const std::size_t events = m_pointers.size();

    auto* title =
        line(act == Act::rewind
                 ? tr("%1 back into %2?")
                       .arg(events == 1 ? tr("1 event") : tr("%1 events").arg(countText(events)),
                            lanes == 1 ? tr("its lane") : tr("%1 lanes").arg(countText(lanes)))
                 : tr("Give %1 up for good?")
                       .arg(events == 1 ? tr("1 event") : tr("%1 events").arg(countText(events))),
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
    m_plan->setObjectName(QStringLiteral("rewindPlan"));
    m_plan->setText(tr("Looking up what these lanes delivered since…"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(actText(act, events), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(QStringLiteral("rewindAccept"));
    m_accept->setIcon(icon(act == Act::rewind ? Symbol::rewind : Symbol::discard));
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("rewindCancel"));
    // Where it cannot be taken back, Enter must not do it by itself.
    (act == Act::rewind ? m_accept : cancel)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(title);
    layout->addWidget(destinationList(shares, snapshot, act, this));
    layout->addWidget(m_plan);
    layout->addWidget(rules);
    addPace(*layout);
    layout->addSpacing(4);
    layout->addWidget(buttons);
    setMinimumWidth(500);
}

/// The form below the text: how it goes, and why.
void RewindDialog::addPace(QVBoxLayout& layout) {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(14);
    if (m_act == Act::rewind) {
        m_tracer = new QSpinBox(this);
        m_tracer->setObjectName(QStringLiteral("rewindTracer"));
        m_tracer->setRange(0, kLargestTracer);
        m_tracer->setSpecialValueText(tr("none, all at once"));
        m_tracer->setSuffix(tr(" events first"));
        m_tracer->setToolTip(
            tr("The rest follows once 90 % of these are delivered; else it stays dead letters"));
        form->addRow(tr("&Tracer"), m_tracer);
        m_pace = new QDoubleSpinBox(this);
        m_pace->setObjectName(QStringLiteral("rewindPace"));
        m_pace->setRange(0, kFastestPace);
        m_pace->setDecimals(1);
        m_pace->setSpecialValueText(tr("as fast as deliveries allow"));
        m_pace->setSuffix(tr(" events a second"));
        form->addRow(tr("&Pace"), m_pace);
        setTabOrder(m_tracer, m_pace);
        setTabOrder(m_pace, m_reason);
        m_reason->setFocus();
    }
    form->addRow(tr("Rea&son"), m_reason);
    // The last letter of a label that is as wide as its text is cut off with some fonts.
    for (QWidget* field : {static_cast<QWidget*>(m_tracer), static_cast<QWidget*>(m_pace)})
        if (auto* label = field ? form->labelForField(field) : nullptr)
            label->setMinimumWidth(label->sizeHint().width() + kLabelReserve);
    layout.addLayout(form);
}

QString planText(const RewindPlan& plan, RewindDialog::Act act) {
    const auto total = plan.total();
    QStringList lines;
    if (total.lanesPassed > 0) {
        lines += RewindDialog::tr("%1 of %2 lanes delivered %3 later events already.")
                     .arg(countText(total.lanesPassed), countText(total.lanes),
                          countText(total.laterDelivered));
        if (act == RewindDialog::Act::rewind)
            lines.back() +=
                QLatin1Char(' ') +
                RewindDialog::tr(
                    "There the rewound events arrive after them, marked as rewound. The command "
                    "line can send the rest of these lanes again, in order.");
    }
    if (total.mayHaveBeenReceived > 0)
        lines += RewindDialog::tr("%Ln may have been received already: no answer came.", nullptr,
                                  asInt(total.mayHaveBeenReceived));
    if (total.rewoundBefore > 0)
        lines += RewindDialog::tr("%Ln were rewound before and died again.", nullptr,
                                  asInt(total.rewoundBefore));
    if (plan.notDead > 0)
        lines += RewindDialog::tr("%Ln are no dead letters any more and are left out.", nullptr,
                                  asInt(plan.notDead));
    return lines.join(QLatin1Char('\n'));
}

void RewindDialog::showPlan(const RewindPlan& plan) {
    if (!plan.error.empty()) {
        m_plan->setText(
            tr("What these lanes delivered since is not known: %1").arg(plainLine(plan.error)));
        return;
    }
    m_pointers = plan.pointers;
    m_accept->setText(actText(m_act, m_pointers.size()));
    m_accept->setEnabled(!m_pointers.empty());
    const auto text = planText(plan, m_act);
    m_plan->setText(text);
    m_plan->setVisible(!text.isEmpty());
    // What wraps asks for its height only when its width is known.
    resize(width(), layout()->totalHeightForWidth(width()));
}

RewindPace RewindDialog::pace() const {
    RewindPace pace;
    if (m_tracer) pace.tracer = static_cast<std::uint32_t>(m_tracer->value());
    if (m_pace) pace.eventsPerSecond = m_pace->value();
    return pace;
}

std::string RewindDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

}  // namespace lanes::ui
