// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/lane_table.h"

#include "engine/core/check.h"

namespace lanes {

LaneIndex LaneTable::findOrAdd(DestinationSlot destination, UserId user) {
    if (const auto found = find(destination, user); found != kNoLane) return found;
    const auto lane = m_lanes.take();
    Lane& record = m_lanes[lane];
    record.user = user;
    record.destination = destination;
    m_directory.add(lane);
    return lane;
}

void LaneTable::remove(LaneIndex lane) {
    Lane& record = m_lanes[lane];
    CHECK(!record.head && record.rest == 0 && record.destination != kNoDestination);
    m_directory.remove(lane);
    record.destination = kNoDestination;
    m_lanes.give(lane);
}

std::size_t LaneTable::bytes() const {
    return m_lanes.bytes() + m_directory.bytes() + m_events.bytes() +
           m_chainBlocks.bytes();
}

/// The place of the last event before a sequence; of the last one of all if there is none before
/// it, as the ring goes. The lane must have an event behind its head.
std::uint32_t LaneTable::lastBefore(LaneIndex lane, Sequence sequence) const {
    const auto last = (*this)[lane].last;
    if (m_events[last].sequence < sequence) return last;  // the common case, at no cost of length
    // Whoever moves many events of a lane asks for them in order: it goes on where it was.
    const bool further = m_finger.lane == lane && m_events[m_finger.place].sequence < sequence;
    auto place = further ? m_finger.place : last;
    while (m_events[m_events[place].next].sequence < sequence) place = m_events[place].next;
    if (place != last) m_finger = {lane, place};
    return place;
}

void LaneTable::insert(LaneIndex lane, LaneEntry entry) {
    const auto place = m_events.take();
    Lane& record = (*this)[lane];
    Event& event = m_events[place];
    event.sequence = entry.sequence;
    event.clock = entry.clock;
    if (record.rest == 0) {
        event.next = place;
        record.last = place;
    } else {
        const auto before = lastBefore(lane, entry.sequence);
        event.next = m_events[before].next;
        m_events[before].next = place;
        const bool behindAll = m_events[record.last].sequence < entry.sequence;
        CHECK(behindAll || m_events[event.next].sequence != entry.sequence);
        if (behindAll) record.last = place;
    }
    ++record.rest;
    CHECK(record.rest != 0);
}

LaneEntry LaneTable::front(LaneIndex lane) const {
    const Lane& record = (*this)[lane];
    CHECK(record.rest > 0);
    return m_events[m_events[record.last].next].entry();
}

/// Takes out the event after `before`.
void LaneTable::unlink(Lane& record, std::uint32_t before) {
    const std::uint32_t place = m_events[before].next;
    if (m_finger.place == place) m_finger = {};
    m_events[before].next = m_events[place].next;
    if (record.last == place) record.last = place == before ? kNoLane : before;
    --record.rest;
    m_events.give(place);
}

LaneEntry LaneTable::popFront(LaneIndex lane) {
    const auto entry = front(lane);
    Lane& record = (*this)[lane];
    unlink(record, record.last);
    return entry;
}

bool LaneTable::contains(LaneIndex lane, Sequence sequence) const {
    if ((*this)[lane].rest == 0) return false;
    return m_events[m_events[lastBefore(lane, sequence)].next].sequence == sequence;
}

bool LaneTable::erase(LaneIndex lane, Sequence sequence) {
    Lane& record = (*this)[lane];
    if (record.rest == 0) return false;
    const auto before = lastBefore(lane, sequence);
    if (m_events[m_events[before].next].sequence != sequence) return false;
    unlink(record, before);
    return true;
}

}  // namespace lanes
