// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/credential_watch.h"
#include "engine/core/destination_health.h"
#include "engine/core/effects.h"
#include "engine/core/head_ages.h"
#include "engine/core/lane_order.h"
#include "engine/core/lane_table.h"
#include "engine/core/random.h"
#include "engine/core/ready_queue.h"
#include "engine/core/running_operation.h"
#include "engine/core/timer_queue.h"
#include "engine/queries.h"
#include "engine/snapshot.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lanes {

/// A destination as the kernel keeps it.
struct KernelDestination {
    KernelDestination(LaneTable& table, DestinationConfig settings,
                      const HealthSettings& healthSettings, Micros now)
        : config(std::move(settings)), health(healthSettings, now), ready(table), patient(table),
          backingOff(table) {}

    struct Dead {
        UserId user;
        std::uint32_t life = 1;
        std::uint32_t attempts = 0;
    };

    DestinationConfig config;
    bool removed = false;
    DestinationState state;        ///< `clock` as of `clockSince`
    Micros clockSince = 0;
    DestinationHealth health;
    ReadyQueue ready;
    ReadyQueue patient;            ///< heads that failed before: they need a retry token
    bool patientTurn = false;      ///< while it is probed: whose turn it is
    /// Ready lanes that are patient once it is not probed any more; some may have gone since.
    std::vector<LaneIndex> goingBehind;
    std::uint32_t turn = 1;        ///< number of the turn that runs through the two, see Lane::turn
    LaneList backingOff;
    DeliveryCounters counters;
    std::uint64_t lanes = 0;
    HeadAges headAges;             ///< of these
    std::unordered_map<Sequence, Dead> dead;
    /// Dead letters of each user, kept only while they hold lanes.
    std::unordered_map<UserId, std::uint32_t> holding;
    /// Lanes that operators hold.
    std::unordered_map<UserId, LaneHold> held;
    /// Lanes that a rewind of whole lanes is going to move, and those that it moves right now:
    /// no other operation touches the former, no attempt of the latter starts.
    std::unordered_set<UserId> reserved;
    std::unordered_set<UserId> moving;
    /// Holds that ended, until all waiting events are recovered.
    std::unordered_map<UserId, std::vector<std::pair<Micros, Micros>>> endedHolds;
    OperationId lastMove;          ///< newest operation that moved anything here
    CredentialWatch credentials;
    // Since the start, for the snapshot:
    std::uint64_t attempts = 0;
    std::array<std::uint64_t, 7> outcomes{};
    std::uint64_t probes = 0;
    LatencyHistogram latency;
    std::string lastError;
    WallMicros lastDeliveredAt = 0;
    BudgetChange lastChange;
    std::uint64_t changesSeen = 0;
    // Retry-After: the lane that asked last and when.
    UserId lastAsker;
    Micros lastAskedAt = -3600 * kSecond;
    /// Lanes that were asked to wait, whatever their head is by now, and until when.
    std::unordered_map<UserId, TimerQueue::Tick> quiet;
    bool dirty = false;

    [[nodiscard]] Micros clock(Micros now) const {
        return state.paused ? state.clock : state.clock + (now - clockSince);
    }
    /// Whether a dead letter keeps the events after it back.
    [[nodiscard]] bool deadLetterHolds(UserId user) const { return holding.contains(user); }
    /// Whether nothing of the lane may start at all.
    [[nodiscard]] bool stands(UserId user) const {
        return held.contains(user) || moving.contains(user);
    }
};

/// The one owner of all lanes. Deterministic: the same inputs at the same times give the same
/// effects. One thread.
///
/// The rules that it keeps:
/// - only the head of a lane is in flight, and one request of a lane at a time (P2, P3);
/// - the next event of a lane becomes head only when the end of the one before is durable;
/// - accepted = delivered + waiting + dead + discarded, at every step (P7).
class DeliveryKernel {
public:
    /// \param memory where lanes are kept; it must live longer.
    explicit DeliveryKernel(
        std::uint64_t seed, std::pmr::memory_resource* memory = std::pmr::new_delete_resource());
    ~DeliveryKernel();

