// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/core/random.h"
#include "engine/http/http_server.h"
#include "engine/mock/mock_ledger.h"
#include "engine/mock/signature_check.h"
#include "engine/mock_control.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lanes::mock {

/// A real HTTP server on 127.0.0.1 that plays a destination, well or ill, as its behaviour says.
/// One thread: the one that it lives on.
///
/// A request is judged by the behaviour at its arrival and answered after its latency. An event
/// counts as accepted when the 2xx is handed to the connection of a client that is still there.
class MockDestination : public QObject {
    Q_OBJECT

public:
    /// `secret` empty = signatures are not looked at; one that is no secret makes all of them bad.
    MockDestination(std::string name, const std::string& secret, std::uint64_t seed,
                    QObject* parent = nullptr);
    ~MockDestination() override;

    /// Takes the port (0 = any free one) and begins with that behaviour. Empty text if it does,
    /// else why not. Called once. A destination that begins as down knows its port all the same.
    [[nodiscard]] std::string start(const MockBehaviour& behaviour, std::uint16_t port);
    void setBehaviour(const MockBehaviour& behaviour);

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url() const;
    [[nodiscard]] MockReport report() const;
    [[nodiscard]] std::vector<MockLogLine> log() const;
    /// Rises whenever the report or the log changed.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }

private:
    /// A request that has arrived and has not been answered.
    struct Open {
        MockLedger::Delivery delivery;
        http::Responder responder;
        std::uint16_t status = 0;  ///< that it will get; 0 = none
        bool truncated = false;
        bool suspect = false;  ///< another request of its lane arrived meanwhile
    };

    [[nodiscard]] std::string listen();
    void stopListening();
    void listenAgain();
    void handle(const http::Request& request, http::Responder responder);
    void checkSignature(const http::Request& request);
    [[nodiscard]] std::uint16_t judge(const std::string& user, bool fault);
    [[nodiscard]] bool takeToken();
    void open(std::uint64_t number, Open request);
    void answerDue();
    void answer(std::uint64_t number);
    void send(const Open& request) const;
    void settleOverlap(std::uint64_t number);
    std::optional<Open> take(std::uint64_t number);
    void hold(std::uint64_t number);
    void dropHanging();

    std::string m_name;
    bool m_checksSignatures = false;
    std::optional<SignatureCheck> m_signatures;
    Random m_random;
    MockBehaviour m_behaviour;
    MockLedger m_ledger;
    std::unique_ptr<http::HttpServer> m_server;  ///< null while down
    std::uint16_t m_port = 0;
    std::uint64_t m_revision = 1;
    QElapsedTimer m_clock;
    QTimer m_answerTimer;
    QTimer m_listenTimer;
    std::uint64_t m_requestNumber = 0;
    std::unordered_map<std::uint64_t, Open> m_open;
    std::unordered_multimap<std::string, std::uint64_t> m_openOfLane;
    std::multimap<std::int64_t, std::uint64_t> m_due;  ///< milliseconds of m_clock -> request
    std::vector<std::uint64_t> m_hanging;
    double m_tokens = 0;
    std::int64_t m_tokensAt = 0;  ///< milliseconds of m_clock
};

}  // namespace lanes::mock
