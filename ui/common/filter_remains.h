// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filtered_list.h"
#include "ui/common/page_loader.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanes::ui {

/// More rows are not counted to say what a condition costs.
inline constexpr std::uint64_t kCountedRows = 2'000;

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
