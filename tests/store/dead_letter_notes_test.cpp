// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/data_care.h"
#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

const Pointer kLetter{DestinationId(1), Sequence(1)};
const Pointer kOther{DestinationId(1), Sequence(2)};

WriteBatch noteBatch(Pointer pointer, const std::string& text) {
    WriteBatch batch;
    batch.notes = {{pointer, {text, "anna", kTestTime + kMinute}}};
    return batch;
}

}  // namespace

/// Notes on dead letters, and what else the list knows of their rewinds.
class TestDeadLetterNotes : public QObject {
    Q_OBJECT

private:
    /// Events 1 and 2 died at destination 1.
    void fill(OpenStore& open) {
        QVERIFY(open.commit(destinationsBatch(2)));
        QVERIFY(open.accept({newEvent("a", 1, {1}), newEvent("b", 2, {1, 2})}).stored);
        std::vector<JournalEntry> entries;
        for (const auto& pointer : {kLetter, kOther})
            entries.push_back(journalEntry(JournalKind::deadLettered, 1, pointer.sequence,
                                           Outcome::overloaded));
        QVERIFY(open.commit(journalBatch(entries)));
    }
    [[nodiscard]] static std::optional<DeadLetterRow> row(const OpenStore& open, Pointer pointer) {
        for (auto& one : open.store->openPageReader()->deadLetters({}).rows)
            if (one.pointer == pointer) return one;
        return std::nullopt;
    }
    [[nodiscard]] std::int64_t notesInFile() const {
        const auto database = store::openForReading(store::dataFile(m_path));
        return store::queryNumber(*database, "SELECT COUNT(*) FROM dead_letter_notes");
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void aNoteIsKeptReplacedAndTakenAway() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(noteBatch(kLetter, "asked the partner")));
        {
            const OpenStore killed(optionsFor(copyAsKilled(m_path, "killed")));
            const auto found = row(killed, kLetter);
            QVERIFY(found.has_value());
            QVERIFY((found->note ==
                     DeadLetterNote{"asked the partner", "anna", kTestTime + kMinute}));
            QVERIFY(row(killed, kOther)->note.text.empty());
        }
        QVERIFY(open.commit(noteBatch(kLetter, "he answered")));
        QCOMPARE(row(open, kLetter)->note.text, std::string("he answered"));
        QVERIFY(open.commit(noteBatch(kLetter, "")));
        QVERIFY(row(open, kLetter)->note == DeadLetterNote{});
        QCOMPARE(notesInFile(), 0);
    }

    void aNoteStaysWhenItsEventIsRewoundAndDiesAgain() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(noteBatch(kLetter, "asked the partner")));
        auto rewound = actEntry(JournalKind::rewound, 1, Sequence(1), 7, 2, Outcome::overloaded);
        rewound.at = kTestTime + kHour;
        QVERIFY(open.commit(journalBatch({rewound})));
        QVERIFY(!row(open, kLetter).has_value());
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::deadLettered, 1, Sequence(1), 7, 2, Outcome::failed)})));
        const auto again = row(open, kLetter);
        QVERIFY(again.has_value());
        QCOMPARE(again->note.text, std::string("asked the partner"));
        QCOMPARE(again->life, 2u);
        QCOMPARE(again->rewoundAt, kTestTime + kHour);
        QCOMPARE(row(open, kOther)->rewoundAt, WallMicros{0});
    }

    void anUndoneRewindIsNone() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::rewound, 1, Sequence(1), 7, 2, Outcome::overloaded)})));
        QVERIFY(open.commit(journalBatch(
            {actEntry(JournalKind::returned, 1, Sequence(1), 8, 2, Outcome::overloaded)})));
        QCOMPARE(row(open, kLetter)->rewoundAt, WallMicros{0});
    }

    void aFilterFindsANoteByItsWords() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(noteBatch(kOther, "ticket 4711, Ann looks after it")));
        DeadLetterQuery query;
        query.filter.rest =
            Filter::Term{FilterField::note, FilterRelation::contains, 0, 0, {"TICKET", "ann"}};
        const auto reader = open.store->openPageReader();
        const auto page = reader->deadLetters(query);
        QCOMPARE(page.error, std::string());
        QCOMPARE(page.rows.size(), std::size_t{1});
        QVERIFY(page.rows[0].pointer == kOther);
        QCOMPARE(reader->planRewind(query.filter).pointers, std::vector<Pointer>{kOther});
        query.filter.rest = Filter::negationOf(query.filter.rest).value();
        QCOMPARE(reader->deadLetters(query).rows.size(), std::size_t{1});
    }

    void anEditedPayloadIsRead() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        WriteBatch batch;
        batch.versions = {{kLetter, OperationId(4), kTestTime, "first"},
                          {kLetter, OperationId(5), kTestTime, "second"}};
        QVERIFY(open.commit(std::move(batch)));
        const auto reader = open.store->openPageReader();
        QCOMPARE(reader->editedPayload(kLetter).value_or(""), std::string("second"));
        QVERIFY(!reader->editedPayload(kOther).has_value());
    }

    void aRemovedDestinationTakesItsNotesAlong() {
        OpenStore open(optionsFor(m_path));
        fill(open);
        QVERIFY(open.commit(noteBatch(kLetter, "x")));
        QVERIFY(open.commit(noteBatch({DestinationId(2), Sequence(2)}, "y")));
        WriteBatch batch;
        batch.removed = {DestinationId(1)};
        QVERIFY(open.commit(std::move(batch)));
        open.store->close();
        QCOMPARE(notesInFile(), 1);
    }

    void aNoteGoesWithItsEvent() {
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(m_path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 20 * kMillisecond;
        OpenStore open(options);
        fill(open);
        QVERIFY(open.commit(noteBatch(kLetter, "x")));
        QVERIFY(open.commit(noteBatch(kOther, "y")));
        // The second one still waits at another destination.
        QVERIFY(open.commit(journalBatch(
            {journalEntry(JournalKind::discarded, 1, Sequence(1), Outcome::overloaded)})));
        QCOMPARE(notesInFile(), 2);
        now = kTestTime + 200 * 24 * kHour;
        QTRY_COMPARE_WITH_TIMEOUT(notesInFile(), 1, 10'000);
    }

    void aSalvageKeepsIt() {
        {
            OpenStore open(optionsFor(m_path));
            fill(open);
            QVERIFY(open.commit(noteBatch(kLetter, "asked the partner")));
            open.store->close();
        }
        const auto names = [](const UserKey& user, const std::string&) {
            return UserId(user.text.size());
        };
        const auto result = salvageDataDirectory(m_path, names);
        if (const auto* error = std::get_if<std::string>(&result)) QFAIL(error->c_str());
        const OpenStore open(optionsFor(m_path));
        QCOMPARE(open.error, std::string());
        QCOMPARE(row(open, kLetter)->note.text, std::string("asked the partner"));
        QCOMPARE(row(open, kLetter)->note.by, std::string("anna"));
        QCOMPARE(row(open, kLetter)->note.at, kTestTime + kMinute);
    }
};

QTEST_GUILESS_MAIN(TestDeadLetterNotes)
#include "dead_letter_notes_test.moc"
