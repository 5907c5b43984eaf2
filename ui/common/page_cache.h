// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

// Pages of a long list by number, the least recently used one forgotten first.
namespace lanes::ui {

/// Pages of 256 rows kept by one list: 16 384 rows are more than anyone scrolls back to, and at
/// some 300 bytes a row they stay below 5 MB.
inline constexpr std::size_t kCachedPages = 64;

template <typename Page>
class PageCache {
public:
    explicit PageCache(std::size_t capacity = kCachedPages) : m_capacity(capacity) {}

    /// The page, or null. Looking does not count as using: `data()` of a model is const.
    [[nodiscard]] const Page* find(std::uint64_t number) const {
        const auto it = m_places.find(number);
        return it == m_places.end() ? nullptr : &it->second->second;
    }
    [[nodiscard]] Page* find(std::uint64_t number) {
        const auto it = m_places.find(number);
        return it == m_places.end() ? nullptr : &it->second->second;
    }

    /// Marks a page as used just now.
    void touch(std::uint64_t number) {
        const auto it = m_places.find(number);
        if (it != m_places.end()) m_pages.splice(m_pages.begin(), m_pages, it->second);
    }

    /// Stores a page as the most recently used one.
    void insert(std::uint64_t number, Page page) {
        erase(number);
        m_pages.emplace_front(number, std::move(page));
        m_places[number] = m_pages.begin();
        while (m_pages.size() > m_capacity) {
            m_places.erase(m_pages.back().first);
            m_pages.pop_back();
        }
    }

    void erase(std::uint64_t number) {
        const auto it = m_places.find(number);
        if (it == m_places.end()) return;
        m_pages.erase(it->second);
        m_places.erase(it);
    }

    void clear() {
        m_pages.clear();
        m_places.clear();
    }

    [[nodiscard]] std::size_t size() const { return m_pages.size(); }

    /// Calls `visit(number, page)` for each page, most recently used first.
    template <typename Visit>
    void forEach(Visit visit) const {
        for (const auto& [number, page] : m_pages) visit(number, page);
    }

private:
    using Entry = std::pair<std::uint64_t, Page>;
    std::size_t m_capacity;
    std::list<Entry> m_pages;
    std::unordered_map<std::uint64_t, typename std::list<Entry>::iterator> m_places;
};

}  // namespace lanes::ui
