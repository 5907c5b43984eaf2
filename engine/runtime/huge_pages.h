// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory_resource>

namespace lanes {

/// Memory for tables of millions of small records that are visited in no order: chunks of about
/// two megabytes come as huge pages where the system has them, so that the processor finds the
/// address of a record without a walk through page tables; without them they are ordinary memory.
/// Everything else goes to the heap.
class HugePages : public std::pmr::memory_resource {
public:
    static constexpr std::size_t kPage = 2 * 1024 * 1024;

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

}  // namespace lanes
