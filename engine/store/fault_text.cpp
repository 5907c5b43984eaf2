// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/fault_text.h"

#include "engine/config.h"

namespace lanes::store {

namespace {

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

constexpr const char* kWaiting =
    " New events are refused and nothing is sent until then; what was accepted is kept, lists "
    "still work, and all goes on by itself.";

}  // namespace

std::string failedText(const Error& error) {
    const std::string what = "Nothing can be stored: " + error.detail + ".";
    // What is damaged does not mend itself, and nobody knows whether all of it is still there.
    if (error.code == Error::Code::damaged)
        return what + " New events are refused and nothing is sent; what can be read is still "
                      "shown. Files are put in place while the program is closed.";
    return what + kWaiting;
}

std::string roomText(const std::string& directory, const DiskSpace& space,
                     std::uint64_t neededBytes) {
    return "The disk of " + directory + " is almost full (" + mebibytes(space.freeBytes) +
           " free, " + mebibytes(neededBytes) +
           " needed, so that the results of requests under way find room); free some space." +
           kWaiting;
}

std::string stuckText(const std::string& path, std::uint64_t limitBytes, bool reached) {
    const std::string what =
        "The write-ahead log " + path + "-wal is larger than " +
        mebibytes(reached ? limitBytes : limits::kWalBytes) +
        ", because a program (a backup, a check, a database shell) has been reading the data "
        "file for long without a break; end that program.";
    if (reached) return what + kWaiting;
    return what + " Everything still works; from " + mebibytes(limitBytes) +
           " on new events are refused.";
}

}  // namespace lanes::store
