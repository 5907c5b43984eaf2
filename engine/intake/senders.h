// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/http/http_server.h"
#include "engine/intake/intake_paths.h"
#include "engine/snapshot.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Who may send: whoever shows the general write key, and the sources with keys of their own. And
/// what came from each of these. One thread.
class Senders {
public:
    explicit Senders(std::string generalKey) : m_generalKey(std::move(generalKey)) {}

    /// Those whose keys open from now on; what is known of the others goes.
    void setSources(const std::vector<SourceConfig>& sources);

    enum class Kind { nobody, general, source };
    struct Sender {
        Kind kind = Kind::nobody;
        SourceId source = {};  ///< of a source
    };
    [[nodiscard]] Sender identify(const http::Request& request) const;

    /// The name under which the store keeps the ids of a sender's events, but those of CloudEvents,
    /// whose own `source` says where they are unique.
    [[nodiscard]] std::string nameOf(const Sender& sender, IntakeDialect dialect) const;

    void noteRequest(const Sender& sender, WallMicros now);
    void noteRejected(const Sender& sender, std::size_t events);
    void noteStored(const Sender& sender, std::size_t accepted, std::size_t duplicates);

    [[nodiscard]] const std::vector<SourceSnapshot>& sources() const { return m_sources; }

private:
    [[nodiscard]] SourceSnapshot* find(const Sender& sender);

    std::string m_generalKey;
    std::vector<SourceSnapshot> m_sources;  ///< rising by id
    std::unordered_map<std::string, SourceId> m_byHash;
};

}  // namespace lanes
