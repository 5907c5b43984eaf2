// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_server.h"

#include "engine/config.h"
#include "engine/core/check.h"
#include "engine/intake/cloud_event.h"
#include "engine/intake/event_fields.h"
#include "engine/intake/event_id.h"
#include "engine/intake/header_values.h"
#include "engine/intake/intake_answers.h"
#include "engine/intake/intake_guard.h"
#include "engine/intake/native_event.h"
#include "engine/intake/problem.h"
#include "engine/intake/request_body.h"
#include "engine/user_id.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanes {

namespace {

constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kKeyHeader = "Idempotency-Key";
/// Seconds after which a sender may come back when there was too much at once.
constexpr int kSoon = 1;
/// How often another free port is tried when the one that 127.0.0.1 got is taken on ::1.
constexpr int kPortTries = 16;

http::ServerLimits serverLimits() {
    const auto milliseconds = [](Micros time) {
        return std::chrono::milliseconds(time / kMillisecond);
    };
    http::ServerLimits limits;
    limits.connections = limits::kIntakeConnections;
    limits.headerBytes = limits::kHeaderBytes;
    limits.bodyBytes = limits::kIntakeBodyBytes;
    limits.headerTime = milliseconds(limits::kIntakeHeaderTime);
    limits.bodyTime = milliseconds(limits::kIntakeBodyTime);
    return limits;
}

/// Gives the one event of a request the id that its `Idempotency-Key` is; the answer if it cannot
/// be. A list is refused, and not sent on without what its sender relies on.
std::optional<http::Response> useKey(std::string_view header, ReadEvents* read) {
    const auto key = readIdempotencyKey(header);
    if (!key || key->size() > limits::kEventIdBytes)
        return problem(400,
                       "Idempotency-Key must be a string of 1 to " +
                           std::to_string(limits::kEventIdBytes) +
                           " visible ASCII characters, in double quotes or without.",
                       "bad_idempotency_key");
    if (!read->single)
        return problem(422,
                       "Idempotency-Key belongs to a request with one event; give each event of a "
                       "list an \"id\" of its own.",
                       "idempotency_key_of_a_list");
    if (read->events.empty()) return std::nullopt;
    std::string& id = read->events.front().id;
    if (id.empty() || id == *key) {
        id = *key;
    } else {
        const auto& event = read->events.front();
        read->rejected.push_back(
            {0, "idempotency_key_differs", "The event's own id and its Idempotency-Key differ.",
             event.id, event.source == kNativeSource ? nativeText(event) : event.payload});
        read->events.clear();
    }
    return std::nullopt;
}

/// Whose one event may have its id in the header: CloudEvents have an id always, and a batch of an
/// SDK must not be refused for a header that something on the way has added.
bool takesKey(EventFormat format) {
    return format == EventFormat::json || format == EventFormat::ndjson ||
           format == EventFormat::segmentEvent;
}

EventForm formOf(IntakeDialect dialect) {
    switch (dialect) {
        case IntakeDialect::native: return EventForm::native;
        case IntakeDialect::segment: return EventForm::segment;
        case IntakeDialect::cloudEvents: break;
    }
    return EventForm::cloudEvent;
}

/// Of one event. A CloudEvent in binary mode has its attributes in headers, which are gone; mended,
/// it is one in structured mode.
EventFormat singleFormatOf(EventForm form) {
    switch (form) {
        case EventForm::native: return EventFormat::json;
        case EventForm::segment: return EventFormat::segmentEvent;
        case EventForm::cloudEvent: break;
    }
    return EventFormat::cloudEvent;
}

}  // namespace

IntakeServer::IntakeServer(IntakePorts ports, std::string writeKey, QObject* parent)
    : QObject(parent),
      m_ports(std::move(ports)),
      m_senders(std::move(writeKey)),
      m_server(serverLimits()) {
    CHECK(m_ports.submit && m_ports.findDestination);
    m_server.setHandler([this](http::Request request, const http::Responder& responder) {
        handle(std::move(request), responder);
    });
    m_server.setRefusal([this](unsigned status, const std::string& detail) {
        ++m_snapshot.requests;
        return status == 503 ? unavailable(detail, kSoon) : problem(status, detail);
    });
}

