// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sim/auditor.h"

#include <QByteArrayList>
#include <QMetaType>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lanes::sim {

inline constexpr DestinationId kCrm{1};
inline constexpr UserId kAnna{1};
inline constexpr UserId kBert{2};

/// Writes histories in a few words. Attempt numbers are kept, so that only the planted mistake is
/// a mistake.
class History {
public:
    Auditor auditor;

    History() { setWindow(0); }

    void accept(std::uint64_t sequence, UserId user = kAnna) {
        auditor.accepted({kCrm, Sequence(sequence)}, user);
    }
    StartAttempt start(std::uint64_t sequence, std::uint32_t number = 1, std::uint32_t life = 1,
                       UserId user = kAnna) {
        StartAttempt start;
        start.attempt = AttemptId(++m_attempt);
        start.pointer = {kCrm, Sequence(sequence)};
        start.user = user;
        start.number = number;
        start.life = life;
        auditor.attemptStarted(start);
        return start;
    }
    /// The destination answers; a 2xx means that it took the event.
    void answer(const StartAttempt& start, int status) {
        AttemptResult result;
        result.attempt = start.attempt;
        result.reach = AttemptResult::Reach::answered;
        result.status = status;
        if (status / 100 == 2) auditor.received(start);
        auditor.attemptEnded(start, result);
    }
    void cut(const StartAttempt& start, bool received) {
        AttemptResult result;
        result.attempt = start.attempt;
        result.reach = AttemptResult::Reach::sent;
        if (received) auditor.received(start);
        auditor.attemptEnded(start, result);
    }
    void receive(std::uint64_t sequence) {
        StartAttempt start;
        start.pointer = {kCrm, Sequence(sequence)};
        start.user = kAnna;
        auditor.received(start);
    }
    void log(const StartAttempt& start, Outcome outcome) {
        JournalEntry entry;
        entry.pointer = start.pointer;
        entry.user = start.user;
        entry.life = start.life;
        entry.attempt = start.number;
        entry.outcome = outcome;
        auditor.durable(entry);
    }
    void log(JournalKind kind, std::uint64_t sequence, UserId user = kAnna) {
        JournalEntry entry;
        entry.kind = kind;
        entry.pointer = {kCrm, Sequence(sequence)};
        entry.user = user;
        entry.outcome = Outcome::failed;
        if (kind != JournalKind::deadLettered)
            entry.operation = begin(kind == JournalKind::rewound ? OperationKind::rewind
                                                                 : OperationKind::discard,
                                    {sequence}, user);
        auditor.durable(entry);
    }
    /// An operation with its set, as it is recorded first.
    OperationId begin(OperationKind kind, const std::vector<std::uint64_t>& sequences,
                      UserId user = kAnna) {
        std::vector<OperationMember> members;
        for (const auto sequence : sequences)
            members.push_back({{kCrm, Sequence(sequence)}, user, 1});
        row = OperationRow{};
        row.id = OperationId(++m_operation);
        row.kind = kind;
        row.state = OperationState::moving;
        row.asked = members.size();
        record(std::make_shared<const std::vector<OperationMember>>(std::move(members)));
        return row.id;
    }
    /// What is recorded of the last operation.
    OperationRow row;
    void record(OperationSet set = nullptr) { auditor.operationDurable({row, std::move(set)}); }
    /// One event of it moves.
    void move(JournalKind kind, std::uint64_t sequence, Outcome from = Outcome::failed,
              std::uint32_t life = 2, UserId user = kAnna) {
        JournalEntry entry;
        entry.kind = kind;
        entry.pointer = {kCrm, Sequence(sequence)};
        entry.user = user;
        entry.life = life;
        entry.outcome = from;
        entry.operation = row.id;
        ++row.done;
        auditor.durable(entry);
    }
    void commit() {
        record();
        auditor.commitDurable();
    }
    void deliver(std::uint64_t sequence, std::uint32_t number = 1, std::uint32_t life = 1,
                 UserId user = kAnna) {
        const StartAttempt attempt = start(sequence, number, life, user);
        answer(attempt, 200);
        log(attempt, Outcome::delivered);
    }
    /// From now on dead letters hold their lanes.
    void hold() {
        DestinationConfig config;
        config.id = kCrm;
        config.policy.window = 0;
        config.policy.afterDeadLetter = AfterDeadLetter::hold;
        auditor.setDestination(config);
    }
    /// 0 in the histories that do not speak of it.
    void setWindow(Micros window) {
        DestinationConfig config;
        config.id = kCrm;
        config.policy.window = window;
        config.policy.deadLetterStatuses = {422};
        auditor.setDestination(config);
    }
    void setTime(Micros now) {
        m_now = now;
        auditor.setTime(now);
    }
    [[nodiscard]] Micros now() const { return m_now; }
    /// A failed answer that is logged at once.
    void fail(const StartAttempt& start, int status = 500, Micros retryAfter = -1) {
        AttemptResult result;
        result.attempt = start.attempt;
        result.reach = AttemptResult::Reach::answered;
        result.status = status;
        result.retryAfter = retryAfter;
        auditor.attemptEnded(start, result);
        log(start, Outcome::failed);
    }
    /// The process ends and another one begins, a second later.
    void comeBack() {
        auditor.crashed();
        setTime(m_now + kSecond);
        auditor.restarted({});
    }
    /// Events 1 .. 20 of as many users; ten fail, one after the other, in ten seconds.
    void die() {
        setWindow(kHour);
        for (std::uint64_t i = 1; i <= 20; ++i) accept(i, UserId(i));
        for (std::uint64_t i = 1; i <= 10; ++i) {
            setTime(m_now + kSecond);
            fail(start(i, 1, 1, UserId(i)));
        }
    }
    CommandId pause() {
        const CommandId id(++m_command);
        auditor.commandGiven(id, PauseDestination{kCrm, {}, {}});
        return id;
    }
    void resume() { auditor.commandGiven(CommandId(++m_command), ResumeDestination{kCrm, {}}); }

private:
    Micros m_now = 0;
    std::uint64_t m_attempt = 0;
    std::uint64_t m_command = 0;
    std::uint64_t m_operation = 0;
};

/// A history, as a row of a test.
using Play = std::function<void(History&)>;

/// What the auditor finds in it, one violation after the other.
inline QByteArrayList found(const Play& play, bool promisesOnly) {
    History history;
    play(history);
    QByteArrayList all;
    for (const auto& violation : history.auditor.violations()) {
        all << QByteArray::fromStdString(violation.promise);
        if (!promisesOnly) all.back() += QByteArray::fromStdString(": " + violation.what);
    }
    return all;
}

}  // namespace lanes::sim

Q_DECLARE_METATYPE(lanes::sim::Play)