    // Before the first step: what the store found.
    void recoverDestination(const RecoveredDestination& destination, Micros now);
    /// In rising sequence.
    void recoverPointer(const PendingPointer& pending);
    /// Starts to fetch what `recoverPointer` will need for this one, a few pointers ahead of it.
    void expectPointer(const PendingPointer& pending) const {
        m_table.expect(slotOf(pending.pointer.destination), pending.user);
    }
    /// After all pointers.
    void recoverOperations(const std::vector<RecoveredOperation>& recovered, Micros now);
    /// The largest numbers that were ever given.
    void recoverIds(OperationId lastOperation, DestinationId lastDestination,
                    Sequence lastSequence = {}) {
        m_lastOperation = m_recoveredOperation = lastOperation;
        m_lastDestination = lastDestination.value;
        m_lastSequence = lastSequence;
    }

    /// Appends to `effects`; the writes of one step have one ticket.
    void step(Input input, Moment moment, Effects& effects);
    /// When `TimePassed` is due at the latest; DestinationHealth::kNever if nothing waits for time.
    [[nodiscard]] Micros nextWakeup(Micros now) const;

    // Questions.
    [[nodiscard]] std::optional<DestinationId> findDestination(std::string_view name) const;
    [[nodiscard]] std::vector<DestinationConfig> destinations() const;
    /// Destinations that an event of this type goes to, with their clocks. `named` restricts them.
    [[nodiscard]] std::vector<Target> route(std::string_view type,
                                            const std::vector<DestinationId>& named,
                                            Micros now) const;
    void describe(Micros now, EngineSnapshot& snapshot) const;
    /// Without the head event's texts, which the kernel does not know.
    [[nodiscard]] std::optional<LaneRow> row(LaneKey key, Micros now) const;
    /// Looks at an order from now on; `total` and rows may be incomplete while it is built.
    [[nodiscard]] LanePage page(const LanePageRequest& request, Micros now);
    /// Goes along an order for whoever looks at all lanes.
    struct LaneWalk {
        LaneOrder order = LaneOrder::headAge;
        bool descending = true;
        DestinationId destination;  ///< 0 = all
        std::uint64_t number = 0;   ///< of the order that it goes along; 0: it has not begun
        std::optional<LaneOrderIndex::Place> place = {};
    };
    struct LaneStretch {
        std::vector<LaneRow> rows;
        std::uint64_t lanes = 0;  ///< of the order now
        double readiness = 1.0;   ///< below 1: nothing yet, the order is being built
        bool anew = false;        ///< the order was dropped meanwhile: the walk begins again
        bool complete = false;    ///< nothing comes after these
    };
    /// The next lanes of a walk, `most` at most.
    [[nodiscard]] LaneStretch next(LaneWalk& walk, std::size_t most, Micros now);
    /// Builds watched orders a little further and drops those not looked at for a minute, a little
    /// at a time too; false if there is nothing to do.
    bool tendOrders(Micros now);
    [[nodiscard]] std::size_t laneCount() const { return m_table.size(); }
    [[nodiscard]] std::size_t inFlight() const { return m_inFlight.size(); }
    [[nodiscard]] DeliveryCounters counters() const;
    /// The lane of (destination, user): its pending sequences in order, for tests and the auditor.
    [[nodiscard]] std::vector<Sequence> pending(LaneKey key) const;
    [[nodiscard]] std::size_t laneBytes() const { return m_table.bytes(); }

private:
    using Slot = DestinationSlot;
    static constexpr Slot kNoSlot = 0xffff;

