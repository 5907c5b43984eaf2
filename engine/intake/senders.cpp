// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/senders.h"

#include "engine/intake/intake_guard.h"
#include "engine/write_key.h"

#include <algorithm>
#include <utility>

namespace lanes {

void Senders::setSources(const std::vector<SourceConfig>& sources) {
    std::vector<SourceSnapshot> kept;
    m_byHash.clear();
    for (const auto& config : sources) {
        const auto* known = find({Kind::source, config.id});
        SourceSnapshot source = known == nullptr ? SourceSnapshot() : *known;
        source.config = config;
        kept.push_back(std::move(source));
        for (const auto& key : config.keys) m_byHash.emplace(key, config.id);
    }
    m_sources = std::move(kept);
}

Senders::Sender Senders::identify(const http::Request& request) const {
    const auto key = shownWriteKey(request);
    if (sameWriteKey(key, m_generalKey)) return {Kind::general};
    if (key.empty() || m_byHash.empty()) return {};
    // What is compared is a fingerprint, from whose beginning no key can be guessed.
    const auto found = m_byHash.find(writeKeyHash(key));
    return found == m_byHash.end() ? Sender() : Sender{Kind::source, found->second};
}

std::string Senders::nameOf(const Sender& sender, IntakeDialect dialect) const {
    for (const auto& source : m_sources)
        if (sender.kind == Kind::source && source.config.id == sender.source)
            return source.config.name;
    switch (dialect) {
        case IntakeDialect::native: return kNativeSource;
        case IntakeDialect::segment: return kSegmentSource;
        case IntakeDialect::cloudEvents: break;
    }
    return "cloudevents";
}

SourceSnapshot* Senders::find(const Sender& sender) {
    const auto found = std::find_if(m_sources.begin(), m_sources.end(), [&](const auto& source) {
        return sender.kind == Kind::source && source.config.id == sender.source;
    });
    return found == m_sources.end() ? nullptr : &*found;
}

void Senders::noteRequest(const Sender& sender, WallMicros now) {
    if (auto* source = find(sender)) source->lastRequestAt = now;
}

void Senders::noteRejected(const Sender& sender, std::size_t events) {
    if (auto* source = find(sender)) source->rejected += events;
}

void Senders::noteStored(const Sender& sender, std::size_t accepted, std::size_t duplicates) {
    if (auto* source = find(sender)) {
        source->accepted += accepted;
        source->duplicates += duplicates;
    }
}

}  // namespace lanes
