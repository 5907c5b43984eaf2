// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/webhook_signature.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace lanes {

std::optional<WebhookSigner> WebhookSigner::fromSecrets(const std::vector<std::string>& secrets) {
    constexpr std::string_view prefix = "whsec_";
    WebhookSigner signer;
    for (const auto& secret : secrets) {
        if (!secret.starts_with(prefix)) return std::nullopt;
        const auto decoded =
            QByteArray::fromBase64Encoding(QByteArray::fromStdString(secret.substr(prefix.size())),
                                           QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded || decoded.decoded.isEmpty()) return std::nullopt;
        signer.m_keys.push_back(decoded.decoded.toStdString());
    }
    return signer;
}

std::string WebhookSigner::sign(std::string_view id, std::int64_t unixSeconds,
                                std::string_view body) const {
    std::string value;
    std::string start(id);
    start.append(".").append(std::to_string(unixSeconds)).append(".");
    for (const auto& key : m_keys) {
        QMessageAuthenticationCode code(
            QCryptographicHash::Sha256,
            QByteArray::fromRawData(key.data(), static_cast<qsizetype>(key.size())));
        code.addData(start.data(), static_cast<qsizetype>(start.size()));
        code.addData(body.data(), static_cast<qsizetype>(body.size()));
        if (!value.empty()) value += ' ';
        value += "v1," + code.result().toBase64().toStdString();
    }
    return value;
}

}  // namespace lanes