    struct InFlight {
        LaneIndex lane = kNoLane;
        std::uint64_t epoch = 0;
        Moment started;
        Cause cause = Cause::automatic;
        bool firstAttempt = true;
        bool patient = false;
    };
    /// What happens to a lane or a dead letter when the ticket is durable.
    struct PendingCommit {
        enum class Kind : std::uint8_t {
            delivered, retry, died, rewound, discarded, returned, laneMoved
        };
        std::uint64_t ticket = 0;
        Kind kind = Kind::delivered;
        LaneIndex lane = kNoLane;   // delivered, retry, died
        Slot slot = kNoSlot;
        Sequence sequence;
        UserId user;
        std::uint32_t life = 1;
        std::uint32_t attempts = 0;
        OperationId operation;      // that moves it
        ClockTenths clock = 0;      // rewound
        bool wasDelivered = false;  // rewound, returned: before the rewind
        TimerQueue::Tick due = 0;   // retry
        std::uint64_t epoch = 0;    // retry: of the destination when it failed
    };
    struct PendingCommand {
        std::uint64_t ticket = 0;
        CommandDone done;
    };
    /// What a lane record does not hold, for the few events that have a history.
    struct Mark {
        std::uint32_t life = 1;
        OperationId operation;
        std::uint16_t attempts = 0;
        std::uint16_t lastStatus = 0;
        std::uint8_t failures = 0;
        Outcome lastOutcome = Outcome::delivered;
        bool wasDelivered = false;  ///< before it was rewound
        bool leaving = false;       ///< its rewind is undone, not durably yet
        bool failing = false;       ///< counted as such by its operation
    };
    struct WatchedOrder {
        LaneOrderIndex index;
        Micros lookedAt = 0;
        std::uint64_t number = 0;
    };
    struct PointerHash {
        std::size_t operator()(const Pointer& p) const {
            return std::hash<std::uint64_t>{}(p.sequence.value * 0x9e3779b97f4a7c15 +
                                              p.destination.value);
        }
    };
    // delivery_kernel.cpp: lanes
    void accept(const input::EventsAccepted& accepted);
    void commit(std::uint64_t ticket);
    void settle(const PendingCommit& pending);
    void retryLater(const PendingCommit& pending);
    void backOff(LaneIndex lane, TimerQueue::Tick due);
    void putIntoLane(Slot slot, UserId user, LaneEntry entry);
    /// `triedEpoch` of a head that was not tried since the recovery.
    [[nodiscard]] static std::uint8_t untriedEpoch(const KernelDestination& d) {
        return static_cast<std::uint8_t>(d.health.epoch() + 128);
    }
    void reorderHead(LaneIndex lane);
    void setHead(LaneIndex lane, LaneEntry entry);
    void clearHead(LaneIndex lane);
    void setState(Lane& record, LaneState state);
    void saveMark(LaneIndex lane);
    void nextHead(LaneIndex lane);
    void makeReady(LaneIndex lane);
    [[nodiscard]] std::optional<LaneState> standing(const KernelDestination& d,
                                                    const Lane& lane) const;
    void leaveQueues(LaneIndex lane);
    void dropIfEmpty(LaneIndex lane);

    // kernel_attempts.cpp: what the end of an attempt means
    void finish(const AttemptResult& result);
    void takeBack(const InFlight& flight);
    void deadLetter(LaneIndex lane, const std::string& reason);
    void windowOver(LaneIndex lane);
    [[nodiscard]] bool expired(const KernelDestination& d, const Lane& lane) const;
    [[nodiscard]] bool expires(const KernelDestination& d, const Lane& lane) const;
    void askedToWait(KernelDestination& d, const Lane& lane, Micros retryAfter);
    [[nodiscard]] TimerQueue::Tick quietUntil(KernelDestination& d, UserId user);
    void watchCredentials(KernelDestination& d, UserId user, int status);
    [[nodiscard]] JournalEntry headEntry(JournalKind kind, const Lane& lane) const;
    [[nodiscard]] JournalEntry attemptEntry(const InFlight& flight, const Lane& lane,
                                            const AttemptResult& result, Outcome outcome);

