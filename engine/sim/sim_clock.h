// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/check.h"
#include "engine/core/effects.h"
#include "engine/types.h"

namespace lanes::sim {

/// Virtual time. The world's time only goes on; the engine's begins at 0 with each engine and
/// stands still while the machine sleeps; the wall clock may be set by anybody at any time.
class SimClock {
public:
    [[nodiscard]] Micros world() const { return m_world; }
    [[nodiscard]] Moment moment() const { return {m_world - m_engineBegan, m_wall + m_world}; }
    /// World time of an engine time.
    [[nodiscard]] Micros toWorld(Micros engine) const { return m_engineBegan + engine; }

    void advanceTo(Micros world) {
        CHECK(world >= m_world);
        m_world = world;
    }
    void restartEngine() { m_engineBegan = m_world; }
    /// The world goes on without the engine.
    void sleep(Micros length) {
        m_world += length;
        m_engineBegan += length;
    }
    void setWallBy(Micros difference) { m_wall += difference; }
    void setWall(WallMicros at) { m_wall = at - m_world; }

private:
    Micros m_world = 0;
    Micros m_engineBegan = 0;
    Micros m_wall = 1'700'000'000 * kSecond;  // some day in 2023
};

}  // namespace lanes::sim
