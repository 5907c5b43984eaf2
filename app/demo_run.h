// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/demo_story.h"
#include "app/parts.h"

#include <QObject>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace lanes::app {

/// Makes the pictures of a demonstration. The window is made by somebody who knows windows.
class DemoCamera {
public:
    virtual ~DemoCamera() = default;
    /// The window opens; called when the engine runs.
    virtual void open(Application& application) = 0;
    /// Takes the pictures of this moment; a sentence if one cannot be saved.
    virtual void take(const std::string& moment, std::function<void(std::string)> done) = 0;
    /// The window closes; called before the engine stops.
    virtual void close() = 0;
};

/// `demo --headless`: plays the story once, stops everything, checks the store that is left, and
/// reports. On a temporary data directory unless one is given.
class DemoRun : public QObject {
public:
    /// `camera` may be null.
    DemoRun(const Options& options, const RunDemo& command, Parts parts,
            std::unique_ptr<DemoCamera> camera, std::ostream& out, std::ostream& err);

    /// Runs the event loop of the application object, which must exist.
    [[nodiscard]] Exit run();

private:
    bool start(const std::string& directory);
    void play();
    void storyEnded(const std::string& error);
    void interrupted();
    Exit conclude(const std::string& directory);
    void fail(const std::string& text);
    void leave(Exit exit);

    std::string m_dataDirectory;
    bool m_json;
    Micros m_length;
    Parts m_parts;
    std::unique_ptr<DemoCamera> m_camera;
    std::ostream& m_out;
    std::ostream& m_err;
    std::unique_ptr<QTemporaryDir> m_temporary;
    std::unique_ptr<Application> m_application;
    std::unique_ptr<DemoStory> m_story;
    DemoReport m_report;
    bool m_failed = false;
};

}  // namespace lanes::app
