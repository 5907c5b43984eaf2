// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo_story.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::app {

namespace {

constexpr Micros kWarehouseWindow = kMinute;  // the shortest that a destination may have
constexpr double kOutageStarts = 0.12;
constexpr double kWarehouseReturns = 0.55;
constexpr double kEventsPerSecond = 40;

constexpr std::uint32_t kCrm = 0;
constexpr std::uint32_t kWarehouse = 2;

/// Nothing waits, and nothing has changed for so long: snapshots and the mocks' reports have both
/// been renewed since.
constexpr qint64 kSettledMs = 1'000;
/// After the story's own length; a drain that takes longer is a fault and is reported.
constexpr Micros kDrainTime = 60 * kSecond;

}  // namespace

double storyClockScale(Micros length) {
    // Twice over: half of the events of the outage are to outlive the window. Whole numbers, which
    // is how the console shows them.
    const double outage = static_cast<double>(length) * (kWarehouseReturns - kOutageStarts);
    return std::clamp(std::ceil(2.0 * static_cast<double>(kWarehouseWindow) / outage), 1.0, 2160.0);
}

const std::vector<DemoStory::Scene>& DemoStory::scenes() {
    static const std::vector<Scene> script = {
        {0.00, &DemoStory::traffic},
        {kOutageStarts, &DemoStory::outage},
        {0.30, &DemoStory::pictureOutage},
        {0.36, &DemoStory::crmBack},
        {0.39, &DemoStory::pictureDraining},
        {0.50, &DemoStory::pictureDeadLetters},
        {kWarehouseReturns, &DemoStory::warehouseBack},
        {0.65, &DemoStory::rewind},
        {0.80, &DemoStory::lastOrders},
    };
    return script;
}

DemoStory::DemoStory(Application& application, Micros length, Listener listener)
    : m_application(application),
      m_length(length),
      m_listener(std::move(listener)),
      m_cast(application.engine(), *application.mocks(), demoRoles(kWarehouseWindow)) {
    m_timer.setInterval(std::chrono::milliseconds(50));
    connect(&m_timer, &QTimer::timeout, this, &DemoStory::tick);
    connect(&application.engine(), &Engine::snapshotPublished, this,
            [this] { watch(*m_application.engine().snapshot()); });
}

void DemoStory::start() {
    m_elapsed.start();
    m_cast.assemble([this](const std::string& error) {
        if (!error.empty()) return end("the demonstration could not be set up: " + error);
        m_elapsed.restart();
        m_timer.start();
    });
}

void DemoStory::hold() {
    if (m_holds++ == 0) m_heldSince.start();
}

void DemoStory::goOn() {
    if (--m_holds == 0) m_heldMs += m_heldSince.elapsed();
}

void DemoStory::tick() {
    if (m_holds > 0) return;
    const auto elapsed = static_cast<Micros>(m_elapsed.elapsed() - m_heldMs) * kMillisecond;
    const auto share = static_cast<double>(elapsed) / static_cast<double>(m_length);
    while (m_holds == 0 && m_nextScene < scenes().size() && share >= scenes()[m_nextScene].at)
        (this->*scenes()[m_nextScene++].play)();
    if (!m_ending) return;
    finishWhenSettled();
    if (elapsed > m_length + kDrainTime) end({});
}

void DemoStory::traffic() {
    m_listener.told("Events of 200 users come in over HTTP and go to crm, billing and warehouse.");
    m_cast.setTraffic(kEventsPerSecond);
}

void DemoStory::outage() {
    m_listener.told("crm and warehouse go down; their lanes wait, billing goes on.");
    setMode(kCrm, MockBehaviour::Mode::down);
    setMode(kWarehouse, MockBehaviour::Mode::down);
}

void DemoStory::pictureOutage() {
    m_listener.moment("outage");
}

void DemoStory::crmBack() {
    m_listener.told("crm is back; its lanes drain in order.");
    setMode(kCrm, MockBehaviour::Mode::answer);
}

void DemoStory::pictureDraining() {
    m_listener.moment("draining");
}

void DemoStory::pictureDeadLetters() {
    m_listener.moment("dead-letters");
}

void DemoStory::warehouseBack() {
    m_listener.told("warehouse is back; what waited longer than its window is a dead letter: " +
                    std::to_string(m_application.engine().snapshot()->totals.dead) + ".");
    setMode(kWarehouse, MockBehaviour::Mode::answer);
}

void DemoStory::rewind() {
    m_listener.told("All dead letters are rewound to their places.");
    rewindAll();
}

void DemoStory::lastOrders() {
    m_listener.told("The traffic ends; what still waits is delivered.");
    m_cast.setTraffic(0);
    m_ending = true;
}

void DemoStory::setMode(std::uint32_t mock, MockBehaviour::Mode mode) {
    const auto reports = m_application.mocks()->mocks();
    if (mock >= reports.size()) return;
    auto behaviour = reports[mock].behaviour;
    behaviour.mode = mode;
    m_application.mocks()->setBehaviour(mock, behaviour);
}

void DemoStory::rewindAll() {
    // The way that the command line goes: count, freeze the set, move exactly that.
    if (m_rewinding) return;
    m_rewinding = true;
    auto session = std::make_shared<ControlSession>();
    ControlRequest plan{"dead-letters plan", {{"choice", Json::object()}, {"rewind", true}}};
    m_application.control().handle(plan, session, [this, session](const ControlAnswer& planned) {
        if (!planned.ok() || !session->plan) {
            m_rewinding = false;
            return;
        }
        m_application.control().handle({"dead-letters move", {{"reason", "demonstration"}}},
                                       session, [this](const ControlAnswer& moved) {
                                           m_rewinding = false;
                                           m_rewound += numberOf(moved.result, "done", 0);
                                       });
    });
}

void DemoStory::watch(const EngineSnapshot& snapshot) {
    m_mostDead = std::max(m_mostDead, snapshot.totals.dead);
    m_mostWaiting = std::max(m_mostWaiting, snapshot.totals.waiting);
    if (!snapshot.totals.balanced()) m_unbalanced = true;
}

void DemoStory::finishWhenSettled() {
    const auto snapshot = m_application.engine().snapshot();
    // An event may still have died after the rewind, on its last chance for example.
    if (snapshot->totals.dead > 0) rewindAll();
    const auto traffic = m_application.mocks()->traffic();
    const bool quiet = snapshot->totals.waiting == 0 && snapshot->inFlight == 0 &&
                       snapshot->totals.dead == 0 && snapshot->totals.accepted > 0 &&
                       traffic.sent <= traffic.accepted;
    if (!quiet) return m_settledFor.invalidate();
    if (!m_settledFor.isValid()) m_settledFor.start();
    if (m_settledFor.elapsed() < kSettledMs) return;
    m_settled = true;
    end({});
}

DemoReport DemoStory::report() const {
    auto report = judge(*m_application.engine().snapshot(), m_application.mocks()->mocks(),
                        m_application.mocks()->traffic(), m_settled);
    report.rewound = m_rewound;
    report.mostDead = m_mostDead;
    report.mostWaiting = m_mostWaiting;
    report.seconds = static_cast<double>(m_elapsed.elapsed()) / 1000.0;
    if (m_unbalanced && report.totals.balanced())
        report.broken.push_back("the counts did not add up for a while (P7)");
    return report;
}

void DemoStory::end(const std::string& error) {
    m_timer.stop();
    if (auto ended = std::exchange(m_listener.ended, nullptr)) ended(error);
}

}  // namespace lanes::app