    // kernel_scheduling.cpp: who goes next
    void touch(Slot slot);
    void pumpAll();
    void pump(Slot slot);
    void expireReady(KernelDestination& d);
    [[nodiscard]] LaneIndex pick(KernelDestination& d);
    void start(Slot slot, LaneIndex lane);
    static void degraded(KernelDestination& d);
    static void nextTurn(KernelDestination& d);
    void recovered(Slot slot);
    [[nodiscard]] LaneIndex pickProbe(KernelDestination& d);
    void popTimers();
    void persistClocks();
    void persistAllStates();
    [[nodiscard]] bool maySend() const { return m_storeWritable && !m_draining; }
    [[nodiscard]] bool tooManyUncommitted() const {
        return m_commits.size() >= limits::kPendingResults;
    }
    void noteChange(KernelDestination& d);
    [[nodiscard]] bool lanesWait(const KernelDestination& d) const;

    // kernel_commands.cpp: what operators ask
    void obey(const input::CommandGiven& given);
    void obeyCommand(CommandId id, const SetDestination& command);
    void obeyCommand(CommandId id, const RemoveDestination& command);
    void obeyCommand(CommandId id, const PauseDestination& command);
    void obeyCommand(CommandId id, const ResumeDestination& command);
    void obeyCommand(CommandId id, const StartImport& command);
    void obeyCommand(CommandId id, const CancelImport& command);
    void obeyCommand(CommandId id, const BackUp& command);
    void obeyCommand(CommandId id, const CancelBackup& command);
    void obeyCommand(CommandId id, const SetClockScale& command);
    void obeyCommand(CommandId id, const SetSource& command);
    void obeyCommand(CommandId id, const RemoveSource& command);
    void obeyCommand(CommandId id, const RetryQuarantined& command);
    void obeyCommand(CommandId id, const DiscardQuarantined& command);
    void obeyCommand(CommandId id, const NoteDeadLetters& command);
    void obeyCommand(CommandId id, const HoldLane& command);
    void obeyCommand(CommandId id, const ReleaseLane& command);
    void pause(KernelDestination& d, const std::string& by, const std::string& reason,
               bool bySystem, WallMicros resumeAt);
    void resume(KernelDestination& d);
    void resumeInTime();
    void persistState(KernelDestination& d);
    OperationRow& record(const std::string& who, const std::string& action,
                         const std::string& scope, const std::string& reason);
    void finishLater(CommandId id, CommandResult result);
    void refuse(CommandId id, std::string error);

    // kernel_operations.cpp: what moves events between lanes and dead letters
    void obeyCommand(CommandId id, const RewindDeadLetters& command);
    void obeyCommand(CommandId id, const RewindLanes& command);
    void obeyCommand(CommandId id, const EditAndRewind& command);
    void obeyCommand(CommandId id, const StopOperation& command);
    void obeyCommand(CommandId id, const UndoRewind& command);
    void obeyCommand(CommandId id, const DiscardDeadLetters& command);
    [[nodiscard]] std::vector<OperationMember> membersOf(std::vector<Pointer> pointers) const;
    RunningOperation* begin(CommandId id, OperationRow row, std::vector<OperationMember> members);
    RunningOperation* begin(CommandId id, OperationRow row, OperationSet set);
    [[nodiscard]] std::string whyNot(const RewindLanes& command) const;
    void noteDestinations(RunningOperation& operation);
    void advanceOperations();
    void advanceOperation(RunningOperation& operation, std::size_t limit);
    /// What becomes of the next event of an operation; nothing if it has to wait.
    [[nodiscard]] std::optional<SkipReason> moveNext(RunningOperation& operation);
    [[nodiscard]] std::optional<SkipReason> moveDead(RunningOperation& operation,
                                                     const OperationMember& member);
    [[nodiscard]] std::optional<SkipReason> undo(const RunningOperation& operation,
                                                 const OperationMember& member);
    bool moveLane(RunningOperation& operation);
    [[nodiscard]] SkipReason moveOfLane(const RunningOperation& operation, LaneIndex lane,
                                        const OperationMember& member);
    [[nodiscard]] bool settlesSoon(Slot slot, UserId user) const;
    void journalMove(const RunningOperation& operation, JournalKind kind,
                     const OperationMember& member, Slot slot, std::uint32_t life,
                     std::uint32_t attempts, bool wasDelivered);
    void settleMove(const PendingCommit& pending);
    void settleReturn(const PendingCommit& pending);
    void skip(RunningOperation& operation, SkipReason reason);
    void stopMoving(RunningOperation& operation, std::string note);
    void countEnd(const Mark* mark, OperationFate fate, bool tried);
    void markDirty(RunningOperation& operation);
    void recordOperations();
    [[nodiscard]] RunningOperation* findOperation(OperationId id);
    [[nodiscard]] Micros nextMove(Micros now) const;

