// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/mock_world.h"

#include "engine/mock/mock_destination.h"
#include "engine/mock/traffic_generator.h"

#include <QMetaObject>
#include <QTimer>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <utility>

namespace lanes::mock {

namespace {
/// Reports a second: the eye needs no more, and the window reads them all.
constexpr int kPublishMs = 250;
}  // namespace

/// All that the window may want to know, as one immutable value.
struct Published {
    std::vector<MockReport> mocks;
    std::vector<std::vector<MockLogLine>> logs;
    TrafficReport traffic;
};

/// The newest report. The lock is held for the copy of one pointer.
class MockWorld::Slot {
public:
    void put(std::shared_ptr<const Published> published) {
        const std::lock_guard lock(m_mutex);
        m_published = std::move(published);
    }
    [[nodiscard]] std::shared_ptr<const Published> get() const {
        const std::lock_guard lock(m_mutex);
        return m_published;
    }
    /// A notice that has not been taken yet stands for the newer report as well.
    std::atomic<bool> noticed{false};

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const Published> m_published = std::make_shared<Published>();
};

/// The part that works: lives on the mock thread, and only values reach it.
class MockStage : public QObject {
public:
    /// `publish` is called on the mock thread with each new report.
    explicit MockStage(std::function<void(std::shared_ptr<const Published>)> publish)
        : m_publish(std::move(publish)), m_traffic(this), m_timer(this) {
        connect(&m_timer, &QTimer::timeout, this, [this] { publishIfChanged(); });
    }

    void begin() { m_timer.start(kPublishMs); }

    std::string add(const std::string& name, const MockBehaviour& behaviour,
                    const std::string& secret, std::uint64_t seed, std::uint16_t port) {
        auto mock = std::make_unique<MockDestination>(name, secret, seed);
        if (!mock->start(behaviour, port).empty()) return {};
        m_mocks.push_back(std::move(mock));
        publishIfChanged();
        return m_mocks.back()->url();
    }
    void setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) {
        if (mock >= m_mocks.size()) return;
        m_mocks[mock]->setBehaviour(behaviour);
        publishIfChanged();
    }
    void setTraffic(const TrafficShape& shape, std::uint16_t port, const std::string& writeKey) {
        m_traffic.set(shape, port, writeKey);
        publishIfChanged();
    }

private:
    void publishIfChanged() {
        // Revisions only rise, and mocks are only added, so an equal sum means no change.
        std::uint64_t revision = m_traffic.revision();
        for (const auto& mock : m_mocks) revision += mock->revision();
        if (revision == m_published) return;
        m_published = revision;
        auto report = std::make_shared<Published>();
        report->traffic = m_traffic.report();
        for (const auto& mock : m_mocks) {
            report->mocks.push_back(mock->report());
            report->mocks.back().mock = static_cast<std::uint32_t>(report->mocks.size() - 1);
            report->logs.push_back(mock->log());
        }
        m_publish(std::move(report));
    }

    std::function<void(std::shared_ptr<const Published>)> m_publish;
    std::vector<std::unique_ptr<MockDestination>> m_mocks;
    TrafficGenerator m_traffic;
    QTimer m_timer;
    std::uint64_t m_published = 0;
};

MockWorld::MockWorld(QObject* parent) : MockControl(parent), m_slot(std::make_shared<Slot>()) {
    m_stage = new MockStage([this, slot = m_slot](std::shared_ptr<const Published> report) {
        slot->put(std::move(report));
        if (slot->noticed.exchange(true)) return;
        QMetaObject::invokeMethod(
            this,
            [this, slot] {
                slot->noticed = false;
                emit reported();
            },
            Qt::QueuedConnection);
    });
    m_stage->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_stage, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("mocks"));
    m_thread.start();
    QMetaObject::invokeMethod(m_stage, [stage = m_stage] { stage->begin(); });
}

MockWorld::~MockWorld() {
    m_thread.quit();
    m_thread.wait();
}

std::string MockWorld::addMock(const std::string& name, const MockBehaviour& behaviour,
                               const std::string& secret, std::uint64_t seed, std::uint16_t port) {
    std::promise<std::string> promise;
    std::future<std::string> url = promise.get_future();
    QMetaObject::invokeMethod(m_stage, [&, stage = m_stage] {
        promise.set_value(stage->add(name, behaviour, secret, seed, port));
    });
    return url.get();
}

void MockWorld::setBehaviour(std::uint32_t mock, const MockBehaviour& behaviour) {
    QMetaObject::invokeMethod(
        m_stage, [stage = m_stage, mock, behaviour] { stage->setBehaviour(mock, behaviour); });
}

void MockWorld::setTraffic(const TrafficShape& shape, std::uint16_t intakePort,
                           const std::string& writeKey) {
    QMetaObject::invokeMethod(m_stage, [stage = m_stage, shape, intakePort, writeKey] {
        stage->setTraffic(shape, intakePort, writeKey);
    });
}

std::vector<MockReport> MockWorld::mocks() const {
    return m_slot->get()->mocks;
}

TrafficReport MockWorld::traffic() const {
    return m_slot->get()->traffic;
}

std::vector<MockLogLine> MockWorld::log(std::uint32_t mock) const {
    const auto published = m_slot->get();
    return mock < published->logs.size() ? published->logs[mock] : std::vector<MockLogLine>{};
}

}  // namespace lanes::mock

namespace lanes {

std::unique_ptr<MockControl> makeMockControl() {
    return std::make_unique<mock::MockWorld>();
}

}  // namespace lanes
