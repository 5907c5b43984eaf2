// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/lab.h"
#include "engine/sim/lab_destination.h"
#include "engine/types.h"

#include <cstdint>
#include <memory>

namespace lanes::sim {

/// Position of an event in the order of acceptance, from 0.
using LabEvent = std::uint32_t;

/// What a sender asks of the world.
class LabWire {
public:
    virtual ~LabWire() = default;
    /// One request; its answer comes back with the tag.
    virtual void send(LabEvent event, std::uint64_t tag) = 0;
    /// The sender gave the event up: its retry window is over.
    virtual void gaveUp(LabEvent event) = 0;
    [[nodiscard]] virtual std::uint32_t userOf(LabEvent event) const = 0;
    [[nodiscard]] virtual Micros acceptedAt(LabEvent event) const = 0;
};

/// A way of delivering events to one destination. Times never go back from call to call.
class LabSender {
public:
    static constexpr Micros kNever = INT64_MAX;

    virtual ~LabSender() = default;
    virtual void accepted(LabEvent event, std::uint32_t user, Micros now) = 0;
    virtual void answered(std::uint64_t tag, const LabAnswer& answer, Micros now) = 0;
    virtual void timePassed(Micros now) = 0;
    /// When `timePassed` is due at the latest if nothing else happens.
    [[nodiscard]] virtual Micros nextWakeup(Micros now) const = 0;
};

/// Our own: the kernel as the program runs it, with commits that take no time.
[[nodiscard]] std::unique_ptr<LabSender> makeLanesSender(const LabScenario& scenario,
                                                         std::uint64_t seed, LabWire& wire);

}  // namespace lanes::sim
