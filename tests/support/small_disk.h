// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace lanes::test {

/// A file system in memory that is really full when it is full. Making one needs the right to
/// mount; without it `ready` is false, and a test that needs one is skipped.
class SmallDisk {
public:
    explicit SmallDisk(std::uint64_t bytes) {
        const auto options = "size=" + std::to_string(bytes) + ",mode=0700";
        m_mounted = ::mount("tmpfs", path().c_str(), "tmpfs", 0, options.c_str()) == 0;
    }
    ~SmallDisk() {
        if (m_mounted) ::umount2(path().c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool ready() const { return m_mounted; }
    [[nodiscard]] std::string path() const { return m_place.path().toStdString(); }

    [[nodiscard]] std::uint64_t freeBytes() const {
        struct statvfs status {};
        if (::statvfs(path().c_str(), &status) != 0) return 0;
        return static_cast<std::uint64_t>(status.f_frsize) * status.f_bavail;
    }

    /// Another file takes all room but this; false if it could not.
    [[nodiscard]] bool fill(std::uint64_t leftBytes) const {
        const int file = ::open(ballast().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) return false;
        bool done = false;
        // Again, because others may take room at the same time.
        for (int tries = 0; !done && tries < 100; ++tries) {
            const auto free = freeBytes();
            const auto there = ::lseek(file, 0, SEEK_END);
            const auto size = free > leftBytes ? static_cast<off_t>(free - leftBytes) : 0;
            done = size == 0 || ::posix_fallocate(file, there, size) == 0;
        }
        ::close(file);
        return done;
    }
    void clear() const { ::unlink(ballast().c_str()); }

private:
    [[nodiscard]] std::string ballast() const { return path() + "/ballast"; }

    QTemporaryDir m_place;
    bool m_mounted = false;
};

}  // namespace lanes::test
