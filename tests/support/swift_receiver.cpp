// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/swift_receiver.h"

#include <QByteArray>
#include <QtGlobal>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <string_view>
#include <thread>
#include <unordered_map>

namespace lanes::test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view kLastAnswer =
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* connection) const { SSL_free(connection); }
    void operator()(BIO* bio) const { BIO_free(bio); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <typename T> using Owned = std::unique_ptr<T, Free>;

Owned<SSL_CTX> contextOf(const Identity& identity, bool only12) {
    const QByteArray certificate = identity.certificate.toPem();
    const QByteArray key = identity.key.toPem();
    const Owned<BIO> first(BIO_new_mem_buf(certificate.constData(),
                                           static_cast<int>(certificate.size())));
    const Owned<BIO> second(BIO_new_mem_buf(key.constData(), static_cast<int>(key.size())));
    const Owned<X509> shown(PEM_read_bio_X509(first.get(), nullptr, nullptr, nullptr));
    const Owned<EVP_PKEY> secret(PEM_read_bio_PrivateKey(second.get(), nullptr, nullptr, nullptr));
    Owned<SSL_CTX> context(SSL_CTX_new(TLS_server_method()));
    if (SSL_CTX_use_certificate(context.get(), shown.get()) != 1 ||
        SSL_CTX_use_PrivateKey(context.get(), secret.get()) != 1)
        qFatal("The test receiver cannot use its certificate.");
    // Tickets only: what they say is checked with this context's own key.
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    if (only12) SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
    return context;
}

/// Bytes of the whole request at the front of `input`; 0 if it has not come yet.
std::size_t wholeRequest(std::string_view input) {
    const auto end = input.find("\r\n\r\n");
    if (end == std::string_view::npos) return 0;
    constexpr std::string_view name = "Content-Length: ";
    const auto at = input.substr(0, end).find(name);
    std::size_t length = 0;
    if (at != std::string_view::npos)
        std::from_chars(input.data() + at + name.size(), input.data() + end, length);
    const auto whole = end + 4 + length;
    return input.size() >= whole ? whole : 0;
}

}  // namespace

class SwiftReceiver::Loop {
public:
    explicit Loop(Behaviour behaviour) : m_behaviour(std::move(behaviour)) {
        if (m_behaviour.tls) m_tls = contextOf(*m_behaviour.tls, m_behaviour.only12);
        m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        if (::bind(m_listener, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
            ::listen(m_listener, 1024) != 0 ||
            ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &length) != 0)
            qFatal("The test receiver cannot listen.");
        port = ntohs(address.sin_port);
        watch(m_listener);
        watch(m_stop);
        watch(m_timer);
        m_thread = std::thread([this] { run(); });
    }

    ~Loop() {
        const std::uint64_t one = 1;
        while (::write(m_stop, &one, sizeof one) < 0) {}
        m_thread.join();
        for (const auto& [descriptor, peer] : m_peers) ::close(descriptor);
        for (const int descriptor : {m_listener, m_stop, m_timer, m_epoll}) ::close(descriptor);
    }

    const Behaviour& behaviour() const { return m_behaviour; }

    std::uint16_t port = 0;
    std::atomic<std::uint64_t> requests = 0;
    std::atomic<std::uint64_t> handshakes = 0;
    std::atomic<std::uint64_t> resumed = 0;
    std::atomic<bool> forgetting = false;
    std::atomic<bool> hanging = false;

private:
    struct Peer {
        std::uint64_t number = 0;
        Owned<SSL> tls;
        bool shaken = false;
        std::string input;
    };
    struct Waiting {
        Clock::time_point due;
        int descriptor = -1;
        std::uint64_t number = 0;  ///< of the peer: descriptors come again
    };

