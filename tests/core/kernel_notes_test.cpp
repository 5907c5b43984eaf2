// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel_harness.h"

#include <QTest>

using namespace lanes;
using namespace lanes::test;

namespace {

/// An event of a user that is a dead letter at once.
Pointer kill(KernelHarness& h, DestinationId id, std::uint64_t user) {
    const auto event = h.accept(user);
    const bool started = h.advanceUntil([&] { return h.running(event).has_value(); }, kMinute);
    CHECK(started);
    h.answer(event, 422);
    return {id, event};
}

}  // namespace

/// Notes that operators put on dead letters.
class KernelNotesTest : public QObject {
    Q_OBJECT

private slots:
    void aNoteIsAnsweredOnceItIsDurable() {
        KernelHarness h;
        const auto dead = kill(h, addStrict(h), 7);
        h.commitBySelf(false);
        const auto id = h.give(NoteDeadLetters{{dead}, "asked the partner", "anna"});
        QVERIFY(!h.answered(id));
        QCOMPARE(h.notes().size(), 1u);
        QVERIFY(h.notes()[0].pointer == dead);
        QVERIFY((h.notes()[0].note == DeadLetterNote{"asked the partner", "anna", h.wall()}));
        h.commit();
        QVERIFY(h.answered(id));
        QVERIFY(h.result(id).ok());
        QCOMPARE(h.result(id).done, 1u);
    }

    void whatIsNoDeadLetterIsSkipped() {
        KernelHarness h;
        const auto crm = addStrict(h);
        const auto dead = kill(h, crm, 7);
        const auto gone = kill(h, crm, 8);
        QVERIFY(h.command(RewindDeadLetters{{gone}, "anna", ""}).ok());
        const Pointer elsewhere{DestinationId(9), dead.sequence};
        const auto result = h.command(NoteDeadLetters{{dead, gone, elsewhere}, "x", "anna"});
        QCOMPARE(result.asked, 3u);
        QCOMPARE(result.done, 1u);
        QCOMPARE(result.skipped, 2u);
        QCOMPARE(h.notes().size(), 1u);
        QVERIFY(!h.command(NoteDeadLetters{{gone}, "x", "anna"}).ok());
        QCOMPARE(h.notes().size(), 1u);
    }

    void aNoteHasItsBounds() {
        KernelHarness h;
        const auto dead = kill(h, addStrict(h), 7);
        QVERIFY(!h.command(NoteDeadLetters{{}, "x", "anna"}).ok());
        std::string text(limits::kNoteBytes, 'x');
        QVERIFY(h.command(NoteDeadLetters{{dead}, text, "anna"}).ok());
        text += 'x';
        QVERIFY(!h.command(NoteDeadLetters{{dead}, text, "anna"}).ok());
        const std::vector<Pointer> many(limits::kNotesAtOnce + 1, dead);
        QVERIFY(!h.command(NoteDeadLetters{many, "x", "anna"}).ok());
        QCOMPARE(h.notes().size(), 1u);
    }
};

QTEST_GUILESS_MAIN(KernelNotesTest)
#include "kernel_notes_test.moc"
