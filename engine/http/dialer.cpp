// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialer.h"

#include <QHostInfo>
#include <QNetworkProxy>
#include <QSslError>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <utility>

namespace lanes::http {

namespace {

/// Addresses of one name that are tried: a name with more of them is not more reachable.
constexpr std::size_t kMaxAddresses = 8;

std::string spokenAddress(const QHostAddress& address, std::uint16_t port) {
    const auto text = address.toString().toStdString();
    const bool six = address.protocol() == QAbstractSocket::IPv6Protocol;
    return (six ? "[" + text + "]" : text) + ":" + std::to_string(port);
}

bool isSix(const QHostAddress& address) {
    return address.protocol() == QAbstractSocket::IPv6Protocol;
}

}  // namespace

bool isLinkLocal(const QHostAddress& address) {
    if (address.isLinkLocal()) return true;
    bool mapped = false;
    const auto four = address.toIPv4Address(&mapped);
    return mapped && (four >> 16) == 0xa9feU;
}

Dialer::Dialer(Settings settings, Done done, QObject* parent)
    : QObject(parent), m_settings(std::move(settings)), m_done(std::move(done)) {
    m_stagger.setSingleShot(true);
    connect(&m_stagger, &QTimer::timeout, this, [this] { tryNext(); });
}

Dialer::~Dialer() {
    cancel();
}

void Dialer::start() {
    const auto host = QString::fromStdString(m_settings.origin.host);
    QHostAddress literal;
    if (literal.setAddress(host)) {
        start({literal});
        return;
    }
    m_lookingUp = true;
    QHostInfo::lookupHost(host, this, [this](const QHostInfo& found) {
        m_lookingUp = false;
        if (!m_over) lookedUp(found);
    });
}

void Dialer::cancel() {
    m_over = true;
    m_stagger.stop();
    // A lookup under way ends by itself and is ignored: Qt 6.4 leaks the callback of one that is
    // aborted.
    m_lookingUp = false;
    for (auto* socket : std::exchange(m_sockets, {})) drop(socket);
}

std::string Dialer::phase() const {
    if (m_lookingUp) return "looking up the name " + m_settings.origin.host;
    if (m_encrypting) return "waiting for the TLS handshake with " + m_trying;
    return "connecting to " + m_trying;
}

void Dialer::lookedUp(const QHostInfo& found) {
    if (found.error() != QHostInfo::NoError || found.addresses().isEmpty()) {
        fail("The name " + m_settings.origin.host +
             " could not be looked up: " + found.errorString().toStdString() + ".");
        return;
    }
    const auto addresses = found.addresses();
    start(std::vector<QHostAddress>(addresses.begin(), addresses.end()));
}

void Dialer::start(std::vector<QHostAddress> addresses) {
    // The families take turns, beginning with that of the first address; inside a family the
    // resolver's order stays.
    const bool firstSix = isSix(addresses.front());
    const auto middle = std::stable_partition(
        addresses.begin(), addresses.end(),
        [firstSix](const QHostAddress& address) { return isSix(address) == firstSix; });
    std::vector<QHostAddress> order;
    for (auto a = addresses.begin(), b = middle; a != middle || b != addresses.end();) {
        if (a != middle) order.push_back(*a++);
        if (b != addresses.end()) order.push_back(*b++);
    }
    const auto known = std::find(order.begin(), order.end(), m_settings.preferred);
    if (known != order.end()) std::rotate(order.begin(), known, known + 1);
    if (order.size() > kMaxAddresses) order.resize(kMaxAddresses);
    std::reverse(order.begin(), order.end());
    m_candidates = std::move(order);
    tryNext();
}

bool Dialer::refused(const QHostAddress& address) const {
    return !m_settings.allowLinkLocal && isLinkLocal(address);
}

void Dialer::tryNext() {
    m_stagger.stop();
    while (!m_over && !m_candidates.empty()) {
        const auto address = m_candidates.back();
        m_candidates.pop_back();
        const auto port = m_settings.origin.port;
        m_trying = spokenAddress(address, port);
        if (refused(address)) {
            if (m_error.empty())
                m_error = "The address " + m_trying +
                          " is link-local; allow it in the destination's settings if that is "
                          "meant.";
            continue;
        }
        QTcpSocket* socket = m_settings.origin.tls ? new QSslSocket(this) : new QTcpSocket(this);
        m_sockets.push_back(socket);
        socket->setProxy(QNetworkProxy::NoProxy);
        connect(socket, &QTcpSocket::connected, this, [this, socket] { socketConnected(socket); });
        connect(socket, &QTcpSocket::errorOccurred, this,
                [this, socket](QAbstractSocket::SocketError error) {
                    if (error != QAbstractSocket::SocketTimeoutError || !m_encrypting)
                        socketFailed(socket);
                });
        if (!m_candidates.empty()) m_stagger.start(m_settings.stagger);
        socket->connectToHost(address, port);
        return;
    }
    if (!m_over && m_sockets.empty())
        fail(m_error.empty() ? "There is no address to connect to." : m_error);
}

void Dialer::socketConnected(QTcpSocket* socket) {
    if (m_over || m_encrypting) return;
    m_stagger.stop();
    m_candidates.clear();
    for (auto* other : std::exchange(m_sockets, {socket}))
        if (other != socket) drop(other);
    m_trying = spokenAddress(socket->peerAddress(), m_settings.origin.port);
    if (refused(socket->peerAddress())) {
        fail("The peer " + m_trying +
             " is link-local; allow it in the destination's settings if that is meant.");
        return;
    }
    if (auto* tls = qobject_cast<QSslSocket*>(socket))
        encrypt(tls);
    else
        succeed(socket);
}

void Dialer::encrypt(QSslSocket* socket) {
    m_encrypting = true;
    connect(socket, &QSslSocket::encrypted, this, [this, socket] { succeed(socket); });
    connect(socket, &QSslSocket::sslErrors, this, [this](const QList<QSslError>& errors) {
        // They are never ignored; the first one is the text, the failure follows by itself.
        if (m_error.empty() && !errors.isEmpty())
            m_error = errors.first().errorString().toStdString();
    });
    m_error.clear();
    socket->setSslConfiguration(m_settings.tls);
    socket->setPeerVerifyName(QString::fromStdString(m_settings.origin.host));
    socket->setPeerVerifyMode(QSslSocket::VerifyPeer);
    socket->startClientEncryption();
}

void Dialer::socketFailed(QTcpSocket* socket) {
    if (m_over) return;
    if (m_encrypting) {
        const auto why = m_error.empty() ? socket->errorString().toStdString() : m_error;
        fail("TLS with " + m_settings.origin.host + " (" + m_trying + ") failed: " + why +
             (why.ends_with('.') ? "" : "."));
        return;
    }
    if (m_error.empty())
        m_error = "Could not connect to " +
                  spokenAddress(socket->peerAddress().isNull() ? QHostAddress(socket->peerName())
                                                               : socket->peerAddress(),
                                m_settings.origin.port) +
                  ": " + socket->errorString().toStdString() + ".";
    m_sockets.erase(std::remove(m_sockets.begin(), m_sockets.end(), socket), m_sockets.end());
    drop(socket);
    if (!m_candidates.empty() || m_sockets.empty()) tryNext();
}

void Dialer::succeed(QTcpSocket* socket) {
    m_over = true;
    m_sockets.clear();
    socket->disconnect(this);
    const auto done = std::exchange(m_done, nullptr);
    done(socket, {});
}

void Dialer::fail(const std::string& why) {
    if (m_over) return;
    cancel();
    const auto done = std::exchange(m_done, nullptr);
    done(nullptr, why);
}

void Dialer::drop(QTcpSocket* socket) {
    socket->disconnect(this);
    socket->abort();
    socket->deleteLater();
}

}  // namespace lanes::http
