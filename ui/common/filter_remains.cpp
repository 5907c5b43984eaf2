// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_remains.h"

#include <QElapsedTimer>

#include <memory>

namespace lanes::ui {

namespace {

struct Counting {
    std::function<CountedPage(PageReader&)> read;
    std::uint64_t most = 0;
    FilteredList::CountedOne counted;
    std::uint64_t rows = 0;
    QElapsedTimer time;
};

void countOn(PageLoader& loader, const std::shared_ptr<Counting>& counting) {
    loader.load(
        PageLoader::Channel::savedCounts,
        [counting](PageReader& reader) { return counting->read(reader); },
        [&loader, counting](const CountedPage& page) {
            counting->rows += page.rows;
            const bool enough =
                counting->rows > counting->most || counting->time.hasExpired(kCountedMs);
            if (!page.last && !enough) return countOn(loader, counting);
            counting->counted({counting->rows, !page.last, false});
        });
}

}  // namespace

void countPages(PageLoader& loader, std::function<CountedPage(PageReader&)> read,
                std::uint64_t most, FilteredList::CountedOne counted) {
    auto counting = std::make_shared<Counting>();
    counting->read = std::move(read);
    counting->most = most;
    counting->counted = std::move(counted);
    counting->time.start();
    countOn(loader, counting);
}

}  // namespace lanes::ui
