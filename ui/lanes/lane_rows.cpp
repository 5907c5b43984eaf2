// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_rows.h"

#include "engine/config.h"
#include "ui/common/filter_words.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// Our tokens have this mark; the list on screen has another one.
constexpr std::uint64_t kTokenMark = 0x4c58'5054ULL << 32;
/// Rows of a page that were in the one before, if nothing has moved: as many lanes in front may
/// drain between two pages.
constexpr std::uint64_t kOverlap = 64;
/// Lanes of which it is known that they were given. Beyond it one that moves may come twice: a
/// million of them take some 64 MB, and no spreadsheet has more rows.
constexpr std::size_t kMostGiven = 1'000'000;
/// For each time that a page takes, so much of it is left to the engine while requests are under
/// way: a fifth of its thread is what any look at the lanes may have.
constexpr qint64 kRests = 4;
constexpr int kLongestRest = 200;  // ms

}  // namespace

LaneRows::LaneRows(Engine& engine, LanePageRequest wanted)
    : RowSource({tr("lanes"), QStringLiteral("lanes"),
                 QStringLiteral(
                     "as_of,state,destination,user,user_kind,backlog,head_event,head_type,"
                     "head_sequence,head_accepted_at,head_age_seconds,attempts,life,"
                     "next_attempt_in_seconds,dead_letters_in_seconds,last_outcome,last_status,"
                     "in_flight_seconds,held_by,held_since,hold_reason")
                     .split(u','),
                 tr("Each row is the lane as it was when it was read; one that moved meanwhile may "
                    "be missing.")}),
      m_engine(engine),
      m_request(std::move(wanted)),
      m_filter(std::exchange(m_request.filter, Filter())),
      m_rest(new QTimer(this)),
      m_states(wordsOf(FilterKind::state)),
      m_outcomes(wordsOf(FilterKind::outcome)) {
    m_request.token = kTokenMark;
    m_request.limit = static_cast<std::uint32_t>(limits::kPageRows);
    m_rest->setSingleShot(true);
    connect(m_rest, &QTimer::timeout, this, &LaneRows::ask);
    connect(&engine, &Engine::lanesRead, this, &LaneRows::accept);
    connect(&engine, &Engine::lifecycleChanged, this, [this](Lifecycle lifecycle) {
        if (lifecycle != Lifecycle::running && m_take) ask();
    });
}

void LaneRows::readNext(Take take) {
    m_take = std::move(take);
    const bool busy = m_engine.snapshot()->inFlight > 0;
    const qint64 rest = busy ? std::min<qint64>(kRests * m_tookMs, kLongestRest) : 0;
    m_rest->start(static_cast<int>(rest));
}

void LaneRows::ask() {
    if (m_engine.snapshot()->lifecycle != Lifecycle::running) {
        RowBatch none;
        none.problem = tr("The engine is not running any more.");
        return give(std::move(none));
    }
    ++m_request.token;
    m_request.offset = m_next > kOverlap ? m_next - kOverlap : 0;
    m_asked.start();
    m_engine.readLanes(m_request);
}

void LaneRows::accept(const LanePage& page) {
    if (!m_take || page.request.token != m_request.token) return;
    m_tookMs = m_asked.elapsed();
    RowBatch batch;
    const WallMicros at = m_engine.snapshot()->at;
    for (const auto& lane : page.rows) {
        if (m_given.contains(lane.key)) continue;
        if (match(m_filter, lane, true) != Match::yes) continue;
        if (m_given.size() < kMostGiven) m_given.insert(lane.key);
        batch.rows.push_back(values(lane, at));
    }
    m_next = m_request.offset + page.rows.size();
    batch.last = page.rows.size() < m_request.limit || m_next >= page.total;
    batch.share = static_cast<double>(m_next) /
                  static_cast<double>(std::max<std::uint64_t>(page.total, 1));
    give(std::move(batch));
}

void LaneRows::give(RowBatch batch) {
    if (const auto take = std::exchange(m_take, {})) take(std::move(batch));
}

RowValues LaneRows::values(const LaneRow& lane, WallMicros at) const {
    const auto seconds = [](Micros duration) {
        return duration < 0 ? RowValue() : secondsOf(duration);
    };
    const auto outcome = [this](Outcome of) {
        return m_outcomes.value(static_cast<qsizetype>(of)).toStdString();
    };
    return {RowTime{at},
            m_states.value(static_cast<qsizetype>(lane.state)).toStdString(),
            destinationOr(*m_engine.snapshot(), lane.key.destination),
            textOrNothing(lane.user.text),
            userKind(lane.user),
            lane.backlog,
            textOrNothing(lane.eventId),
            textOrNothing(lane.type),
            lane.head.value,
            RowTime{lane.acceptedAt},
            secondsOf(lane.headAge),
            std::uint64_t{lane.attempts},
            std::uint64_t{lane.life},
            seconds(lane.nextAttemptIn),
            secondsOf(lane.deadLettersIn),
            lane.lastOutcome ? RowValue(outcome(*lane.lastOutcome)) : RowValue(),
            numberOrNothing(lane.lastStatus),
            seconds(lane.inFlightFor),
            textOrNothing(lane.heldBy),
            RowTime{lane.heldAt},
            textOrNothing(lane.holdReason)};
}

}  // namespace lanes::ui
