// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/id_filter.h"
#include "engine/store/index_runs.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lanes::store {

/// The ids in the finished runs, for the duplicate check of the writer. Filters in memory answer
/// for nearly every new id that it is not there, so that the file is asked only about one in a
/// hundred. They are made of the runs when the file is opened, which also checks each block; a
/// million ids take about 40 ms.
///
/// A filter serves neighbouring runs. The first ones are small, so that a short log takes little
/// memory; from then on each has room for as many ids as all before it, up to eight million. So a
/// log of a hundred million ids has less than twenty filters, and 200 MB of them.
class StoredIds {
    struct Run {
        std::int64_t number = 0;
        std::size_t ids = 0;
    };
    struct Generation {
        IdFilter filter;
        std::size_t size = 0;  ///< ids that it is made for
        std::size_t given = 0;
        std::vector<Run> runs;  ///< rising

        explicit Generation(std::size_t ids) : filter(ids), size(ids) {}
        void add(std::int64_t run, std::span<const IndexEntry> entries);
        [[nodiscard]] std::size_t left() const;  ///< ids of its runs
    };

public:
    /// What is known without the file: it outlives a connection that has to be made anew.
    using Memory = std::vector<Generation>;

    /// Reads all runs but those that are known. Throws SQLite::Exception, as does `find`; `known`
    /// is untouched then.
    explicit StoredIds(SQLite::Database& database, Memory&& known = {});
    /// Nothing is known here any more.
    [[nodiscard]] Memory give() { return std::move(m_generations); }

    /// Rows of events with this hash. Those that retention removed may be among them.
    [[nodiscard]] std::vector<std::uint64_t> find(std::uint64_t hash);
    /// A run that became durable; one that is known already stays as it is.
    void add(std::int64_t run, std::span<const IndexEntry> entries);
    /// What retention did to the runs.
    struct Change {
        std::vector<std::int64_t> gone;
        std::int64_t run = 0;  ///< a new one in place of those; 0 = none
        std::vector<IndexEntry> entries;
    };
    /// After its commit. A filter of which little is left is made smaller, and small neighbours
    /// become one: that reads half a million ids at most.
    void apply(const Change& change);

    /// For tests.
    [[nodiscard]] std::size_t filters() const { return m_generations.size(); }

    [[nodiscard]] std::size_t runs() const;

private:
    void shrink();
    /// A filter of the right size for the runs of both.
    [[nodiscard]] Generation rebuilt(const Generation& one, const Generation* next);

    IndexReader m_reader;
    std::vector<Generation> m_generations;  ///< in the order of the log; the last one grows
};

}  // namespace lanes::store
