// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/check.h"
#include "engine/core/delivery_kernel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes::test {

/// A kernel with a manual clock and a store that commits when told to (by default at once).
class KernelHarness {
public:
    explicit KernelHarness(std::uint64_t seed = 1) : kernel(seed) {}

    DestinationId add(const std::string& name, DeliveryPolicy policy = {}) {
        DestinationConfig config;
        config.name = name;
        config.url = "http://127.0.0.1:9/" + name;
        config.policy = policy;
        return command(SetDestination{config}).destination;
    }

    /// Gives a command and returns its answer.
    CommandResult command(Command command) {
        const auto id = give(std::move(command));
        for (int i = 0; i < 10'000 && !m_done.contains(id.value); ++i) tick();
        return m_done.at(id.value);
    }

    /// One durable event of a user to all destinations; returns its sequence.
    Sequence accept(std::uint64_t user) {
        AcceptedEvent event{Sequence(++m_sequence), UserId(user),
                            kernel.route("t", {}, m_now)};
        step(input::EventsAccepted{{event}});
        return event.sequence;
    }

    void step(Input input) {
        kernel.step(std::move(input), {m_now, kWallStart + m_now}, m_effects);
        take();
    }
    void tick() { step(input::TimePassed{}); }
    void advance(Micros by) {
        m_now += by;
        tick();
    }
    /// Moves the clock from wake-up to wake-up until `until` holds or the limit has passed.
    template <typename F>
    bool advanceUntil(F until, Micros limit) {
        const auto end = m_now + limit;
        while (!until()) {
            if (m_now >= end) return false;
            m_now = std::min(end, std::max(m_now + kMillisecond, kernel.nextWakeup(m_now)));
            tick();
        }
        return true;
    }

    /// The started attempt of this event that has not ended.
    [[nodiscard]] std::optional<StartAttempt> running(Sequence sequence) const {
        for (const auto& [id, start] : m_running)
            if (start.pointer.sequence == sequence) return start;
        return std::nullopt;
    }
    /// All started attempts that have not ended, oldest first.
    [[nodiscard]] std::vector<StartAttempt> open() const {
        std::vector<StartAttempt> all;
        for (const auto& [id, start] : m_running) all.push_back(start);
        return all;
    }
    [[nodiscard]] std::size_t runningCount() const { return m_running.size(); }

    void finish(const StartAttempt& start, AttemptResult result) {
        result.attempt = start.attempt;
        m_running.erase(start.attempt.value);
        step(input::AttemptFinished{std::move(result)});
    }
    void answer(const StartAttempt& start, int status, Micros retryAfter = -1) {
        AttemptResult result;
        result.reach = AttemptResult::Reach::answered;
        result.status = status;
        result.duration = 10 * kMillisecond;
        result.retryAfter = retryAfter;
        finish(start, std::move(result));
    }
    void answer(Sequence sequence, int status, Micros retryAfter = -1) {
        const auto start = running(sequence);
        CHECK(start.has_value());
        answer(*start, status, retryAfter);
    }
    void refuseConnection(const StartAttempt& start) {
        AttemptResult result;
        result.error = "Connection refused";
        finish(start, std::move(result));
    }

    /// Commits all that was written.
    void commit() {
        if (m_written > m_committed) step(input::StoreCommitted{m_committed = m_written});
    }
    void commitBySelf(bool automatic) { m_automatic = automatic; }

    [[nodiscard]] DestinationSnapshot state(DestinationId id) const {
        EngineSnapshot snapshot;
        kernel.describe(m_now, snapshot);
        return *snapshot.find(id);
    }
    [[nodiscard]] Micros now() const { return m_now; }
    [[nodiscard]] const std::vector<StartAttempt>& starts() const { return m_starts; }
    [[nodiscard]] const std::vector<JournalEntry>& journal() const { return m_journal; }
    /// As last recorded.
    [[nodiscard]] OperationRow operation(OperationId id) const { return m_operations.at(id).row; }
    [[nodiscard]] OperationSet operationSet(OperationId id) const {
        return m_operations.at(id).set;
    }
    [[nodiscard]] const std::vector<OperationSkip>& skips() const { return m_skips; }
    [[nodiscard]] const std::vector<LaneHold>& holds() const { return m_holds; }
    [[nodiscard]] const std::vector<EventVersion>& versions() const { return m_versions; }
    [[nodiscard]] const std::vector<NoteChange>& notes() const { return m_notes; }
    /// Gives a command without waiting for its answer.
    CommandId give(Command command) {
        const CommandId id(++m_commands);
        step(input::CommandGiven{id, std::move(command)});
        return id;
    }
    [[nodiscard]] bool answered(CommandId id) const { return m_done.contains(id.value); }
    [[nodiscard]] CommandResult result(CommandId id) const { return m_done.at(id.value); }
    [[nodiscard]] WallMicros wall() const { return kWallStart + m_now; }

    DeliveryKernel kernel;

private:
    static constexpr WallMicros kWallStart = 1'700'000'000'000'000;

    void take() {
        for (const auto& start : m_effects.starts) {
            m_starts.push_back(start);
            m_running[start.attempt.value] = start;
        }
        for (auto& entry : m_effects.writes.journal) m_journal.push_back(std::move(entry));
        for (auto& record : m_effects.writes.operations) {
            auto& known = m_operations[record.row.id];
            known.row = std::move(record.row);
            if (record.set) known.set = std::move(record.set);
        }
        const auto add = [](auto& all, auto& more) {
            all.insert(all.end(), more.begin(), more.end());
        };
        add(m_skips, m_effects.writes.skips);
        add(m_holds, m_effects.writes.holds);
        add(m_versions, m_effects.writes.versions);
        add(m_notes, m_effects.writes.notes);
        if (m_effects.writes.ticket != 0) m_written = m_effects.writes.ticket;
        for (auto& done : m_effects.done) m_done[done.id.value] = done.result;
        m_effects.clear();
        if (m_automatic) commit();
    }

    Micros m_now = 0;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_commands = 0;
    std::uint64_t m_written = 0;
    std::uint64_t m_committed = 0;
    bool m_automatic = true;
    Effects m_effects;
    std::map<std::uint64_t, StartAttempt> m_running;
    std::map<std::uint64_t, CommandResult> m_done;
    std::vector<StartAttempt> m_starts;
    std::vector<JournalEntry> m_journal;
    std::map<OperationId, OperationRecord> m_operations;
    std::vector<OperationSkip> m_skips;
    std::vector<LaneHold> m_holds;
    std::vector<EventVersion> m_versions;
    std::vector<NoteChange> m_notes;
};

/// A destination "crm" that dead-letters 422 at once and allows edits.
inline DestinationId addStrict(KernelHarness& h, AfterDeadLetter after = AfterDeadLetter::goOn) {
    DeliveryPolicy policy;
    policy.deadLetterStatuses = {422};
    policy.afterDeadLetter = after;
    policy.allowEdits = true;
    return h.add("crm", policy);
}

/// Fails one lane until its destination is degraded; returns its head.
inline Sequence degrade(KernelHarness& h, DestinationId id, std::uint64_t user) {
    const auto head = h.accept(user);
    while (h.state(id).health != HealthState::degraded) {
        const bool started =
            h.advanceUntil([&] { return h.running(head).has_value(); }, 20 * kSecond);
        CHECK(started);
        h.refuseConnection(*h.running(head));
    }
    return head;
}

}  // namespace lanes::test
