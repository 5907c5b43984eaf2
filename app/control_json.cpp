// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_json.h"

#include "app/duration.h"
#include "app/words.h"

#include <algorithm>

namespace lanes::app {

namespace {

double seconds(Micros span) {
    return static_cast<double>(span) / static_cast<double>(kSecond);
}

Json userJson(const UserKey& user) {
    return user.kind == UserKey::Kind::none ? Json(nullptr) : Json(user.text);
}

std::string nameOf(DestinationId id, const DestinationNames& names) {
    const auto found = names.find(id.value);
    return found == names.end() ? "#" + std::to_string(id.value) : found->second;
}

void addCounters(Json& json, const DeliveryCounters& counters) {
    json["accepted"] = counters.accepted;
    json["delivered"] = counters.delivered;
    json["waiting"] = counters.waiting;
    json["dead"] = counters.dead;
    json["discarded"] = counters.discarded;
}

Json stateJson(const DestinationSnapshot& state) {
    Json json;
    json["name"] = state.name;
    json["url"] = state.url;
    json["health"] = word(state.health);
    addCounters(json, state.counters);
    json["lanes"] = state.lanes;
    json["backing_off"] = state.lanesBackingOff;
    json["in_flight"] = state.inFlight;
    json["budget"] = state.budget;
    json["attempts"] = state.attempts;
    for (std::size_t at = 0; at < state.outcomes.size(); ++at)
        json["outcomes"][word(static_cast<Outcome>(at))] = state.outcomes[at];
    if (state.pausedAt != 0) {
        json["paused_at"] = isoTime(state.pausedAt);
        json["paused_by"] = state.pausedBySystem ? "the program" : state.pausedBy;
        json["pause_reason"] = state.pauseReason;
        if (state.resumeAt != 0) json["resumes_at"] = isoTime(state.resumeAt);
    }
    json["lanes_held"] = state.lanesHeld;
    if (state.silentFor > 0) json["silent_for_s"] = seconds(state.silentFor);
    if (!state.lastError.empty()) json["last_error"] = state.lastError;
    if (state.lastDeliveredAt != 0) json["last_delivered_at"] = isoTime(state.lastDeliveredAt);
    return json;
}

}  // namespace

Json importJson(const ImportSnapshot& import) {
    Json json;
    json["number"] = import.number;
    json["state"] = word(import.state);
    json["file"] = import.file;
    json["bytes_read"] = import.bytesRead;
    json["bytes_total"] = import.bytesTotal;
    json["lines"] = import.lines;
    json["skipped_lines"] = import.skippedLines;
    json["resumed_at"] = import.resumedAt;
    json["blank"] = import.blank;
    json["accepted"] = import.accepted;
    json["duplicates"] = import.duplicates;
    json["rejected"] = import.rejected;
    json["lines_per_second"] = import.linesPerSecond;
    if (!import.report.empty()) json["report"] = import.report;
    if (!import.error.empty()) json["error"] = import.error;
    return json;
}

Json statusJson(const EngineSnapshot& snapshot) {
    Json json;
    json["lifecycle"] = word(snapshot.lifecycle);
    if (!snapshot.failure.empty()) json["failure"] = snapshot.failure;
    json["at"] = isoTime(snapshot.at);
    addCounters(json, snapshot.totals);
    json["lanes"] = snapshot.lanes;
    json["in_flight"] = snapshot.inFlight;
    json["clock_scale"] = snapshot.clockScale;
    auto& intake = json["intake"];
    intake["listening"] = snapshot.intake.listening;
    intake["port"] = snapshot.intake.port;
    if (!snapshot.intake.error.empty()) intake["error"] = snapshot.intake.error;
    intake["accepted"] = snapshot.intake.acceptedEvents;
    intake["duplicates"] = snapshot.intake.duplicates;
    intake["rejected"] = snapshot.intake.rejectedEvents;
    auto& store = json["store"];
    store["writable"] = snapshot.store.writable;
    if (!snapshot.store.fault.empty()) store["fault"] = snapshot.store.fault;
    store["commits"] = snapshot.store.commits;
    store["commit_p99_ms"] = seconds(snapshot.store.commitLatency.percentile(0.99)) * 1000;
    store["database_bytes"] = snapshot.store.databaseBytes;
    store["wal_bytes"] = snapshot.store.walBytes;
    if (const auto& backup = snapshot.store.backup; !backup.file.empty()) {
        store["backup"] = {{"file", backup.file},
                           {"running", backup.running},
                           {"share", backup.share},
                           {"bytes", backup.bytes}};
        if (!backup.error.empty()) store["backup"]["error"] = backup.error;
    }
    json["destinations"] = Json::array();
    for (const auto& state : snapshot.destinations)
        json["destinations"].push_back(stateJson(state));
    if (snapshot.fileImport.number != 0) json["import"] = importJson(snapshot.fileImport);
    json["operations"] = Json::array();
    for (const auto& operation : snapshot.operations)
        json["operations"].push_back(operationJson(operation));
    return json;
}

Json destinationJson(const DestinationConfig& config, const DestinationSnapshot* state) {
    Json json;
    json["name"] = config.name;
    json["url"] = config.url;
    if (state) json["health"] = word(state->health);
    json["secrets"] = config.secrets.size();
    json["headers"] = Json::array();
    for (const auto& [name, value] : config.headers) json["headers"].push_back(name);
    json["types"] = config.eventTypes;
    json["window"] = durationText(config.policy.window);
    json["inFlight"] = config.policy.maxInFlight;
    json["attemptTimeout"] = durationText(config.attemptTimeout);
    json["connectTimeout"] = durationText(config.connectTimeout);
    json["afterDeadLetter"] =
        config.policy.afterDeadLetter == AfterDeadLetter::hold ? "hold" : "goOn";
    json["deadLetterStatuses"] = config.policy.deadLetterStatuses;
    json["allowLinkLocal"] = config.allowLinkLocal;
    json["rateLimit"] = config.policy.rateLimit;
    json["allowEdits"] = config.policy.allowEdits;
    json["body"] = wordOf(config.body);
    // How it logs in, but nothing that lets others do so.
    json["authentication"] = nullptr;
    if (config.authentication.scheme == Authentication::Scheme::basic)
        json["authentication"] = {{"scheme", "basic"}, {"user", config.authentication.user}};
    if (config.authentication.scheme == Authentication::Scheme::bearer)
        json["authentication"] = {{"scheme", "bearer"}};
    json["clientCertificate"] = !config.tls.certificate.empty();
    json["pinnedCertificate"] = config.tls.pin;
    json["proxy"] = nullptr;
    if (!config.proxy.url.empty()) json["proxy"] = {{"url", config.proxy.url}};
    if (!config.proxy.user.empty()) json["proxy"]["user"] = config.proxy.user;
    if (state) addCounters(json, state->counters);
    return json;
}

Json laneJson(const LaneRow& lane, const DestinationNames& names) {
    Json json;
    json["destination"] = nameOf(lane.key.destination, names);
    json["user"] = userJson(lane.user);
    json["user_kind"] = word(lane.user.kind);
    json["state"] = word(lane.state);
    json["waiting"] = lane.backlog;
    json["head"] = lane.head.value;
    json["event"] = lane.eventId;
    json["type"] = lane.type;
    json["attempts"] = lane.attempts;
    json["life"] = lane.life;
    json["accepted_at"] = isoTime(lane.acceptedAt);
    json["head_age_s"] = seconds(lane.headAge);
    json["window_s"] = seconds(lane.window);
    json["next_attempt_in_s"] =
        lane.nextAttemptIn < 0 ? Json(nullptr) : Json(seconds(lane.nextAttemptIn));
    json["dead_letters_in_s"] = seconds(lane.deadLettersIn);
    json["last_outcome"] = lane.lastOutcome ? Json(word(*lane.lastOutcome)) : Json(nullptr);
    json["last_status"] = lane.lastStatus;
    if (lane.heldAt != 0) {
        json["held_by"] = lane.heldBy;
        json["held_at"] = isoTime(lane.heldAt);
        json["hold_reason"] = lane.holdReason;
    }
    return json;
}

Json deadLetterJson(const DeadLetterRow& row, const DestinationNames& names) {
    Json json;
    json["destination"] = nameOf(row.pointer.destination, names);
    json["sequence"] = row.pointer.sequence.value;
    json["event"] = row.eventId;
    json["user"] = userJson(row.user);
    json["user_kind"] = word(row.user.kind);
    json["type"] = row.type;
    json["accepted_at"] = isoTime(row.acceptedAt);
    json["died_at"] = isoTime(row.diedAt);
    json["first_tried_at"] =
        row.firstTriedAt == 0 ? Json(nullptr) : Json(isoTime(row.firstTriedAt));
    json["attempts"] = row.attempts;
    json["life"] = row.life;
    json["last_outcome"] = row.firstTriedAt == 0 ? Json(nullptr) : Json(word(row.lastOutcome));
    json["last_status"] = row.lastStatus;
    json["last_error"] = row.lastError;
    json["reason"] = row.reason;
    json["bytes"] = row.bytes;
    json["rewound_at"] = row.rewoundAt == 0 ? Json(nullptr) : Json(isoTime(row.rewoundAt));
    json["note"] = row.note.text;
    if (!row.note.text.empty()) {
        json["noted_by"] = row.note.by;
        json["noted_at"] = isoTime(row.note.at);
    }
    return json;
}

Json operationJson(const OperationRow& row) {
    Json json;
    json["id"] = row.id.value;
    json["at"] = isoTime(row.at);
    json["who"] = row.who;
    json["action"] = row.action;
    json["scope"] = row.scope;
    json["reason"] = row.reason;
    json["kind"] = word(row.kind);
    json["state"] = word(row.state);
    json["note"] = row.note;
    if (row.kind == OperationKind::setting) return json;
    if (row.eventsPerSecond > 0) json["pace"] = row.eventsPerSecond;
    if (row.tracer > 0) json["tracer"] = row.tracer;
    if (row.target) json["target"] = row.target.value;
    json["asked"] = row.asked;
    json["done"] = row.done;
    json["skipped"] = row.skipped;
    if (row.rewinds()) {
        json["delivered"] = row.delivered;
        json["dead_again"] = row.deadAgain;
        json["returned"] = row.returned;
        json["waiting"] = row.waiting();
        json["untried"] = row.untried;
    }
    return json;
}

Json operationEventJson(const OperationEventRow& row, const DestinationNames& names) {
    Json json;
    json["destination"] = nameOf(row.pointer.destination, names);
    json["sequence"] = row.pointer.sequence.value;
    json["fate"] = word(row.fate);
    json["reason"] = word(row.reason);
    json["attempts"] = row.attempts;
    json["last_outcome"] = row.attempts == 0 ? Json(nullptr) : Json(word(row.lastOutcome));
    json["last_status"] = row.lastStatus;
    return json;
}

Json planJson(const RewindPlan& plan, const EngineSnapshot& snapshot,
              const std::vector<DestinationConfig>& configs) {
    const auto total = plan.total();
    Json json;
    json["count"] = plan.pointers.size();
    json["lanes"] = total.lanes;
    json["bytes"] = total.bytes;
    json["rewound_before"] = total.rewoundBefore;
    json["may_have_been_received"] = total.mayHaveBeenReceived;
    json["lanes_passed"] = total.lanesPassed;
    json["later_delivered"] = total.laterDelivered;
    json["not_dead"] = plan.notDead;
    json["destinations"] = Json::array();
    for (const auto& part : plan.destinations) {
        Json row;
        const auto config =
            std::find_if(configs.begin(), configs.end(),
                         [&](const DestinationConfig& c) { return c.id == part.destination; });
        row["name"] = config == configs.end() ? "#" + std::to_string(part.destination.value)
                                              : config->name;
        row["events"] = part.events;
        row["lanes"] = part.lanes;
        row["bytes"] = part.bytes;
        if (const auto* state = snapshot.find(part.destination)) {
            const double limit = config == configs.end() ? 0 : config->policy.rateLimit;
            const auto drain = drainEstimate(*state, part.events, part.lanes, limit);
            row["health"] = word(state->health);
            row["waiting"] = state->counters.waiting;
            row["lanes_held"] = state->lanesHeld;
            row["drain_s"] = drain == 0 ? Json(nullptr) : Json(seconds(drain));
            if (state->resumeAt != 0) row["resumes_at"] = isoTime(state->resumeAt);
        }
        json["destinations"].push_back(std::move(row));
    }
    return json;
}

Json lanePlanJson(const LanePlan& plan) {
    Json json;
    json["lanes"] = plan.lanes.size();
    json["dead"] = plan.dead;
    json["delivered"] = plan.delivered;
    json["waiting"] = plan.waiting;
    json["trimmed"] = plan.trimmed;
    return json;
}

Json eventJson(const EventRow& event, const std::vector<AttemptRow>& attempts,
               const DestinationNames& names) {
    Json json;
    json["sequence"] = event.sequence.value;
    json["event"] = event.id;
    json["user"] = userJson(event.user);
    json["user_kind"] = word(event.user.kind);
    json["type"] = event.type;
    json["accepted_at"] = isoTime(event.acceptedAt);
    json["destinations"] = Json::array();
    for (const auto id : event.destinations) json["destinations"].push_back(nameOf(id, names));
    json["content_type"] = event.contentType;
    json["payload"] = event.payload;
    json["attempts"] = Json::array();
    for (const auto& attempt : attempts) {
        Json row;
        row["destination"] = nameOf(attempt.pointer.destination, names);
        row["number"] = attempt.number;
        row["life"] = attempt.life;
        row["started_at"] = isoTime(attempt.startedAt);
        row["seconds"] = seconds(attempt.duration);
        row["outcome"] = word(attempt.outcome);
        row["status"] = attempt.status;
        row["cause"] = word(attempt.cause);
        row["error"] = attempt.error;
        row["response"] = attempt.response;
        json["attempts"].push_back(std::move(row));
    }
    return json;
}

}  // namespace lanes::app
