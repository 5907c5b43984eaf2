// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>

namespace lanes::app {

/// A data directory that exists and may be written.
struct DataDirectory {
    std::string path;    ///< canonical: links are followed, so that two names are one directory
    std::string socket;  ///< of the instance that runs on it
};

enum class DataKind { regular, demo };

/// Where data lies unless --data-dir says otherwise: the user's application data directory, for the
/// demonstration its sub-folder "demo".
[[nodiscard]] std::string defaultDataDirectory(DataKind kind);

/// Creates it (mode 0700) if it is missing; or one sentence that says why it cannot be used.
[[nodiscard]] std::variant<DataDirectory, std::string> openDataDirectory(const std::string& path);

/// The same without creating or writing anything, for those who only look for an instance.
[[nodiscard]] std::variant<DataDirectory, std::string> findDataDirectory(const std::string& path);

}  // namespace lanes::app
