// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tls_stream.h"

#include <QSslError>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <utility>
#include <vector>

namespace lanes::http {

namespace {

void trust(SSL_CTX* context, const QSslCertificate& authority) {
    const QByteArray bytes = authority.toDer();
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.constData());
    X509* certificate = d2i_X509(nullptr, &at, static_cast<long>(bytes.size()));
    if (certificate == nullptr) return;
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
    X509_free(certificate);
}

/// In the words that Qt has for it.
std::string spokenVerdict(long verdict) {
    const auto words = [](QSslError::SslError error) {
        return QSslError(error).errorString().toStdString();
    };
    switch (verdict) {
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH: return words(QSslError::HostNameMismatch);
        case X509_V_ERR_CERT_HAS_EXPIRED: return words(QSslError::CertificateExpired);
        case X509_V_ERR_CERT_NOT_YET_VALID: return words(QSslError::CertificateNotYetValid);
        case X509_V_ERR_CERT_REVOKED: return words(QSslError::CertificateRevoked);
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return words(QSslError::SelfSignedCertificate);
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return words(QSslError::SelfSignedCertificateInChain);
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            return words(QSslError::UnableToGetIssuerCertificate);
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
            return words(QSslError::UnableToGetLocalIssuerCertificate);
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return words(QSslError::UnableToVerifyFirstCertificate);
        case X509_V_ERR_CERT_REJECTED:
            return "The certificate is not the one whose fingerprint is in the settings";
        default:
            return std::string("The certificate was not accepted: ") +
                   X509_verify_cert_error_string(verdict);
    }
}

std::string spokenError() {
    const char* reason = ERR_reason_error_string(ERR_peek_error());
    return reason == nullptr ? "The peer broke the rules of TLS" : reason;
}

/// What the certificate has to be for, and the name that the peer is told.
void expect(SSL* tls, std::string host) {
    if (host.ends_with('.')) host.pop_back();
    auto* wanted = SSL_get0_param(tls);
    if (X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1) return;
    X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (SSL_set1_host(tls, host.c_str()) != 1 || SSL_set_tlsext_host_name(tls, host.c_str()) != 1)
        qBadAlloc();
}

template <auto function>
struct Freed {
    template <typename T>
    void operator()(T* it) const {
        function(it);
    }
};
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Source = std::unique_ptr<BIO, Freed<BIO_free>>;

/// What we show: our own certificate first, then those that lead to an authority.
struct Identity {
    std::vector<Certificate> chain;
    PrivateKey key;
};

Source sourceOf(const std::string& pem) {
    return Source(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

/// A key that asks for a password has none: nobody is there to type it.
int noPassword(char*, int, int, void*) {
    return 0;
}

Identity identityOf(const TlsRules& rules) {
    Identity identity;
    const auto certificates = sourceOf(rules.certificate);
    while (X509* next = PEM_read_bio_X509(certificates.get(), nullptr, &noPassword, nullptr))
        identity.chain.emplace_back(next);
    const auto key = sourceOf(rules.key);
    identity.key.reset(PEM_read_bio_PrivateKey(key.get(), nullptr, &noPassword, nullptr));
    ERR_clear_error();  // the end of a text is an error too
    return identity;
}

void show(SSL_CTX* context, const Identity& identity) {
    bool good = SSL_CTX_use_certificate(context, identity.chain.front().get()) == 1 &&
                SSL_CTX_use_PrivateKey(context, identity.key.get()) == 1;
    for (std::size_t i = 1; i < identity.chain.size(); ++i)
        good = good && SSL_CTX_add1_chain_cert(context, identity.chain[i].get()) == 1;
    if (!good) qBadAlloc();
}

std::string fingerprintOf(const X509* certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned bytes = 0;
    if (certificate == nullptr ||
        X509_digest(certificate, EVP_sha256(), digest.data(), &bytes) != 1)
        return {};
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) {
        text += digits[digest[i] >> 4];
        text += digits[digest[i] & 15U];
    }
    return text;
}

}  // namespace

std::string problemOf(const TlsRules& rules) {
    if (rules.certificate.empty() && rules.key.empty()) return {};
    const auto identity = identityOf(rules);
    if (identity.chain.empty())
        return "client certificate: there is no certificate in the text; it is PEM that begins "
               "with -----BEGIN CERTIFICATE-----.";
    if (!identity.key)
        return "client certificate: its private key cannot be read; it is PEM without a password.";
    if (X509_check_private_key(identity.chain.front().get(), identity.key.get()) != 1) {
        ERR_clear_error();
        return "client certificate: the private key is not that of the first certificate.";
    }
    return {};
}

TlsContext makeTlsContext(const QList<QSslCertificate>& authorities, const TlsRules& rules) {
    // The context keeps its fingerprint as long as any connection keeps the context.
    const auto pin = std::make_shared<std::string>(rules.pin);
    TlsContext context(SSL_CTX_new(TLS_client_method()),
                       [pin](SSL_CTX* gone) { SSL_CTX_free(gone); });
    Q_CHECK_PTR(context);
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    // Whoever dials keeps the sessions: they are good for one origin only.
    SSL_CTX_set_session_cache_mode(context.get(),
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context.get(), &TlsStream::ticketCame);
    if (authorities.isEmpty()) SSL_CTX_set_default_verify_paths(context.get());
    for (const auto& authority : authorities) trust(context.get(), authority);
    if (!rules.certificate.empty()) show(context.get(), identityOf(rules));
    if (!pin->empty())
        SSL_CTX_set_cert_verify_callback(context.get(), &TlsStream::isPinned, pin.get());
    return context;
}

TlsStream::TlsStream(Settings settings)
    : m_settings(std::move(settings)), m_tls(SSL_new(m_settings.context.get())) {
    BIO* const in = BIO_new(BIO_s_mem());
    BIO* const out = BIO_new(BIO_s_mem());
    Q_CHECK_PTR(m_tls && in && out);
    SSL_set_bio(m_tls.get(), in, out);
    SSL_set_connect_state(m_tls.get());
    SSL_set_app_data(m_tls.get(), this);
    expect(m_tls.get(), m_settings.host);
    if (m_settings.offered) SSL_set_session(m_tls.get(), m_settings.offered.get());
}

TlsStream::~TlsStream() = default;

void TlsStream::Free::operator()(SSL* tls) const {
    // Connections are closed without a word, after which OpenSSL would not resume their sessions.
    SSL_set_shutdown(tls, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(tls);
}

int TlsStream::ticketCame(SSL* tls, SSL_SESSION* session) {
    const auto* self = static_cast<const TlsStream*>(SSL_get_app_data(tls));
    if (!self->m_settings.keepTicket) return 0;
    self->m_settings.keepTicket(TlsTicket(session, SSL_SESSION_free));
    return 1;
}

/// Takes the place of all that OpenSSL would verify.
int TlsStream::isPinned(X509_STORE_CTX* store, void* pin) {
    auto* tls = static_cast<SSL*>(
        X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto& shown = static_cast<TlsStream*>(SSL_get_app_data(tls))->m_shown;
    shown = fingerprintOf(X509_STORE_CTX_get0_cert(store));
    const bool same = shown == *static_cast<const std::string*>(pin);
    X509_STORE_CTX_set_error(store, same ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
    return same ? 1 : 0;
}

void TlsStream::put(std::string_view bytes) {
    std::size_t taken = 0;
    if (!bytes.empty() &&
        BIO_write_ex(SSL_get_rbio(m_tls.get()), bytes.data(), bytes.size(), &taken) != 1)
        qBadAlloc();
}

std::string_view TlsStream::output() const {
    char* bytes = nullptr;
    const auto count = BIO_get_mem_data(SSL_get_wbio(m_tls.get()), &bytes);
    return {bytes, static_cast<std::size_t>(count)};
}

void TlsStream::clearOutput() {
    BIO_reset(SSL_get_wbio(m_tls.get()));
}

bool TlsStream::wantsMore(int result) {
    const int error = SSL_get_error(m_tls.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return true;
    m_over = true;
    if (error != SSL_ERROR_ZERO_RETURN) m_problem = spokenError();
    return false;
}

TlsStream::Handshake TlsStream::shakeHands() {
    ERR_clear_error();
    const int result = SSL_do_handshake(m_tls.get());
    if (result == 1) return Handshake::done;
    if (wantsMore(result)) return Handshake::more;
    const auto verdict = SSL_get_verify_result(m_tls.get());
    if (verdict != X509_V_OK) m_problem = spokenVerdict(verdict);
    if (verdict == X509_V_ERR_CERT_REJECTED) m_problem += "; it has " + m_shown;
    return Handshake::failed;
}

std::size_t TlsStream::read(char* to, std::size_t room) {
    if (m_over) return 0;
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_read_ex(m_tls.get(), to, room, &count);
    if (result == 1) return count;
    (void)wantsMore(result);
    return 0;
}

bool TlsStream::write(std::string_view bytes) {
    if (m_over) return false;
    ERR_clear_error();
    std::size_t count = 0;
    const int result = SSL_write_ex(m_tls.get(), bytes.data(), bytes.size(), &count);
    if (result == 1) return true;
    if (wantsMore(result)) m_over = true;  // the output has room for all, so this cannot be
    return false;
}

bool TlsStream::quiet() {
    if (m_over) return false;
    ERR_clear_error();
    char byte = 0;
    std::size_t count = 0;
    const int result = SSL_peek_ex(m_tls.get(), &byte, 1, &count);
    return result != 1 && wantsMore(result);
}

}  // namespace lanes::http
