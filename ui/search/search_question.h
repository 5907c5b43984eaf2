// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/snapshot.h"

#include <string>
#include <vector>

namespace lanes::ui {

/// What somebody looks for: an event by its id or its number, or a user.
struct SearchQuestion {
    std::string text;
    std::vector<DestinationId> destinations;
    std::vector<std::string> sources = {};  ///< with write keys of their own
};

/// A lane of a user that has events in the log.
struct FoundLane {
    LaneKey lane;
    UserKey user;
    friend bool operator==(const FoundLane&, const FoundLane&) = default;
};

struct SearchAnswer {
    std::vector<EventRow> events;  ///< without their payloads, in order of the log
    std::vector<FoundLane> lanes;
    std::string error;  ///< not empty: the rest could not be read, and why
    bool interrupted = false;
};

/// Events that are listed at most: an id is used again only when its event has left the log.
inline constexpr std::size_t kFoundEvents = 50;

/// On the reader's thread. An id is looked for at the sources of the intake ("native", "segment",
/// those with keys of their own); "import-7:order-9" names another source, and "/shop:order-9" the
/// one of a CloudEvent.
[[nodiscard]] SearchAnswer search(PageReader& reader, const SearchQuestion& question);

/// Where an event is at one destination, and what happened to it there.
struct EventPlace {
    DestinationId destination;
    LaneEventState state = LaneEventState::waiting;
    std::uint32_t attempts = 0;  ///< in this life
    std::uint32_t life = 1;
    bool known = false;  ///< the rest is known
};

struct EventStory {
    EventRow event;
    std::vector<EventPlace> places;
    std::string error;
};

/// On the reader's thread: one event at all its destinations.
[[nodiscard]] EventStory readStory(PageReader& reader, Sequence sequence);

}  // namespace lanes::ui
