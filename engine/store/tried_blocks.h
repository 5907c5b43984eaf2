// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/store.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::store {

/// A pending pointer that is not as it was accepted.
struct TriedPointer {
    std::uint32_t attempts = 0;
    std::uint32_t life = 1;
    OperationId operation;
    Micros clock = 0;  ///< of the rewind; counts only in a later life
    Outcome lastOutcome = Outcome::delivered;
    std::uint16_t lastStatus = 0;
    std::uint64_t firstAttempt = 0;  ///< journal rows of this life's attempts; 0 = never tried
    std::uint64_t lastAttempt = 0;

    friend bool operator==(const TriedPointer&, const TriedPointer&) = default;
};

/// The tried pointers of a destination, in blocks of neighbouring sequences. A block is kept as
/// the bytes that the checkpoint writes, 20 to 30 for a pointer, so that a long outage with
/// millions of tried heads needs little memory, and a checkpoint writes only blocks that changed.
/// One block at a time is open: whoever walks in order pays for each block once. One thread.
class TriedBlocks {
public:
    static constexpr std::uint64_t kSequences = 128;  ///< of a block

    /// Null if it was not tried; valid until the next call.
    [[nodiscard]] const TriedPointer* find(std::uint64_t sequence) const;
    /// The pointer, made if it is not there; valid until the next call.
    [[nodiscard]] TriedPointer& operator[](std::uint64_t sequence);
    void erase(std::uint64_t sequence);

    /// Blocks that changed since they were taken last.
    [[nodiscard]] std::set<std::uint64_t> takeChanged() { return std::exchange(m_changed, {}); }
    /// What was taken did not become durable.
    void putBack(std::uint64_t block) { m_changed.insert(block); }
    /// Empty if nothing of the block is tried.
    [[nodiscard]] const std::string& bytes(std::uint64_t block) const;
    /// What `bytes` gave once, as it is stored. False if it is damaged.
    [[nodiscard]] bool restore(std::uint64_t block, std::string_view bytes);
    /// Pointers of any blocks, which are not stored as blocks yet. False if they are damaged.
    [[nodiscard]] bool load(std::string_view bytes);

private:
    using Entry = std::pair<std::uint64_t, TriedPointer>;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    void open(std::uint64_t block) const;
    void close() const;
    [[nodiscard]] std::vector<Entry>::iterator place(std::uint64_t sequence) const;

    // The open block is a view of its bytes: opening another one changes nothing that is seen.
    mutable std::map<std::uint64_t, std::string> m_blocks;
    mutable std::uint64_t m_open = kNone;
    mutable std::vector<Entry> m_entries;  // of the open block, rising
    mutable bool m_touched = false;        // the bytes of the open block are old
    std::set<std::uint64_t> m_changed;
};

}  // namespace lanes::store
