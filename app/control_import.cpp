// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// File imports over the control socket.
#include "app/control_commands.h"
#include "app/control_json.h"

namespace lanes::app {

void ControlCommands::startImport(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                  const Answer& answer) {
    StartImport command;
    command.path = textOf(arguments, "file");
    command.source = textOf(arguments, "source");
    command.reportPath = textOf(arguments, "report");
    command.fromBeginning = isTrue(arguments, "restart");
    const auto format = numberOf(arguments, "format", 0);
    if (format > static_cast<std::uint64_t>(ImportFormat::segment))
        return answer(ControlAnswer::failure("there is no such format.", Exit::usage));
    command.format = static_cast<ImportFormat>(format);
    // Not by `submit`: what cannot be imported is a matter of how the command was typed.
    const auto id = m_engine.submit(command);
    m_submitted.emplace(
        id, std::pair(
                [answer](const ControlAnswer& given) {
                    answer(given.ok() ? given : ControlAnswer::failure(given.error, Exit::usage));
                },
                Reply([this](const CommandResult& result) {
                    ControlAnswer started;
                    started.result = importJson(m_engine.snapshot()->fileImport);
                    started.result["number"] = result.importNumber;
                    return started;
                })));
}

void ControlCommands::showImport(const Json&, const std::shared_ptr<ControlSession>&,
                                 const Answer& answer) {
    ControlAnswer shown;
    shown.result = importJson(m_engine.snapshot()->fileImport);
    answer(std::move(shown));
}

void ControlCommands::cancelImport(const Json&, const std::shared_ptr<ControlSession>&,
                                   const Answer& answer) {
    submit(CancelImport{}, answer, [this](const CommandResult&) {
        ControlAnswer cancelled;
        cancelled.result = importJson(m_engine.snapshot()->fileImport);
        return cancelled;
    });
}

}  // namespace lanes::app
