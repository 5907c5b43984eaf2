// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/lane_order.h"

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/ranked_index.hpp>
#include <boost/multi_index_container.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

struct Item {
    std::uint64_t key;
    LaneIndex lane;
    [[nodiscard]] std::tuple<std::uint64_t, LaneIndex> rank() const { return {key, lane}; }
};

struct ByRank {
    using result_type = std::tuple<std::uint64_t, LaneIndex>;
    result_type operator()(const Item& item) const { return item.rank(); }
};

}  // namespace

struct LaneOrderIndex::Set
    : boost::multi_index_container<
          Item, boost::multi_index::indexed_by<
                    boost::multi_index::ranked_unique<ByRank>,
                    boost::multi_index::hashed_unique<
                        boost::multi_index::member<Item, LaneIndex, &Item::lane>>>> {};

LaneOrderIndex::LaneOrderIndex(LaneOrder order, DestinationSlot destination,
                               std::vector<std::int64_t> expiryBases)
    : m_order(order),
      m_destination(destination),
      m_expiryBases(std::move(expiryBases)),
      m_set(std::make_unique<Set>()) {}

LaneOrderIndex::LaneOrderIndex(LaneOrderIndex&&) noexcept = default;
LaneOrderIndex::~LaneOrderIndex() = default;

std::size_t LaneOrderIndex::size() const { return m_set->size(); }

bool LaneOrderIndex::belongs(const Lane& lane) const {
    return lane.head && (m_destination == kAll || lane.destination == m_destination);
}

std::uint64_t LaneOrderIndex::keyOf(const Lane& lane) const {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t kLastSequence = (std::uint64_t{1} << 48) - 1;  // of a lane's head
    switch (m_order) {
    case LaneOrder::headAge:
        return kMost - Sequence(lane.head).value;
    case LaneOrder::backlog:
        return lane.rest;
    case LaneOrder::attempts:
        return lane.attempts;
    case LaneOrder::nextAttempt:
        // Soonest first; lanes without a time of their own come after all that have one.
        return lane.state == LaneState::backingOff ? kMost - lane.tick : 0;
    case LaneOrder::deadLettersIn:
        return kMost / 2 -
               static_cast<std::uint64_t>(lane.headClock + m_expiryBases[lane.destination]);
    case LaneOrder::destination:
        return (std::uint64_t{0xffff} - lane.destination) << 48 |
               (kLastSequence - Sequence(lane.head).value);
    }
    return 0;
}

bool LaneOrderIndex::build(const LaneTable& table, std::size_t slice) {
    const auto end = table.indexEnd();
    for (; m_built < end && slice > 0; ++m_built, --slice)
        if (table.inUse(m_built) && belongs(table[m_built]))
            m_set->insert({keyOf(table[m_built]), m_built});
    return complete(table);
}

bool LaneOrderIndex::complete(const LaneTable& table) const {
    return m_built >= table.indexEnd();
}

double LaneOrderIndex::readiness(const LaneTable& table) const {
    if (complete(table)) return 1;
    return static_cast<double>(m_built) / static_cast<double>(table.indexEnd());
}

void LaneOrderIndex::update(const LaneTable& table, LaneIndex lane) {
    if (lane > m_built) return;  // the build will come by
    if (lane == m_built) ++m_built;
    auto& byLane = m_set->get<1>();
    const auto found = byLane.find(lane);
    if (!belongs(table[lane])) {
        if (found != byLane.end()) byLane.erase(found);
        return;
    }
    const Item item{keyOf(table[lane]), lane};
    if (found == byLane.end())
        byLane.insert(item);
    else if (found->key != item.key)
        byLane.replace(found, item);
}

void LaneOrderIndex::erase(LaneIndex lane) { m_set->get<1>().erase(lane); }

bool LaneOrderIndex::shrink(std::size_t slice) {
    auto& byRank = m_set->get<0>();
    for (; slice > 0 && !byRank.empty(); --slice) byRank.erase(byRank.begin());
    return byRank.empty();
}

std::vector<LaneIndex> LaneOrderIndex::next(std::optional<Place>& place, std::size_t most,
                                            bool descending) const {
    std::vector<LaneIndex> lanes;
    const auto& byRank = m_set->get<0>();
    auto at = descending ? byRank.end() : byRank.begin();
    if (place) {
        const std::tuple rank(place->key, place->lane);
        at = descending ? byRank.lower_bound(rank) : byRank.upper_bound(rank);
    }
    while (lanes.size() < most && at != (descending ? byRank.begin() : byRank.end())) {
        if (descending) --at;
        lanes.push_back(at->lane);
        place = Place{at->key, at->lane};
        if (!descending) ++at;
    }
    return lanes;
}

std::vector<LaneIndex> LaneOrderIndex::page(std::uint64_t offset, std::uint32_t limit,
                                            bool descending) const {
    std::vector<LaneIndex> lanes;
    const auto& byRank = m_set->get<0>();
    const auto size = byRank.size();
    if (offset >= size) return lanes;
    const auto count = std::min<std::uint64_t>(limit, size - offset);
    lanes.reserve(count);
    if (descending) {
        auto at = byRank.nth(size - 1 - offset);
        for (std::uint64_t i = 0; i < count; ++i) {
            lanes.push_back(at->lane);
            if (at != byRank.begin()) --at;
        }
    } else {
        auto at = byRank.nth(offset);
        for (std::uint64_t i = 0; i < count; ++i, ++at) lanes.push_back(at->lane);
    }
    return lanes;
}

}  // namespace lanes
