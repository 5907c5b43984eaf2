// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "ui/common/theme.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QDir>
#include <QTimer>

#include <array>
#include <deque>
#include <utility>

namespace lanes::app {

namespace {

/// A small laptop and a large screen: the sizes that the console promises to fit.
constexpr std::array<QSize, 2> kSizes = {QSize(1280, 720), QSize(2560, 1440)};

/// Time for the views to lay themselves out and to load what a larger page shows.
constexpr std::chrono::milliseconds kSettleTime{400};

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
        pose(ui::Theme::light, kSizes.front());
        m_window->show();
    }

    void take(const std::string& moment, std::function<void(std::string)> done) override {
        for (const auto theme : {ui::Theme::light, ui::Theme::dark})
            for (const auto size : kSizes) m_due.push_back({moment, theme, size, {}});
        m_due.back().done = std::move(done);
        if (!m_timer.isActive()) next();
    }

    void close() override {
        m_timer.stop();
        m_due.clear();
        if (m_window) m_window->releaseStore();
        m_window.reset();
    }

private:
    struct Picture {
        std::string moment;
        ui::Theme theme;
        QSize size;
        std::function<void(std::string)> done;  // after the last one of a moment
    };

    void pose(ui::Theme theme, QSize size) {
        ui::applyTheme(m_application, theme);
        m_window->resize(size);
    }

    void next() {
        if (m_due.empty()) return;
        pose(m_due.front().theme, m_due.front().size);
        if (m_due.front().moment == "dead-letters")
            m_window->showDeadLetters();
        else
            m_window->showLanes();
        m_timer.start();
    }

    void shoot() {
        const auto picture = std::move(m_due.front());
        m_due.pop_front();
        const auto directory = QString::fromStdString(m_directory);
        const auto name = QStringLiteral("%1-%2-%3x%4.png")
                              .arg(QString::fromStdString(picture.moment),
                                   picture.theme == ui::Theme::dark ? QStringLiteral("dark")
                                                                    : QStringLiteral("light"))
                              .arg(picture.size.width())
                              .arg(picture.size.height());
        if (!QDir().mkpath(directory) || !m_window->grabTo(directory + QLatin1Char('/') + name))
            m_error = "the picture " + name.toStdString() + " cannot be saved in " + m_directory +
                      "; choose a directory that can be written with --shots.";
        if (picture.done) picture.done(std::exchange(m_error, {}));
        next();
    }

    QApplication& m_application;
    std::string m_directory;
    std::unique_ptr<ui::MainWindow> m_window;
    std::deque<Picture> m_due;
    QTimer m_timer;
    std::string m_error;
};

}  // namespace

std::unique_ptr<DemoCamera> makeCamera(QApplication& application, const std::string& directory) {
    return std::make_unique<WindowCamera>(application, directory);
}

}  // namespace lanes::app
