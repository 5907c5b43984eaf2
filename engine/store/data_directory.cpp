// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/data_directory.h"

#include "engine/config.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace lanes::store {

Error cannotUse(const std::string& directory, int error) {
    const std::string text = std::strerror(error);
    switch (error) {
    case EACCES:
    case EPERM:
    case EROFS:
        return {Error::Code::readOnly, "data directory " + directory + " is read-only (" + text +
                                           "); allow writing or choose another with --data-dir"};
    case ENOSPC:
    case EDQUOT:
        return {Error::Code::full, "no space for data directory " + directory +
                                       "; free some space or choose another with --data-dir"};
    default:
        return {Error::Code::invalid, "data directory " + directory + " cannot be used (" + text +
                                          "); choose another with --data-dir"};
    }
}

namespace {

std::string ownerOf(int descriptor) {
    char text[24] = {};
    const auto size = ::pread(descriptor, text, sizeof text - 1, 0);
    const long pid = size > 0 ? std::strtol(text, nullptr, 10) : 0;
    return pid > 0 ? " (pid " + std::to_string(pid) + ")" : std::string();
}

}  // namespace

std::optional<DiskSpace> diskSpace(const std::string& directory) {
    struct statvfs status {};
    if (::statvfs(directory.c_str(), &status) != 0) return std::nullopt;
    const std::uint64_t block = status.f_frsize;
    return DiskSpace{block * status.f_bavail, block * status.f_blocks};
}

std::uint64_t reserveOf(const DiskSpace& space) {
    return std::max(limits::kDiskReserveBytes, space.totalBytes / 50);
}

std::string timeStamp() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char stamp[32] = {};
    std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &parts);
    return stamp;
}

DirectoryLock::~DirectoryLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

Result<DirectoryLock> DirectoryLock::take(const std::string& directory) {
    std::error_code failure;
    if (!std::filesystem::is_directory(directory, failure)) {
        const auto parent = std::filesystem::path(directory).parent_path();
        if (!parent.empty()) std::filesystem::create_directories(parent, failure);
        if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST)
            return cannotUse(directory, errno);
    }
    DirectoryLock lock;
    lock.m_descriptor =
        ::open((directory + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock.m_descriptor < 0) return cannotUse(directory, errno);
    if (::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return cannotUse(directory, errno);
        return Error{Error::Code::inUse,
                     "data directory " + directory + " is in use by another instance" +
                         ownerOf(lock.m_descriptor) +
                         "; close that one or choose another with --data-dir"};
    }
    // The pid is only for the message above; a full disk must not stop the start here.
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(lock.m_descriptor, 0) == 0)
        (void)!::pwrite(lock.m_descriptor, pid.data(), pid.size(), 0);
    return lock;
}

}  // namespace lanes::store
