// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanes::mock {

/// The receiver's half of Standard Webhooks 1.0, written from the specification and apart from the
/// sender's half, so that a mistake in one does not hide in the other.
class SignatureCheck {
public:
    /// Seconds by which a timestamp may be off; the specification's libraries allow five minutes.
    static constexpr std::int64_t kToleranceSeconds = 300;

    /// `secret` is "whsec_" + base64; nothing if it is not.
    [[nodiscard]] static std::optional<SignatureCheck> make(std::string_view secret);

    /// True if one of the space-separated signatures is ours and the timestamp is near `now`
    /// (unix seconds).
    [[nodiscard]] bool good(std::string_view id, std::string_view timestamp,
                            std::string_view signatures, std::string_view body,
                            std::int64_t now) const;

private:
    explicit SignatureCheck(QByteArray key) : m_key(std::move(key)) {}

    QByteArray m_key;
};

}  // namespace lanes::mock
