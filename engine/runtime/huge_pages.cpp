// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/huge_pages.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace lanes {

namespace {

bool fillsAPage(std::size_t bytes) {
    return bytes <= HugePages::kPage && bytes > HugePages::kPage - HugePages::kPage / 64;
}

}  // namespace

void* HugePages::do_allocate(std::size_t bytes, std::size_t alignment) {
    if (!fillsAPage(bytes))
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    // Twice the size holds one aligned page; the rest goes back at once.
    auto* const all = static_cast<char*>(::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (all == MAP_FAILED) throw std::bad_alloc();
    const auto before = (kPage - reinterpret_cast<std::uintptr_t>(all) % kPage) % kPage;
    if (before > 0) ::munmap(all, before);
    ::munmap(all + before + kPage, kPage - before);
    ::madvise(all + before, kPage, MADV_HUGEPAGE);  // only a wish: without it nothing changes
    return all + before;
}

void HugePages::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
    if (fillsAPage(bytes))
        ::munmap(memory, kPage);
    else
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
}

}  // namespace lanes
