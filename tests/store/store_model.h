// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/store/store_fixture.h"

#include "engine/core/random.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace lanes::test {

/// What the store must say after any restart, kept the plain way.
struct Model {
    struct Waiting {
        UserId user;
        std::uint32_t attempts = 0;
        std::uint32_t life = 1;
        OperationId operation;
        Micros clock = 7 * kSecond;
        Outcome lastOutcome = Outcome::delivered;
        std::uint16_t lastStatus = 0;
    };
    using Place = std::pair<Sequence, DestinationId>;

    std::map<Place, Waiting> waiting;
    std::map<Place, Waiting> dead;
    std::map<Place, Waiting> delivered;
    /// Of those that wait rewound and untried: as they were, and whether they were delivered.
    std::map<Place, std::pair<Waiting, bool>> rewound;
    std::map<DestinationId, DeliveryCounters> counters;
    std::set<Sequence> events;
    std::uint64_t journalRows = 0;
    OperationId lastOperation;
    std::set<OperationId> openOperations;
    std::map<DestinationId, DestinationState> states;
    /// By destination, beginning and user, as the store tells them.
    std::map<std::tuple<DestinationId, Micros, UserId>, LaneHold> holds;
    std::map<Place, std::map<OperationId, std::string>> versions;
    Micros clock = 0;  ///< of holds, rising
    int rewinds = 0;
    int redeliveries = 0;
    int undone = 0;
    int pauses = 0;
    int ended = 0;  ///< holds
    int edits = 0;
};

/// A seeded workload: each step is a batch and its effect on the model. It keeps no order.
class Workload {
public:
    static constexpr std::uint32_t kDestinations = 3;

    explicit Workload(std::uint64_t seed) : m_random(seed) {}

    /// The model gets the effect of all but the events, which are accepted by an answer.
    [[nodiscard]] WriteBatch step(Model& model);
    static void accepted(Model& model, const IntakeCommit& commit);

private:
    using Touched = std::set<Model::Place>;

    template <typename Map>
    auto pick(Map& map);
    void addEntry(Model& model, WriteBatch& batch, Touched& touched);
    void act(Model& model, WriteBatch& batch, JournalEntry& entry, Model::Waiting state);
    void attempt(Model& model, JournalEntry& entry, Model::Waiting& state);
    void undo(Model& model, WriteBatch& batch, Touched& touched);
    void redeliver(Model& model, WriteBatch& batch, Touched& touched);
    void addOperation(Model& model, WriteBatch& batch);
    void hold(Model& model, WriteBatch& batch);
    void pause(Model& model, WriteBatch& batch);

    Random m_random;
    std::uint64_t m_ids = 0;
};

/// Empty if the store came back as the model says.
[[nodiscard]] std::string difference(const OpenStore& open, const Model& model);
/// Empty if the log and the books say the same; the workload keeps no order, so findings about
/// order are no matter.
[[nodiscard]] std::string booksOf(const std::string& directory);
/// Empty if the indexes find all of the log, as somebody finds it who opens the file.
[[nodiscard]] std::string indexesOf(const std::string& directory);
/// Empty if the books are right, the indexes complete and the file is sound as a database.
[[nodiscard]] std::string lookInto(const std::string& directory);

}  // namespace lanes::test
