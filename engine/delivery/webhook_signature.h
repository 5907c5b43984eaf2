// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct evp_mac_ctx_st;

namespace lanes {

/// Signs deliveries after Standard Webhooks 1.0 (symmetric form). Every secret signs, so that a
/// receiver can be moved from one to the next without a gap. The keys are made ready once. One
/// thread.
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
    struct FreeKey {
        void operator()(evp_mac_ctx_st* key) const;
    };
    using Key = std::unique_ptr<evp_mac_ctx_st, FreeKey>;

    [[nodiscard]] static Key keyOf(std::string_view secret);

    std::vector<Key> m_keys;
};

}  // namespace lanes
