// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filtered_list.h"
#include "ui/common/page_loader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace lanes::ui {

/// More rows are not counted to say what a condition costs.
inline constexpr std::uint64_t kCountedRows = 2'000;

/// What may be looked through for one number on a button; then it says that there may be more.
inline constexpr qint64 kCountedMs = 2'000;

struct CountedPage {
    std::uint64_t rows = 0;
    bool last = false;
};

/// Counts a page a question, so that lists are read in between, up to `most` rows; on the reader's
/// thread `read` gives the next page.
void countPages(PageLoader& loader, std::function<CountedPage(PageReader&)> read,
                std::uint64_t most, FilteredList::CountedOne counted);

/// Rows of the pages that `read` gives one after another, up to `kCountedRows`; ends when it is
/// interrupted, and where a page does not say how to go on.
template <typename Read>
FilterRemains countRows(Read read) {
    FilterRemains remains;
    for (;;) {
        const auto page = read();
        remains.rows += page.rows.size();
        remains.orMore = !page.complete;
        if (page.complete || page.interrupted || !page.error.empty() || !page.resume ||
            remains.rows >= kCountedRows)
            return remains;
    }
}

/// Counts, on the reader's thread, what a filter leaves without each of its conditions. `count`
/// gets a reader and a filter.
template <typename Count>
void countRemainsWith(PageLoader& loader, const Filter& filter, Count count,
                      FilteredList::Counted counted) {
    loader.load(
        PageLoader::Channel::counts,
        [conditions = filter.conditions(), count](PageReader& reader) {
            std::vector<FilterRemains> remains;
            for (std::size_t n = 0; n < conditions.size(); ++n) {
                auto others = conditions;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
                remains.push_back(count(reader, Filter::allOf(others).value_or(Filter())));
            }
            return remains;
        },
        [counted = std::move(counted)](const std::vector<FilterRemains>& remains) {
            counted(remains);
        });
}

}  // namespace lanes::ui
