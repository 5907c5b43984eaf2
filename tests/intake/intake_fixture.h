// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/intake/intake_server.h"
#include "tests/http/raw_client.h"

#include <nlohmann/json.hpp>

#include <QByteArray>

#include <zlib.h>

#include <string>
#include <vector>

namespace lanes::test {

/// An intake with a store that is played by the test: it keeps what is submitted, and commits at
/// once or when it is told to.
class IntakeFixture {
public:
    static constexpr const char* kKey = "0123456789abcdefghijABCDEFGHIJ_-0123456789k";

    IntakeFixture() : server(ports(), kKey), listening(server.listen(0)) {}

    [[nodiscard]] QByteArray host() const {
        return "localhost:" + QByteArray::number(server.port());
    }
    [[nodiscard]] static QByteArray bearer() {
        return QByteArray("Authorization: Bearer ") + kKey + "\r\n";
    }
    /// A whole request with the right Host; `headers` are lines with their ends.
    [[nodiscard]] QByteArray request(const QByteArray& method, const QByteArray& path,
                                     const QByteArray& headers, const QByteArray& body = {}) const {
        return method + " " + path + " HTTP/1.1\r\nHost: " + host() + "\r\n" + headers +
               "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
    }
    [[nodiscard]] QByteArray post(const QByteArray& body,
                                  const QByteArray& type = "application/json") const {
        return postTo("/v1/events", body, "Content-Type: " + type + "\r\n");
    }
    /// With the write key.
    [[nodiscard]] QByteArray postTo(const QByteArray& path, const QByteArray& body,
                                    const QByteArray& headers) const {
        return request("POST", path, bearer() + headers, body);
    }
    [[nodiscard]] RawAnswer ask(const QByteArray& bytes) const {
        RawClient client(server.port());
        return client.ask(bytes);
    }

    /// Commits the oldest batch that waits; the first `duplicates` of its events were known.
    void commit(bool stored = true, std::size_t duplicates = 0) {
        const IntakeSubmission submission = std::move(waiting.front());
        waiting.erase(waiting.begin());
        IntakeCommit commit;
        commit.intake = submission.intake;
        commit.stored = stored;
        for (std::size_t i = 0; stored && i < submission.events.size(); ++i) {
            StoredEvent event;
            event.sequence = Sequence(++m_sequence);
            event.duplicate = i < duplicates;
            event.conflict = event.duplicate && duplicatesDiffer;
            commit.events.push_back(std::move(event));
        }
        server.finish(commit);
    }

    std::vector<IntakeSubmission> waiting;
    std::vector<NewEvent> submitted;
    bool commitsAtOnce = true;
    std::size_t known = 0;          ///< so many of each batch that is committed at once
    bool duplicatesDiffer = false;  ///< from what was stored
    std::string status = "{\"lifecycle\":\"running\"}";
    std::string metrics = "up 1\n";
    IntakeServer server;
    Result<Nothing> listening;

private:
    IntakePorts ports() {
        IntakePorts ports;
        ports.submit = [this](IntakeSubmission submission) {
            submitted.insert(submitted.end(), submission.events.begin(), submission.events.end());
            waiting.push_back(std::move(submission));
            if (commitsAtOnce) commit(true, known);
        };
        ports.findDestination = [](std::string_view name) -> std::optional<DestinationId> {
            if (name == "crm") return DestinationId(3);
            if (name == "billing") return DestinationId(5);
            return std::nullopt;
        };
        ports.status = [this] { return status; };
        ports.metrics = [this] { return metrics; };
        ports.wallClock = [] { return WallMicros{1'800'000'000'000'000}; };
        return ports;
    }

    std::uint64_t m_sequence = 0;
};

inline nlohmann::json parsed(const RawAnswer& answer) {
    return nlohmann::json::parse(answer.body.toStdString(), nullptr, false);
}

inline QByteArray gzip(const QByteArray& plain) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray out(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(plain.size()))),
                   '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return out;
}

inline bool isProblem(const RawAnswer& answer, int status) {
    const nlohmann::json body = parsed(answer);
    return answer.status == status && answer.header("Content-Type") == "application/problem+json" &&
           body.is_object() && body.value("status", 0) == status &&
           !body.value("title", "").empty() && !body.value("detail", "").empty() &&
           body.value("type", "") == "about:blank";
}

}  // namespace lanes::test
