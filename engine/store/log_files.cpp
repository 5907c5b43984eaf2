// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/log_files.h"

#include <sys/stat.h>
#include <utility>

namespace lanes::store {

LogFiles::LogFiles(std::string path) {
    m_data.path = path;
    m_log.path = std::move(path) + "-wal";
    for (auto* place : {&m_data, &m_log}) {
        struct stat status {};
        if (::stat(place->path.c_str(), &status) != 0) continue;
        place->device = status.st_dev;
        place->node = status.st_ino;
    }
}

std::optional<Error> LogFiles::Place::displaced() const {
    struct stat status {};
    const bool there = ::stat(path.c_str(), &status) == 0;
    if (there && status.st_dev == device && status.st_ino == node) return std::nullopt;
    return Error{Error::Code::damaged,
                 "the file " + path + " was " + (there ? "replaced" : "removed") +
                     " while the program runs. If it was moved, move it back. If not, close the "
                     "program, put back a copy of the whole data directory, and start it again"};
}

std::optional<Error> LogFiles::displaced() const {
    if (auto error = m_data.displaced()) return error;
    return m_log.displaced();
}

std::optional<Error> LogFiles::dataFileDisplaced() const {
    return m_data.displaced();
}

}  // namespace lanes::store
