// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "ui/common/theme.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QDir>
#include <QTimer>

#include <array>
#include <utility>

namespace lanes::app {

namespace {

/// A small laptop and a large screen: the sizes that the console promises to fit.
constexpr std::array<QSize, 2> kSizes = {QSize(1280, 720), QSize(2560, 1440)};

/// Time for the views to lay themselves out and to load what a larger page shows. Short, because
/// what is to be seen passes.
constexpr std::chrono::milliseconds kSettleTime{300};

class WindowCamera : public DemoCamera {
public:
    WindowCamera(QApplication& application, std::string directory)
        : m_application(application), m_directory(std::move(directory)) {
        m_timer.setSingleShot(true);
        m_timer.setInterval(kSettleTime);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { shoot(); });
        // The window comes and goes; the story decides about the end.
        QApplication::setQuitOnLastWindowClosed(false);
    }

    void open(Application& application) override {
        m_window = std::make_unique<ui::MainWindow>(application.engine(), application.mocks());
        ui::applyTheme(m_application, ui::Theme::light);
        m_window->resize(kSizes.front());
        m_window->show();
    }

    void take(const std::string& moment, std::function<void(std::string)> done) override {
        m_moment = QString::fromStdString(moment);
        m_done = std::move(done);
        if (moment == "dead-letters")
            m_window->showDeadLetters();
        else
            m_window->showLanes();
        m_nextSize = 0;
        m_timer.start();
    }

    void close() override {
        m_timer.stop();
        if (m_window) m_window->releaseStore();
        m_window.reset();
    }

private:
    /// Both looks of the size that the window has, then the next size.
    void shoot() {
        save(ui::Theme::dark);
        save(ui::Theme::light);
        if (++m_nextSize < kSizes.size()) {
            m_window->resize(kSizes[m_nextSize]);
            m_timer.start();
            return;
        }
        m_window->resize(kSizes.front());
        m_done(std::exchange(m_error, {}));
    }

    void save(ui::Theme theme) {
        ui::applyTheme(m_application, theme);
        const auto size = kSizes[m_nextSize];
        const auto directory = QString::fromStdString(m_directory);
        const auto name = QStringLiteral("%1-%2-%3x%4.png")
                              .arg(m_moment, theme == ui::Theme::dark ? QStringLiteral("dark")
                                                                      : QStringLiteral("light"))
                              .arg(size.width())
                              .arg(size.height());
        if (!QDir().mkpath(directory) || !m_window->grabTo(directory + QLatin1Char('/') + name))
            m_error = "the picture " + name.toStdString() + " cannot be saved in " + m_directory +
                      "; choose a directory that can be written with --shots.";
    }

    QApplication& m_application;
    std::string m_directory;
    std::unique_ptr<ui::MainWindow> m_window;
    QTimer m_timer;
    QString m_moment;
    std::size_t m_nextSize = 0;
    std::function<void(std::string)> m_done;
    std::string m_error;
};

}  // namespace

std::unique_ptr<DemoCamera> makeCamera(QApplication& application, const std::string& directory) {
    return std::make_unique<WindowCamera>(application, directory);
}

}  // namespace lanes::app
