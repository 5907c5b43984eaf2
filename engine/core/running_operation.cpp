// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/running_operation.h"

#include "engine/core/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lanes {

namespace {
constexpr double kBurstSeconds = 0.25;  // of the pace, so that steps may be seldom

double seconds(Micros time) { return static_cast<double>(time) / static_cast<double>(kSecond); }
}  // namespace

RunningOperation::RunningOperation(OperationRow record, OperationSet members, Micros now)
    : row(std::move(record)), set(std::move(members)), m_creditAt(now) {
    CHECK(set != nullptr);
}

double RunningOperation::burst() const {
    return std::max(1.0, row.eventsPerSecond * kBurstSeconds);
}

double RunningOperation::credit(Micros now) const {
    return std::min(burst(), m_credit + seconds(now - m_creditAt) * row.eventsPerSecond);
}

std::size_t RunningOperation::allowance(Micros now) const {
    if (!moving() || !hasMore()) return 0;
    auto allowed = set->size() - next();
    if (row.eventsPerSecond > 0)
        allowed = std::min(allowed, static_cast<std::size_t>(credit(now)));
    if (row.done < row.tracer) return std::min<std::size_t>(allowed, row.tracer - row.done);
    return tracerIsOut() ? 0 : allowed;
}

Micros RunningOperation::nextMove(Micros now) const {
    if (!moving() || !hasMore()) return std::numeric_limits<Micros>::max();
    if (allowance(now) > 0) return now;
    if (tracerIsOut()) return std::numeric_limits<Micros>::max();
    const double wait = (1 - credit(now)) / row.eventsPerSecond;
    return now + static_cast<Micros>(wait * static_cast<double>(kSecond)) + 1;
}

void RunningOperation::moved(Micros now) {
    ++row.done;
    ++unsettled;
    if (row.rewinds()) ++row.untried;
    if (row.eventsPerSecond > 0) {
        m_credit = credit(now) - 1;
        m_creditAt = now;
    }
}

void RunningOperation::ended(OperationFate fate, bool tried, bool wasFailing) {
    if (!tried) --row.untried;
    if (wasFailing) --m_failing;
    if (fate == OperationFate::delivered)
        ++row.delivered;
    else if (fate == OperationFate::deadAgain)
        ++row.deadAgain;
    else
        ++row.returned;
}

std::uint64_t RunningOperation::tracerNeeded() const {
    return (row.done * kTracerPercent + 99) / 100;
}

/// The tracer is moved, and not enough of it is delivered yet.
bool RunningOperation::tracerIsOut() const {
    return row.tracer > 0 && row.done == row.tracer && row.delivered < tracerNeeded();
}

/// While the tracer is out: enough are delivered, or enough cannot be delivered any more.
bool RunningOperation::judgeTracer() {
    if (row.delivered >= tracerNeeded()) {
        row.state = OperationState::moving;
        return true;
    }
    const auto lost = row.deadAgain + row.returned + m_failing;
    if (lost <= row.done - tracerNeeded()) return false;
    stop("the tracer stopped it: " + std::to_string(lost) + " of the first " +
         std::to_string(row.done) + " were not delivered");
    return true;
}

bool RunningOperation::advance() {
    const auto before = row.state;
    if (row.state == OperationState::moving && hasMore() && tracerIsOut())
        row.state = OperationState::tracing;
    if (row.state == OperationState::tracing) judgeTracer();
    if (row.state == OperationState::moving && !hasMore()) row.state = OperationState::delivering;
    if (row.state == OperationState::delivering && row.waiting() == 0)
        row.state = OperationState::finished;
    return row.state != before;
}

void RunningOperation::stop(std::string note) {
    row.state = OperationState::stopped;
    row.note = std::move(note);
}

bool RunningOperation::over() const {
    if (unsettled > 0) return false;
    return row.state == OperationState::finished ||
           (row.state == OperationState::stopped && row.waiting() == 0);
}

}  // namespace lanes
