// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/mock_watch.h"

#include "ui/demo/mock_presets.h"

namespace lanes::ui {

MockWatch::MockWatch(MockControl& mocks, QObject* parent) : QObject(parent), m_mocks(mocks) {
    connect(&mocks, &MockControl::reported, this, &MockWatch::look);
    look();
}

void MockWatch::look() {
    for (const auto& report : m_mocks.mocks()) {
        const auto [seen, fresh] = m_seen.try_emplace(report.mock, report.behaviour);
        if (fresh || seen->second == report.behaviour) continue;
        seen->second = report.behaviour;
        emit changed(QString::fromStdString(report.name), QString::fromStdString(report.url),
                     behaviourText(report.behaviour));
    }
}

}  // namespace lanes::ui
