// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/pending_ledger.h"
#include "engine/verify.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::store {

/// Checks the journal of all lanes row by row. Flat sorted vectors: 40 bytes a pointer.
class OrderLedger {
public:
    explicit OrderLedger(VerifyReport& report) : m_report(report) {}

    /// All pointers first, in any order; then `arrange`; then the journal in its order.
    void addPointer(Pointer pointer, UserId user);
    void arrange();
    void apply(std::uint64_t position, const JournalFact& fact);

private:
    struct Unsorted {
        std::uint64_t user = 0;
        std::uint64_t sequence = 0;
        std::uint32_t destination = 0;
    };
    struct Slot {
        std::uint64_t sequence = 0;
        std::uint32_t lane = 0;
        bool finished = false;  ///< delivered, dead-lettered or discarded at least once
        bool delivered = false;
        bool rewound = false;
    };
    struct Lane {
        std::uint32_t end = 0;   ///< slot after its last one
        std::uint32_t head = 0;  ///< first slot that is not finished
        std::uint32_t lastDelivered = 0;
    };
    struct Place {
        std::uint64_t sequence = 0;
        std::uint32_t destination = 0;
        std::uint32_t slot = 0;
    };

    [[nodiscard]] const Place* find(const Pointer& pointer) const;
    void applyAttempt(std::uint64_t position, const JournalFact& fact, std::uint32_t index);
    void violation(std::uint64_t position, const Pointer& pointer, const std::string& what);

    VerifyReport& m_report;
    std::vector<Unsorted> m_unsorted;
    std::vector<Slot> m_slots;    ///< by lane, then sequence
    std::vector<Lane> m_lanes;
    std::vector<Place> m_places;  ///< by destination, then sequence
};

}  // namespace lanes::store
