// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/mock_destination.h"

#include <QDateTime>
#include <QHostAddress>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace lanes::mock {

namespace {

/// A sender keeps up to 256 requests in flight; a few senders may share a mock.
constexpr int kConnections = 1024;
/// Another program may take the port while the mock is down; it is asked for again this often.
constexpr int kListenAgainMs = 200;
/// A client that gave a request up and sends again may be read before the end of its old
/// connection is. After this time the old one is really there at the same moment.
constexpr int kOverlapMs = 50;
/// Longest latency: a mistyped one must not hold requests for ever.
constexpr double kLongestLatencyMs = 600'000;
/// Held requests between two looks for clients that have left.
constexpr std::size_t kHangingSweep = 128;

std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? value : 0;
}

WallMicros wallNow() {
    return QDateTime::currentMSecsSinceEpoch() * kMillisecond;
}

struct Content {
    std::string user;
    std::string type;
};

/// The delivered body is the payload alone; our traffic generator repeats user and type in it.
Content contentOf(const std::string& body) {
    const auto payload = nlohmann::json::parse(body, nullptr, false);
    Content content;
    if (!payload.is_object()) return content;
    const auto text = [&payload](const char* key, std::string& into) {
        const auto found = payload.find(key);
        if (found != payload.end() && found->is_string()) into = found->get<std::string>();
    };
    text("user", content.user);
    text("type", content.type);
    return content;
}

bool isGood(std::uint16_t status) {
    return status >= 200 && status <= 299;
}

}  // namespace

MockDestination::MockDestination(std::string name, const std::string& secret, std::uint64_t seed,
                                 QObject* parent)
    : QObject(parent),
      m_name(std::move(name)),
      m_checksSignatures(!secret.empty()),
      m_signatures(SignatureCheck::make(secret)),
      m_random(seed) {
    m_clock.start();
    m_answerTimer.setSingleShot(true);
    m_answerTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_answerTimer, &QTimer::timeout, this, &MockDestination::answerDue);
    m_listenTimer.setSingleShot(true);
    connect(&m_listenTimer, &QTimer::timeout, this, &MockDestination::listenAgain);
}

MockDestination::~MockDestination() {
    stopListening();
}

std::string MockDestination::start(const MockBehaviour& behaviour, std::uint16_t port) {
    m_port = port;
    // It listens once even if it begins as down: only so is the port known and free.
    std::string fault = listen();
    if (fault.empty()) setBehaviour(behaviour);
    return fault;
}

std::string MockDestination::listen() {
    http::ServerLimits limits;
    limits.connections = kConnections;
    auto server = std::make_unique<http::HttpServer>(limits);
    server->setHandler([this](http::Request request, http::Responder responder) {
        handle(request, std::move(responder));
    });
    std::string fault = server->listen(QHostAddress(QHostAddress::LocalHost), m_port);
    if (!fault.empty()) return fault;
    m_port = server->port();
    m_server = std::move(server);
    return fault;
}

void MockDestination::listenAgain() {
    if (m_server || m_behaviour.mode == MockBehaviour::Mode::down) return;
    if (!listen().empty()) m_listenTimer.start(kListenAgainMs);
}

void MockDestination::stopListening() {
    m_listenTimer.stop();
    m_answerTimer.stop();
    m_due.clear();
    m_hanging.clear();
    m_openOfLane.clear();
    for (const auto& [number, request] : m_open)
        if (request.status != 0) m_ledger.note(request.delivery, 0, wallNow());
    m_open.clear();
    // Its connections end with it, at once: at the end of the thread nobody deletes them later.
    m_server.reset();
}

void MockDestination::setBehaviour(const MockBehaviour& behaviour) {
    const MockBehaviour before = std::exchange(m_behaviour, behaviour);
    ++m_revision;
    if (behaviour.capacityPerSecond != before.capacityPerSecond) {
        m_tokens = std::max(1.0, behaviour.capacityPerSecond);
        m_tokensAt = m_clock.elapsed();
    }
    if (behaviour.mode != MockBehaviour::Mode::hang) dropHanging();
    if (behaviour.mode == MockBehaviour::Mode::down)
        stopListening();
    else
        listenAgain();
}

void MockDestination::handle(const http::Request& request, http::Responder responder) {
    Content content = contentOf(request.body);
    MockLedger::Delivery delivery;
    delivery.lane = std::string(request.header("rivora-lane"));
    delivery.sequence = number(request.header("rivora-sequence"));
    delivery.attempt = static_cast<std::uint32_t>(number(request.header("rivora-attempt")));
    delivery.rewind = request.count("rivora-rewind") > 0;
    delivery.type = std::move(content.type);

    ++m_revision;
    m_ledger.arrived(delivery, m_clock.elapsed());
    checkSignature(request);

    // Both numbers are drawn for every request, so that a run with a seed stays the same whatever
    // the behaviour makes of them.
    const double latency = m_random.logNormal(std::max(0.0, m_behaviour.latencyMs),
                                              std::clamp(m_behaviour.latencySigma, 0.0, 5.0));
    const bool fault = m_random.chance(m_behaviour.errorShare);

    const std::uint64_t id = ++m_requestNumber;
    switch (m_behaviour.mode) {
        case MockBehaviour::Mode::reset:
            m_ledger.note(delivery, 0, wallNow());
            responder.reset();
            return;
        case MockBehaviour::Mode::hang:
            m_ledger.note(delivery, 0, wallNow());
            open(id, {std::move(delivery), std::move(responder)});
            hold(id);
            return;
        case MockBehaviour::Mode::truncated:
            open(id, {std::move(delivery), std::move(responder), 200, true});
            break;
        case MockBehaviour::Mode::answer:
            open(id, {std::move(delivery), std::move(responder), judge(content.user, fault)});
            break;
        case MockBehaviour::Mode::down:
            // A request that was read before the listener closed; its connection is gone.
            return;
    }
    const auto wait = std::isfinite(latency)
                          ? static_cast<std::int64_t>(std::min(latency, kLongestLatencyMs))
                          : std::int64_t{0};
    if (wait <= 0) {
        answer(id);
        return;
    }
    m_due.emplace(m_clock.elapsed() + wait, id);
    if (m_due.begin()->second == id) m_answerTimer.start(static_cast<int>(wait));
}

