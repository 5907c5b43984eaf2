// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/metrics_page.h"

#include "engine/runtime/state_words.h"

#include <array>
#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace lanes {

namespace {

/// Upper bound of the first bucket of a LatencyHistogram in seconds; each next one is twice that.
constexpr double kFirstBound = 0.00025;

constexpr std::array<Lifecycle, 6> kLifecycles = {Lifecycle::starting, Lifecycle::recovering,
                                                  Lifecycle::running,  Lifecycle::draining,
                                                  Lifecycle::stopped,  Lifecycle::failed};
constexpr std::array<HealthState, 5> kStates = {HealthState::healthy, HealthState::throttled,
                                                HealthState::degraded, HealthState::recovering,
                                                HealthState::paused};

double seconds(Micros time) {
    return static_cast<double>(time) / static_cast<double>(kSecond);
}

/// The shortest digits that read back as the same number, in no locale.
std::string digits(std::integral auto value) {
    return std::to_string(value);
}
std::string digits(double value) {
    std::array<char, 400> buffer{};  // the longest double has 328 characters
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
            .ptr;
    return {buffer.data(), end};
}

using Label = std::pair<const char*, std::string_view>;
using Labels = std::initializer_list<Label>;

/// Writes families of samples; each is begun once and all its samples follow, as the format asks.
class Page {
public:
    void begin(std::string_view name, std::string_view type, std::string_view help) {
        m_name = name;
        m_text.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
        m_text.append(name).append(" ").append(type).append("\n");
    }

    template <typename Number>
    void add(Labels labels, Number value, std::string_view suffix = {}) {
        m_text.append(m_name).append(suffix);
        char between = '{';
        for (const auto& [name, text] : labels) {
            m_text += between;
            m_text.append(name).append("=\"");
            escape(text);
            m_text += '"';
            between = ',';
        }
        if (between == ',') m_text += '}';
        m_text.append(" ").append(digits(value)).append("\n");
    }

