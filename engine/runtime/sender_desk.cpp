// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/sender_desk.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lanes {

namespace {

constexpr const char* kNotStored =
    "It could not be stored, so nothing was changed; see the state of the store.";

bool contains(const std::vector<SourceConfig>& sources, SourceId id) {
    return std::any_of(sources.begin(), sources.end(),
                       [id](const SourceConfig& source) { return source.id == id; });
}

}  // namespace

void SenderDesk::begin(std::vector<SourceConfig> sources, SourceId last,
                       std::uint64_t quarantined) {
    m_sources = std::move(sources);
    m_last = last;
    m_quarantined = quarantined;
    m_ports.sourcesChanged(m_sources);
}

void SenderDesk::refuse(CommandId id, std::string error) {
    CommandResult result;
    result.error = std::move(error);
    m_ports.answer(id, result);
}

void SenderDesk::commit(WriteBatch batch, Done done) {
    batch.intake = ++m_lastMark;
    // Before it is given away: the answer may come at once.
    m_open.emplace(batch.intake, std::move(done));
    m_ports.submit(std::move(batch));
}

void SenderDesk::stored(const IntakeCommit& commit, input::EventsAccepted& accepted) {
    const auto found = m_open.find(commit.intake);
    if (found == m_open.end()) return;
    const Done done = std::move(found->second);
    m_open.erase(found);
    for (const StoredEvent& event : commit.events)
        if (!event.duplicate && !event.targets.empty())
            accepted.events.push_back({event.sequence, event.user, event.targets});
    done(commit);
}

// --- Sources

void SenderDesk::obey(CommandId id, const SetSource& command) {
    SourceConfig config = command.config;
    if (auto error = validate(config); !error.empty()) return refuse(id, std::move(error));
    const auto old = std::find_if(m_sources.begin(), m_sources.end(),
                                  [&](const auto& source) { return source.id == config.id; });
    if (config.id && old == m_sources.end())
        return refuse(id, "This source was removed meanwhile.");
    // The name is in its events, by which duplicates are known.
    if (config.id && old->name != config.name)
        return refuse(id, "name: that of a source cannot be changed; add another one.");
    for (const auto& source : m_sources)
        for (const auto& key : config.keys)
            if (source.id != config.id &&
                std::find(source.keys.begin(), source.keys.end(), key) != source.keys.end())
                return refuse(id, "keys: the source \"" + source.name + "\" has this key already.");
    if (!config.id) {
        const bool taken = m_taken.contains(config.name) ||
                           std::any_of(m_sources.begin(), m_sources.end(), [&](const auto& source) {
                               return source.name == config.name;
                           });
        if (taken)
            return refuse(id, "name: there is already a source \"" + config.name +
                                  "\"; choose another name.");
        if (m_sources.size() + m_taken.size() >= limits::kSources)
            return refuse(id, "There are " + std::to_string(limits::kSources) +
                                  " sources already; remove one first.");
        config.id = m_last = SourceId(m_last.value + 1);
        config.addedAt = m_ports.wallClock();
        m_taken.emplace(config.name, config.id);
    } else {
        config.addedAt = old->addedAt;
        config.addedBy = old->addedBy;
    }
    WriteBatch batch;
    batch.sources = {config};
    commit(std::move(batch), [this, id, config](const IntakeCommit&) {
        m_taken.erase(config.name);
        put(config);
        m_ports.sourcesChanged(m_sources);
        CommandResult result;
        result.source = config.id;
        m_ports.answer(id, result);
    });
}

void SenderDesk::put(SourceConfig config) {
    const auto place = std::lower_bound(
        m_sources.begin(), m_sources.end(), config.id,
        [](const SourceConfig& source, SourceId wanted) { return source.id < wanted; });
    if (place != m_sources.end() && place->id == config.id)
        *place = std::move(config);
    else
        m_sources.insert(place, std::move(config));
}

void SenderDesk::obey(CommandId id, const RemoveSource& command) {
    if (!contains(m_sources, command.source))
        return refuse(id, "This source was removed meanwhile.");
    WriteBatch batch;
    batch.removedSources = {command.source};
    commit(std::move(batch), [this, id, source = command.source](const IntakeCommit&) {
        std::erase_if(m_sources, [source](const auto& one) { return one.id == source; });
        m_ports.sourcesChanged(m_sources);
        m_ports.answer(id, {});
    });
}

// --- Quarantine

void SenderDesk::noteQuarantined(std::uint64_t events) {
    m_quarantined = std::min<std::uint64_t>(m_quarantined + events, limits::kQuarantined);
}

void SenderDesk::obey(CommandId id, const RetryQuarantined& command) {
    const auto reader = m_ports.openReader();
    if (!reader) return refuse(id, "The store cannot be read now; try again.");
    const auto row = reader->quarantined(command.id);
    if (!row) return refuse(id, "This event is not in quarantine any more.");
    auto read = m_ports.readAgain(*row, command.body);
    if (auto* rejection = std::get_if<EventRejection>(&read))
        return refuse(id, std::move(rejection->detail));
    auto& submission = std::get<IntakeSubmission>(read);
    WriteBatch batch;
    batch.events = std::move(submission.events);
    for (std::size_t i = 0; i < batch.events.size(); ++i)
        batch.events[i].targets = m_ports.route(batch.events[i].type, submission.named[i]);
    // First into the log: events are given back when they cannot be stored, and this one must be
    // somewhere then. If the program dies in between it is in both, and a duplicate when it is
    // taken again, for its id does not change.
    commit(std::move(batch), [this, id, row = row->id](const IntakeCommit& stored) {
        if (!stored.stored) return refuse(id, kNotStored);
        const bool duplicate = !stored.events.empty() && stored.events.front().duplicate;
        WriteBatch release;
        release.released = {row};
        commit(std::move(release), [this, id, duplicate](const IntakeCommit&) {
            if (m_quarantined > 0) --m_quarantined;
            CommandResult result;
            result.asked = result.done = 1;
            result.duplicate = duplicate;
            m_ports.answer(id, result);
        });
    });
}

void SenderDesk::obey(CommandId id, const DiscardQuarantined& command) {
    if (command.ids.empty() || command.ids.size() > limits::kQuarantined)
        return refuse(id,
                      "Name 1 to " + std::to_string(limits::kQuarantined) + " rejected events.");
    const auto reader = m_ports.openReader();
    if (!reader) return refuse(id, "The store cannot be read now; try again.");
    std::set<QuarantineId> wanted(command.ids.begin(), command.ids.end());
    std::vector<QuarantineId> there;
    QuarantineQuery query;
    for (bool more = true; more && !wanted.empty();) {
        const auto page = reader->quarantine(query);
        if (!page.error.empty()) return refuse(id, page.error);
        for (const auto& row : page.rows)
            if (wanted.erase(row.id) > 0) there.push_back(row.id);
        more = !page.complete && !page.rows.empty();
        if (more) query.before = page.rows.back().id;
    }
    if (there.empty()) return refuse(id, "None of them is in quarantine any more.");
    CommandResult result;
    result.asked = command.ids.size();
    result.done = there.size();
    result.skipped = result.asked - result.done;
    WriteBatch batch;
    batch.released = std::move(there);
    commit(std::move(batch), [this, id, result](const IntakeCommit&) {
        m_quarantined -= std::min(m_quarantined, result.done);
        m_ports.answer(id, result);
    });
}

}  // namespace lanes
