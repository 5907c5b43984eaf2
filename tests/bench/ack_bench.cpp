// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/core/delivery_kernel.h"
#include "engine/runtime/huge_pages.h"
#include "tests/bench/bare_sqlite.h"
#include "tests/bench/bench_store.h"
#include "tests/bench/delivered.h"

#include <deque>
#include <string>
#include <utility>

namespace lanes::bench {

namespace {

constexpr std::uint64_t kGroup = 500;
constexpr std::uint64_t kAcks = 200'000;  // of one run

struct Speed {
    double perSecond = 0;
    double bytesEach = 0;
};

template <typename Acknowledge>
Speed speedOf(Acknowledge acknowledge) {
    const auto bytes = diskBytesWritten();
    const auto before = wallSeconds();
    const auto acks = static_cast<double>(acknowledge());
    const auto seconds = wallSeconds() - before;
    return {acks / seconds, static_cast<double>(diskBytesWritten() - bytes) / acks};
}

/// Kernel and store with a transport whose attempts end at once.
class OurAcks {
public:
    OurAcks(const std::string& directory, std::uint64_t lanes)
        : m_store(directory), m_kernel(1, &m_memory) {
        RecoveredDestination destination;
        destination.config = benchDestination(1);
        destination.config.policy.maxInFlight = kGroup;
        destination.state.knownGood = kGroup;
        m_kernel.recoverDestination(destination, 0);
        m_store.addDestinations(1);
        m_firstTicket = 1;
        accept(lanes);
    }

    /// Acknowledgements, in groups of which one is filled while another one is committed.
    std::uint64_t acknowledge() {
        std::uint64_t done = 0;
        for (const auto wanted = scaled(kAcks); done < wanted; done += kGroup) {
            Effects effects;
            for (std::uint64_t i = 0; i < kGroup; ++i) step(nextEnd(effects), effects);
            m_kernelTicket = effects.writes.ticket;
            effects.writes.ticket += m_firstTicket;
            m_store.submit(std::move(effects.writes));
            if (m_kernelTicket > 1) durable(m_kernelTicket - 1);
            m_store.watchWal();
        }
        durable(m_kernelTicket);
        return done;
    }
    [[nodiscard]] std::uint64_t largestWal() const { return m_store.largestWal(); }

private:
    /// One event for each of so many users, as if they were in the log.
    void accept(std::uint64_t lanes) {
        Effects effects;
        for (std::uint64_t user = 1; user <= lanes;) {
            input::EventsAccepted accepted;
            for (std::uint64_t i = 0; i < kGroup && user <= lanes; ++i, ++user)
                accepted.events.push_back({Sequence(user), UserId(user * 0x9e3779b97f4a7c15),
                                           {{DestinationId(1), 0}}});
            step(std::move(accepted), effects);
        }
    }
    /// The window opens as the destination shows that it can take more.
    input::AttemptFinished nextEnd(Effects& effects) {
        while (m_starts.empty()) {
            m_moment.now += kMillisecond;
            step(input::TimePassed{}, effects);
        }
        auto result = delivered(m_starts.front());
        m_starts.pop_front();
        return {std::move(result)};
    }
    void durable(std::uint64_t ticket) {
        m_store.meter().waitForTicket(ticket + m_firstTicket);
        Effects effects;
        step(input::StoreCommitted{ticket}, effects);
    }
    void step(Input input, Effects& effects) {
        m_kernel.step(std::move(input), m_moment, effects);
        m_starts.insert(m_starts.end(), effects.starts.begin(), effects.starts.end());
        effects.starts.clear();
    }

    HugePages m_memory;
    OurStore m_store;
    DeliveryKernel m_kernel;
    Moment m_moment{kSecond, 1'700'000'000'000'000};
    std::deque<StartAttempt> m_starts;
    std::uint64_t m_firstTicket = 0;
    std::uint64_t m_kernelTicket = 0;
};

}  // namespace

std::vector<BenchCase> benchAck(int runs) {
    const auto lanes = scaled(1'000'000) + static_cast<std::uint64_t>(runs) * scaled(kAcks);
    BenchCase speed;
    speed.name = "kernel and store: acknowledgements of attempts that end at once, at " +
                 grouped(scaled(1'000'000)) + " lanes or more, groups of 500";
    speed.unit = "acks/s";
    speed.bareIs = "the same journal rows by SQLite's C API, 500 a transaction, no index";
    speed.higherIsBetter = true;
    BenchCase bytes = speed;
    bytes.name = "kernel and store: bytes written to the disk for an acknowledgement";
    bytes.unit = "bytes";
    bytes.higherIsBetter = false;

    const Directory directory;
    OurAcks ours(directory.path() + "/data", lanes);
    BareSqlite bare(directory.path() + "/bare.db");
    std::int64_t row = 0;
    const auto both = [&](BenchCase& into, const Speed& one, bool isOurs) {
        (isOurs ? into.ours : into.bare).push_back(one.perSecond);
        (isOurs ? bytes.ours : bytes.bare).push_back(one.bytesEach);
    };
    for (int run = 0; run < runs; ++run) {
        both(speed, speedOf([&] { return ours.acknowledge(); }), true);
        both(speed, speedOf([&] {
            const auto acks = scaled(kAcks);
            for (std::uint64_t i = 0; i < acks; i += kGroup) {
                bare.begin();
                for (std::uint64_t n = 0; n < kGroup; ++n) bare.addAck(++row);
                bare.commit();
            }
            return acks;
        }), false);
    }
    auto wal = walCase("ack");
    wal.ours.push_back(static_cast<double>(ours.largestWal()) / (1 << 20));
    return {speed, bytes, wal};
}

}  // namespace lanes::bench
