// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/credential_watch.h"

namespace lanes {

void CredentialWatch::reset() {
    m_watching = false;
    m_hopeless = false;
    m_refused.clear();
    m_others.clear();
}

bool CredentialWatch::ended(UserId lane, int status, Micros now) {
    const bool refused = status == 401 || status == 403;
    if (m_watching && now - m_began > kPeriod) reset();
    if (!m_watching) {
        if (!refused) return false;
        m_watching = true;
        m_began = now;
    }
    if (m_hopeless) return false;
    if (refused) {
        m_others.erase(lane);
        if (m_refused.size() < kMostRefused) m_refused.insert(lane);
    } else {
        m_refused.erase(lane);
        m_others.insert(lane);
        m_hopeless = m_others.size() > kMostOthers;
    }
    return m_refused.size() >= kFewestLanes && m_refused.size() >= 9 * m_others.size();
}

}  // namespace lanes
