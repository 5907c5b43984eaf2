// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// A line that was not taken.
struct RejectedLine {
    std::uint64_t number = 0;
    std::string code;
    std::string detail;
    std::string text;  ///< its beginning, `limits::kImportReportedBytes` at most
    bool cut = false;  ///< there is more of it
};

/// The file in which an operator finds the lines that were not taken, one JSON object a line:
/// `{"line":7,"code":"bad_json","detail":"…","text":"…"}`. It is made, readable by its owner only,
/// when there is the first one.
class ImportReport {
public:
    /// What an earlier import of the same file left.
    struct Left {
        bool known = false;   ///< it had this report; else nothing may be there
        bool orderly = true;  ///< it ended as it should; else more than `bytes` may be there
        std::uint64_t bytes = 0;
    };

    ImportReport(std::string path, Left left);
    ~ImportReport();
    ImportReport(const ImportReport&) = delete;
    ImportReport& operator=(const ImportReport&) = delete;

    /// Before anything is read. Takes back what a crash left behind the bytes that are known, or
    /// all of it to start `anew`. A file that no import of ours left as it is is never touched;
    /// that is an error.
    [[nodiscard]] Result<Nothing> prepare(bool anew);
    void add(const RejectedLine& line);
    /// Writes what was added since the last time. Durable when it returns if `sync`.
    [[nodiscard]] Result<Nothing> write(bool sync);

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Written so far, those of earlier imports included.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    [[nodiscard]] Error cannot(const char* what, int number) const;

    std::string m_path;
    Left m_left;
    std::uint64_t m_bytes;
    int m_descriptor = -1;
    std::string m_added;
    bool m_synced = true;
};

}  // namespace lanes
