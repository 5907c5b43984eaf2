// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_output.h"

#include "app/words.h"

namespace lanes::app {

Exit CommandOutput::fail(const std::string& error, Exit exit) const {
    err << "rivora-lanes: " << oneLine(error) << "\n";
    return exit;
}

Exit CommandOutput::show(const ControlAnswer& answer, const Print& print) const {
    if (!answer.ok()) return fail(answer.error, answer.exit);
    if (json)
        out << oneLineJson(answer.result) << "\n";
    else
        print(answer.result, out);
    out.flush();
    return Exit::good;
}

}  // namespace lanes::app
