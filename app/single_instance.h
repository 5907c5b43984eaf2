// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/data_directory.h"

#include <cstdint>
#include <string>
#include <variant>

namespace lanes::app {

/// Proof that this process is the only instance on a data directory. It is a lock of the kernel on
/// a file in it, so that it ends with the process, however that ends; the file stays, because
/// removing it would let two newcomers lock two different files.
class InstanceLock {
public:
    InstanceLock() = default;
    ~InstanceLock();
    InstanceLock(InstanceLock&& other) noexcept;
    InstanceLock& operator=(InstanceLock&& other) noexcept;

    /// Somebody else has it; the process number is 0 while that one is still writing it.
    struct Held {
        std::int64_t pid = 0;
    };
    /// The lock, who holds it, or a sentence about the directory.
    [[nodiscard]] static std::variant<InstanceLock, Held, std::string> take(
        const DataDirectory& directory);

    void release();

private:
    explicit InstanceLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor = -1;
};

}  // namespace lanes::app
