// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab.h"

#include "engine/core/check.h"
#include "engine/core/random.h"
#include "engine/core/zipf.h"
#include "engine/sim/baselines.h"
#include "engine/sim/lab_destination.h"
#include "engine/sim/lab_ideal.h"
#include "engine/sim/lab_sender.h"
#include "engine/sim/lab_traffic.h"

#include <algorithm>
#include <array>
#include <memory>

namespace lanes::sim {

namespace {

constexpr Micros kWatch = kMinute;  // in which the peak is looked for
constexpr Micros kBin = 100 * kMillisecond;
constexpr std::size_t kBins = kWatch / kBin;
constexpr std::uint64_t kReportEvery = 1u << 16;  // events of the simulation

double seconds(Micros time) { return static_cast<double>(time) / static_cast<double>(kSecond); }

/// Seeds of the parts of a run: independent of each other, the same for all senders.
struct Seeds {
    explicit Seeds(std::uint64_t seed) {
        Random random(seed);
        traffic = random.next();
        destination = random.next();
        sender = random.next();
    }
    std::uint64_t traffic;
    std::uint64_t destination;
    std::uint64_t sender;
};

/// One sender plays a scenario.
class LabRun : public LabWire {
public:
    LabRun(const LabScenario& scenario, LabSenderKind kind, const Zipf& users, const Seeds& seeds)
        : m_scenario(scenario),
          m_destination(scenario, seeds.destination),
          m_traffic(scenario, users, seeds.traffic),
          m_lastDelivered(scenario.users, kNone),
          m_recovery(m_destination.recovery()) {
        m_result.sender = kind;
        m_sender = makeSender(kind, seeds.sender);
    }

    /// False if it was cancelled.
    bool run(const LabOptions& options, double doneBefore, double share);
    [[nodiscard]] LabSenderResult result(double ideal);

    void send(LabEvent event, std::uint64_t tag) override;
    void gaveUp(LabEvent event) override;
    [[nodiscard]] std::uint32_t userOf(LabEvent event) const override {
        return m_events[event].user;
    }
    [[nodiscard]] Micros acceptedAt(LabEvent event) const override {
        return m_events[event].acceptedAt;
    }

private:
    static constexpr LabEvent kNone = UINT32_MAX;

