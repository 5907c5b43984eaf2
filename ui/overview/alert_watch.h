// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// What asks for an operator, found out from snapshots alone: the engine knows no alerts.
namespace lanes::ui {

/// The most pressing first.
enum class AlertKind : std::uint8_t {
    storeFault,
    autoPaused,  ///< a destination that the program paused: 410, or credentials
    nearDeath,   ///< lanes whose head is soon given up
    degraded,
    deadLetters,  ///< since they were last acknowledged
    intakeClosed,
};
inline constexpr std::array kAlertKinds{AlertKind::storeFault, AlertKind::autoPaused,
                                        AlertKind::nearDeath,  AlertKind::degraded,
                                        AlertKind::deadLetters, AlertKind::intakeClosed};

struct Alert {
    std::uint64_t number = 0;  ///< rising; never given twice
    AlertKind kind = AlertKind::degraded;
    DestinationId destination;  ///< 0 = the program itself
    std::string name;           ///< of the destination when it was last seen
    std::string reason;         ///< fault, pause reason or last error; external text
    WallMicros since = 0;
    WallMicros endedAt = 0;   ///< 0: it goes on
    std::uint64_t count = 0;  ///< lanes, or dead letters
    Micros span = 0;          ///< near death: how near
    bool acknowledged = false;

    [[nodiscard]] bool active() const { return endedAt == 0; }
    /// Whether somebody should do something.
    [[nodiscard]] bool pressing() const { return active() && !acknowledged; }
};

/// Keeps the list of alerts. A condition has to last before it is told, and one that comes back
/// soon after it went is the same alert, so that a flapping destination is told once.
class AlertWatch {
public:
    static constexpr Micros kDebounce = 10 * kSecond;  ///< degraded: so long, before it is told
    static constexpr Micros kComesBack = 5 * kMinute;  ///< after its end it is still the same one
    static constexpr std::size_t kMost = 200;          ///< the oldest that ended go first

    /// \param now monotonic time of the watcher, in any unit of zero.
    /// Returns the numbers of alerts that are new, came back or grew worse, for a note.
    std::vector<std::uint64_t> add(const EngineSnapshot& snapshot, Micros now);

    /// The most pressing first; those that ended come last, newest end first.
    [[nodiscard]] const std::vector<Alert>& alerts() const { return m_alerts; }
    [[nodiscard]] const Alert* find(std::uint64_t number) const;
    [[nodiscard]] std::size_t pressing() const;
    /// Of those that are still shown: nobody needs to be told again. Ended ones leave the list.
    void acknowledge(std::uint64_t number);
    void acknowledgeAll();

private:
    struct Condition {
        AlertKind kind = AlertKind::degraded;
        DestinationId destination;
        std::string name;
        std::string reason;
        std::uint64_t count = 0;
        Micros span = 0;
    };
    /// What is known of a condition besides its alert.
    struct Track {
        Micros seenSince = -1;  ///< -1: it is not the case now
        Micros goneSince = -1;
        std::uint64_t alert = 0;    ///< 0: not told
        std::uint64_t settled = 0;  ///< dead letters that were acknowledged
        bool touched = false;       ///< in this snapshot
    };

    void see(const Condition& condition, WallMicros at, Micros now,
             std::vector<std::uint64_t>& told);
    void endWhatIsGone(const EngineSnapshot& snapshot, Micros now);
    Alert* findAlert(std::uint64_t number);
    void sort();

    std::vector<Alert> m_alerts;
    std::map<std::pair<AlertKind, DestinationId>, Track> m_tracks;
    std::uint64_t m_number = 0;
    bool m_first = true;
};

}  // namespace lanes::ui
