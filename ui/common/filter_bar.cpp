// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_bar.h"

#include "ui/common/elided_label.h"
#include "ui/common/filter_chip.h"
#include "ui/common/filter_edit.h"
#include "ui/common/filter_menu.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/kept_filters.h"
#include "ui/common/saved_counts.h"
#include "ui/common/state_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// Conditions that are shown as chips; the field has them all.
constexpr std::size_t kChips = 6;
constexpr std::size_t kSavedShown = 6;
constexpr std::size_t kLists = 8;
constexpr int kLongestName = 40;
/// Of a button of a saved filter: its name, without a count.
constexpr const char* kNameProperty = "filterName";

void clear(QHBoxLayout& layout) {
    while (auto* item = layout.takeAt(0)) {
        // Not at once: it may be the button that was clicked.
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

/// A condition that no index serves makes a list look at its rows.
QString slowWords(const Filter& filter, FilterList list) {
    for (const auto& condition : filter.conditions())
        if (condition.asks(FilterField::payload))
            return FilterBar::tr("Enter applies it. It reads the body of each row.");
    for (const auto& condition : filter.conditions())
        if (!condition.isIndexed(list))
            return FilterBar::tr("Enter applies it. It looks at each row.");
    return FilterBar::tr("Enter applies it.");
}

}  // namespace

FilterBar::FilterBar(Context context, QWidget* parent)
    : QWidget(parent),
      m_context(std::move(context)),
      m_edit(new FilterEdit(this)),
      m_star(new QToolButton(this)),
      m_strip(new QWidget),
      m_counts(new SavedCounts(this)) {
    setObjectName(QStringLiteral("filterBar"));
    m_sides.reserve(kLists);  // they are pointed at
    m_edit->setMinimumWidth(200);
    m_star->setObjectName(QStringLiteral("filterStar"));
    m_star->setAutoRaise(true);
    m_star->setText(QString(QChar(0x2606)));
    m_star->setToolTip(tr("Keep this filter as a button"));
    m_star->setAccessibleName(tr("Keep this filter as a button"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->setSpacing(4);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_star);
    setFocusProxy(m_edit);
    buildStrip();
    connect(m_edit, &FilterEdit::checked, this, &FilterBar::showMessage);
    connect(m_edit, &FilterEdit::applyWanted, this, &FilterBar::apply);
    connect(m_edit, &FilterEdit::focusChanged, this, &FilterBar::showMessage);
    connect(m_edit, &FilterEdit::leaveWanted, this, [this] {
        if (m_side) m_side->list->focusOfList().setFocus();
    });
    connect(m_star, &QToolButton::clicked, this, &FilterBar::openStar);
    connect(m_counts, &SavedCounts::changed, this, &FilterBar::showCounts);
    m_strip->installEventFilter(this);
}

FilterBar::~FilterBar() {
    m_counts->disconnect(this);
    m_strip->removeEventFilter(this);
    for (auto& side : m_sides) side.list->connectBar({});
    m_edit->disconnect(this);  // it loses the focus while it goes
}

void FilterBar::buildStrip() {
    m_strip->setObjectName(QStringLiteral("filterStrip"));
    auto* layout = new QHBoxLayout(m_strip);
    layout->setContentsMargins(10, 3, 10, 3);
    layout->setSpacing(8);
    const auto row = [this] {
        auto* box = new QWidget(m_strip);
        auto* inside = new QHBoxLayout(box);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(6);
        // Rather cut than a reason for a wider window.
        box->setMinimumWidth(1);
        box->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        return inside;
    };
    m_chips = row();
    m_saved = row();
    m_mark = new QLabel(m_strip);
    m_mark->setFixedSize(16, 16);
    m_message = new ElidedLabel(m_strip);
    m_message->setObjectName(QStringLiteral("filterMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_act = new QToolButton(m_strip);
    m_act->setObjectName(QStringLiteral("filterAct"));
    layout->addWidget(m_chips->parentWidget());
    layout->addWidget(m_mark);
    layout->addWidget(m_message, 1);
    layout->addWidget(m_act);
    layout->addWidget(m_saved->parentWidget());
    m_strip->setVisible(false);
    connect(m_act, &QToolButton::clicked, this, [this] {
        if (const auto act = m_doAct) act();
    });
}

void FilterBar::addList(FilteredList& list) {
    Q_ASSERT(m_sides.size() < kLists);
    m_sides.push_back({&list, {}, {}, {}, false});
    list.connectBar(portsOf());
    if (m_side == nullptr) showList(list);
}

FilteredList::Bar FilterBar::portsOf() {
    FilteredList::Bar ports;
    ports.progressed = [this] { showMessage(); };
    ports.wishedOnly = [this](const Filter& condition) { putHere(condition); };
    ports.wished = [this](const Filter& condition, FilteredList::Joint joint) {
        wish(condition, joint, true);
    };
    ports.added = [this](const Filter& condition, FilteredList::Joint joint) {
        wish(condition, joint, false);
    };
    ports.textOf = [this](const Filter& filter) { return textOf(filter); };
    return ports;
}

void FilterBar::showList(FilteredList& list) {
    const auto found = std::find_if(m_sides.begin(), m_sides.end(),
                                    [&](const Side& side) { return side.list == &list; });
    if (found == m_sides.end() || m_side == &*found) return;
    m_side = &*found;
    const auto kind = list.filterList();
    m_edit->setContext([this] { return context(); });
    m_edit->setHistory(KeptFilters::history(kind));
    m_edit->setApplied(m_side->text);
    showChips();
    showSaved();
    showMessage();
}

QString FilterBar::textOf(const Filter& filter) const {
    return toText(filter, context());
}

Filter FilterBar::filterOf(const FilteredList& list) const {
    for (const auto& side : m_sides)
        if (side.list == &list) return side.filter;
    return {};
}

void FilterBar::focusField() {
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::refresh() {
    if (m_side == nullptr) return;
    m_edit->check();
    watchSaved();
}

void FilterBar::apply() {
    if (m_side == nullptr || m_edit->parsed().error) return;
    const QString text = m_edit->text().trimmed();
    const auto kind = m_side->list->filterList();
    if (!text.isEmpty()) {
        KeptFilters::remember(kind, text);
        m_edit->setHistory(KeptFilters::history(kind));
    }
    put(*m_side, m_edit->parsed().filter, text);
    shareDestination();
}

void FilterBar::putHere(const Filter& filter) {
    put(*m_side, filter, textOf(filter));
    shareDestination();
}

void FilterBar::put(Side& side, const Filter& filter, const QString& text) {
    side.text = text;
    side.counted = false;
    side.remains.clear();
    side.filter = filter;
    side.list->setFilter(filter);
    if (&side != m_side) return;
    m_edit->setApplied(text);
    showChips();
    showMessage();
}

void FilterBar::shareDestination() {
    const auto destination = destinationOf(m_side->filter);
    if (destination == m_destination) return;
    m_destination = destination;
    for (auto& side : m_sides) {
        if (&side == m_side) continue;
        const auto filter = withDestination(side.filter, destination);
        put(side, filter, toText(filter, m_context(side.list->filterList())));
    }
    emit destinationChanged(destination);
}

void FilterBar::setDestination(DestinationId destination) {
    if (destination == m_destination) return;
    m_destination = destination;
    for (auto& side : m_sides) {
        const auto filter = withDestination(side.filter, destination);
        put(side, filter, toText(filter, m_context(side.list->filterList())));
    }
}

void FilterBar::narrow(FilteredList& list, const Filter& filter) {
    showList(list);
    putHere(filter);
}

void FilterBar::wish(const Filter& condition, FilteredList::Joint joint, bool now) {
    const auto& present = m_side->filter;
    auto term = condition;
    if (joint == FilteredList::Joint::AndNot)
        term = Filter::negationOf(condition).value_or(condition);
    const auto joined = joint == FilteredList::Joint::Or && !present.isEverything()
                            ? Filter::anyOf({present, term})
                            : Filter::allOf({present, term});
    if (!joined) return;  // there are too many already
    if (now) {
        putHere(*joined);
        return;
    }
    m_edit->setText(textOf(*joined));
    m_edit->setFocus(Qt::OtherFocusReason);
}

void FilterBar::dropCondition(std::size_t place) {
    auto conditions = m_side->filter.conditions();
    if (place >= conditions.size()) return;
    conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(place));
    putHere(Filter::allOf(conditions).value_or(Filter()));
}

void FilterBar::showChips() {
    clear(*m_chips);
    const auto conditions = m_side->filter.conditions();
    for (std::size_t place = 0; place < std::min(conditions.size(), kChips); ++place) {
        auto* chip = new FilterChip(m_strip);
        chip->setObjectName(QStringLiteral("filterChip"));
        chip->setText(textOf(conditions[place]));
        m_chips->addWidget(chip);
        chip->show();
        connect(chip, &FilterChip::removed, this, [this, place] { dropCondition(place); });
    }
    if (conditions.size() <= kChips) return;
    auto* more = new QLabel(tr("and %1 more").arg(conditions.size() - kChips), m_strip);
    m_chips->addWidget(more);
    more->show();
}

void FilterBar::setFrozen(bool frozen) {
    m_frozen = frozen;
    showActivity();
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        m_seen = event->type() == QEvent::Show;
        showActivity();
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::showActivity() {
    m_counts->setActive(m_seen && !m_frozen);
}

/// What the saved texts mean now; one that means nothing any more is not counted.
void FilterBar::watchSaved() {
    std::vector<std::pair<QString, Filter>> filters;
    for (const auto& [button, text] : m_savedButtons) {
        const auto parsed = parseFilter(text, context());
        if (!parsed.error) filters.emplace_back(text, parsed.filter);
    }
    m_counts->watch(*m_side->list, filters);
    showCounts();
}

void FilterBar::showCounts() {
    if (m_side == nullptr) return;
    for (const auto& [button, text] : m_savedButtons) {
        const QString name = button->property(kNameProperty).toString();
        const auto count = m_counts->countOf(*m_side->list, text);
        QString label = QString(QChar(0x2605)) + QLatin1Char(' ') + name;
        QString tip = text;
        if (count) {
            const bool more = count->rows.orMore || count->rows.rows > SavedCounts::kMost;
            const auto rows = std::min(count->rows.rows, SavedCounts::kMost);
            const QString number = more ? tr("%1+").arg(countText(rows)) : countText(rows);
            label += QStringLiteral(" · ") + (count->stale ? tr("%1?").arg(number) : number);
            tip += QLatin1Char('\n') +
                   (more ? tr("%1 or more fit").arg(countText(rows)) : tr("%1 fit").arg(number)) +
                   tr(", counted %1 ago").arg(durationText(count->ageMs * kMillisecond));
        }
        if (button->text() != label) button->setText(label);
        button->setToolTip(plainTooltip(tip));
    }
}

void FilterBar::showSaved() {
    clear(*m_saved);
    m_savedButtons.clear();
    const auto all = KeptFilters::saved(m_side->list->filterList());
    for (std::size_t place = 0; place < std::min(all.size(), kSavedShown); ++place) {
        const auto saved = all[place];
        auto* button = new QToolButton(m_strip);
        button->setObjectName(QStringLiteral("savedFilter"));
        button->setProperty(kNameProperty, menuText(plainLine(saved.name.toStdString(), 24)));
        button->setContextMenuPolicy(Qt::CustomContextMenu);
        m_saved->addWidget(button);
        m_savedButtons.emplace_back(button, saved.text);
        button->show();
        connect(button, &QToolButton::clicked, this, [this, text = saved.text] {
            m_edit->setText(text);
            apply();
        });
        connect(button, &QWidget::customContextMenuRequested, this,
                [this, button, name = saved.name](const QPoint& position) {
                    openSavedMenu(*button, name, position);
                });
    }
    watchSaved();
}

void FilterBar::openSavedMenu(QToolButton& button, const QString& name, const QPoint& position) {
    const auto kind = m_side->list->filterList();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("savedFilterMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Rename…"), this, [this, kind, name] {
        askName(tr("Rename this filter"), name, [this, kind, name](const QString& other) {
            KeptFilters::rename(kind, name, other);
            showSaved();
        });
    });
    menu->addAction(icon(Symbol::discard), tr("Remove"), this, [this, kind, name] {
        KeptFilters::remove(kind, name);
        showSaved();
        showMessage();
    });
    menu->popup(button.mapToGlobal(position));
}

void FilterBar::openStar() {
    if (m_side == nullptr || m_edit->parsed().error || m_edit->text().trimmed().isEmpty()) {
        m_edit->setFocus();
        return;
    }
    const auto kind = m_side->list->filterList();
    const QString text = m_edit->text().trimmed();
    const auto keep = [this, kind, text](const QString& name) {
        KeptFilters::save(kind, {name, text});
        showSaved();
        showMessage();
    };
    askName(tr("Keep this filter"), text.left(kLongestName), keep);
}

void FilterBar::askName(const QString& title, const QString& name,
                        std::function<void(QString)> named) {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("filterName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(tr("Name on its button:"));
    dialog->setTextValue(name);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [named = std::move(named)](const QString& text) {
                if (const QString plain = text.trimmed(); !plain.isEmpty())
                    named(plain.left(kLongestName));
            });
    dialog->open();
}

void FilterBar::say(const QIcon& icon, const QString& text) {
    m_mark->setVisible(!icon.isNull());
    if (!icon.isNull()) m_mark->setPixmap(icon.pixmap(16, 16));
    static_cast<ElidedLabel*>(m_message)->setFullText(text);
}

void FilterBar::setAct(const QString& text, std::function<void()> act) {
    if (m_act->text() != text) m_act->setText(text);
    m_act->setVisible(!text.isEmpty());
    m_doAct = std::move(act);
}

void FilterBar::showMessage() {
    if (m_side == nullptr) return;
    const auto& parsed = m_edit->parsed();
    setAct({}, {});
    const auto progress = m_side->list->filterProgress();
    if (m_edit->isChanged() && parsed.error) {
        const bool wrong = !parsed.error->unfinished;
        say(wrong ? icon(Symbol::error, errorStyle().colour) : icon(Symbol::info),
            parsed.error->text);
    } else if (m_edit->isChanged()) {
        say(icon(Symbol::info), slowWords(parsed.filter, m_side->list->filterList()));
    } else if (progress.looking) {
        say(icon(Symbol::search), progress.text);
        setAct(tr("Cancel"), [this] { m_side->list->endLook(); });
    } else if (progress.ended) {
        say(icon(Symbol::info), progress.text);
        setAct(tr("Look on"), [this] { m_side->list->lookOn(); });
    } else if (progress.nothing && !m_side->filter.isEverything()) {
        showNothing(*m_side);
    } else {
        say({}, {});
    }
    const bool useful = m_edit->hasFocus() || m_edit->isChanged() ||
                        !m_side->filter.isEverything() || m_saved->count() > 0;
    if (m_strip->isHidden() == useful) m_strip->setVisible(useful);
}

void FilterBar::askRemains(Side& side) {
    if (std::exchange(side.counted, true)) return;
    side.list->countRemains(side.filter, [this, list = side.list](const auto& remains) {
        for (auto& one : m_sides)
            if (one.list == list) one.remains = remains;
        showMessage();
    });
}

void FilterBar::showNothing(Side& side) {
    askRemains(side);
    const auto conditions = side.filter.conditions();
    std::size_t best = 0;
    for (std::size_t n = 1; n < side.remains.size(); ++n)
        if (side.remains[n].rows > side.remains[best].rows) best = n;
    if (best >= side.remains.size() || best >= conditions.size() ||
        side.remains[best].rows == 0) {
        const bool known = !side.remains.empty();
        say(icon(Symbol::info), known && conditions.size() > 1
                                    ? tr("Nothing fits, and no single condition is the reason.")
                                    : tr("Nothing fits."));
        setAct(tr("Drop the filter"), [this] { putHere(Filter()); });
        return;
    }
    const QString culprit = textOf(conditions[best]);
    const auto& remains = side.remains[best];
    const QString count = countText(remains.rows);
    say(icon(Symbol::warning),
        (remains.orMore    ? tr("Nothing fits; %2 or more would without %1.")
         : remains.orFewer ? tr("Nothing fits; up to %2 would without %1.")
                           : tr("Nothing fits; %2 would without %1."))
            .arg(culprit, count));
    setAct(tr("Drop %1").arg(menuText(culprit)),
           [this, best] { dropCondition(best); });
}

}  // namespace lanes::ui
