// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/commands.h"
#include "engine/core/delivery_kernel.h"
#include "engine/core/store.h"
#include "engine/intake/file_import.h"
#include "engine/snapshot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// What imports need of the engine thread, on which all of these run but `post`.
struct ImportDeskPorts {
    std::function<void(std::function<void()>)> post;  ///< any thread: runs it on the engine thread
    std::function<void(WriteBatch)> submit;
    std::function<std::optional<DestinationId>(std::string_view name)> findDestination;
    std::function<std::vector<Target>(const std::string& type, const std::vector<DestinationId>&)>
        route;
    std::function<void(CommandId, const CommandResult&)> answer;
};

/// Where imports meet the engine thread: it gives their events to the store and tells them what
/// became of them. One import at a time, so that the order between files is what an operator made
/// it. Its events do not go to the payload cache: they are mostly delivered much later, and would
/// drive out those that are delivered at once.
class ImportDesk {
public:
    ImportDesk(std::string dataDirectory, ImportDeskPorts ports);

    void start(CommandId id, const StartImport& command);
    void cancel(CommandId id);
    /// Ends without waiting; the next import of the file goes on there.
    void stop();

    /// Whether an intake mark of the store is one of ours.
    [[nodiscard]] static bool isOurs(std::uint64_t intake) { return (intake & kOurs) != 0; }
    void stored(const IntakeCommit& commit, input::EventsAccepted& accepted);
    /// Empty when the store is well.
    void setStoreFault(const std::string& fault);
    [[nodiscard]] ImportSnapshot snapshot() const;

private:
    /// Marks of the intake server rise from 1 and never come this far.
    static constexpr std::uint64_t kOurs = std::uint64_t{1} << 63;

    void opened(CommandId id, const std::string& error);
    void take(const std::shared_ptr<const ImportBatch>& batch);

    const std::string m_directory;
    const ImportDeskPorts m_ports;
    std::unique_ptr<FileImport> m_import;
    std::uint64_t m_number = 0;
    std::uint64_t m_lastMark = kOurs;
    std::vector<RejectedLine> m_rejected;  ///< of the batch that is being stored
    std::string m_storeFault;
    ImportSnapshot m_last;  ///< of the import before, for one that cannot be opened
};

}  // namespace lanes
