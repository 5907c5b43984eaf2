// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/filter.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

class QWidget;

namespace lanes::ui {

/// How far a list has come with its filter.
struct FilterProgress {
    bool looking = false;  ///< rows are looked at one by one, which may take long
    bool ended = false;    ///< the reader ended that; it stays so
    bool nothing = false;  ///< all was looked at and nothing fits
    QString text = {};     ///< while looking or ended: how far it came
};

/// What would be there without one of the conditions.
struct FilterRemains {
    std::uint64_t rows = 0;
    bool orMore = false;
    bool orFewer = false;
};

/// A list that the filter bar narrows. A view implements it, calls `filterProgressed` when what it
/// would answer has changed, and offers `wishFilter` and `addToFilter` in its menus. GUI thread.
class FilteredList {
public:
    /// How a condition is joined to those that are there.
    enum class Joint { And, Or, AndNot };
    /// What the bar does for the list.
    struct Bar {
        std::function<void()> progressed;
        std::function<void(const Filter&, Joint)> wished;
        std::function<void(const Filter&)> wishedOnly;
        std::function<void(const Filter&, Joint)> added;
        std::function<QString(const Filter&)> textOf;
    };
    using Counted = std::function<void(const std::vector<FilterRemains>&)>;
    using CountedOne = std::function<void(const FilterRemains&)>;

    FilteredList() = default;
    FilteredList(const FilteredList&) = delete;
    FilteredList& operator=(const FilteredList&) = delete;
    virtual ~FilteredList() = default;

    [[nodiscard]] virtual FilterList filterList() const = 0;
    /// Starts the list anew with exactly what fits; it suits the list.
    virtual void setFilter(const Filter& filter) = 0;
    [[nodiscard]] virtual FilterProgress filterProgress() const = 0;
    /// Looks at no more rows until another filter comes or `lookOn`.
    virtual void endLook() = 0;
    virtual void lookOn() = 0;
    /// Counts, away from the GUI thread, what each filter would leave; `counted` is not called if
    /// another filter comes first.
    virtual void countRemains(const Filter& filter, Counted counted) = 0;
    /// Counts what fits up to `most`, behind everything else that the list asks for, and calls
    /// `counted` later; another question, and a list that is cleared, ends it without a call. False
    /// if nothing can be counted now.
    virtual bool countFitting(const Filter& filter, std::uint64_t most, CountedOne counted) = 0;
    /// What gets the focus when the bar gives it up.
    [[nodiscard]] virtual QWidget& focusOfList() = 0;
    /// Types of events among the rows at hand.
    [[nodiscard]] virtual QStringList typesAtHand() const = 0;

    void connectBar(Bar bar) { m_bar = std::move(bar); }

protected:
    void filterProgressed() const {
        if (m_bar.progressed) m_bar.progressed();
    }
    [[nodiscard]] const Bar& bar() const { return m_bar; }

private:
    Bar m_bar;
};

}  // namespace lanes::ui
