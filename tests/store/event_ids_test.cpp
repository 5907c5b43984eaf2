// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"
#include "tests/store/store_model.h"

#include "engine/store/connection.h"
#include "engine/store/encoding.h"
#include "engine/store/index_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint64_t kGroup = 50;

std::vector<NewEvent> eventsOf(std::uint64_t first, std::uint64_t last) {
    std::vector<NewEvent> events;
    for (auto n = first; n <= last; ++n) events.push_back(newEvent(std::to_string(n), n % 9, {1}));
    return events;
}

}  // namespace

/// The same id again, wherever the store has it by then.
class TestEventIds : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_path;
    StoreOptions m_options;

    /// In groups, so that runs are written slice by slice beside them.
    static void fill(OpenStore& open, std::uint64_t first, std::uint64_t last) {
        for (auto n = first; n <= last; n += kGroup) {
            const auto commit = open.accept(eventsOf(n, std::min(last, n + kGroup - 1)));
            QVERIFY(commit.stored);
            for (const auto& event : commit.events) QVERIFY(!event.duplicate);
        }
    }
    /// All known, each at its first place.
    static void isKnown(OpenStore& open, std::uint64_t first, std::uint64_t last) {
        const auto commit = open.accept(eventsOf(first, last));
        QVERIFY(commit.stored);
        for (auto n = first; n <= last; ++n) {
            const auto& event = commit.events.at(n - first);
            QVERIFY2(event.duplicate, qPrintable(QString::number(n)));
            QCOMPARE(event.sequence.value, n);
        }
    }
    [[nodiscard]] static std::int64_t number(const std::string& directory, const char* sql) {
        return store::queryNumber(*store::openForReading(store::dataFile(directory)), sql);
    }

