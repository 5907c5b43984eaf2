// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Dead letters past their retention. They leave like those that an operator discards: as an
// operation with a frozen set, so that plans from before are of no use and the record says what
// became of them.
#include "engine/core/delivery_kernel.h"

#include "engine/config.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

bool isBefore(const OperationMember& member, const Pointer& pointer) {
    return std::tie(member.pointer.sequence, member.pointer.destination) <
           std::tie(pointer.sequence, pointer.destination);
}

/// Whether an operation is still going to move a dead letter. Its set stands in log order.
bool willMove(const RunningOperation& operation, Pointer pointer) {
    if (operation.row.kind != OperationKind::rewind || !operation.row.moves()) return false;
    const auto begin = operation.set->begin() + static_cast<std::ptrdiff_t>(operation.next());
    const auto found = std::lower_bound(begin, operation.set->end(), pointer, isBefore);
    return found != operation.set->end() && found->pointer == pointer;
}

}  // namespace

/// Nothing of a lane that somebody holds is decided for him, and no rewind is forestalled.
bool DeliveryKernel::isKept(const KernelDestination& d, UserId user, Pointer pointer) const {
    return d.held.contains(user) || d.deadLetterHolds(user) || d.reserved.contains(user) ||
           std::any_of(m_operations.begin(), m_operations.end(), [&](const auto& running) {
               return willMove(running.second, pointer);
           });
}

void DeliveryKernel::expire(const input::DeadLettersExpired& expired) {
    const bool underWay =
        std::any_of(m_operations.begin(), m_operations.end(), [](const auto& running) {
            return running.second.row.kind == OperationKind::expire;
        });
    if (underWay || m_operations.size() >= limits::kOperations) return;
    std::vector<Pointer> pointers;
    for (const auto& pointer : expired.pointers) {
        const auto slot = slotOf(pointer.destination);
        if (slot == kNoSlot) continue;
        const KernelDestination& d = *m_destinations[slot];
        const auto dead = d.dead.find(pointer.sequence);
        if (dead != d.dead.end() && !isKept(d, dead->second.user, pointer))
            pointers.push_back(pointer);
    }
    if (pointers.empty()) return;
    OperationRow row;
    row.kind = OperationKind::expire;
    row.who = "retention";
    row.action = "expire";
    row.scope = std::to_string(pointers.size()) + " dead letters older than " +
                std::to_string(expired.retention / (24 * kHour)) + " days";
    auto* operation = begin({}, std::move(row), membersOf(std::move(pointers)));
    operation->command.reset();  // nobody waits for an answer
}

}  // namespace lanes
