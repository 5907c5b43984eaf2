// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include <QObject>
#include <QTcpSocket>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>

namespace lanes::mock {

/// What came back for one POST. `status` 0: no answer, `error` says why.
struct IntakeAnswer {
    unsigned status = 0;
    int retryAfterSeconds = -1;  ///< -1 = absent
    std::string body;
    std::string error;
};

/// Sends one request at a time over one kept-alive connection to an intake on 127.0.0.1. Every
/// `post` is followed by exactly one call of the handler, never from within `post`.
class IntakeClient : public QObject {
    Q_OBJECT

public:
    using Handler = std::function<void(IntakeAnswer)>;

    explicit IntakeClient(Handler handler, QObject* parent = nullptr);
    ~IntakeClient() override;

    /// Only when not busy.
    void post(std::uint16_t port, const std::string& writeKey, const std::string& body);
    [[nodiscard]] bool busy() const { return m_busy; }

private:
    class Reader;

    void write();
    void read();
    void fail(const std::string& error);
    void finish(IntakeAnswer answer, bool keepAlive);

    Handler m_handler;
    QTcpSocket m_socket;
    QTimer m_deadline;
    std::unique_ptr<Reader> m_reader;
    std::uint16_t m_port = 0;
    std::string m_request;
    bool m_busy = false;
};

}  // namespace lanes::mock
