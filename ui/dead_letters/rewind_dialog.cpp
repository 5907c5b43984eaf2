// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/rewind_dialog.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
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

QString eventsText(std::size_t count) {
    return count == 1 ? RewindDialog::tr("1 event")
                      : RewindDialog::tr("%1 events").arg(countText(count));
}

/// Above it the number is typed: nobody moves so many by a slip.
constexpr std::size_t kTypedFrom = 10'000;

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
    : QDialog(parent),
      m_act(act),
      m_snapshot(snapshot),
      m_title(line({}, this)),
      m_set(new QVBoxLayout),
      m_plan(line({}, this)),
      m_newcomers(line({}, this)),
      m_reason(new QLineEdit(this)) {
    std::map<DestinationId, std::set<UserId>> lanes;
    Shares shares;
    for (const auto& letter : letters) {
        Share& share = shares[letter.pointer.destination];
        ++share.events;
        if (lanes[letter.pointer.destination].insert(letter.userId).second) ++share.lanes;
        m_pointers.push_back(letter.pointer);
    }
    build({});
    showSet(shares);
}

RewindDialog::RewindDialog(Act act, const RewindPlan& plan, const EngineSnapshot& snapshot,
                           QWidget* parent)
    : QDialog(parent),
      m_act(act),
      m_snapshot(snapshot),
      m_pointers(plan.pointers),
      m_title(line({}, this)),
      m_set(new QVBoxLayout),
      m_plan(line({}, this)),
      m_newcomers(line({}, this)),
      m_reason(new QLineEdit(this)) {
    Shares shares;
    for (const auto& at : plan.destinations)
        shares[at.destination] = {static_cast<std::size_t>(at.events),
                                  static_cast<std::size_t>(at.lanes)};
    build({});
    showSet(shares);
    showPlan(plan);
}

RewindDialog::RewindDialog(Act act, const QString& filter, const EngineSnapshot& snapshot,
                           QWidget* parent)
    : QDialog(parent),
      m_act(act),
      m_snapshot(snapshot),
      m_matching(true),
      m_title(line({}, this)),
      m_set(new QVBoxLayout),
      m_plan(line({}, this)),
      m_newcomers(line({}, this)),
      m_reason(new QLineEdit(this)) {
    build(filter);
    m_title->setText(tr("Which dead letters match?"));
    showAccept();
}