IntakeServer::~IntakeServer() = default;

Result<Nothing> IntakeServer::listen(std::uint16_t port) {
    std::string error;
    bool inUse = false;
    for (int i = 0; i < (port == 0 ? kPortTries : 1); ++i) {
        error = m_server.listen(QHostAddress(QHostAddress::LocalHost), port);
        inUse = !error.empty() && m_server.addressInUse();
        if (!error.empty()) break;
        error = m_server.listen(QHostAddress(QHostAddress::LocalHostIPv6), m_server.port());
        inUse = !error.empty() && m_server.addressInUse();
        // A machine without IPv6 is fine; another program behind our port on ::1 is not, for
        // senders that say "localhost" would reach it.
        if (!inUse) error.clear();
        if (error.empty()) break;
        m_server.close(true);
    }
    m_snapshot.listening = error.empty();
    m_snapshot.port = m_server.port();
    m_snapshot.error = error;
    if (error.empty()) return Nothing{};
    if (inUse) m_snapshot.error += "; choose another with --listen PORT";
    return Error{inUse ? Error::Code::inUse : Error::Code::unavailable, m_snapshot.error};
}

std::uint16_t IntakeServer::port() const {
    return m_server.port();
}

void IntakeServer::setRefusing(std::optional<IntakeRefusal> refusal) {
    m_refusal = std::move(refusal);
}

void IntakeServer::close(bool atOnce) {
    m_server.close(atOnce);
    m_snapshot.listening = false;
}

void IntakeServer::handle(http::Request request, const http::Responder& responder) {
    ++m_snapshot.requests;
    if (const auto reason = refuseSender(request, m_snapshot.port))
        return responder.respond(problem(403, *reason));
    const std::string path = request.target.substr(0, request.target.find('?'));
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (const IntakePath* events = findIntakePath(path)) {
        if (request.method != "POST") return responder.respond(wrongMethod("POST"));
        if (auto response = takeEvents(*events, std::move(request), responder))
            responder.respond(std::move(*response));
    } else if (path == "/v1/status") {
        responder.respond(reads ? page(request, kJsonType, m_ports.status)
                                : wrongMethod("GET, HEAD"));
    } else if (path == "/metrics") {
        responder.respond(reads ? page(request, kMetricsType, m_ports.metrics)
                                : wrongMethod("GET, HEAD"));
    } else if (path == "/") {
        responder.respond(reads ? frontPage() : wrongMethod("GET, HEAD"));
    } else if (request.method == "OPTIONS") {
        responder.respond(wrongMethod("GET, HEAD, POST"));
    } else {
        responder.respond(problem(404, "There is nothing here; events go to /v1/events."));
    }
}

http::Response IntakeServer::page(const http::Request& request, const char* contentType,
                                  const std::function<std::string()>& body) const {
    // The key of one source is not for reading about all.
    if (m_senders.identify(request).kind != Senders::Kind::general) return missingKey();
    if (!body) return unavailable("There is nothing to show yet.", kSoon);
    http::Response response;
    response.headers.emplace_back("Content-Type", contentType);
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = body();
    return response;
}

