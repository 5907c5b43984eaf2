// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/signature_check.h"

#include <QMessageAuthenticationCode>

#include <charconv>

namespace lanes::mock {

namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::string_view kVersion = "v1,";

QByteArrayView view(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

std::optional<QByteArray> fromBase64(std::string_view text) {
    const auto decoded = QByteArray::fromBase64Encoding(
        view(text).toByteArray(),
        QByteArray::Base64Encoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) return std::nullopt;
    return *decoded;
}

/// Looks at every byte whatever it finds, so that the time taken says nothing.
bool sameBytes(const QByteArray& a, const QByteArray& b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^
                                            static_cast<unsigned char>(b[i]));
    return difference == 0;
}

}  // namespace

std::optional<SignatureCheck> SignatureCheck::make(std::string_view secret) {
    if (!secret.starts_with(kPrefix)) return std::nullopt;
    auto key = fromBase64(secret.substr(kPrefix.size()));
    if (!key || key->isEmpty()) return std::nullopt;
    return SignatureCheck(std::move(*key));
}

bool SignatureCheck::good(std::string_view id, std::string_view timestamp,
                          std::string_view signatures, std::string_view body,
                          std::int64_t now) const {
    std::int64_t at = 0;
    const char* const end = timestamp.data() + timestamp.size();
    const auto [stop, error] = std::from_chars(timestamp.data(), end, at);
    if (id.empty() || error != std::errc{} || stop != end) return false;
    if (at < now - kToleranceSeconds || at > now + kToleranceSeconds) return false;

    QMessageAuthenticationCode code(QCryptographicHash::Sha256, m_key);
    for (const std::string_view part :
         {id, std::string_view("."), timestamp, std::string_view("."), body})
        code.addData(part.data(), static_cast<qsizetype>(part.size()));
    const QByteArray expected = code.result();

    while (!signatures.empty()) {
        const std::size_t space = signatures.find(' ');
        const std::string_view one = signatures.substr(0, space);
        signatures =
            space == std::string_view::npos ? std::string_view{} : signatures.substr(space + 1);
        if (!one.starts_with(kVersion)) continue;
        const auto given = fromBase64(one.substr(kVersion.size()));
        if (given && sameBytes(*given, expected)) return true;
    }
    return false;
}

}  // namespace lanes::mock
