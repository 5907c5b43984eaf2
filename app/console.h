// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/demo_run.h"
#include "app/parts.h"

#include <memory>
#include <string>

class QApplication;

// The only part of the program's root that knows windows.
namespace lanes::app {

/// Empty if a window can be shown, else one sentence that says what is missing and what works
/// without it. To be asked before an application object is made, because Qt ends the process when
/// there is no display.
[[nodiscard]] std::string displayProblem();

/// From here on until `displayOpened`, the end of the process by Qt, because the display that is
/// named cannot be reached, becomes one clear line.
void openingDisplay();
void displayOpened();

/// The console until its window is closed. Raises the window of an instance that runs already.
[[nodiscard]] Exit runConsole(QApplication& application, const Options& options,
                              const RunConsole& command, const Parts& parts);

/// Saves pictures of the real window: `directory`/<moment>-<theme>-<width>x<height>.png
[[nodiscard]] std::unique_ptr<DemoCamera> makeCamera(QApplication& application,
                                                     const std::string& directory);

}  // namespace lanes::app