std::optional<http::Response> IntakeServer::takeEvents(const IntakePath& path,
                                                       http::Request request,
                                                       const http::Responder& responder) {
    Incoming incoming;
    incoming.sender = m_senders.identify(request);
    if (incoming.sender.kind == Senders::Kind::nobody) return missingKey();
    m_senders.noteRequest(incoming.sender, wallNow());
    if (m_refusal) return unavailable(m_refusal->detail, m_refusal->retryAfterSeconds);
    const auto asProblem = [](const RequestFault& fault) {
        return problem(fault.status, fault.detail, fault.code);
    };
    const auto found = formatOf(path, request);
    if (const auto* fault = std::get_if<RequestFault>(&found)) return asProblem(*fault);
    const auto format = std::get<EventFormat>(found);
    if (auto response = unpackBody(&request)) return response;
    incoming.path = &path;
    incoming.bodyBytes = request.body.size();
    if (m_pendingBytes + incoming.bodyBytes > limits::kIntakePendingBytes)
        return unavailable("More events wait to be stored than fit; send them again.", kSoon);
    const std::size_t keys = takesKey(format) ? request.count(kKeyHeader) : 0;
    // Two of them are one list, which is no key.
    const std::string key(keys == 1 ? request.header(kKeyHeader) : std::string_view());
    auto read = format == EventFormat::cloudEventBinary
                    ? readBinaryCloudEvent(std::move(request))
                    : m_reader.read(std::move(request.body), format, path.type);
    if (const auto* fault = std::get_if<RequestFault>(&read)) return asProblem(*fault);
    incoming.read = std::move(std::get<ReadEvents>(read));
    incoming.keyed = keys > 0;
    if (incoming.keyed)
        if (auto response = useKey(key, &incoming.read)) return response;
    return submit(std::move(incoming), responder);
}

std::optional<http::Response> IntakeServer::submit(Incoming incoming,
                                                   const http::Responder& responder) {
    ReadEvents& read = incoming.read;
    IntakeSubmission submission;
    submission.events.reserve(read.events.size());
    submission.named.reserve(read.events.size());
    const WallMicros now = wallNow();
    const IntakeDialect dialect = incoming.path->dialect;
    for (IncomingEvent& event : read.events) {
        std::vector<DestinationId> named;
        if (auto rejection = resolve(event, &named)) {
            read.rejected.push_back(std::move(*rejection));
            continue;
        }
        if (incoming.sender.kind == Senders::Kind::source &&
            dialect != IntakeDialect::cloudEvents)
            event.source = m_senders.nameOf(incoming.sender, dialect);
        submission.events.push_back(newEvent(std::move(event), now));
        submission.named.push_back(std::move(named));
    }
    submission.quarantined = noteRejected(incoming, now);
    submission.intake = ++m_lastIntake;
    const bool single = read.single && !read.rejected.empty();
    if (submission.events.empty() && submission.quarantined.empty())
        return acceptedAnswer(dialect, 0, 0, read.rejected);
    const auto kept = submission.events.size() + submission.quarantined.size();
    const auto bytes = incoming.bodyBytes + kept * limits::kPendingEventBytes;
    m_pendingBytes += bytes;
    // Before it is given away: the answer may come at once.
    m_pending.emplace(submission.intake,
                      Pending{single ? http::Responder() : responder, dialect, incoming.keyed,
                              incoming.sender, read.rejected, bytes});
    m_ports.submit(std::move(submission));
    if (!single) return std::nullopt;
    // Its sender need not wait until it is known that it may be mended.
    const EventRejection& only = read.rejected.front();
    return problem(only.code == "too_large" ? 413 : 422, only.detail, only.code);
}

std::vector<QuarantineEntry> IntakeServer::noteRejected(Incoming& incoming, WallMicros now) {
    auto& rejected = incoming.read.rejected;
    std::sort(rejected.begin(), rejected.end(),
              [](const auto& a, const auto& b) { return a.index < b.index; });
    m_snapshot.rejectedEvents += rejected.size();
    m_senders.noteRejected(incoming.sender, rejected.size());
    std::vector<QuarantineEntry> entries;
    entries.reserve(rejected.size());
    const auto dialect = incoming.path->dialect;
    for (EventRejection& one : rejected)
        entries.push_back({now, m_senders.nameOf(incoming.sender, dialect), formOf(dialect),
                           one.code, one.detail, std::move(one.eventId), std::move(one.body)});
    return entries;
}