    /// A bucket holds what is below its bound, and here what is not above it: the same, but for
    /// what took the bound to the microsecond.
    void addHistogram(std::string_view destination, const LatencyHistogram& histogram) {
        std::uint64_t below = 0;
        double bound = kFirstBound;
        for (std::size_t i = 0; i < LatencyHistogram::kBuckets; ++i, bound *= 2) {
            below += histogram.counts[i];
            const bool last = i + 1 == LatencyHistogram::kBuckets;
            addOf(destination, below, "_bucket", last ? "+Inf" : digits(bound));
        }
        addOf(destination, seconds(histogram.sum), "_sum");
        addOf(destination, below, "_count");
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    /// One of a histogram's samples; without a destination if there is none.
    template <typename Number>
    void addOf(std::string_view destination, Number value, std::string_view suffix,
               const std::string& bound = {}) {
        if (destination.empty())
            bound.empty() ? add({}, value, suffix) : add({{"le", bound}}, value, suffix);
        else if (bound.empty())
            add({{"destination", destination}}, value, suffix);
        else
            add({{"destination", destination}, {"le", bound}}, value, suffix);
    }

    void escape(std::string_view text) {
        for (const char c : text) {
            if (c == '\n') {
                m_text += "\\n";
                continue;
            }
            if (c == '\\' || c == '"') m_text += '\\';
            m_text += c;
        }
    }

    std::string m_text;
    std::string m_name;
};

/// Adds one family with one value of each destination.
template <typename Value>
void addEach(Page& page, const EngineSnapshot& snapshot, std::string_view name,
             std::string_view type, std::string_view help, Value value) {
    page.begin(name, type, help);
    for (const auto& d : snapshot.destinations) page.add({{"destination", d.name}}, value(d));
}

void addEngine(Page& page, const EngineSnapshot& snapshot) {
    page.begin("rivora_build_info", "gauge", "Always 1; the version is a label.");
    page.add({{"version", LANES_VERSION}}, 1);
    page.begin("rivora_engine_state", "gauge", "1 for the state that the engine is in.");
    for (const auto state : kLifecycles)
        page.add({{"state", stateWord(state)}}, state == snapshot.lifecycle ? 1 : 0);
}

void addEvents(Page& page, const EngineSnapshot& snapshot) {
    addEach(page, snapshot, "rivora_destination_events_accepted_total", "counter",
            "Events that were accepted for the destination, over the life of the data directory.",
            [](const auto& d) { return d.counters.accepted; });
    page.begin("rivora_destination_events", "gauge",
               "What became of the accepted events. Delivered ones fall when a lane is rewound.");
    for (const auto& d : snapshot.destinations) {
        page.add({{"destination", d.name}, {"state", "delivered"}}, d.counters.delivered);
        page.add({{"destination", d.name}, {"state", "waiting"}}, d.counters.waiting);
        page.add({{"destination", d.name}, {"state", "dead"}}, d.counters.dead);
        page.add({{"destination", d.name}, {"state", "discarded"}}, d.counters.discarded);
    }
    addEach(page, snapshot, "rivora_destination_lanes", "gauge", "Lanes with something to deliver.",
            [](const auto& d) { return d.lanes; });
    addEach(page, snapshot, "rivora_destination_lanes_backing_off", "gauge",
            "Lanes that wait for a retry.", [](const auto& d) { return d.lanesBackingOff; });
    addEach(page, snapshot, "rivora_destination_lanes_held", "gauge", "Lanes that operators hold.",
            [](const auto& d) { return d.lanesHeld; });
    addEach(page, snapshot, "rivora_destination_lanes_near_death", "gauge",
            "Lanes whose head is near the end of its retry window.",
            [](const auto& d) { return d.lanesNearDeath; });
    addEach(page, snapshot, "rivora_destination_oldest_head_age_seconds", "gauge",
            "How much of its retry window the oldest head of a lane has used up.",
            [](const auto& d) { return seconds(d.oldestHeadAge); });
    addEach(page, snapshot, "rivora_destination_retry_window_seconds", "gauge",
            "How long an event is retried before it becomes a dead letter.",
            [](const auto& d) { return seconds(d.window); });
}

void addHealth(Page& page, const EngineSnapshot& snapshot) {
    page.begin("rivora_destination_state", "gauge", "1 for the state of the destination's health.");
    for (const auto& d : snapshot.destinations)
        for (const auto state : kStates)
            page.add({{"destination", d.name}, {"state", stateWord(state)}},
                     state == d.health ? 1 : 0);
    addEach(page, snapshot, "rivora_destination_in_flight", "gauge", "Requests on their way.",
            [](const auto& d) { return d.inFlight; });
    addEach(page, snapshot, "rivora_destination_in_flight_limit", "gauge",
            "Requests on their way at most, by its settings.",
            [](const auto& d) { return d.maxInFlight; });
    addEach(page, snapshot, "rivora_destination_budget", "gauge",
            "Requests on their way at most, by its health.",
            [](const auto& d) { return d.budget; });
    addEach(page, snapshot, "rivora_destination_silent_seconds", "gauge",
            "How long the destination has still asked not to be sent anything.",
            [](const auto& d) { return seconds(d.silentFor); });
    addEach(page, snapshot, "rivora_destination_last_delivered_timestamp_seconds", "gauge",
            "Unix time of the last delivery; 0 if none is known.",
            [](const auto& d) { return seconds(d.lastDeliveredAt); });
}

void addAttempts(Page& page, const EngineSnapshot& snapshot) {
    page.begin("rivora_destination_attempts_total", "counter",
               "Attempts that ended, by their outcome, since the start.");
    for (const auto& d : snapshot.destinations)
        for (std::size_t i = 0; i < d.outcomes.size(); ++i)
            page.add({{"destination", d.name}, {"outcome", stateWord(static_cast<Outcome>(i))}},
                     d.outcomes[i]);
    addEach(page, snapshot, "rivora_destination_probes_total", "counter",
            "Attempts that were probes of a degraded destination, since the start.",
            [](const auto& d) { return d.probes; });
    page.begin("rivora_destination_latency_seconds", "histogram",
               "How long attempts took that got an answer.");
    for (const auto& d : snapshot.destinations) page.addHistogram(d.name, d.latency);
}

void addIntake(Page& page, const IntakeSnapshot& intake) {
    page.begin("rivora_intake_listening", "gauge", "1 while events are taken over HTTP.");
    page.add({}, intake.listening ? 1 : 0);
    page.begin("rivora_intake_requests_total", "counter", "Requests to the intake.");
    page.add({}, intake.requests);
    page.begin("rivora_intake_events_total", "counter",
               "Events that came, by what became of them.");
    page.add({{"result", "accepted"}}, intake.acceptedEvents);
    page.add({{"result", "duplicate"}}, intake.duplicates);
    page.add({{"result", "rejected"}}, intake.rejectedEvents);
    page.begin("rivora_intake_conflicts_total", "counter",
               "Duplicates with another payload than the event that was accepted before.");
    page.add({}, intake.conflicts);
}

void addStore(Page& page, const StoreSnapshot& store) {
    page.begin("rivora_store_writable", "gauge",
               "0 while nothing can be stored; then nothing is taken or sent.");
    page.add({}, store.writable ? 1 : 0);
    page.begin("rivora_store_commits_total", "counter", "Commits of the store.");
    page.add({}, store.commits);
    page.begin("rivora_store_commit_seconds", "histogram", "How long commits took.");
    page.addHistogram({}, store.commitLatency);
    page.begin("rivora_store_database_bytes", "gauge", "Size of the data file.");
    page.add({}, store.databaseBytes);
    page.begin("rivora_store_wal_bytes", "gauge", "Size of its write-ahead log.");
    page.add({}, store.walBytes);
    page.begin("rivora_store_last_sequence", "gauge", "Position of the newest event in the log.");
    page.add({}, store.lastSequence.value);
}

}  // namespace

std::string metricsPage(const EngineSnapshot& snapshot) {
    Page page;
    addEngine(page, snapshot);
    addHealth(page, snapshot);
    addEvents(page, snapshot);
    addAttempts(page, snapshot);
    addIntake(page, snapshot.intake);
    addStore(page, snapshot.store);
    return page.take();
}

}  // namespace lanes
