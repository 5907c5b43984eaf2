// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fake_engine.h"
#include "ui/common/table.h"
#include "ui/main_window.h"

#include <QAction>
#include <QDialog>
#include <QLocale>
#include <QObject>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <variant>

namespace lanes::test {

/// For tests of the whole window against a scripted engine: destinations 1 "crm" and 2 "billing",
/// three lanes, four dead letters.
class ScriptedWindow : public QObject {
protected:
    /// Once, before the first window.
    void isolate() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
        QLocale::setDefault(QLocale::c());
    }
    void start() {
        QSettings().clear();
        m_engine = std::make_unique<FakeEngine>();
        fill();
        openWindow();
    }
    void end() {
        m_window.reset();
        m_engine.reset();
    }

    template <typename Widget = QWidget>
    Widget* find(const char* name) const {
        auto* widget = m_window->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    QAction* action(const char* name) const { return find<QAction>(name); }
    /// The visible one of this name, or null.
    QDialog* dialog(const char* name) const {
        const auto dialogs = m_window->findChildren<QDialog*>(QLatin1String(name));
        for (QDialog* found : dialogs)
            if (found->isVisible()) return found;
        return nullptr;
    }
    /// With the lanes in front.
    void openWindow() {
        m_window = std::make_unique<ui::MainWindow>(*m_engine, nullptr);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->showLanes();
        auto* lanes = find<ui::Table>("lanesTable");
        QTRY_COMPARE(lanes->model()->rowCount(), 3);
        auto* dead = find<ui::Table>("deadLettersTable");
        QTRY_COMPARE(dead->model()->rowCount(), 4);
    }
    template <typename Wanted>
    const Wanted* lastCommand() const {
        return m_engine->submitted.empty() ? nullptr
                                           : std::get_if<Wanted>(&m_engine->submitted.back());
    }

    QTemporaryDir m_settings;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<ui::MainWindow> m_window;

private:
    void fill() {
        m_engine->state.at = 1'800'000'000LL * kSecond;
        m_engine->state.lifecycle = Lifecycle::running;
        m_engine->state.intake.listening = true;
        m_engine->state.intake.port = 7420;
        auto& crm = m_engine->addDestination("crm");
        crm.inFlight = 3;
        crm.counters.waiting = 1204;
        crm.counters.accepted = 1204;
        crm.lanes = 3;
        m_engine->addDestination("billing", HealthState::degraded);
        for (std::uint64_t user = 1; user <= 3; ++user) {
            LaneRow& lane = m_engine->addLane(DestinationId(1), user);
            lane.state = LaneState::backingOff;
            lane.nextAttemptIn = 30 * kSecond;
            lane.attempts = 4;
            lane.backlog = 212;
            lane.lastOutcome = Outcome::overloaded;
            lane.lastStatus = 503;
        }
        for (std::uint64_t user = 1; user <= 4; ++user)
            m_engine->addDeadLetter(DestinationId(user == 4 ? 2 : 1), user);
        m_engine->updateTotals();
        m_engine->publish();
    }
};

}  // namespace lanes::test