std::variant<IntakeSubmission, EventRejection> IntakeServer::readAgain(const QuarantineRow& row,
                                                                       std::string body) {
    if (body.size() > limits::kEventBytes)
        return EventRejection{0, "too_large", "It is larger than 1 MiB, the most an event has."};
    auto read = m_reader.read(std::move(body), singleFormatOf(row.form));
    if (auto* fault = std::get_if<RequestFault>(&read))
        return EventRejection{0, std::move(fault->code), std::move(fault->detail)};
    auto& events = std::get<ReadEvents>(read);
    if (!events.rejected.empty()) return std::move(events.rejected.front());
    if (!events.single || events.events.size() != 1)
        return EventRejection{0, "not_an_object", "One event is needed here, and no list."};
    auto& event = events.events.front();
    std::vector<DestinationId> named;
    if (auto rejection = resolve(event, &named)) return std::move(*rejection);
    if (row.form != EventForm::cloudEvent) event.source = row.source;
    // Whoever takes it again twice means the same event.
    if (event.id.empty())
        event.id = "rejected-" + std::to_string(row.id.value) + "-" + std::to_string(row.at);
    IntakeSubmission submission;
    submission.events.push_back(newEvent(std::move(event), wallNow()));
    submission.named.push_back(std::move(named));
    return submission;
}

std::optional<EventRejection> IntakeServer::resolve(const IncomingEvent& event,
                                                    std::vector<DestinationId>* named) const {
    for (const std::string& name : event.destinations) {
        const auto id = m_ports.findDestination(name);
        if (!id) {
            auto fault = unknownDestination(name);
            return EventRejection{event.index, std::move(fault.code), std::move(fault.detail),
                                  event.id, nativeText(event)};
        }
        named->push_back(*id);
    }
    return std::nullopt;
}

NewEvent IntakeServer::newEvent(IncomingEvent event, WallMicros now) const {
    NewEvent out;
    out.source = std::move(event.source);
    out.id = event.id.empty() ? makeEventId(now) : std::move(event.id);
    out.user = std::move(event.user);
    out.userId = fingerprint(out.user, out.id);
    out.type = std::move(event.type);
    out.contentType = std::move(event.contentType);
    out.payload = std::move(event.payload);
    out.acceptedAt = now;
    return out;
}

void IntakeServer::finish(const IntakeCommit& commit) {
    const auto found = m_pending.find(commit.intake);
    if (found == m_pending.end()) return;
    const Pending pending = std::move(found->second);
    m_pending.erase(found);
    m_pendingBytes -= pending.bytes;
    if (!commit.stored) {
        pending.responder.respond(
            unavailable("The events could not be stored and none of them was kept; send them "
                        "again.",
                        m_refusal ? m_refusal->retryAfterSeconds : kSoon));
        return;
    }
    const auto duplicates = static_cast<std::size_t>(
        std::count_if(commit.events.begin(), commit.events.end(),
                      [](const StoredEvent& event) { return event.duplicate; }));
    const std::size_t stored = commit.events.size() - duplicates;
    m_snapshot.acceptedEvents += stored;
    m_snapshot.duplicates += duplicates;
    m_senders.noteStored(pending.sender, stored, duplicates);
    m_snapshot.conflicts += static_cast<std::uint64_t>(
        std::count_if(commit.events.begin(), commit.events.end(),
                      [](const StoredEvent& event) { return event.conflict; }));
    // The draft of the header asks for that; without it the first one wins, and is counted.
    if (pending.keyed && !commit.events.empty() && commit.events.front().conflict)
        return pending.responder.respond(problem(
            422, "An event with this Idempotency-Key and another payload was accepted before.",
            "idempotency_key_reused"));
    pending.responder.respond(
        acceptedAnswer(pending.dialect, stored, duplicates, pending.rejected));
}

WallMicros IntakeServer::wallNow() const {
    if (m_ports.wallClock) return m_ports.wallClock();
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace lanes
