// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/mock_control.h"

#include <QThread>

#include <cstdint>
#include <memory>
#include <vector>

namespace lanes::mock {

class MockStage;
struct Published;

/// The mock destinations and the traffic generator on a thread of their own. This object stays on
/// the thread that made it, hands values over and shows the newest report.
class MockWorld : public MockControl {
    Q_OBJECT

public:
    explicit MockWorld(QObject* parent = nullptr);
    ~MockWorld() override;

    /// Empty if the port cannot be taken; then no position is used up.
    std::string addMock(const std::string& name, const MockBehaviour& behaviour,
                        const std::string& secret, std::uint64_t seed, std::uint16_t port) override;
    void setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) override;
    void setTraffic(const TrafficShape& shape, std::uint16_t intakePort,
                    const std::string& writeKey) override;
    [[nodiscard]] std::vector<MockReport> mocks() const override;
    [[nodiscard]] TrafficReport traffic() const override;
    [[nodiscard]] std::vector<MockLogLine> log(std::uint32_t mock) const override;

private:
    class Slot;

    std::shared_ptr<Slot> m_slot;  ///< the newest report, shared with the stage's thread
    QThread m_thread;
    MockStage* m_stage;  ///< lives on m_thread and ends with it
};

}  // namespace lanes::mock