    struct Event {
        Micros acceptedAt = 0;
        std::uint32_t user = 0;
        bool ended = false;
    };
    struct Request {
        Micros startedAt = 0;
        std::uint64_t tag = 0;
        LabAnswer answer;
        LabEvent event = 0;
    };
    /// An answer on its way. A heap, the earliest in front; ties in the order of sending.
    struct Arriving {
        Micros at = 0;
        std::uint64_t order = 0;
        std::uint32_t request = 0;
        friend bool operator<(const Arriving& a, const Arriving& b) {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    std::unique_ptr<LabSender> makeSender(LabSenderKind kind, std::uint64_t seed);
    void step();
    [[nodiscard]] Micros nextAt() const;
    [[nodiscard]] bool over() const;
    void accept();
    void answer();
    void delivered(LabEvent event, Micros startedAt);
    void takeStock();
    [[nodiscard]] bool measured(LabEvent event) const {
        return event < m_stock && !m_scenario.poisoned(m_events[event].user);
    }
    [[nodiscard]] bool recovered() const { return m_now >= m_recovery; }
    [[nodiscard]] double peak(Micros window) const;
    [[nodiscard]] std::optional<double> drain(double share);

    LabScenario m_scenario;
    LabDestination m_destination;
    LabTraffic m_traffic;
    std::unique_ptr<LabSender> m_sender;
    Micros m_now = 0;
    Micros m_wakeup = LabSender::kNever;
    std::vector<Event> m_events;
    std::vector<LabEvent> m_lastDelivered;  // by user: the latest in the order of acceptance
    std::vector<Request> m_requests;
    std::vector<std::uint32_t> m_freeRequests;
    std::vector<Arriving> m_arriving;
    std::uint64_t m_order = 0;
    // Measurements.
    Micros m_recovery;
    bool m_stockTaken = false;
    LabEvent m_stock = 0;      // events below it were accepted before the recovery
    std::uint64_t m_open = 0;  // measured events that are neither delivered nor given up
    std::vector<Micros> m_drains;
    std::array<std::uint32_t, kBins> m_bins{};
    std::uint64_t m_drainRequests = 0;
    std::uint64_t m_drainFailures = 0;
    LabSenderResult m_result;
};

std::unique_ptr<LabSender> LabRun::makeSender(LabSenderKind kind, std::uint64_t seed) {
    switch (kind) {
    case LabSenderKind::queue:
        return makeQueueSender(m_scenario, *this);
    case LabSenderKind::strict:
        return makeStrictSender(m_scenario, *this);
    case LabSenderKind::lanesBackoff:
        return makeBackoffLanesSender(m_scenario, seed, *this);
    case LabSenderKind::lanes:
        return makeLanesSender(m_scenario, seed, *this);
    }
    return nullptr;
}

bool LabRun::run(const LabOptions& options, double doneBefore, double share) {
    const Micros end = m_recovery + m_scenario.followLength();
    for (std::uint64_t steps = 1; !over(); ++steps) {
        step();
        if (steps % kReportEvery != 0) continue;
        if (options.cancelled && options.cancelled()) return false;
        const double done = std::min(1.0, static_cast<double>(m_now) / static_cast<double>(end));
        if (options.progress) options.progress(doneBefore + share * done);
    }
    return true;
}

Micros LabRun::nextAt() const {
    const Micros next = std::min(m_traffic.at(), m_wakeup);
    return m_arriving.empty() ? next : std::min(next, m_arriving.front().at);
}

bool LabRun::over() const {
    if (!m_stockTaken) return false;
    if (m_now >= m_recovery + std::max(m_scenario.followLength(), kWatch)) return true;
    return m_open == 0 && m_now >= m_recovery + kWatch;
}

void LabRun::step() {
    m_now = nextAt();
    if (!m_stockTaken && recovered()) takeStock();
    if (!m_arriving.empty() && m_arriving.front().at <= m_now)
        answer();
    else if (m_traffic.at() <= m_now)
        accept();
    else
        m_sender->timePassed(m_now);
    // What is due now has been done; a sender that says otherwise must not stop the clock.
    m_wakeup = std::max(m_sender->nextWakeup(m_now), m_now + 1);
}

void LabRun::accept() {
    const auto event = static_cast<LabEvent>(m_events.size());
    CHECK(event != kNone);
    const std::uint32_t user = m_traffic.user();
    m_events.push_back({m_now, user, false});
    m_traffic.advance();
    m_sender->accepted(event, user, m_now);
}

void LabRun::send(LabEvent event, std::uint64_t tag) {
    ++m_result.requests;
    if (recovered() && m_now < m_recovery + kWatch)
        ++m_bins[static_cast<std::size_t>((m_now - m_recovery) / kBin)];
    std::uint32_t request = 0;
    if (m_freeRequests.empty()) {
        request = static_cast<std::uint32_t>(m_requests.size());
        m_requests.emplace_back();
    } else {
        request = m_freeRequests.back();
        m_freeRequests.pop_back();
    }
    const LabAnswer answer = m_destination.request(m_now, m_events[event].user);
    m_requests[request] = {m_now, tag, answer, event};
    m_arriving.push_back({m_now + answer.takes, ++m_order, request});
    std::push_heap(m_arriving.begin(), m_arriving.end());
}

void LabRun::answer() {
    std::pop_heap(m_arriving.begin(), m_arriving.end());
    const std::uint32_t at = m_arriving.back().request;
    m_arriving.pop_back();
    const Request request = m_requests[at];
    m_freeRequests.push_back(at);
    const bool failed = !request.answer.delivered();
    if (failed && request.startedAt >= m_destination.outageBegins() &&
        request.startedAt < m_recovery)
        ++m_result.wasted;
    if (m_open > 0 && request.startedAt >= m_recovery) {
        ++m_drainRequests;
        if (failed) ++m_drainFailures;
    }
    if (!failed) delivered(request.event, request.startedAt);
    m_sender->answered(request.tag, request.answer, m_now);
}

void LabRun::delivered(LabEvent event, Micros startedAt) {
    if (!m_result.detect && startedAt >= m_recovery) m_result.detect = seconds(m_now - m_recovery);
    m_events[event].ended = true;
    LabEvent& last = m_lastDelivered[m_events[event].user];
    if (last != kNone && event < last)
        ++m_result.outOfOrder;
    else
        last = event;
    if (!m_stockTaken || !measured(event)) return;
    m_drains.push_back(m_now - m_recovery);
    --m_open;
}

void LabRun::gaveUp(LabEvent event) {
    ++m_result.dead;
    m_events[event].ended = true;
    if (m_stockTaken && measured(event)) --m_open;
}

void LabRun::takeStock() {
    m_stockTaken = true;
    m_stock = static_cast<LabEvent>(m_events.size());
    for (LabEvent event = 0; event < m_stock; ++event)
        if (!m_events[event].ended && measured(event)) ++m_open;
    m_result.waiting = m_open;
    m_drains.reserve(m_open);
}

double LabRun::peak(Micros window) const {
    const auto width = static_cast<std::size_t>(window / kBin);
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
        sum += m_bins[i];
        if (i >= width) sum -= m_bins[i - width];
        most = std::max(most, sum);
    }
    return static_cast<double>(most) / (m_scenario.capacity() * seconds(window));
}

/// Events that were given up count as never delivered.
std::optional<double> LabRun::drain(double share) {
    if (m_result.waiting == 0) return 0;
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(m_result.waiting));
    const std::size_t rank = std::max<std::size_t>(wanted, 1) - 1;
    if (rank >= m_drains.size()) return {};
    std::nth_element(m_drains.begin(), m_drains.begin() + static_cast<std::ptrdiff_t>(rank),
                     m_drains.end());
    return seconds(m_drains[rank]);
}

LabSenderResult LabRun::result(double ideal) {
    m_result.drainP50 = drain(0.5);
    m_result.drainP99 = drain(0.99);
    if (m_open == 0 && !m_drains.empty())
        m_result.drainMax = seconds(*std::max_element(m_drains.begin(), m_drains.end()));
    if (m_result.drainP99 && ideal > 0) m_result.drainP99Ratio = *m_result.drainP99 / ideal;
    m_result.peak1s = peak(kSecond);
    m_result.peak10s = peak(10 * kSecond);
    if (m_drainRequests > 0)
        m_result.refusedShare =
            static_cast<double>(m_drainFailures) / static_cast<double>(m_drainRequests);
    return m_result;
}

const LabSenderResult* find(const LabResult& result, LabSenderKind kind) {
    for (const LabSenderResult& sender : result.senders)
        if (sender.sender == kind) return &sender;
    return nullptr;
}

void compare(LabResult& result, Micros followed) {
    const LabSenderResult* lanes = find(result, LabSenderKind::lanes);
    const LabSenderResult* queue = find(result, LabSenderKind::queue);
    if (lanes == nullptr || queue == nullptr || !lanes->drainP99) return;
    result.reductionIsLowerBound = !queue->drainP99;
    const double queueTook = queue->drainP99.value_or(seconds(followed));
    if (queueTook > 0) result.p99DrainReduction = 1 - *lanes->drainP99 / queueTook;
}

}  // namespace

}  // namespace lanes::sim

namespace lanes {

LabResult runLab(const LabScenario& asNamed, const LabOptions& options) {
    CHECK(options.scale > 0);
    const LabScenario scenario = asNamed.scaled(options.scale);
    const sim::Seeds seeds(options.seed);
    const Zipf users(scenario.users, scenario.zipf);
    LabResult result;
    result.scenario = scenario.name;
    result.seed = options.seed;
    result.ideal = sim::idealDrainP99(scenario, users, seeds.traffic);
    const auto players = static_cast<double>(std::max<std::size_t>(options.senders.size(), 1));
    const double share = 1 / players;
    for (const LabSenderKind kind : options.senders) {
        sim::LabRun run(scenario, kind, users, seeds);
        if (!run.run(options, share * static_cast<double>(result.senders.size()), share)) {
            result.cancelled = true;
            return result;
        }
        result.senders.push_back(run.result(result.ideal));
    }
    sim::compare(result, scenario.followLength());
    if (options.progress) options.progress(1);
    return result;
}

}  // namespace lanes
