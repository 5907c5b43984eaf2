// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/core/result.h"
#include "engine/core/store.h"
#include "engine/http/http_server.h"
#include "engine/intake/event_formats.h"
#include "engine/intake/intake_paths.h"
#include "engine/intake/senders.h"
#include "engine/queries.h"
#include "engine/snapshot.h"
#include "engine/types.h"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace lanes {

/// The events of one request, checked, for the store.
struct IntakeSubmission {
    std::uint64_t intake = 0;  ///< rises by one; what `IntakeCommit::intake` refers to
    /// `targets` is empty: where an event goes is decided by who knows the destinations.
    std::vector<NewEvent> events;
    /// For each event the destinations that its sender named; empty: all whose filter matches.
    std::vector<std::vector<DestinationId>> named;
    /// Those of the request that were rejected, to be kept for mending.
    std::vector<QuarantineEntry> quarantined;
};

/// Why no event is taken for now.
struct IntakeRefusal {
    int retryAfterSeconds = 1;
    std::string detail;
};

/// What the intake needs of the engine. `submit` and `findDestination` must be there.
struct IntakePorts {
    /// Takes a batch for storing; `IntakeServer::finish` is due for each, now or later.
    std::function<void(IntakeSubmission)> submit;
    std::function<std::optional<DestinationId>(std::string_view name)> findDestination;
    /// Body of `GET /v1/status`: one JSON object; and of `GET /metrics`: Prometheus' text format.
    /// Without them the answer is 503.
    std::function<std::string()> status;
    std::function<std::string()> metrics;
    /// When an event was accepted; without it the system's clock.
    std::function<WallMicros()> wallClock;
};

/// Takes events over HTTP on the loopback addresses, and answers when they are stored. One thread.
class IntakeServer : public QObject {
    Q_OBJECT

public:
    IntakeServer(IntakePorts ports, std::string writeKey, QObject* parent = nullptr);
    ~IntakeServer() override;

    /// Listens on 127.0.0.1 and, where there is IPv6, on ::1 with the same port; 0 = any free one.
    /// The error is a sentence that says what to do.
    Result<Nothing> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const;

    /// The sources whose write keys open besides the general one.
    void setSources(const std::vector<SourceConfig>& sources) { m_senders.setSources(sources); }
    [[nodiscard]] const std::vector<SourceSnapshot>& sources() const { return m_senders.sources(); }

    /// A rejected event as somebody mended it: checked as if it came now, or what is still wrong
    /// with it. Without an id of its own it gets one that is always the same.
    [[nodiscard]] std::variant<IntakeSubmission, EventRejection> readAgain(
        const QuarantineRow& row, std::string body);

    /// Answers the request of this batch: accepted, or 503 if it was not stored.
    void finish(const IntakeCommit& commit);
    /// Answers 503 to new events until it is called with nothing: the store has a fault, or the
    /// engine is about to stop. Requests that wait for their commit keep waiting.
    void setRefusing(std::optional<IntakeRefusal> refusal);
    /// Stops listening. Requests that wait for their commit are still answered, unless `atOnce`.
    void close(bool atOnce);

    [[nodiscard]] IntakeSnapshot snapshot() const { return m_snapshot; }
    /// Requests and bytes that wait for their commit.
    [[nodiscard]] std::size_t pendingRequests() const { return m_pending.size(); }
    [[nodiscard]] std::size_t pendingBytes() const { return m_pendingBytes; }

private:
    struct Pending {
        http::Responder responder;
        IntakeDialect dialect = IntakeDialect::native;
        /// The sender promised by an `Idempotency-Key` that this is the same event each time.
        bool keyed = false;
        Senders::Sender sender;
        std::vector<EventRejection> rejected;
        std::size_t bytes = 0;
    };
    /// A request whose events were read.
    struct Incoming {
        const IntakePath* path = nullptr;
        Senders::Sender sender;
        ReadEvents read;
        std::size_t bodyBytes = 0;
        bool keyed = false;
    };

    void handle(http::Request request, const http::Responder& responder);
    [[nodiscard]] http::Response page(const http::Request& request, const char* contentType,
                                      const std::function<std::string()>& body) const;
    /// The answer if one is due at once; nothing if the events were submitted.
    [[nodiscard]] std::optional<http::Response> takeEvents(const IntakePath& path,
                                                           http::Request request,
                                                           const http::Responder& responder);
    [[nodiscard]] std::optional<http::Response> submit(Incoming incoming,
                                                       const http::Responder& responder);
    /// Events of a request that are not taken, whatever the reason, by their index: counted, and
    /// as they are kept for mending. The one place where they are known together.
    [[nodiscard]] std::vector<QuarantineEntry> noteRejected(Incoming& incoming, WallMicros now);
    [[nodiscard]] std::optional<EventRejection> resolve(const IncomingEvent& event,
                                                        std::vector<DestinationId>* named) const;
    [[nodiscard]] NewEvent newEvent(IncomingEvent event, WallMicros now) const;
    [[nodiscard]] WallMicros wallNow() const;

    IntakePorts m_ports;
    Senders m_senders;
    http::HttpServer m_server;
    IntakeReader m_reader;
    std::unordered_map<std::uint64_t, Pending> m_pending;
    std::size_t m_pendingBytes = 0;
    std::uint64_t m_lastIntake = 0;
    std::optional<IntakeRefusal> m_refusal;
    IntakeSnapshot m_snapshot;
};

}  // namespace lanes
