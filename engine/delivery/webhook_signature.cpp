// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/webhook_signature.h"

#include "engine/core/check.h"

#include <QByteArray>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

namespace lanes {

namespace {

const unsigned char* bytesOf(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

void WebhookSigner::FreeKey::operator()(evp_mac_ctx_st* key) const { EVP_MAC_CTX_free(key); }

WebhookSigner::Key WebhookSigner::keyOf(std::string_view secret) {
    static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    CHECK(hmac != nullptr);
    Key key(EVP_MAC_CTX_new(hmac));
    std::string digest = "SHA256";
    const std::array<OSSL_PARAM, 2> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    CHECK(key && EVP_MAC_init(key.get(), bytesOf(secret), secret.size(), parameters.data()) == 1);
    return key;
}

std::optional<WebhookSigner> WebhookSigner::fromSecrets(const std::vector<std::string>& secrets) {
    constexpr std::string_view prefix = "whsec_";
    WebhookSigner signer;
    for (const auto& secret : secrets) {
        if (!secret.starts_with(prefix)) return std::nullopt;
        const auto decoded =
            QByteArray::fromBase64Encoding(QByteArray::fromStdString(secret.substr(prefix.size())),
                                           QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded || decoded.decoded.isEmpty()) return std::nullopt;
        signer.m_keys.push_back(keyOf(decoded.decoded.toStdString()));
    }
    return signer;
}

std::string WebhookSigner::sign(std::string_view id, std::int64_t unixSeconds,
                                std::string_view body) const {
    std::string value;
    std::string start(id);
    start.append(".").append(std::to_string(unixSeconds)).append(".");
    for (const auto& key : m_keys) {
        std::array<unsigned char, 32> code;
        std::size_t length = 0;
        // Without a key: that of the time before is taken as it was made ready.
        CHECK(EVP_MAC_init(key.get(), nullptr, 0, nullptr) == 1 &&
              EVP_MAC_update(key.get(), bytesOf(start), start.size()) == 1 &&
              EVP_MAC_update(key.get(), bytesOf(body), body.size()) == 1 &&
              EVP_MAC_final(key.get(), code.data(), &length, code.size()) == 1);
        std::array<unsigned char, 4 * ((code.size() + 2) / 3) + 1> text;
        const int written =
            EVP_EncodeBlock(text.data(), code.data(), static_cast<int>(code.size()));
        if (!value.empty()) value += ' ';
        value.append("v1,").append(reinterpret_cast<const char*>(text.data()),
                                   static_cast<std::size_t>(written));
    }
    return value;
}

}  // namespace lanes
