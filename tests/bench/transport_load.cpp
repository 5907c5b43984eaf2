// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/load.h"

#include "engine/delivery/http_transport.h"
#include "tests/bench/bench_case.h"
#include "tests/support/certificates.h"

#include <QEventLoop>
#include <QSslCertificate>
#include <QSslConfiguration>

#include <memory>
#include <vector>

namespace lanes::bench {

namespace {

constexpr DestinationId kDestination{1};

/// What transports of this program trust, for as long as it lives.
class Trust {
public:
    explicit Trust(const std::string& authority) {
        if (!authority.empty())
            test::trustOnly(QSslCertificate::fromData(QByteArray::fromStdString(authority)));
    }
    ~Trust() { QSslConfiguration::setDefaultConfiguration(m_before); }
    Trust(const Trust&) = delete;
    Trust& operator=(const Trust&) = delete;

private:
    const QSslConfiguration m_before = QSslConfiguration::defaultConfiguration();
};

AttemptRequest attemptOf(std::uint64_t number, const std::shared_ptr<const std::string>& body) {
    AttemptRequest attempt;
    attempt.start.attempt = AttemptId(number);
    attempt.start.pointer = {kDestination, Sequence(number)};
    attempt.start.user = UserId(number);
    SentEvent event;
    event.source = "bench";
    event.id = "event-" + std::to_string(number);
    event.type = "bench.event";
    event.contentType = "application/json";
    event.payload = body;
    attempt.event = std::make_shared<const SentEvent>(std::move(event));
    return attempt;
}

}  // namespace

Load transportLoad(const Traffic& traffic) {
    const Trust trust(traffic.authority);
    HttpTransport transport;
    DestinationConfig config;
    config.id = kDestination;
    config.name = "bench";
    config.url = traffic.url;
    config.policy.maxInFlight = static_cast<std::uint32_t>(traffic.inFlight);
    config.secrets = traffic.secrets;
    transport.setDestination(config);

    const auto body = std::make_shared<const std::string>(std::string(kBodyBytes, 'x'));
    const auto requests = static_cast<std::uint64_t>(traffic.requests);
    std::uint64_t started = 0;
    std::uint64_t done = 0;
    QEventLoop loop;
    QObject::connect(&transport, &HttpTransport::finished, &loop,
                     [&](const std::vector<AttemptResult>& results) {
        std::vector<AttemptRequest> more;
        for (const auto& result : results) {
            if (result.status < 200 || result.status > 299) giveUp(result.error);
            ++done;
            if (started < requests) more.push_back(attemptOf(++started, body));
        }
        if (!more.empty()) transport.start(more);
        if (done == requests) loop.quit();
    });

    const auto wallBefore = wallSeconds();
    const auto cpuBefore = threadCpuSeconds();
    std::vector<AttemptRequest> first;
    for (int i = 0; i < traffic.inFlight; ++i) first.push_back(attemptOf(++started, body));
    transport.start(first);
    loop.exec();
    return {traffic.requests / (wallSeconds() - wallBefore),
            (threadCpuSeconds() - cpuBefore) * 1000 / traffic.requests};
}

}  // namespace lanes::bench
