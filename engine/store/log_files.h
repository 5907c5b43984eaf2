// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <optional>
#include <string>
#include <sys/types.h>

namespace lanes::store {

/// Which files the log was opened in. A file that is removed or replaced while it is open takes
/// writes as before, and whoever calls them durable loses them: so its place is looked at too.
class LogFiles {
public:
    /// As they are now: the data file and its write-ahead log, both open.
    explicit LogFiles(std::string path);

    /// What an operator has to know if one is not in its place any more. Cheap: two calls to the
    /// system, for each commit.
    [[nodiscard]] std::optional<Error> displaced() const;
    /// Of the data file only. Without a connection the log may go: whoever closes the file as the
    /// last one moves all of it into the data file and removes it.
    [[nodiscard]] std::optional<Error> dataFileDisplaced() const;

private:
    struct Place {
        std::string path;
        dev_t device = 0;
        ino_t node = 0;

        [[nodiscard]] std::optional<Error> displaced() const;
    };

    Place m_data;
    Place m_log;
};

}  // namespace lanes::store
