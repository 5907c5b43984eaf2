// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/single_instance.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace lanes::app {

InstanceLock::~InstanceLock() {
    release();
}

InstanceLock::InstanceLock(InstanceLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

InstanceLock& InstanceLock::operator=(InstanceLock&& other) noexcept {
    if (this != &other) {
        release();
        m_descriptor = std::exchange(other.m_descriptor, -1);
    }
    return *this;
}

void InstanceLock::release() {
    if (m_descriptor >= 0) ::close(std::exchange(m_descriptor, -1));
}

std::variant<InstanceLock, InstanceLock::Held, std::string> InstanceLock::take(
    const DataDirectory& directory) {
    const auto path = directory.path + "/instance.lock";
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return "the data directory " + directory.path + " cannot be used (" + std::strerror(errno) +
               "); choose another with --data-dir.";
    InstanceLock lock(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return "the data directory " + directory.path + " cannot be locked (" +
                   std::strerror(errno) + "); choose one on a local disk with --data-dir.";
        char text[32] = {};
        const auto length = ::pread(descriptor, text, sizeof(text) - 1, 0);
        Held held;
        if (length > 0) std::from_chars(text, text + length, held.pid);
        return held;
    }
    const auto pid = std::to_string(::getpid()) + "\n";
    // The number only serves a sentence; the lock holds without it.
    if (::ftruncate(descriptor, 0) != 0 ||
        ::pwrite(descriptor, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
        return "the data directory " + directory.path + " cannot be written (" +
               std::strerror(errno) + "); make room or choose another with --data-dir.";
    return lock;
}

}  // namespace lanes::app