    void watch(int descriptor) const {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = descriptor;
        ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, descriptor, &event);
    }

    void run() {
        std::array<epoll_event, 256> events;
        for (;;) {
            const int count = ::epoll_wait(m_epoll, events.data(), events.size(), -1);
            for (int i = 0; i < count; ++i) {
                const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
                if (descriptor == m_stop) return;
                if (descriptor == m_listener) acceptAll();
                else if (descriptor == m_timer) answerDue();
                else if (const auto peer = m_peers.find(descriptor); peer != m_peers.end())
                    read(descriptor, peer->second);
            }
        }
    }

    void acceptAll() {
        if (m_tls && forgetting.exchange(false))
            m_tls = contextOf(*m_behaviour.tls, m_behaviour.only12);
        for (;;) {
            const int descriptor =
                ::accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (descriptor < 0) return;
            const int on = 1;
            ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            Peer& peer = m_peers[descriptor];
            peer.number = ++m_number;
            if (m_tls) {
                peer.tls.reset(SSL_new(m_tls.get()));
                SSL_set_fd(peer.tls.get(), descriptor);
                SSL_set_accept_state(peer.tls.get());
            }
            watch(descriptor);
        }
    }

    /// Until nothing more is there: TLS keeps bytes of its own, which no socket tells of.
    void read(int descriptor, Peer& peer) {
        std::array<char, 16u << 10> piece;
        for (;;) {
            const auto count = receive(descriptor, peer, piece);
            if (count < 0) return;
            if (count == 0) return drop(descriptor);
            peer.input.append(piece.data(), static_cast<std::size_t>(count));
            while (const auto whole = wholeRequest(peer.input)) {
                peer.input.erase(0, whole);
                requests.fetch_add(1, std::memory_order_relaxed);
                if (hanging.load(std::memory_order_relaxed)) continue;
                if (m_behaviour.latency.count() > 0) answerLater(descriptor, peer);
                else if (!answer(descriptor, peer)) return;
            }
            if (!peer.tls && count < static_cast<ssize_t>(piece.size())) return;
        }
    }

    /// Bytes read; 0 if the peer has gone, -1 if there is nothing more now.
    ssize_t receive(int descriptor, Peer& peer, std::array<char, 16u << 10>& piece) {
        if (!peer.tls) {
            const auto count = ::recv(descriptor, piece.data(), piece.size(), 0);
            return count >= 0 ? count : errno == EAGAIN ? -1 : 0;
        }
        SSL* tls = peer.tls.get();
        ERR_clear_error();
        const int count = SSL_read(tls, piece.data(), static_cast<int>(piece.size()));
        if (!peer.shaken && SSL_is_init_finished(tls)) {
            peer.shaken = true;
            handshakes.fetch_add(1, std::memory_order_relaxed);
            if (SSL_session_reused(tls)) resumed.fetch_add(1, std::memory_order_relaxed);
        }
        if (count > 0) return count;
        return SSL_get_error(tls, count) == SSL_ERROR_WANT_READ ? -1 : 0;
    }

    /// False if that was the end of the connection.
    bool answer(int descriptor, Peer& peer) {
        const auto text = m_behaviour.closes ? kLastAnswer : kAnswer;
        const bool sent =
            peer.tls ? SSL_write(peer.tls.get(), text.data(), static_cast<int>(text.size())) > 0
                     : ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL) > 0;
        if (sent && !m_behaviour.closes) return true;
        if (peer.tls) SSL_shutdown(peer.tls.get());
        drop(descriptor);
        return false;
    }

    /// All answers take equally long, so they are due in the order of their requests.
    void answerLater(int descriptor, const Peer& peer) {
        m_waiting.push_back({Clock::now() + m_behaviour.latency, descriptor, peer.number});
        if (m_waiting.size() == 1) setTimer();
    }

    void answerDue() {
        std::uint64_t times = 0;
        (void)!::read(m_timer, &times, sizeof times);
        const auto now = Clock::now();
        while (!m_waiting.empty() && m_waiting.front().due <= now) {
            const auto next = m_waiting.front();
            m_waiting.pop_front();
            const auto peer = m_peers.find(next.descriptor);
            if (peer != m_peers.end() && peer->second.number == next.number)
                answer(next.descriptor, peer->second);
        }
        if (!m_waiting.empty()) setTimer();
    }

    void setTimer() const {
        using std::chrono::nanoseconds;
        const auto left = std::max<nanoseconds>(m_waiting.front().due - Clock::now(),
                                                nanoseconds(1))
                              .count();  // 0 would switch it off
        itimerspec when{};
        when.it_value.tv_sec = left / 1'000'000'000;
        when.it_value.tv_nsec = left % 1'000'000'000;
        ::timerfd_settime(m_timer, 0, &when, nullptr);
    }

    void drop(int descriptor) {
        m_peers.erase(descriptor);
        ::close(descriptor);
    }

    const Behaviour m_behaviour;
    Owned<SSL_CTX> m_tls;
    int m_listener = -1;
    const int m_epoll = ::epoll_create1(EPOLL_CLOEXEC);
    const int m_stop = ::eventfd(0, EFD_CLOEXEC);
    const int m_timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    std::uint64_t m_number = 0;
    std::unordered_map<int, Peer> m_peers;
    std::deque<Waiting> m_waiting;
    std::thread m_thread;
};

SwiftReceiver::SwiftReceiver(Behaviour behaviour)
    : m_loop(std::make_unique<Loop>(std::move(behaviour))) {}

SwiftReceiver::~SwiftReceiver() = default;

std::string SwiftReceiver::url() const {
    return (m_loop->behaviour().tls ? "https://127.0.0.1:" : "http://127.0.0.1:") +
           std::to_string(port()) + "/";
}

std::uint16_t SwiftReceiver::port() const { return m_loop->port; }
std::uint64_t SwiftReceiver::requests() const { return m_loop->requests; }
std::uint64_t SwiftReceiver::handshakes() const { return m_loop->handshakes; }
std::uint64_t SwiftReceiver::resumed() const { return m_loop->resumed; }
void SwiftReceiver::forgetTickets() { m_loop->forgetting = true; }
void SwiftReceiver::setHanging(bool hangs) { m_loop->hanging = hangs; }

}  // namespace lanes::test
