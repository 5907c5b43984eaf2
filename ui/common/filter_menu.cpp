// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_menu.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::FilterMenu)
};

constexpr qsizetype kLongestText = 40;

bool asksForDestinationsOnly(const Filter& filter) {
    if (filter.shape() == Filter::Shape::term)
        return filter.term().field == FilterField::destination;
    return filter.shape() == Filter::Shape::any &&
           std::all_of(filter.parts().begin(), filter.parts().end(), asksForDestinationsOnly);
}

}  // namespace

void addFilterActions(QMenu& menu, const std::optional<Filter>& condition,
                      const FilteredList::Bar& bar) {
    if (!condition || !bar.textOf) return;
    QString text = bar.textOf(*condition);
    if (text.size() > kLongestText) text = text.left(kLongestText - 1) + QChar(0x2026);
    text = menuText(text);
    menu.addSeparator();
    using Joint = FilteredList::Joint;
    const auto add = [&](QMenu& into, const char* name, const QString& words, auto act) {
        auto* action = into.addAction(words, &menu, act);
        action->setObjectName(QLatin1String(name));
        return action;
    };
    add(menu, "filterOnly", Words::tr("Filter: only %1").arg(text), [bar, term = *condition] {
        bar.wishedOnly(term);
    })->setIcon(icon(Symbol::filter));
    add(menu, "filterExclude", Words::tr("Filter: exclude %1").arg(text),
        [bar, term = *condition] { bar.wished(term, Joint::AndNot); });
    auto* more = menu.addMenu(Words::tr("Add %1 to the filter").arg(text));
    more->setObjectName(QStringLiteral("filterAdd"));
    add(*more, "filterAnd", Words::tr("… and this"),
        [bar, term = *condition] { bar.added(term, Joint::And); });
    add(*more, "filterOr", Words::tr("… or this"),
        [bar, term = *condition] { bar.added(term, Joint::Or); });
    add(*more, "filterAndNot", Words::tr("… and not this"),
        [bar, term = *condition] { bar.added(term, Joint::AndNot); });
}

std::optional<Filter> textIs(FilterField field, const std::string& text) {
    if (text.size() > limits::kFilterTextBytes) return std::nullopt;
    const bool prose = kindOf(field) == FilterKind::prose;
    if (prose && text.empty()) return std::nullopt;
    return Filter(Filter::Term{
        field, prose ? FilterRelation::contains : FilterRelation::equal, 0, 0, {text}});
}

Filter numberIs(FilterField field, std::int64_t number) {
    return Filter::Term{field, FilterRelation::equal, number, 0, {}};
}

Filter timeIs(FilterField field, WallMicros from, WallMicros until) {
    return Filter::Term{field, FilterRelation::within, from, until - 1, {}};
}

DestinationId destinationOf(const Filter& filter) {
    DestinationId found;
    for (const auto& condition : filter.conditions()) {
        if (!asksForDestinationsOnly(condition)) continue;
        if (found || condition.shape() != Filter::Shape::term) return {};
        found = DestinationId(static_cast<std::uint32_t>(condition.term().low));
    }
    return found;
}

bool isDestinationOnly(const Filter& filter) {
    return filter.isEverything() ||
           (filter.shape() == Filter::Shape::term && destinationOf(filter));
}

Filter withDestination(const Filter& filter, DestinationId destination) {
    std::vector<Filter> parts;
    if (destination)
        parts.push_back(numberIs(FilterField::destination, std::int64_t{destination.value}));
    for (const auto& condition : filter.conditions())
        if (!asksForDestinationsOnly(condition)) parts.push_back(condition);
    // One more than the limit at most: then what was typed goes.
    return Filter::allOf(parts).value_or(parts.front());
}

}  // namespace lanes::ui
