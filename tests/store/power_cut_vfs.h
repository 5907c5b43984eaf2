// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/random.h"

#include <cstdint>
#include <memory>

namespace lanes::test {

/// A layer over SQLite's file access that knows what a disk would still hold after a power cut,
/// and lets calls fail. As long as one lives every connection goes through it.
///
/// What was not synced is pending, write by write and sector by sector. What it cannot see: the
/// shared memory, which is never of use after a cut, and what the program does to files by itself,
/// which counts as durable at once.
class PowerCutVfs {
public:
    enum class Repeat { once, forEver };

    PowerCutVfs();
    ~PowerCutVfs();
    PowerCutVfs(const PowerCutVfs&) = delete;
    PowerCutVfs& operator=(const PowerCutVfs&) = delete;

    /// The call with this number from now on, the next being 1, fails: open, read, write, sync,
    /// truncation or deletion. A sync that fails loses what was pending, as on Linux: no later
    /// one brings it to the disk, but whoever reads finds it.
    void failAt(std::uint64_t call, Repeat repeat);
    /// The power goes at that call; this one and all that come later fail.
    void cutAt(std::uint64_t call);
    /// This process ends before that call, with `kDied`, as if it were killed.
    void dieAt(std::uint64_t call);
    static constexpr int kDied = 86;
    void heal();
    /// Whether the call came that was to fail.
    [[nodiscard]] bool hit() const;

    /// Puts what is left after a cut in the place of the files: of all that is pending a part
    /// drawn from `random`. No connection may be open.
    void leaveBehind(Random& random);

    struct State;

private:
    std::unique_ptr<State> m_state;
};

}  // namespace lanes::test