    // kernel_expiry.cpp: dead letters past their retention
    void expire(const input::DeadLettersExpired& expired);
    [[nodiscard]] bool isKept(const KernelDestination& d, UserId user, Pointer pointer) const;

    // kernel_holds.cpp: lanes that stand because somebody said so
    void rebuildHolds(KernelDestination& d);
    void addHold(Slot slot, UserId user);
    void releaseHold(Slot slot, UserId user);
    void requeue(Slot slot, UserId user);
    void giveTimeBack(LaneIndex lane, Micros from, Micros to);

    // kernel_view.cpp: what is shown
    void laneChanged(LaneIndex lane);
    void laneGone(LaneIndex lane);
    [[nodiscard]] LaneRow rowOf(LaneIndex lane, Micros now) const;
    [[nodiscard]] std::vector<std::int64_t> expiryBases(Micros now) const;
    [[nodiscard]] LanePage lanesOfUser(const LanePageRequest& request, Micros now) const;
    /// The order that a request asks for, begun if nobody looked at it.
    [[nodiscard]] WatchedOrder& watch(const LanePageRequest& request, Slot slot, Micros now);

    [[nodiscard]] Slot slotOf(DestinationId id) const;
    [[nodiscard]] KernelDestination& destinationOf(const Lane& lane) {
        return *m_destinations[lane.destination];
    }
    [[nodiscard]] const Mark* markOf(const Lane& lane) const;
    [[nodiscard]] Mark* findMark(Pointer pointer);
    [[nodiscard]] Pointer pointerOf(const Lane& lane) const {
        return {m_destinations[lane.destination]->config.id, lane.head};
    }
    void write(JournalEntry entry);
    std::uint64_t ticket();

    Random m_random;
    LaneTable m_table;
    TimerQueue m_timers;
    std::vector<std::unique_ptr<KernelDestination>> m_destinations;  // by slot
    std::unordered_map<DestinationId, Slot> m_slots;
    std::unordered_map<AttemptId, InFlight> m_inFlight;
    std::unordered_map<Pointer, Mark, PointerHash> m_marks;
    std::deque<PendingCommit> m_commits;    // by ticket
    std::deque<PendingCommand> m_commands;  // by ticket
    std::map<OperationId, RunningOperation> m_operations;  // that are not finished
    std::vector<OperationId> m_moving;             // of these, those that have more to move
    std::vector<OperationId> m_changedOperations;  // with this step
    std::list<WatchedOrder> m_orders;
    std::uint64_t m_lastOrder = 0;
    Micros m_nextReread = 0;  ///< when the last of the lanes whose events could not be read goes on
    std::list<WatchedOrder> m_dropped;  ///< to be taken apart
    std::vector<Slot> m_dirty;
    std::vector<LaneIndex> m_due;
    bool m_storeWritable = true;
    bool m_draining = false;
    std::uint64_t m_ticket = 0;
    AttemptId m_lastAttempt;
    OperationId m_lastOperation;
    OperationId m_recoveredOperation;  // newest one when this kernel began
    std::uint32_t m_lastDestination = 0;
    Sequence m_lastSequence;  // of the events that this kernel knows of
    Micros m_clocksPersistedAt = 0;
    Moment m_moment;
    Effects* m_effects = nullptr;  // of the step that runs
};

}  // namespace lanes