void MockDestination::checkSignature(const http::Request& request) {
    if (!m_checksSignatures) return;
    const bool good =
        m_signatures &&
        m_signatures->good(request.header("webhook-id"), request.header("webhook-timestamp"),
                           request.header("webhook-signature"), request.body,
                           QDateTime::currentSecsSinceEpoch());
    if (!good) m_ledger.badSignature();
}

std::uint16_t MockDestination::judge(const std::string& user, bool fault) {
    if (!takeToken()) return 429;
    if (!m_behaviour.poisonUser.empty() && user == m_behaviour.poisonUser) return 500;
    const int status = fault ? m_behaviour.errorStatus : m_behaviour.status;
    return static_cast<std::uint16_t>(std::clamp(status, 200, 599));
}

bool MockDestination::takeToken() {
    const double rate = m_behaviour.capacityPerSecond;
    if (!(rate > 0)) return true;
    const std::int64_t now = m_clock.elapsed();
    const double earned = rate * static_cast<double>(now - m_tokensAt) / 1000.0;
    // A second's worth may come in a burst.
    m_tokens = std::min(std::max(1.0, rate), m_tokens + earned);
    m_tokensAt = now;
    if (m_tokens < 1.0) return false;
    m_tokens -= 1.0;
    return true;
}

void MockDestination::open(std::uint64_t number, Open request) {
    const std::string lane = request.delivery.lane;
    const auto [first, last] = m_openOfLane.equal_range(lane);
    for (auto earlier = first; !lane.empty() && earlier != last; ++earlier) {
        const std::uint64_t other = earlier->second;
        m_open.at(other).suspect = true;
        QTimer::singleShot(kOverlapMs, this, [this, other] { settleOverlap(other); });
    }
    if (!lane.empty()) m_openOfLane.emplace(lane, number);
    m_open.emplace(number, std::move(request));
}

void MockDestination::settleOverlap(std::uint64_t number) {
    const auto found = m_open.find(number);
    if (found == m_open.end() || !found->second.suspect) return;
    found->second.suspect = false;
    if (!found->second.responder.connected()) return;
    m_ledger.overlap();
    ++m_revision;
}

void MockDestination::answerDue() {
    const std::int64_t now = m_clock.elapsed();
    while (!m_due.empty() && m_due.begin()->first <= now) {
        const std::uint64_t id = m_due.begin()->second;
        m_due.erase(m_due.begin());
        answer(id);
    }
    if (!m_due.empty())
        m_answerTimer.start(
            static_cast<int>(std::max<std::int64_t>(0, m_due.begin()->first - m_clock.elapsed())));
}

void MockDestination::answer(std::uint64_t number) {
    settleOverlap(number);
    const std::optional<Open> request = take(number);
    if (!request) return;
    ++m_revision;
    const bool heard = request->responder.connected();
    m_ledger.note(request->delivery, heard ? request->status : std::uint16_t{0}, wallNow());
    if (!heard) return;
    if (isGood(request->status)) m_ledger.accepted(request->delivery);
    send(*request);
}

void MockDestination::send(const Open& request) const {
    if (request.truncated) {
        request.responder.sendRaw(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"o",
            true);
        return;
    }
    http::Response response;
    response.status = request.status;
    if (m_behaviour.retryAfterSeconds >= 0 && (request.status == 429 || request.status == 503))
        response.headers.emplace_back("Retry-After", std::to_string(m_behaviour.retryAfterSeconds));
    if (request.status != 204 && request.status != 304) {
        response.headers.emplace_back("Content-Type", "application/json");
        response.body = isGood(request.status) ? R"({"ok":true})" : R"({"ok":false})";
    }
    request.responder.respond(std::move(response));
}

std::optional<MockDestination::Open> MockDestination::take(std::uint64_t number) {
    auto node = m_open.extract(number);
    if (node.empty()) return std::nullopt;
    const auto [first, last] = m_openOfLane.equal_range(node.mapped().delivery.lane);
    const auto entry =
        std::find_if(first, last, [number](const auto& open) { return open.second == number; });
    if (entry != last) m_openOfLane.erase(entry);
    return std::move(node.mapped());
}

void MockDestination::hold(std::uint64_t number) {
    m_hanging.push_back(number);
    // Clients give up and come again; now and then those that left are forgotten.
    if (m_hanging.size() % kHangingSweep != 0) return;
    std::erase_if(m_hanging, [this](std::uint64_t held) {
        const auto found = m_open.find(held);
        if (found != m_open.end() && found->second.responder.connected()) return false;
        take(held);
        return true;
    });
}

void MockDestination::dropHanging() {
    for (const std::uint64_t number : std::exchange(m_hanging, {}))
        if (const auto request = take(number)) request->responder.reset();
}

std::string MockDestination::url() const {
    return "http://127.0.0.1:" + std::to_string(m_port) + "/events";
}

MockReport MockDestination::report() const {
    MockReport report = m_ledger.counts();
    report.name = m_name;
    report.url = url();
    report.behaviour = m_behaviour;
    return report;
}

std::vector<MockLogLine> MockDestination::log() const {
    return {m_ledger.log().begin(), m_ledger.log().end()};
}

}  // namespace lanes::mock