private slots:
    void init() {
        static int number = 0;
        m_path = m_directory.path().toStdString() + "/" + std::to_string(++number);
        m_options = optionsFor(m_path);
        m_options.idRunEntries = 400;
    }

    void areKnownInAllRunsAndInMemoryBeforeAndAfterARestart() {
        {
            OpenStore open(m_options);
            QVERIFY(open.commit(destinationsBatch(1)));
            fill(open, 1, 2'000);
            QVERIFY(number(m_path, "SELECT COUNT(*) FROM index_runs WHERE kind=1") >= 4);
            QVERIFY(number(m_path, "SELECT value FROM marks WHERE name='event_ids'") < 2'000);
            isKnown(open, 1, 2'000);
            QCOMPARE(indexesOf(m_path), std::string());
        }
        OpenStore open(m_options);
        isKnown(open, 1, 2'000);
        fill(open, 2'001, 3'000);
        isKnown(open, 1, 3'000);
        QCOMPARE(indexesOf(m_path), std::string());
    }

    void areKnownWhenARunWasHalfWritten() {
        m_options.idRunEntries = 1'500;
        std::string copy;
        {
            OpenStore open(m_options);
            QVERIFY(open.commit(destinationsBatch(1)));
            fill(open, 1, 1'700);
            const char* unlisted = "SELECT COUNT(*) FROM index_blocks b WHERE kind=1 AND NOT EXISTS"
                                   " (SELECT 1 FROM index_runs r WHERE r.kind=1 AND r.run=b.run)";
            QVERIFY(number(m_path, unlisted) > 0);
            copy = copyAsKilled(m_path, "killed");
            isKnown(open, 1, 1'700);
            QVERIFY(number(copy, unlisted) > 0);
        }
        m_options.directory = copy;
        m_options.idRunEntries = 900;  // the run is another one now
        OpenStore open(m_options);
        isKnown(open, 1, 1'700);
        fill(open, 1'701, 4'000);
        isKnown(open, 1, 4'000);
        QVERIFY(number(copy, "SELECT COUNT(*) FROM index_runs WHERE kind=1") >= 2);
        QCOMPARE(indexesOf(copy), std::string());
    }

    void othersWithTheSameHashAreNoDuplicates() {
        {
            OpenStore open(m_options);
            QVERIFY(open.commit(destinationsBatch(1)));
            fill(open, 1, 3);
        }
        {
            // As if all hashes were those of each other, and that of a new id as well.
            SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            database.exec("BEGIN; DELETE FROM index_runs; DELETE FROM index_blocks");
            std::vector<store::IndexEntry> entries;
            for (const char* id : {"1", "2", "3", "new"})
                for (std::uint64_t row = 1; row <= 3; ++row)
                    entries.push_back({store::eventHash("test", id), row});
            std::sort(entries.begin(), entries.end());
            store::RunWriter writer(database);
            const auto run = store::runOf(1, entries);
            (void)writer.writeBlocks(store::IndexKind::ids, run, entries, 0, 100);
            writer.list(store::IndexKind::ids, run);
            database.exec("UPDATE marks SET value=3 WHERE name='event_ids'; COMMIT");
        }
        OpenStore open(m_options);
        isKnown(open, 1, 3);
        const auto commit = open.accept({newEvent("new", 1, {1})});
        QVERIFY(!commit.events.at(0).duplicate);
        QCOMPARE(commit.events[0].sequence.value, 4u);
        const auto found = open.store->openPageReader()->findEvents("test", "2");
        QCOMPARE(found.sequences, std::vector<Sequence>{Sequence(2)});
    }

    void aDamagedIndexIsToldAtTheStart_data() {
        QTest::addColumn<QString>("damage");
        QTest::newRow("a block is not as it was written")
            << QStringLiteral("UPDATE index_blocks SET data=substr(data, 1, 50) || x'5a' ||"
                              " substr(data, 52) WHERE kind=1 AND run=1");
        QTest::newRow("a block is missing")
            << QStringLiteral("DELETE FROM index_blocks WHERE kind=1 AND row>0");
    }
    void aDamagedIndexIsToldAtTheStart() {
        QFETCH(const QString, damage);
        {
            OpenStore open(m_options);
            QVERIFY(open.commit(destinationsBatch(1)));
            fill(open, 1, 1'000);
        }
        {
            SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            QVERIFY(database.exec(damage.toStdString()) > 0);
        }
        const OpenStore open(m_options);
        QVERIFY2(open.code == Error::Code::damaged, open.error.c_str());
        QVERIFY2(open.error.find("rivora-lanes salvage") != std::string::npos, open.error.c_str());
    }

    void readersTellADamagedIndex() {
        OpenStore open(m_options);
        QVERIFY(open.commit(destinationsBatch(1)));
        fill(open, 1, 1'000);
        QVERIFY(open.commit(journalBatch({journalEntry(JournalKind::attempt, 1, Sequence(1))})));
        open.store->close();
        {
            SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            QVERIFY(database.exec("UPDATE index_blocks SET sum=sum+1") > 0);
        }
        const auto reader = open.store->openPageReader();
        const auto told = [](const std::string& error) {
            return error.find("is damaged") != std::string::npos;
        };
        QVERIFY(told(reader->findEvents("test", "1").error));
        QVERIFY(told(reader->laneEvents({{DestinationId(1), UserId(1)}, {}, {}, 10}).error));
    }

    void goWithTheirEventsAndThoseLeftAreStillKnown() {
        std::atomic<WallMicros> now{kTestTime};
        m_options.wallNow = [&] { return now.load(); };
        m_options.retentionInterval = 20 * kMillisecond;
        constexpr std::uint64_t kEvents = 4'000;
        const auto stays = [](std::uint64_t n) { return n % 200 == 0; };
        {
            OpenStore open(m_options);
            QVERIFY(open.commit(destinationsBatch(1)));
            fill(open, 1, kEvents);
            std::vector<JournalEntry> journal;
            for (std::uint64_t n = 1; n <= kEvents; ++n)
                if (!stays(n))
                    journal.push_back(journalEntry(JournalKind::attempt, 1, Sequence(n)));
            QVERIFY(open.commit(journalBatch(journal)));
            QVERIFY(number(m_path, "SELECT COUNT(*) FROM index_runs WHERE kind=1") >= 8);
            now = kTestTime + 8 * 24 * kHour;
            const auto entries = [this](int kind) {
                return number(m_path, ("SELECT SUM(entries) FROM index_runs WHERE kind=" +
                                       std::to_string(kind)).c_str());
            };
            QTRY_COMPARE_WITH_TIMEOUT(entries(1), std::int64_t{kEvents / 200}, 30'000);
            QTRY_COMPARE_WITH_TIMEOUT(entries(2), std::int64_t{kEvents / 200}, 30'000);
            QTRY_COMPARE_WITH_TIMEOUT(entries(3), std::int64_t{0}, 30'000);
            // What is left of each is one run, and its blocks are all there are.
            QCOMPARE(number(m_path, "SELECT COUNT(*) FROM index_runs"), 2);
            QCOMPARE(number(m_path, "SELECT COUNT(*) FROM index_blocks"), 2);
            QCOMPARE(indexesOf(m_path), std::string());
            now = kTestTime;  // what comes next stays
            for (std::uint64_t n = 200; n <= kEvents; n += 200) isKnown(open, n, n);
            const auto again = open.accept({newEvent("7", 7, {1})});
            QVERIFY(!again.events.at(0).duplicate);
            QCOMPARE(again.events[0].sequence.value, kEvents + 1);
        }
        OpenStore open(m_options);
        QCOMPARE(open.error, std::string());
        for (std::uint64_t n = 200; n <= kEvents; n += 200) isKnown(open, n, n);
        const auto again = open.accept({newEvent("7", 7, {1})});
        QVERIFY(again.events.at(0).duplicate);
        QCOMPARE(again.events[0].sequence.value, kEvents + 1);
        QCOMPARE(indexesOf(m_path), std::string());
    }
};

QTEST_GUILESS_MAIN(TestEventIds)
#include "event_ids_test.moc"
