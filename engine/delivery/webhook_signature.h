// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Signs deliveries after Standard Webhooks 1.0 (symmetric form). Every secret signs, so that a
/// receiver can be moved from one to the next without a gap.
class WebhookSigner {
public:
    WebhookSigner() = default;
    /// Nothing if one of the secrets is not "whsec_" and the base64 of at least one byte.
    [[nodiscard]] static std::optional<WebhookSigner> fromSecrets(
        const std::vector<std::string>& secrets);

    /// Value of `webhook-signature`: "v1,<base64>" for each secret, separated by spaces; empty if
    /// there are no secrets. `id` has no dot, `unixSeconds` is the time of this attempt.
    [[nodiscard]] std::string sign(std::string_view id, std::int64_t unixSeconds,
                                   std::string_view body) const;

private:
    std::vector<std::string> m_keys;  ///< decoded
};

}  // namespace lanes
