// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/tls_stream.h"

#include <QSslError>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <utility>

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

}  // namespace

TlsContext makeTlsContext(const QList<QSslCertificate>& authorities) {
    TlsContext context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
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
