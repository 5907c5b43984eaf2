// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/packed.h"
#include "engine/store/connection.h"
#include "engine/store/pending_ledger.h"
#include "engine/verify.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::store {

/// Checks the journal of all lanes row by row, in one walk through pointers and journal: 16 bytes
/// a pointer in log order, where the journal finds them side by side, and about 40 bytes a lane.
class OrderLedger {
public:
    explicit OrderLedger(VerifyReport& report) : m_report(report) {}

    /// All pointers first, in rising sequence; then the journal in its order.
    void addPointer(Pointer pointer, UserId user);
    void apply(std::uint64_t position, const JournalFact& fact);

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// A pointer. `Slot`s of a lane are a list in log order.
    struct Slot {
        Packed<Sequence, 6> sequence;
        std::uint16_t destination = 0;  ///< position in m_destinations
        std::uint32_t next = kNone;
        std::uint32_t lane : 29 = 0;
        bool finished : 1 = false;  ///< delivered, dead-lettered or discarded at least once
        bool delivered : 1 = false;
        bool rewound : 1 = false;
    };
    static_assert(sizeof(Slot) == 16);
    struct Lane {
        UserId user;
        std::uint16_t destination = 0;
        std::uint32_t head = kNone;  ///< first slot that is not finished
        std::uint32_t last = kNone;
        std::uint32_t lastDelivered = 0;
    };

    [[nodiscard]] std::uint16_t destinationOf(DestinationId id);
    [[nodiscard]] std::uint32_t laneOf(std::uint16_t destination, UserId user);
    void growIndex();
    [[nodiscard]] std::size_t placeOf(std::uint16_t destination, UserId user) const;
    [[nodiscard]] std::uint32_t find(const Pointer& pointer) const;
    void applyAttempt(std::uint64_t position, const JournalFact& fact, std::uint32_t index);
    void violation(std::uint64_t position, const Pointer& pointer, const std::string& what);

    VerifyReport& m_report;
    std::vector<DestinationId> m_destinations;
    std::vector<Slot> m_slots;  ///< by sequence
    std::vector<Lane> m_lanes;
    std::vector<std::uint32_t> m_index;  ///< lanes by key, open addressing; a power of two
};

/// Proves order and balance of a whole file, in one read transaction of the caller's. Throws
/// SQLite::Exception.
[[nodiscard]] VerifyReport verifyLog(SQLite::Database& database);

}  // namespace lanes::store
