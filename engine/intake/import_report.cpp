// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/import_report.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes {

ImportReport::ImportReport(std::string path, Left left)
    : m_path(std::move(path)), m_left(left), m_bytes(left.known ? left.bytes : 0) {}

ImportReport::~ImportReport() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<Nothing> ImportReport::prepare(bool anew) {
    struct stat about {};
    if (::lstat(m_path.c_str(), &about) != 0) {
        if (errno != ENOENT) return cannot("looked at", errno);
        m_bytes = 0;  // whoever took it away has read it
        return Nothing{};
    }
    const auto size = static_cast<std::uint64_t>(about.st_size);
    const bool ours = m_left.known && S_ISREG(about.st_mode) &&
                      (m_left.orderly ? size == m_bytes && size > 0 : size >= m_bytes);
    if (!ours)
        return Error{Error::Code::invalid,
                     m_path +
                         " is there already and is not what an import of this file left; "
                         "move it away, or name another report with --report PATH."};
    if (anew) m_bytes = 0;
    if (m_bytes == 0) {
        if (::unlink(m_path.c_str()) != 0) return cannot("removed", errno);
        return Nothing{};
    }
    m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (m_descriptor < 0) return cannot("written", errno);
    if (::ftruncate(m_descriptor, static_cast<off_t>(m_bytes)) != 0) return cannot("cut", errno);
    return Nothing{};
}

void ImportReport::add(const RejectedLine& line) {
    nlohmann::ordered_json entry = {
        {"line", line.number}, {"code", line.code}, {"detail", line.detail}, {"text", line.text}};
    if (line.cut) entry["cut"] = true;
    // Bytes that are no UTF-8 become U+FFFD.
    m_added += entry.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<Nothing> ImportReport::write(bool sync) {
    if (!m_added.empty() && m_descriptor < 0) {
        m_descriptor = ::open(
            m_path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (m_descriptor < 0) return cannot("created", errno);
    }
    const std::string added = std::exchange(m_added, {});
    for (std::size_t done = 0; done < added.size();) {
        const ssize_t written = ::write(m_descriptor, added.data() + done, added.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const int number = written < 0 ? errno : ENOSPC;
            // Half a batch would be there twice when it is read again.
            static_cast<void>(::ftruncate(m_descriptor, static_cast<off_t>(m_bytes)));
            return cannot("written", number);
        }
        done += static_cast<std::size_t>(written);
    }
    m_bytes += added.size();
    m_synced = m_synced && added.empty();
    if (sync && !m_synced) {
        if (::fsync(m_descriptor) != 0) return cannot("synced", errno);
        m_synced = true;
    }
    return Nothing{};
}

Error ImportReport::cannot(const char* what, int number) const {
    return {Error::Code::unavailable,
            "the report of rejected lines, " + m_path + ", cannot be " + what + " (" +
                std::strerror(number) +
                "); make room for it, or name another place with --report PATH. Importing the "
                "file again goes on from here."};
}

}  // namespace lanes
