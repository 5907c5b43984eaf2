// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// A figure means little without its yardstick, so every case measures the program and something
// plain, in turns, in the same process on the same machine.
namespace lanes::bench {

struct BenchCase {
    std::string name;
    std::string unit;
    std::string bareIs;  ///< what the yardstick does, in a sentence
    bool higherIsBetter = false;
    std::vector<double> ours;  ///< one figure for each run
    std::vector<double> bare;
};

/// The middle figure; of an even number the mean of the two in the middle. 0 if there is none.
[[nodiscard]] double median(std::vector<double> figures);

/// Runs both sides in turns `runs` times, so that a busy moment of the machine hits both.
void measure(BenchCase& into, int runs, const std::function<double()>& ours,
             const std::function<double()>& bare);

/// CPU seconds of the calling thread: independent of what else the machine does.
[[nodiscard]] double threadCpuSeconds();
/// Seconds of a monotonic clock.
[[nodiscard]] double wallSeconds();

/// Says why nothing can be measured, and ends the program: a figure of a run that went wrong would
/// be a lie.
[[noreturn]] void giveUp(const std::string& why);

/// A full size, cut down to the share that LANES_BENCH_PERCENT names (1 to 100), for a quick look.
[[nodiscard]] std::uint64_t scaled(std::uint64_t fullSize);

/// A number with commas, for names.
[[nodiscard]] std::string grouped(std::uint64_t number);

/// A table for people.
[[nodiscard]] std::string asText(const std::vector<BenchCase>& cases);
/// {name, ours, bare, ratio, unit, runs, better, bare_is, ours_runs, bare_runs}; an array of them
/// if there is more than one case.
[[nodiscard]] std::string asJson(const std::vector<BenchCase>& cases);

/// Cost of one delivery inside the kernel, and memory, by the number of waiting lanes.
[[nodiscard]] std::vector<BenchCase> benchLanes(int runs);
/// Events made durable through the store port, in a long log.
[[nodiscard]] std::vector<BenchCase> benchIngest(int runs);
/// Events of a file made durable by an engine.
[[nodiscard]] std::vector<BenchCase> benchImport(int runs);
/// Acknowledgements made durable, from the end of the attempt in the kernel.
[[nodiscard]] std::vector<BenchCase> benchAck(int runs);
/// How long commits take while everything else of the store is at work.
[[nodiscard]] std::vector<BenchCase> benchCommits(int runs);
/// From the start of the engine to its first delivery, with a long backlog.
[[nodiscard]] std::vector<BenchCase> benchRecover(int runs);
/// Memory before and after millions of users who come once.
[[nodiscard]] std::vector<BenchCase> benchUsers(int runs);
/// Requests of the transport against a local receiver.
[[nodiscard]] std::vector<BenchCase> benchDeliver(int runs);
/// Requests that the intake answers, and events that it reads.
[[nodiscard]] std::vector<BenchCase> benchIntake(int runs);
/// Any page of any list and order, among millions, while deliveries go on.
[[nodiscard]] std::vector<BenchCase> benchPages(int runs);
/// The proof that a log is in order.
[[nodiscard]] std::vector<BenchCase> benchVerify(int runs);

}  // namespace lanes::bench
