// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/core/delivery_kernel.h"
#include "engine/core/store.h"
#include "engine/intake/intake_server.h"
#include "engine/queries.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace lanes {

/// What the desk needs of the engine thread, on which all of it runs.
struct SenderDeskPorts {
    std::function<void(WriteBatch)> submit;
    std::function<void(CommandId, const CommandResult&)> answer;
    std::function<WallMicros()> wallClock;
    /// Reads what is in quarantine; null if the store cannot be read.
    std::function<std::unique_ptr<PageReader>()> openReader;
    /// A rejected event as it was mended: for storing, or what is still wrong.
    std::function<std::variant<IntakeSubmission, EventRejection>(const QuarantineRow&,
                                                                 std::string body)>
        readAgain;
    std::function<std::vector<Target>(const std::string& type, const std::vector<DestinationId>&)>
        route;
    /// The sources whose keys open the intake from now on; they are durable.
    std::function<void(const std::vector<SourceConfig>&)> sourcesChanged;
};

/// What operators do about senders: sources with write keys of their own, and events that were
/// rejected. The kernel knows neither; everything is durable before it is answered.
class SenderDesk {
public:
    explicit SenderDesk(SenderDeskPorts ports) : m_ports(std::move(ports)) {}

    /// As the store has them.
    void begin(std::vector<SourceConfig> sources, SourceId last, std::uint64_t quarantined);

    void obey(CommandId id, const SetSource& command);
    void obey(CommandId id, const RemoveSource& command);
    void obey(CommandId id, const RetryQuarantined& command);
    void obey(CommandId id, const DiscardQuarantined& command);

    /// Whether an intake mark of the store is one of ours.
    [[nodiscard]] static bool isOurs(std::uint64_t intake) { return (intake & kOurs) != 0; }
    void stored(const IntakeCommit& commit, input::EventsAccepted& accepted);
    /// So many more events went into quarantine.
    void noteQuarantined(std::uint64_t events);

    /// Rising by id; what is durable.
    [[nodiscard]] const std::vector<SourceConfig>& sources() const { return m_sources; }
    [[nodiscard]] std::uint64_t quarantined() const { return m_quarantined; }

private:
    /// Marks of the intake server rise from 1 and never come this far; those of imports are above.
    static constexpr std::uint64_t kOurs = std::uint64_t{1} << 62;

    /// Called when the batch is durable; what has events, perhaps when it could not be stored.
    using Done = std::function<void(const IntakeCommit&)>;

    void commit(WriteBatch batch, Done done);
    void refuse(CommandId id, std::string error);
    void put(SourceConfig config);

    SenderDeskPorts m_ports;
    std::vector<SourceConfig> m_sources;
    /// Names that were given to sources which are not durable yet.
    std::map<std::string, SourceId> m_taken;
    SourceId m_last;
    std::uint64_t m_quarantined = 0;
    std::uint64_t m_lastMark = kOurs;
    std::map<std::uint64_t, Done> m_open;
};

}  // namespace lanes
