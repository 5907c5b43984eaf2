// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/large_blocks.h"

#include <QTest>

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>

using namespace lanes;

class LargeBlocksTest : public QObject {
    Q_OBJECT

    static double residentMiB() {
        std::ifstream file("/proc/self/statm");
        double total = 0;
        double resident = 0;
        file >> total >> resident;
        return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
    }

private slots:
    void memoryOfABurstIsGivenBack() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
        QSKIP("the allocator is another one here");
#endif
        giveLargeBlocksBack();
        constexpr std::size_t kBytes = 6 * 1024 * 1024;
        const auto before = residentMiB();
        for (int round = 0; round < 3; ++round) {
            const auto first = std::make_unique<char[]>(kBytes);
            const auto second = std::make_unique<char[]>(kBytes);
            std::memset(first.get(), round + 1, kBytes);
            std::memset(second.get(), round + 1, kBytes);
            QVERIFY(residentMiB() > before + 10);
        }
        QVERIFY2(residentMiB() < before + 2, qPrintable(QString::number(residentMiB() - before)));
    }
};

QTEST_GUILESS_MAIN(LargeBlocksTest)
#include "large_blocks_test.moc"
