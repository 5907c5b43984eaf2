// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mock_control.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>

namespace lanes::ui {

/// Tells when a mock destination has begun to behave otherwise, whoever asked it to.
class MockWatch : public QObject {
    Q_OBJECT

public:
    explicit MockWatch(MockControl& mocks, QObject* parent = nullptr);

signals:
    /// `behaviour` in words; not for how a mock begins.
    void changed(const QString& name, const QString& url, const QString& behaviour);

private:
    void look();

    MockControl& m_mocks;
    std::map<std::uint32_t, MockBehaviour> m_seen;
};

}  // namespace lanes::ui