void RewindDialog::build(const QString& filter) {
    setObjectName(QStringLiteral("rewindDialog"));
    setWindowTitle(m_act == Act::rewind ? tr("Rewind dead letters") : tr("Discard dead letters"));
    m_title->setObjectName(QStringLiteral("rewindTitle"));
    makeHeading(*m_title);

    auto* rules = line(
        m_act == Act::rewind
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
    m_plan->setText(m_matching ? tr("Looking up what matches…")
                               : tr("Looking up what these lanes delivered since…"));
    m_newcomers->setObjectName(QStringLiteral("rewindNewcomers"));
    m_newcomers->setVisible(false);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(actText(m_act, m_pointers.size()), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(QStringLiteral("rewindAccept"));
    m_accept->setIcon(icon(m_act == Act::rewind ? Symbol::rewind : Symbol::discard));
    auto* cancel = buttons->button(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("rewindCancel"));
    // Where it cannot be taken back, or means what nobody has seen row by row, Enter must not do
    // it by itself.
    (m_act == Act::rewind && !m_matching ? m_accept : cancel)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(m_title);
    if (m_matching) {
        const QString words = filter.isEmpty() ? tr("all dead letters, without a filter") : filter;
        auto* text = line(words, this);
        text->setObjectName(QStringLiteral("rewindFilter"));
        if (!filter.isEmpty()) text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        layout->addWidget(text);
    }
    layout->addLayout(m_set);
    layout->addWidget(m_plan);
    layout->addWidget(m_newcomers);
    layout->addWidget(rules);
    addPace(*layout);
    layout->addSpacing(4);
    layout->addWidget(buttons);
    setMinimumWidth(500);
}

void RewindDialog::showSet(const Shares& shares) {
    std::size_t lanes = 0;
    for (const auto& [id, share] : shares) lanes += share.lanes;
    const QString events = eventsText(m_pointers.size());
    m_title->setText(m_act == Act::rewind
                         ? tr("%1 back into %2?")
                               .arg(events, lanes == 1 ? tr("its lane")
                                                       : tr("%1 lanes").arg(countText(lanes)))
                         : tr("Give %1 up for good?").arg(events));
    while (auto* item = m_set->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto* list = destinationList(shares);
    m_set->addWidget(list);
    list->show();  // a layout shows it only later, and its height would be missing
    showAccept();
}

/// The exact number stands in the button. What matches a filter has none before its plan.
void RewindDialog::showAccept() {
    const bool known = !m_matching || m_planned;
    m_accept->setText(known                 ? actText(m_act, m_pointers.size())
                      : m_act == Act::rewind ? tr("Rewind")
                                             : tr("Discard"));
    const bool typed = m_typed == nullptr || !m_typed->isVisibleTo(this) ||
                       m_typed->text().remove(QRegularExpression(QStringLiteral("[^0-9]"))) ==
                           QString::number(m_pointers.size());
    m_accept->setEnabled(known && typed && !m_pointers.empty());
}

QString RewindDialog::willHappen(const DestinationSnapshot& destination, const Share& share) const {
    switch (destination.health) {
        case HealthState::healthy: {
            const auto drain = drainEstimate(destination, share.events, share.lanes);
            return drain > 0 ? tr("delivers: all of it in about %1").arg(durationText(drain))
                             : tr("delivers at once");
        }
        case HealthState::throttled: return tr("delivers slowly: it is throttled");
        case HealthState::degraded: return tr("waits for probes: it is degraded");
        case HealthState::recovering: return tr("joins the ramp of its recovery");
        case HealthState::paused: return tr("will wait until it is resumed");
    }
    return {};
}

/// A row per destination: state, name, share and what will happen there.
QWidget* RewindDialog::destinationList(const Shares& shares) {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(6);
    int row = 0;
    for (const auto& [id, share] : shares) {
        if (static_cast<std::size_t>(row) == kListedDestinations) {
            grid->addWidget(line(tr("and %Ln more", nullptr, static_cast<int>(shares.size()) - row),
                                 box),
                            row, 1);
            break;
        }
        const auto* destination = m_snapshot.find(id);
        auto* mark = new QLabel(box);
        if (destination) {
            const auto style = stateStyle(destination->health);
            mark->setPixmap(style.icon.pixmap(16, 16));
            mark->setAccessibleName(style.word);
        }
        grid->addWidget(mark, row, 0);
        grid->addWidget(line(nameOf(&m_snapshot, id, kNameCharacters), box), row, 1);
        auto* count = line(eventsText(share.events), box);
        count->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(count, row, 2);
        if (m_act == Act::rewind && destination) {
            auto* fate = line(willHappen(*destination, share), box);
            fate->setForegroundRole(QPalette::PlaceholderText);
            grid->addWidget(fate, row, 3);
        }
        ++row;
    }
    grid->setColumnStretch(3, 1);
    return box;
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
    if (m_matching) {
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(QStringLiteral("rewindTyped"));
        m_typed->setAccessibleName(tr("The number of events, to go on"));
        m_typed->setVisible(false);
        connect(m_typed, &QLineEdit::textChanged, this, &RewindDialog::showAccept);
        layout.addWidget(m_typed);
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
                    "There the rewound events arrive after them, marked as rewound. The window of "
                    "a lane can send the rest of it again, in order.");
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
            (m_matching ? tr("What matches is not known: %1")
                        : tr("What these lanes delivered since is not known: %1"))
                .arg(plainLine(plan.error)));
        return;
    }
    m_pointers = plan.pointers;
    m_planned = true;
    if (m_typed) m_typed->setVisible(m_matching && m_pointers.size() > kTypedFrom);
    if (m_typed) m_typed->setPlaceholderText(tr("type %1 to go on").arg(m_pointers.size()));
    if (m_matching) {
        Shares shares;
        for (const auto& part : plan.destinations)
            shares[part.destination] = {static_cast<std::size_t>(part.events),
                                        static_cast<std::size_t>(part.lanes)};
        showSet(shares);
        if (m_pointers.empty()) m_title->setText(tr("No dead letter matches."));
    }
    showAccept();
    const auto text = planText(plan, m_act);
    m_plan->setText(text);
    m_plan->setVisible(!text.isEmpty());
    fitHeight();
}

/// What wraps asks for its height only when its width is known.
void RewindDialog::fitHeight() {
    layout()->activate();
    resize(width(), layout()->totalHeightForWidth(width()));
}

void RewindDialog::showNewcomers(std::uint64_t count) {
    m_newcomers->setVisible(count > 0);
    m_newcomers->setText(count == 1 ? tr("1 more that matches has died since; it is not included.")
                                    : tr("%1 more that match have died since; they are not "
                                         "included.")
                                          .arg(countText(count)));
    fitHeight();
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
