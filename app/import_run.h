// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/control_client.h"

#include <ostream>
#include <string>

namespace lanes::app {

/// The command `import`: has the running instance import a file, watches it until it ends, and says
/// what became of the lines. It blocks.
class ImportRun {
public:
    ImportRun(ControlClient& client, bool json, std::ostream& out, std::ostream& err);

    /// good: all lines were accepted or known; checkFailed: some were not, or it was cancelled;
    /// usage: the file cannot be imported; fault: the import failed, or the instance ended.
    [[nodiscard]] Exit run(const ImportFile& import);

private:
    [[nodiscard]] Exit watch(std::uint64_t number);
    [[nodiscard]] Exit summarize(const Json& import);
    void showProgress(const Json& import);
    void endProgress();
    [[nodiscard]] Exit fail(const std::string& error, Exit exit);

    ControlClient& m_client;
    bool m_json;
    bool m_inPlace;  ///< progress is written over the line before
    std::ostream& m_out;
    std::ostream& m_err;
    std::size_t m_shown = 0;  ///< characters of the line that stands there
};

}  // namespace lanes::app
