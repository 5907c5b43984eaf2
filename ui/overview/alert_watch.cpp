// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/alert_watch.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lanes::ui {

namespace {

/// How long a condition has to last before it is told.
Micros debounceOf(AlertKind kind) {
    return kind == AlertKind::degraded ? AlertWatch::kDebounce : 0;
}

/// Tells a growing number again only when it has doubled: not each event by itself.
bool grewMuch(std::uint64_t before, std::uint64_t now) {
    return now >= 2 * std::max<std::uint64_t>(before, 1);
}

}  // namespace

std::vector<std::uint64_t> AlertWatch::add(const EngineSnapshot& snapshot, Micros now) {
    std::vector<std::uint64_t> told;
    if (snapshot.lifecycle != Lifecycle::running) return told;
    for (auto& [about, track] : m_tracks) track.touched = false;
    if (!snapshot.store.writable || !snapshot.store.fault.empty())
        see({AlertKind::storeFault, {}, {}, snapshot.store.fault}, snapshot.at, now, told);
    if (!snapshot.intake.error.empty())
        see({AlertKind::intakeClosed, {}, {}, snapshot.intake.error}, snapshot.at, now, told);
    for (const auto& d : snapshot.destinations) {
        const auto condition = [&](AlertKind kind, const std::string& reason,
                                   std::uint64_t count = 0, Micros span = 0) {
            return Condition{kind, d.id, d.name, reason, count, span};
        };
        if (d.health == HealthState::paused && d.pausedBySystem)
            see(condition(AlertKind::autoPaused, d.pauseReason), snapshot.at, now, told);
        if (d.health == HealthState::degraded)
            see(condition(AlertKind::degraded, d.lastError, d.lanes), snapshot.at, now, told);
        if (d.lanesNearDeath > 0)
            see(condition(AlertKind::nearDeath, d.lastError, d.lanesNearDeath, d.nearDeath),
                snapshot.at, now, told);
        auto& settled = m_tracks[{AlertKind::deadLetters, d.id}].settled;
        settled = std::min(settled, d.counters.dead);
        if (d.counters.dead > settled)
            see(condition(AlertKind::deadLetters, d.lastError, d.counters.dead), snapshot.at, now,
                told);
    }
    endWhatIsGone(snapshot, now);
    sort();
    if (m_alerts.size() > kMost) m_alerts.resize(kMost);
    // What was there before the window opened is shown, but it is no news.
    if (std::exchange(m_first, false)) told.clear();
    return told;
}

void AlertWatch::see(const Condition& condition, WallMicros at, Micros now,
                     std::vector<std::uint64_t>& told) {
    Track& track = m_tracks[{condition.kind, condition.destination}];
    track.touched = true;
    if (track.seenSince < 0) track.seenSince = now;
    Alert* alert = findAlert(track.alert);
    if (!alert || (!alert->active() && now - track.goneSince > kComesBack)) {
        if (now - track.seenSince < debounceOf(condition.kind)) return;
        Alert fresh;
        fresh.number = ++m_number;
        fresh.kind = condition.kind;
        fresh.destination = condition.destination;
        fresh.since = at - (now - track.seenSince);
        m_alerts.push_back(std::move(fresh));
        alert = &m_alerts.back();
        track.alert = alert->number;
        told.push_back(alert->number);
    } else if (alert->kind == AlertKind::nearDeath && grewMuch(alert->count, condition.count)) {
        alert->acknowledged = false;
        told.push_back(alert->number);
    }
    track.goneSince = -1;
    alert->endedAt = 0;
    alert->name = condition.name;
    alert->reason = condition.reason;
    alert->count = condition.count;
    alert->span = condition.span;
}

void AlertWatch::endWhatIsGone(const EngineSnapshot& snapshot, Micros now) {
    for (auto& [about, track] : m_tracks) {
        if (track.touched) continue;
        track.seenSince = -1;
        Alert* alert = findAlert(track.alert);
        if (!alert || !alert->active()) continue;
        // A state has to be gone for as long as it had to be there.
        if (track.goneSince < 0) track.goneSince = now;
        if (now - track.goneSince < debounceOf(about.first)) continue;
        alert->endedAt = snapshot.at;
    }
    // Acknowledged and over: nothing is left to be said.
    std::erase_if(m_alerts,
                  [](const Alert& alert) { return alert.acknowledged && !alert.active(); });
    std::erase_if(m_tracks, [&](const auto& entry) {
        const DestinationId destination = entry.first.second;
        return destination && !snapshot.find(destination) && !findAlert(entry.second.alert);
    });
}

const Alert* AlertWatch::find(std::uint64_t number) const {
    const auto found = std::find_if(m_alerts.begin(), m_alerts.end(),
                                    [&](const Alert& alert) { return alert.number == number; });
    return found == m_alerts.end() ? nullptr : &*found;
}

Alert* AlertWatch::findAlert(std::uint64_t number) {
    const Alert* found = find(number);
    return found ? &m_alerts[static_cast<std::size_t>(found - m_alerts.data())] : nullptr;
}

std::size_t AlertWatch::pressing() const {
    return static_cast<std::size_t>(std::count_if(
        m_alerts.begin(), m_alerts.end(), [](const Alert& alert) { return alert.pressing(); }));
}

void AlertWatch::acknowledge(std::uint64_t number) {
    Alert* alert = findAlert(number);
    if (!alert) return;
    alert->acknowledged = true;
    if (alert->kind == AlertKind::deadLetters) {
        m_tracks[{alert->kind, alert->destination}].settled = alert->count;
        alert->endedAt = alert->since;
    }
    std::erase_if(m_alerts,
                  [](const Alert& other) { return other.acknowledged && !other.active(); });
    sort();
}

void AlertWatch::acknowledgeAll() {
    std::vector<std::uint64_t> numbers;
    for (const auto& alert : m_alerts) numbers.push_back(alert.number);
    for (const auto number : numbers) acknowledge(number);
}

void AlertWatch::sort() {
    const auto rank = [](const Alert& alert) {
        return std::tuple(!alert.active(), alert.active() ? alert.acknowledged : false,
                          alert.active() ? alert.kind : AlertKind::storeFault, -alert.endedAt,
                          alert.number);
    };
    std::sort(m_alerts.begin(), m_alerts.end(),
              [&](const Alert& a, const Alert& b) { return rank(a) < rank(b); });
}

}  // namespace lanes::ui
