// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSslCertificate>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st;
struct ssl_session_st;
struct ssl_st;
struct x509_store_ctx_st;

namespace lanes::http {

/// Whom connections trust. It costs as much as a handshake to make and serves any number of them.
using TlsContext = std::shared_ptr<ssl_ctx_st>;
/// A session that can be resumed.
using TlsTicket = std::shared_ptr<ssl_session_st>;

/// What one origin's connections do otherwise than all others.
struct TlsRules {
    std::string certificate;  ///< PEM: the one that we show, and its chain; empty = none
    std::string key;          ///< PEM: the private key of the first of them
    /// SHA-256 of the peer's certificate, 64 lower-case hexadecimal digits. It alone is accepted
    /// then, whoever has signed it, whatever its name and age; empty: the authorities decide.
    std::string pin;

    friend bool operator==(const TlsRules&, const TlsRules&) = default;
};

/// Why these rules cannot be used, one sentence; empty if they can.
[[nodiscard]] std::string problemOf(const TlsRules& rules);

/// Trusts these authorities and no others; without any, those that the system trusts. The rules
/// must be usable.
[[nodiscard]] TlsContext makeTlsContext(const QList<QSslCertificate>& authorities,
                                        const TlsRules& rules = {});

/// The client's side of TLS, apart from any socket: bytes of the peer are put in, bytes for it are
/// fetched. The peer's certificate is always verified, by authorities or by its fingerprint; there
/// is no way around it. One thread.
class TlsStream {
public:
    struct Settings {
        TlsContext context;
        std::string host;              ///< name or address that the certificate has to be for
        TlsTicket offered = nullptr;   ///< to be resumed if the peer agrees
        std::function<void(TlsTicket)> keepTicket = {};  ///< called for those that the peer gives
    };
    enum class Handshake { more, done, failed };

    explicit TlsStream(Settings settings);
    ~TlsStream();
    TlsStream(const TlsStream&) = delete;
    TlsStream& operator=(const TlsStream&) = delete;

    /// Takes what came from the peer.
    void put(std::string_view bytes);
    /// What is to be sent to the peer, valid until anything else is called. It stays there until
    /// `clearOutput`.
    [[nodiscard]] std::string_view output() const;
    void clearOutput();

    /// Goes on as far as it can with what was put in.
    [[nodiscard]] Handshake shakeHands();
    /// Bytes that the peer sent; 0 if there are no more yet, or never again: see `over`.
    [[nodiscard]] std::size_t read(char* to, std::size_t room);
    /// Encrypts all of it for the output; false if that is not possible any more.
    [[nodiscard]] bool write(std::string_view bytes);
    /// Nothing is there to be read, and more may come.
    [[nodiscard]] bool quiet();

    /// The peer ended the stream, or it broke.
    [[nodiscard]] bool over() const { return m_over; }
    /// Why it broke or the handshake failed; empty after an orderly end.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    struct Free {
        void operator()(ssl_st* tls) const;
    };

    static int ticketCame(ssl_st* tls, ssl_session_st* session);
    static int isPinned(x509_store_ctx_st* store, void* pin);
    friend TlsContext makeTlsContext(const QList<QSslCertificate>& authorities,
                                     const TlsRules& rules);
    /// True if it only needs more bytes.
    [[nodiscard]] bool wantsMore(int result);

    Settings m_settings;
    std::unique_ptr<ssl_st, Free> m_tls;
    bool m_over = false;
    std::string m_problem;
    std::string m_shown;  ///< fingerprint of the peer's certificate, where one is pinned
};

}  // namespace lanes::http
