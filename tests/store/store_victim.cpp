// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/core/random.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <unistd.h>
#include <unordered_set>

// A process that is there to be killed: it accepts events and delivers them, each lane in order,
// as fast as the store lets it, and writes a line for whatever the store has called durable:
// "E <sequence>" for an event, "D <destination> <sequence>" for a delivery.

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint32_t kDestinations = 3;
constexpr std::uint64_t kUsers = 12;

class Victim {
public:
    Victim(const std::string& directory, std::uint64_t seed)
        : m_random(seed), m_open(options(directory)), m_name(std::to_string(seed)) {}

    int run() {
        if (!m_open.error.empty()) {
            std::fprintf(stderr, "%s\n", m_open.error.c_str());
            return 3;
        }
        for (const auto& pending : m_open.pending)
            m_lanes[{pending.pointer.destination, pending.user}].push_back(
                pending.pointer.sequence);
        if (!m_open.commit(destinationsBatch(kDestinations))) return 3;
        for (;;) {
            const auto answer = step();
            if (!answer) return 3;
        }
    }

private:
    static StoreOptions options(const std::string& directory) {
        auto options = optionsFor(directory);
        options.checkpointRows = 100;
        options.checkpointBlocks = 1;
        return options;
    }

    bool step() {
        WriteBatch batch;
        batch.ticket = batch.intake = ++m_open.ticket;
        std::vector<LaneKey> done;
        for (const auto& [key, lane] : m_lanes) {
            if (lane.empty() || m_random.chance(0.3)) continue;
            const bool delivered = m_random.chance(0.8);
            batch.journal.push_back(
                journalEntry(JournalKind::attempt, key.destination.value, lane.front(),
                             delivered ? Outcome::delivered : Outcome::failed));
            if (delivered) done.push_back(key);
        }
        const auto events = 1 + m_random.below(12);
        for (std::uint64_t n = 0; n < events; ++n) {
            batch.events.push_back(newEvent(m_name + "-" + std::to_string(++m_ids),
                                            1 + m_random.below(kUsers), {1, 2, 3}));
        }
        m_open.store->submit(std::move(batch));
        const auto commit = m_open.listener.waitForIntake(m_open.ticket);
        if (!commit.stored) return false;
        std::string lines;
        for (const auto& key : done) {
            auto& lane = m_lanes[key];
            lines += "D " + std::to_string(key.destination.value) + " " +
                     std::to_string(lane.front().value) + "\n";
            lane.pop_front();
        }
        for (const auto& event : commit.events) {
            for (const auto& target : event.targets)
                m_lanes[{target.destination, event.user}].push_back(event.sequence);
            lines += "E " + std::to_string(event.sequence.value) + "\n";
        }
        return ::write(STDOUT_FILENO, lines.data(), lines.size()) ==
               static_cast<ssize_t>(lines.size());
    }

    Random m_random;
    OpenStore m_open;
    std::string m_name;
    std::map<LaneKey, std::deque<Sequence>> m_lanes;
    std::uint64_t m_ids = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    return Victim(argv[1], std::strtoull(argv[2], nullptr, 10)).run();
}
