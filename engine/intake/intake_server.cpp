// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/intake_server.h"

#include "engine/config.h"
#include "engine/core/check.h"
#include "engine/intake/event_fields.h"
#include "engine/intake/event_id.h"
#include "engine/intake/gzip.h"
#include "engine/intake/intake_guard.h"
#include "engine/intake/problem.h"
#include "engine/user_id.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanes {

namespace {

/// The source under which the store keeps ids of native events.
constexpr const char* kNativeSource = "native";
constexpr const char* kJsonType = "application/json";
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

http::Response wrongMethod(const char* allowed) {
    http::Response response = problem(405, std::string("This path takes ") + allowed + " only.");
    response.headers.emplace_back("Allow", allowed);
    return response;
}

http::Response missingKey() {
    http::Response response = problem(
        401, "Show the write key: \"Authorization: Bearer <key>\", or the key as user of Basic.");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

/// Nothing if the media type is not one of ours, or its charset is not UTF-8.
std::optional<EventFormat> formatOf(std::string_view contentType) {
    const std::string text = lower(contentType);
    std::string_view rest(text);
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view type = trimmed(rest.substr(0, end));
    while (!rest.empty()) {
        rest.remove_prefix(std::min(rest.find(';'), rest.size() - 1) + 1);
        std::string_view parameter = trimmed(rest.substr(0, rest.find(';')));
        if (parameter.substr(0, 8) != "charset=") continue;
        parameter.remove_prefix(8);
        if (parameter != "utf-8" && parameter != "\"utf-8\"") return std::nullopt;
    }
    if (type == kJsonType) return EventFormat::json;
    if (type == "application/x-ndjson" || type == "application/ndjson") return EventFormat::ndjson;
    return std::nullopt;
}

/// Replaces a packed body by what is in it.
std::optional<http::Response> unpack(http::Request* request) {
    const std::string coding = lower(request->header("Content-Encoding"));
    if (coding.empty() || coding == "identity") return std::nullopt;
    if ((coding != "gzip" && coding != "x-gzip") || request->count("Content-Encoding") > 1) {
        http::Response response = problem(415, "The only Content-Encoding is gzip.");
        response.headers.emplace_back("Accept-Encoding", "gzip, identity");
        return response;
    }
    std::string body;
    switch (inflateGzip(request->body, limits::kIntakeBodyBytes, &body)) {
        case Inflated::whole: request->body = std::move(body); return std::nullopt;
        case Inflated::broken:
            return problem(400, "The body is not a whole gzip stream.", "bad_gzip");
        case Inflated::tooLarge: break;
    }
    return problem(413, "The unpacked body is larger than " +
                            std::to_string(limits::kIntakeBodyBytes) + " bytes.");
}

http::Response accepted(std::size_t stored, std::size_t duplicates,
                        const std::vector<EventRejection>& rejected) {
    http::Response response;
    response.status = 202;
    response.headers.emplace_back("Content-Type", kJsonType);
    response.body = "{\"accepted\":" + std::to_string(stored) +
                    ",\"duplicates\":" + std::to_string(duplicates) + ",\"rejected\":[";
    for (const EventRejection& rejection : rejected) {
        if (response.body.back() != '[') response.body += ',';
        const nlohmann::ordered_json entry = {
            {"index", rejection.index}, {"code", rejection.code}, {"detail", rejection.detail}};
        response.body +=
            entry.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }
    response.body += "]}\n";
    return response;
}

http::Response frontPage() {
    http::Response response;
    response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
    response.body =
        "Rivora Lanes takes events here.\n"
        "POST /v1/events with the write key: one JSON event, an array, or NDJSON.\n"
        "GET /v1/status with the write key: what the engine is doing.\n";
    return response;
}

}  // namespace

IntakeServer::IntakeServer(IntakePorts ports, std::string writeKey, QObject* parent)
    : QObject(parent),
      m_ports(std::move(ports)),
      m_writeKey(std::move(writeKey)),
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
    if (path == "/v1/events") {
        if (request.method != "POST") return responder.respond(wrongMethod("POST"));
        if (auto response = takeEvents(std::move(request), responder))
            responder.respond(std::move(*response));
    } else if (path == "/v1/status") {
        responder.respond(reads ? statusPage(request) : wrongMethod("GET, HEAD"));
    } else if (path == "/") {
        responder.respond(reads ? frontPage() : wrongMethod("GET, HEAD"));
    } else if (request.method == "OPTIONS") {
        responder.respond(wrongMethod("GET, HEAD, POST"));
    } else {
        responder.respond(problem(404, "There is nothing here; events go to /v1/events."));
    }
}

