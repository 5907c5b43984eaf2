// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/pointer_pipe.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace lanes;

namespace {

PendingPointer pointer(std::uint64_t sequence) {
    PendingPointer pending;
    pending.pointer = {DestinationId(1), Sequence(sequence)};
    return pending;
}

}  // namespace

class PointerPipeTest : public QObject {
    Q_OBJECT

private slots:
    void allComeInOrderAndFewAreUnderWay() {
        constexpr std::uint64_t kPointers = 100'500;  // no whole batch at the end
        constexpr std::uint64_t kMost = 20'000;
        PointerPipe pipe;
        std::atomic<std::uint64_t> given = 0;
        std::thread giver([&] {
            for (std::uint64_t n = 1; n <= kPointers; ++n) {
                pipe.give(pointer(n));
                given = n;
            }
            pipe.end();
        });
        QTRY_VERIFY(given >= 16 * 1024);  // as much as there is room for; without a limit, all
        std::uint64_t taken = 0;
        std::uint64_t mostUnderWay = given;
        bool inOrder = true;
        for (bool ended = false; !ended;) {
            const auto step = pipe.take();
            ended = step.ended;
            for (const auto& pending : step.batch)
                inOrder = inOrder && pending.pointer.sequence.value == ++taken;
            mostUnderWay = std::max<std::uint64_t>(mostUnderWay, given - std::min(taken, +given));
        }
        giver.join();
        QVERIFY(inOrder);
        QCOMPARE(taken, kPointers);
        QVERIFY2(mostUnderWay < kMost, qPrintable(QString::number(mostUnderWay)));
    }

    void progressIsToldWithoutPointers() {
        PointerPipe pipe;
        pipe.tell(0.25);
        auto step = pipe.take();
        QCOMPARE(step.progress, 0.25);
        QVERIFY(step.batch.empty() && !step.ended);
        pipe.give(pointer(7));
        pipe.end();
        step = pipe.take();
        QCOMPARE(step.batch.size(), 1u);
        QVERIFY(step.ended);
        QVERIFY(pipe.take().ended);  // as often as asked
    }
};

QTEST_GUILESS_MAIN(PointerPipeTest)
#include "pointer_pipe_test.moc"
