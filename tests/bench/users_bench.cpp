// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/delivery_kernel.h"
#include "engine/runtime/huge_pages.h"
#include "engine/store/log_index.h"
#include "engine/store/pending_ledger.h"
#include "tests/bench/bench_store.h"
#include "tests/bench/delivered.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>

namespace lanes::bench {

namespace {

constexpr DestinationId kDestination{1};
constexpr std::uint64_t kGroup = 500;

struct Memory {
    double resident = 0;   // MiB
    double allocated = 0;  // MiB
};

Memory memoryNow() {
    std::ifstream file("/proc/self/statm");
    double total = 0;
    Memory memory;
    file >> total >> memory.resident;
    memory.resident *= static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
    const auto heap = mallinfo2();
    memory.allocated = static_cast<double>(heap.uordblks + heap.hblkhd) / (1 << 20);
    return memory;
}

/// All that the program keeps in memory about events and users, without the file.
class Passage {
public:
    Passage() : m_kernel(1, &m_memory) {
        RecoveredDestination destination;
        destination.config = benchDestination(kDestination.value);
        destination.state.knownGood = destination.config.policy.maxInFlight;
        m_kernel.recoverDestination(destination, 0);
        m_ledger.add(kDestination);
        m_index.setIdRun(StoreOptions().idRunEntries);
    }

    /// Users who come once, with one event that is delivered at once.
    void pass(std::uint64_t users) {
        for (const auto end = m_sequence + users; m_sequence < end;) {
            m_moment.now += 10 * kMillisecond;
            accept();
            while (m_kernel.laneCount() > 0) {
                if (m_kernel.nextWakeup(m_moment.now) <= m_moment.now) step(input::TimePassed{});
                for (const auto& start : std::exchange(m_starts, {})) deliver(start);
                commit();
                m_moment.now += kMillisecond;
            }
            index(false);
        }
    }
    /// What the writer does when nothing comes in.
    void idle() {
        while (!m_index.empty()) {
            m_index.freeze(true);
            index(true);
        }
    }

private:
    void accept() {
        input::EventsAccepted accepted;
        for (std::uint64_t i = 0; i < kGroup; ++i) {
            const Sequence sequence(++m_sequence);
            const auto hash = sequence.value * 0x9e3779b97f4a7c15;
            std::vector<Target> targets{{kDestination, m_moment.now}};
            m_index.know(hash, sequence.value);
            m_ledger.accept(sequence, targets);
            accepted.events.push_back({sequence, UserId(hash), std::move(targets)});
        }
        m_index.confirm();
        step(std::move(accepted));
    }
    void deliver(const StartAttempt& start) { step(input::AttemptFinished{delivered(start)}); }
    void commit() {
        if (m_written.journal.empty()) return;
        for (const auto& entry : m_written.journal) {
            m_ledger.apply(store::factOf(entry, ++m_row));
            m_index.addJournal(entry.pointer.sequence.value, m_row);
        }
        m_written.journal.clear();
        step(input::StoreCommitted{m_written.ticket});
    }
    void index(bool all) {
        if (!all) m_index.freeze(false);
        const std::size_t slice = all ? 1'000'000 : 4 * kGroup;
        store::LogIndex::Slices slices;
        for (std::size_t n = 0; n < slices.entries.size(); ++n) {
            const auto& run = m_index.run(store::kIndexKinds[n]);
            slices.entries[n] = std::min(slice, run.frozen().size() - run.written());
        }
        m_index.advance(slices);
    }
    void step(Input input) {
        Effects effects;
        m_kernel.step(std::move(input), m_moment, effects);
        m_starts.insert(m_starts.end(), effects.starts.begin(), effects.starts.end());
        auto& journal = effects.writes.journal;
        std::move(journal.begin(), journal.end(), std::back_inserter(m_written.journal));
        if (effects.writes.ticket != 0) m_written.ticket = effects.writes.ticket;
    }

    HugePages m_memory;
    DeliveryKernel m_kernel;
    store::PendingLedger m_ledger;
    store::LogIndex m_index;
    Moment m_moment{kSecond, 1'700'000'000'000'000};
    std::vector<StartAttempt> m_starts;
    WriteBatch m_written;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_row = 0;
};

}  // namespace

std::vector<BenchCase> benchUsers(int) {
    const auto users = scaled(10'000'000);
    Passage passage;
    passage.pass(users / 100);  // so that what is needed at all is there
    passage.idle();
    const auto before = memoryNow();
    passage.pass(users);
    passage.idle();
    const auto after = memoryNow();
    BenchCase resident;
    resident.name = "memory: resident after " + grouped(users) +
                    " users who came once, with the books of the store";
    resident.unit = "MiB";
    resident.bareIs = "the same process before them";
    BenchCase allocated = resident;
    allocated.name = "memory: in use of the allocator after them";
    resident.ours = {after.resident};
    resident.bare = {before.resident};
    allocated.ours = {after.allocated};
    allocated.bare = {before.allocated};
    return {resident, allocated};
}

}  // namespace lanes::bench
