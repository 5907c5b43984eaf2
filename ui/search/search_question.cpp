// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_question.h"

#include "engine/user_id.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace lanes::ui {

namespace {

std::uint64_t numberOf(const std::string& text) {
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && at == end ? number : 0;
}

/// Places at which a text is taken apart into a source and an id: a source may have colons too.
constexpr int kMostColons = 8;

void findEvents(PageReader& reader, const SearchQuestion& question, SearchAnswer& answer) {
    const auto& text = question.text;
    std::set<Sequence> sequences;
    const auto look = [&](const std::string& source, const std::string& id) {
        if (id.empty() || answer.interrupted) return;
        const auto found = reader.findEvents(source, id);
        sequences.insert(found.sequences.begin(), found.sequences.end());
        if (!found.error.empty()) answer.error = found.error;
        answer.interrupted |= found.interrupted;
    };
    look("native", text);
    look("segment", text);
    for (const auto& source : question.sources) look(source, text);
    auto colon = text.find(':');
    for (int i = 0; i < kMostColons && colon != std::string::npos; ++i) {
        const auto source = text.substr(0, colon);
        const auto id = text.substr(colon + 1);
        look(source, id);
        look("cloudevents:" + source, id);
        colon = text.find(':', colon + 1);
    }
    if (const auto number = numberOf(text)) sequences.insert(Sequence(number));
    for (const auto sequence : sequences) {
        if (answer.events.size() == kFoundEvents || answer.interrupted) return;
        auto event = reader.event(sequence);
        if (!event) continue;
        event->payload.clear();
        answer.events.push_back(*std::move(event));
    }
}

void findLanes(PageReader& reader, const SearchQuestion& question, SearchAnswer& answer) {
    for (const auto kind : {UserKey::Kind::user, UserKey::Kind::anonymous}) {
        UserKey user;
        user.kind = kind;
        user.text = question.text;
        const auto id = fingerprint(user, {});
        for (const auto destination : question.destinations) {
            if (answer.interrupted) return;
            LaneEventQuery query;
            query.lane = {destination, id};
            query.limit = 1;
            auto page = reader.laneEvents(query);
            // It may have come to its time before it came to a row.
            while (page.rows.empty() && !page.complete && page.resume && page.error.empty() &&
                   !page.interrupted) {
                query.after = page.resume;
                page = reader.laneEvents(query);
            }
            if (!page.error.empty()) answer.error = page.error;
            answer.interrupted |= page.interrupted;
            if (!page.rows.empty()) answer.lanes.push_back({query.lane, user});
        }
    }
}

}  // namespace

SearchAnswer search(PageReader& reader, const SearchQuestion& question) {
    SearchAnswer answer;
    if (question.text.empty()) return answer;
    findEvents(reader, question, answer);
    findLanes(reader, question, answer);
    return answer;
}

EventStory readStory(PageReader& reader, Sequence sequence) {
    EventStory story;
    auto event = reader.event(sequence);
    if (!event) {
        story.error = "The event is not in the log (any more).";
        return story;
    }
    story.event = *std::move(event);
    story.event.payload.clear();
    for (const auto destination : story.event.destinations) {
        EventPlace place;
        place.destination = destination;
        LaneEventQuery query;
        query.lane = {destination, story.event.userId};
        query.after = Sequence(sequence.value - 1);
        query.limit = 1;
        const auto page = reader.laneEvents(query);
        if (!page.error.empty()) story.error = page.error;
        if (!page.rows.empty() && page.rows.front().sequence == sequence) {
            const auto& row = page.rows.front();
            place.state = row.state;
            place.attempts = row.attempts;
            place.life = row.life;
            place.known = true;
        }
        story.places.push_back(place);
    }
    return story;
}

}  // namespace lanes::ui
