// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "engine/mock_control.h"
#include "ui/main_window.h"

#include <QByteArray>
#include <QDialog>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace lanes::test {

/// A real window over a real engine, with one receiver over HTTP, used by mouse and keyboard.
class RealConsole {
public:
    /// Returns when the engine runs and the window shows its lists.
    [[nodiscard]] bool open();
    ~RealConsole();

    [[nodiscard]] Engine& engine() const { return *m_engine; }
    [[nodiscard]] MockControl& mocks() const { return *m_mocks; }
    [[nodiscard]] ui::MainWindow& window() const { return *m_window; }
    [[nodiscard]] const std::string& url() const { return m_url; }
    [[nodiscard]] MockReport mock() const { return m_mocks->mocks().at(0); }
    /// The first one.
    [[nodiscard]] DestinationSnapshot destination() const;

    /// A child of the window; the test ends if there is none.
    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) const {
        return findIn<Widget>(m_window.get(), name);
    }
    template <typename Widget>
    [[nodiscard]] static Widget* findIn(QWidget* parent, const char* name) {
        auto* widget = parent->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    /// The visible one of this name, or null.
    [[nodiscard]] QDialog* dialog(const char* name) const;
    static void click(QWidget* button) { QTest::mouseClick(button, Qt::LeftButton); }

    /// Sends events of one user and waits until they are acknowledged.
    [[nodiscard]] bool send(const QByteArray& user, int from, int count) const;
    [[nodiscard]] bool setScale(double scale) const;
    /// How the receiver behaves from now on.
    [[nodiscard]] bool setMock(const MockBehaviour& behaviour) const;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<MockControl> m_mocks;
    std::unique_ptr<ui::MainWindow> m_window;
    std::string m_url;
};

}  // namespace lanes::test
