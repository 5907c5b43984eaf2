// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/operation_auditor.h"

#include <algorithm>
#include <string>

namespace lanes::sim {

namespace {

constexpr const char* kRule = "operation";

std::string name(OperationId id) { return "operation " + std::to_string(id.value); }

bool sameLane(const OperationMember& a, const OperationMember& b) {
    return a.user == b.user && a.pointer.destination == b.pointer.destination;
}

}  // namespace

OperationKind OperationAuditor::kindOf(OperationId id) const {
    const auto found = m_operations.find(id);
    return found == m_operations.end() ? OperationKind::setting : found->second.row.kind;
}

void OperationAuditor::recorded(const OperationRecord& record, Violations& violations) {
    const auto& row = record.row;
    if (row.kind == OperationKind::setting) return;
    Operation& operation = m_operations[row.id];
    if (record.set) operation.set = record.set;
    if (!operation.set) {
        violations.add(kRule, name(row.id) + " has no set");
        return;
    }
    operation.row = row;
    m_touched.push_back(row.id);
}

void OperationAuditor::moved(const JournalEntry& entry, Violations& violations) {
    const auto found = m_operations.find(entry.operation);
    if (found == m_operations.end()) {
        violations.add(kRule, name(entry.operation) + " moved an event and has no record");
        return;
    }
    Operation& operation = found->second;
    const auto& set = *operation.set;
    // Those in between were skipped.
    while (operation.cursor < set.size() && set[operation.cursor].pointer != entry.pointer)
        ++operation.cursor;
    if (operation.cursor == set.size())
        violations.add(kRule, name(entry.operation) + " moved event " +
                                  std::to_string(entry.pointer.sequence.value) +
                                  ", which is not of its set, or not in its order");
    else
        ++operation.cursor;
    ++operation.moved;
    if (operation.stopped)
        violations.add(kRule, name(entry.operation) + " moved an event after it was stopped");
    const auto tracer = operation.row.tracer;
    if (tracer > 0 && operation.moved > tracer && operation.delivered * 10 < tracer * 9)
        violations.add(kRule, name(entry.operation) + " moved more than its tracer, of which " +
                                  std::to_string(operation.delivered) + " of " +
                                  std::to_string(tracer) + " were delivered");
}

void OperationAuditor::skipped(const OperationSkip& skip, Violations& violations) {
    const auto found = m_operations.find(skip.operation);
    if (found == m_operations.end() || skip.position >= found->second.set->size() ||
        skip.reason == SkipReason::none) {
        violations.add(kRule, name(skip.operation) + " skipped an event that it does not have");
        return;
    }
    ++found->second.skipped;
}

void OperationAuditor::ended(OperationId rewind, OperationFate fate) {
    const auto found = m_operations.find(rewind);
    if (found == m_operations.end()) return;
    if (fate == OperationFate::delivered) ++found->second.delivered;
    if (fate == OperationFate::deadAgain) ++found->second.deadAgain;
    if (fate == OperationFate::returned) ++found->second.returned;
}

std::vector<OperationMember> OperationAuditor::lanesMoved() {
    std::vector<OperationMember> members;
    for (const auto id : m_touched) {
        Operation& operation = m_operations[id];
        if (operation.row.kind != OperationKind::rewindLanes) continue;
        const auto end = std::min<std::size_t>(operation.row.done + operation.row.skipped,
                                               operation.set->size());
        for (; operation.checked < end; ++operation.checked)
            members.push_back((*operation.set)[operation.checked]);
    }
    return members;
}

void OperationAuditor::commitEnded(Violations& violations) {
    std::sort(m_touched.begin(), m_touched.end());
    m_touched.erase(std::unique(m_touched.begin(), m_touched.end()), m_touched.end());
    for (const auto id : m_touched) {
        Operation& operation = m_operations[id];
        compare(operation, violations);
        operation.stopped = operation.row.state == OperationState::stopped;
    }
    m_touched.clear();
}

void OperationAuditor::compare(const Operation& operation, Violations& violations) const {
    const auto& row = operation.row;
    const auto differ = [&](const char* what, std::uint64_t says, std::uint64_t is) {
        if (says != is)
            violations.add(kRule, name(row.id) + " says " + std::to_string(says) + " " + what +
                                      "; there are " + std::to_string(is));
    };
    differ("asked", row.asked, operation.set->size());
    differ("moved", row.done, operation.moved);
    differ("skipped", row.skipped, operation.skipped);
    differ("delivered", row.delivered, operation.delivered);
    differ("dead again", row.deadAgain, operation.deadAgain);
    differ("returned", row.returned, operation.returned);
    const auto next = static_cast<std::size_t>(row.done + row.skipped);
    if (row.state == OperationState::finished && (next != row.asked || row.waiting() != 0))
        violations.add(kRule, name(row.id) + " says that it is finished and is not");
    if (row.kind == OperationKind::rewindLanes && next > 0 && next < operation.set->size() &&
        sameLane((*operation.set)[next - 1], (*operation.set)[next]))
        violations.add(kRule, name(row.id) + " moved a part of a lane");
}

void OperationAuditor::decided(const WriteBatch& writes, Violations& violations) {
    for (const auto& record : writes.operations)
        if (record.row.eventsPerSecond > 0)
            m_paces.try_emplace(record.row.id,
                                Pace{record.row.eventsPerSecond, violations.now(), 0});
    if (m_paces.empty()) return;
    for (const auto& entry : writes.journal) {
        if (entry.kind != JournalKind::rewound) continue;
        const auto found = m_paces.find(entry.operation);
        if (found == m_paces.end()) continue;
        Pace& pace = found->second;
        ++pace.decided;
        const double allowed =
            pace.eventsPerSecond * static_cast<double>(violations.now() - pace.since) /
                static_cast<double>(kSecond) +
            std::max(1.0, pace.eventsPerSecond / 4) + 0.001;
        if (static_cast<double>(pace.decided) > allowed)
            violations.add(kRule, name(entry.operation) + " moved " +
                                      std::to_string(pace.decided) + " events, which is faster "
                                      "than its pace");
    }
}

void OperationAuditor::restarted(Micros now) {
    // The number of an operation that was not durable is given again.
    std::erase_if(m_paces,
                  [this](const auto& pace) { return !m_operations.contains(pace.first); });
    for (auto& [id, pace] : m_paces) {
        pace.since = now;
        pace.decided = 0;
    }
}

}  // namespace lanes::sim
