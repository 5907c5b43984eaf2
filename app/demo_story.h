// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application.h"
#include "app/demo_cast.h"
#include "app/demo_report.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes::app {

/// Engine seconds per real second, so that the shortest retry window (a minute) is over within the
/// outage of a story of this length.
[[nodiscard]] double storyClockScale(Micros length);

/// The demonstration as a script in real time: traffic; the CRM and the warehouse go down; lanes
/// back up; the CRM comes back and its lanes drain in order; what waited for the warehouse longer
/// than its window becomes dead letters; the warehouse comes back, the dead letters are rewound;
/// the traffic ends and everything drains.
class DemoStory : public QObject {
public:
    struct Listener {
        /// A line for whoever watches.
        std::function<void(const std::string&)> told;
        /// A good moment for a picture: "outage", "draining" or "dead-letters".
        std::function<void(const std::string&)> moment;
        /// The end. A sentence if the story could not be played, else nothing.
        std::function<void(const std::string&)> ended;
    };

    /// The application must be ready and have mocks.
    DemoStory(Application& application, Micros length, Listener listener);

    void start();
    /// The next scene waits until `goOn` was called as often; the engine does not wait.
    void hold();
    void goOn();
    /// After the end, and before the application stops.
    [[nodiscard]] DemoReport report() const;

private:
    struct Scene {
        double at;  ///< share of the length
        void (DemoStory::*play)();
    };

    static const std::vector<Scene>& scenes();
    void traffic();
    void outage();
    void pictureOutage();
    void crmBack();
    void pictureDraining();
    void pictureDeadLetters();
    void warehouseBack();
    void rewind();
    void lastOrders();

    void tick();
    void watch(const EngineSnapshot& snapshot);
    void finishWhenSettled();
    void setMode(std::uint32_t mock, MockBehaviour::Mode mode);
    void rewindAll();
    void end(const std::string& error);

    Application& m_application;
    Micros m_length;
    Listener m_listener;
    DemoCast m_cast;
    QTimer m_timer;
    QElapsedTimer m_elapsed;
    QElapsedTimer m_settledFor;
    QElapsedTimer m_heldSince;
    qint64 m_heldMs = 0;
    int m_holds = 0;
    std::size_t m_nextScene = 0;
    bool m_ending = false;  // the traffic has ended
    bool m_settled = false;
    bool m_rewinding = false;
    std::uint64_t m_rewound = 0;
    std::uint64_t m_mostDead = 0;
    std::uint64_t m_mostWaiting = 0;
    bool m_unbalanced = false;
};

}  // namespace lanes::app
