// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialer.h"

#include "engine/http/tcp_connect.h"

#include <QHostInfo>
#include <QNetworkProxy>
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
    const auto host = QString::fromStdString(dialledHost());
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
    dropAttempts();
    if (auto* socket = std::exchange(m_preparing, nullptr)) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

std::unique_ptr<TlsStream> Dialer::takeTls() {
    return std::move(m_tls);
}

std::string Dialer::phase() const {
    if (m_lookingUp) return "looking up the name " + dialledHost();
    if (m_tunnel) return "waiting for the proxy " + m_trying;
    if (m_preparing) return "waiting for the TLS handshake with " + m_trying;
    return "connecting to " + m_trying;
}

void Dialer::lookedUp(const QHostInfo& found) {
    if (found.error() != QHostInfo::NoError || found.addresses().isEmpty()) {
        fail("The name " + dialledHost() +
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
        m_trying = spokenAddress(address, dialledPort());
        if (refused(address)) {
            if (m_error.empty())
                m_error = "The address " + m_trying +
                          " is link-local; allow it in the destination's settings if that is "
                          "meant.";
            continue;
        }
        if (!m_candidates.empty()) m_stagger.start(m_settings.stagger);
        connectTo(address);
        return;
    }
    if (!m_over && m_attempts.empty())
        fail(m_error.empty() ? "There is no address to connect to." : m_error);
}

void Dialer::connectTo(const QHostAddress& address) {
    m_attempts.push_back(new TcpConnect(
        address, dialledPort(),
        [this, address](TcpConnect* attempt, int descriptor, int error) {
            if (error == 0)
                connected(address, descriptor);
            else
                connectFailed(attempt, address, error);
        },
        this));
}

void Dialer::connected(const QHostAddress& address, int descriptor) {
    m_stagger.stop();
    m_candidates.clear();
    dropAttempts();
    m_trying = spokenAddress(address, dialledPort());
    auto* socket = new QTcpSocket(this);
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->setSocketDescriptor(descriptor);
    if (m_settings.proxy)
        askProxy(socket);
    else
        wayIsOpen(socket);
}

void Dialer::wayIsOpen(QTcpSocket* socket) {
    if (m_settings.origin.tls)
        encrypt(socket);
    else
        succeed(socket);
}

void Dialer::connectFailed(TcpConnect* attempt, const QHostAddress& address, int error) {
    if (m_error.empty())
        m_error = std::string("Could not connect to ") + (m_settings.proxy ? "the proxy " : "") +
                  spokenAddress(address, dialledPort()) + ": " +
                  qt_error_string(error).toStdString() + ".";
    std::erase(m_attempts, attempt);
    attempt->deleteLater();
    if (!m_candidates.empty() || m_attempts.empty()) tryNext();
}

void Dialer::prepare(QTcpSocket* socket, void (Dialer::*step)(),
                     void (Dialer::*failed)(const std::string&)) {
    m_preparing = socket;
    connect(socket, &QTcpSocket::readyRead, this, [this, step] { (this->*step)(); });
    connect(socket, &QTcpSocket::errorOccurred, this,
            [this, socket, failed](QAbstractSocket::SocketError error) {
                if (error != QAbstractSocket::SocketTimeoutError)
                    (this->*failed)(socket->errorString().toStdString());
            });
    (this->*step)();
}

void Dialer::askProxy(QTcpSocket* socket) {
    m_tunnel = std::make_unique<ProxyTunnel>(*m_settings.proxy, m_settings.origin);
    prepare(socket, &Dialer::goOnWithProxy, &Dialer::proxyFailed);
}

void Dialer::goOnWithProxy() {
    auto* socket = m_preparing;
    const auto came = socket->readAll();
    m_tunnel->put({came.constData(), static_cast<std::size_t>(came.size())});
    const auto output = m_tunnel->takeOutput();
    socket->write(output.data(), static_cast<qint64>(output.size()));
    socket->flush();
    switch (m_tunnel->state()) {
        case ProxyTunnel::State::asking: return;
        case ProxyTunnel::State::failed: proxyFailed(m_tunnel->problem()); return;
        case ProxyTunnel::State::open: break;
    }
    m_tunnel.reset();
    m_preparing = nullptr;
    socket->disconnect(this);
    wayIsOpen(socket);
}

void Dialer::proxyFailed(const std::string& why) {
    if (m_over) return;
    fail("The proxy " + m_trying + " did not open a way to " + m_settings.origin.host + ": " + why +
         (why.ends_with('.') ? "" : "."));
}

void Dialer::encrypt(QTcpSocket* socket) {
    m_tls = std::make_unique<TlsStream>(TlsStream::Settings{
        m_settings.trust, m_settings.origin.host, m_settings.ticket, m_settings.keepTicket});
    prepare(socket, &Dialer::shakeHands, &Dialer::encryptionFailed);
}

void Dialer::shakeHands() {
    auto* socket = m_preparing;
    const auto came = socket->readAll();
    m_tls->put({came.constData(), static_cast<std::size_t>(came.size())});
    const auto state = m_tls->shakeHands();
    if (state == TlsStream::Handshake::done) {
        succeed(socket);  // the end of the handshake leaves together with the first request
        return;
    }
    // After a failure too: the peer is told why.
    const auto output = m_tls->output();
    socket->write(output.data(), static_cast<qint64>(output.size()));
    m_tls->clearOutput();
    socket->flush();
    if (state == TlsStream::Handshake::failed) encryptionFailed(m_tls->problem());
}

void Dialer::encryptionFailed(const std::string& why) {
    if (m_over) return;
    fail("TLS with " + m_settings.origin.host + " (" + m_trying + ") failed: " + why +
         (why.ends_with('.') ? "" : "."));
}

void Dialer::succeed(QTcpSocket* socket) {
    m_over = true;
    m_preparing = nullptr;
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

const std::string& Dialer::dialledHost() const {
    return m_settings.proxy ? m_settings.proxy->host : m_settings.origin.host;
}

std::uint16_t Dialer::dialledPort() const {
    return m_settings.proxy ? m_settings.proxy->port : m_settings.origin.port;
}

void Dialer::dropAttempts() {
    for (auto* attempt : std::exchange(m_attempts, {})) {
        attempt->cancel();
        attempt->deleteLater();
    }
}

}  // namespace lanes::http