http::Response IntakeServer::statusPage(const http::Request& request) const {
    if (!showsWriteKey(request, m_writeKey)) return missingKey();
    if (!m_ports.status) return unavailable("There is no status yet.", kSoon);
    http::Response response;
    response.headers.emplace_back("Content-Type", kJsonType);
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = m_ports.status();
    return response;
}

std::optional<http::Response> IntakeServer::takeEvents(http::Request request,
                                                       const http::Responder& responder) {
    if (!showsWriteKey(request, m_writeKey)) return missingKey();
    if (m_refusal) return unavailable(m_refusal->detail, m_refusal->retryAfterSeconds);
    const auto format = formatOf(request.header("Content-Type"));
    if (!format || request.count("Content-Type") > 1)
        return problem(415,
                       "Content-Type must be application/json or application/x-ndjson, in "
                       "UTF-8.");
    if (auto response = unpack(&request)) return response;
    const std::size_t bodyBytes = request.body.size();
    if (m_pendingBytes + bodyBytes > limits::kIntakePendingBytes)
        return unavailable("More events wait to be stored than fit; send them again.", kSoon);
    auto read = m_reader.read(std::move(request.body), *format);
    if (const auto* fault = std::get_if<RequestFault>(&read))
        return problem(fault->status, fault->detail, fault->code);
    return submit(std::move(std::get<ReadEvents>(read)), bodyBytes, responder);
}

std::optional<http::Response> IntakeServer::submit(ReadEvents read, std::size_t bodyBytes,
                                                   const http::Responder& responder) {
    IntakeSubmission submission;
    submission.events.reserve(read.events.size());
    submission.named.reserve(read.events.size());
    const WallMicros now = wallNow();
    for (NativeEvent& event : read.events) {
        std::vector<DestinationId> named;
        if (auto rejection = resolve(event, &named)) {
            read.rejected.push_back(std::move(*rejection));
            continue;
        }
        submission.events.push_back(newEvent(std::move(event), now));
        submission.named.push_back(std::move(named));
    }
    m_snapshot.rejectedEvents += read.rejected.size();
    if (read.single && !read.rejected.empty()) {
        const EventRejection& only = read.rejected.front();
        return problem(only.code == "too_large" ? 413 : 422, only.detail, only.code);
    }
    std::sort(read.rejected.begin(), read.rejected.end(),
              [](const auto& a, const auto& b) { return a.index < b.index; });
    if (submission.events.empty()) return accepted(0, 0, read.rejected);
    submission.intake = ++m_lastIntake;
    const auto bytes = bodyBytes + submission.events.size() * limits::kPendingEventBytes;
    m_pendingBytes += bytes;
    // Before it is given away: the answer may come at once.
    m_pending.emplace(submission.intake, Pending{responder, std::move(read.rejected), bytes});
    m_ports.submit(std::move(submission));
    return std::nullopt;
}

std::optional<EventRejection> IntakeServer::resolve(const NativeEvent& event,
                                                    std::vector<DestinationId>* named) const {
    for (const std::string& name : event.destinations) {
        const auto id = m_ports.findDestination(name);
        if (!id) {
            auto fault = unknownDestination(name);
            return EventRejection{event.index, std::move(fault.code), std::move(fault.detail)};
        }
        named->push_back(*id);
    }
    return std::nullopt;
}

NewEvent IntakeServer::newEvent(NativeEvent event, WallMicros now) const {
    NewEvent out;
    out.source = kNativeSource;
    out.id = event.id.empty() ? makeEventId(now) : std::move(event.id);
    out.user = std::move(event.user);
    out.userId = fingerprint(out.user, out.id);
    out.type = std::move(event.type);
    out.contentType = kJsonType;
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
    pending.responder.respond(accepted(stored, duplicates, pending.rejected));
}

WallMicros IntakeServer::wallNow() const {
    if (m_ports.wallClock) return m_ports.wallClock();
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace lanes
