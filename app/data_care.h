// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/control_protocol.h"
#include "engine/data_care.h"

#include <ostream>
#include <string>

// The commands about the data file as a whole: backup, restore, salvage.
namespace lanes::app {

[[nodiscard]] Json toJson(const BackupReport& report);
[[nodiscard]] Json toJson(const RestoreReport& report);
[[nodiscard]] Json toJson(const SalvageReport& report);
[[nodiscard]] std::string toText(const BackupReport& report);
[[nodiscard]] std::string toText(const RestoreReport& report);
[[nodiscard]] std::string toText(const SalvageReport& report);

/// Name of the file with all findings of a salvage, beside the set that was moved aside.
inline constexpr const char* kSalvageReportFile = "salvage-report.json";
/// False if it cannot be written.
[[nodiscard]] bool keepReport(const SalvageReport& report);

/// What the functions of `engine/data_care.h` are to these commands.
struct DataCare {
    std::function<std::variant<BackupReport, std::string>(
        const std::string& directory, const BackupRequest& request, const BackupProgress&)>
        backUp;
    std::function<std::variant<RestoreReport, std::string>(const std::string& directory,
                                                           const std::string& file)>
        restore;
    std::function<std::variant<SalvageReport, std::string>(const std::string& directory)> salvage;
    std::function<std::variant<SetAsideReport, std::string>(const std::string& directory)>
        startEmpty;
};

/// Where a command writes to.
struct CareOutput {
    std::ostream& out;
    std::ostream& err;
    bool json = false;
    bool terminal = false;  ///< somebody watches `err`: progress is shown there
};

/// By the instance that runs on the directory, or without one. SIGINT gives it up.
[[nodiscard]] Exit runBackup(const MakeBackup& command, const std::string& directory,
                             const DataCare& care, const CareOutput& output);
/// Only if no instance runs.
[[nodiscard]] Exit runRestore(const RestoreBackup& command, const std::string& directory,
                              const DataCare& care, const CareOutput& output);
/// Only if no instance runs. `checkFailed` if something is lost or in doubt.
[[nodiscard]] Exit runSalvage(const std::string& directory, const DataCare& care,
                              const CareOutput& output);

}  // namespace lanes::app
