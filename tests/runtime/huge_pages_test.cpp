// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/chunk_pool.h"
#include "engine/core/lane_table.h"
#include "engine/runtime/huge_pages.h"

#include <QTest>

#include <cstdint>
#include <cstring>

using namespace lanes;

class HugePagesTest : public QObject {
    Q_OBJECT

private slots:
    void aChunkIsOneWholePage() {
        HugePages pages;
        QCOMPARE(kChunkBytes, HugePages::kPage);
        char* chunks[5] = {};
        for (auto& chunk : chunks) {
            chunk = static_cast<char*>(pages.allocate(kChunkBytes, 64));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(chunk) % HugePages::kPage, 0u);
            std::memset(chunk, 7, kChunkBytes);  // all of it is there
        }
        pages.deallocate(chunks[2], kChunkBytes, 64);
        QVERIFY(chunks[1][0] == 7 && chunks[3][kChunkBytes - 1] == 7);
        for (const int i : {0, 1, 3, 4}) pages.deallocate(chunks[i], kChunkBytes, 64);
    }

    void anyOtherSizeIsOrdinaryMemory() {
        HugePages pages;
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, 3 * kChunkBytes}) {
            auto* const memory = static_cast<char*>(pages.allocate(bytes, 16));
            std::memset(memory, 7, bytes);
            pages.deallocate(memory, bytes, 16);
        }
    }

    void lanesLiveInThem() {
        HugePages pages;
        LaneTable table(&pages);
        for (std::uint64_t user = 1; user <= 100'000; ++user) table.findOrAdd(0, UserId(user));
        for (std::uint64_t user = 1; user <= 100'000; ++user) {
            const auto lane = table.find(0, UserId(user));
            QVERIFY(lane != kNoLane && table[lane].user == UserId(user));
            table.remove(lane);
        }
        QVERIFY(table.bytes() < 2 * kChunkBytes);
    }
};

QTEST_GUILESS_MAIN(HugePagesTest)
#include "huge_pages_test.moc"
