// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/core/random.h"
#include "engine/store/connection.h"
#include "engine/store/index_writer.h"
#include "engine/store/schema.h"
#include "engine/store/stored_ids.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <set>

using namespace lanes;
using namespace lanes::store;

namespace {

constexpr auto kMost = IndexReader::kLastRow;

std::vector<IndexEntry> randomEntries(Random& random, std::size_t count, std::uint64_t firstRow) {
    std::vector<IndexEntry> entries;
    for (std::size_t n = 0; n < count; ++n) entries.push_back({random.next(), firstRow + n});
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// Many rows of a few keys, the smallest and the largest key among them.
std::vector<IndexEntry> fewKeys(std::size_t count) {
    constexpr std::uint64_t kKeys[] = {0, 1, std::uint64_t{1} << 63, ~std::uint64_t{0}};
    std::vector<IndexEntry> entries;
    for (std::size_t n = 0; n < count; ++n) entries.push_back({kKeys[n * n % 7 % 4], 1'000 + n});
    std::sort(entries.begin(), entries.end());
    return entries;
}

}  // namespace

class TestIndexRuns : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(test::temporaryTemplate())};
    std::unique_ptr<SQLite::Database> m_database;

    std::int64_t writeRun(IndexKind kind, const std::vector<IndexEntry>& entries) {
        RunWriter writer(*m_database);
        auto run = runOf(0, entries);
        run.number = toColumn(run.firstRow);
        for (std::size_t done = 0; done < entries.size();)
            done += writer.writeBlocks(kind, run, entries, done, 300);
        writer.list(kind, run);
        return run.number;
    }
    [[nodiscard]] bool isDamaged(IndexKind kind) {
        try {
            IndexReader reader(*m_database, kind);
            for (const auto& run : reader.runs()) (void)reader.read(run);
        } catch (const SQLite::Exception& exception) {
            return describe(exception, "f").code == Error::Code::damaged;
        }
        return false;
    }

private slots:
    void init() {
        static int number = 0;
        const auto path = m_directory.path().toStdString() + "/" + std::to_string(++number);
        QVERIFY(createDataFile(path).ok());
        m_database = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE);
    }

    void whatIsWrittenIsFoundFromBothSides_data() {
        QTest::addColumn<bool>("few");
        QTest::newRow("each key once") << false;
        QTest::newRow("keys over many blocks") << true;
    }
    void whatIsWrittenIsFoundFromBothSides() {
        QFETCH(const bool, few);
        Random random(5);
        const auto entries = few ? fewKeys(4'000) : randomEntries(random, 4'000, 1'000);
        const auto run = writeRun(IndexKind::users, entries);
        QVERIFY(queryNumber(*m_database, "SELECT COUNT(*) FROM index_blocks") > 5);
        QVERIFY(queryNumber(*m_database, "SELECT MAX(length(data)) FROM index_blocks") < 950);
        IndexReader reader(*m_database, IndexKind::users);
        QVERIFY(reader.read(reader.runs().at(0)) == entries);
        std::set<std::uint64_t> keys{random.next(), 2};
        for (const auto& entry : entries) keys.insert(entry.key);
        for (const auto key : keys) {
            std::vector<std::uint64_t> rows;
            for (const auto& entry : entries)
                if (entry.key == key) rows.push_back(entry.row);
            QCOMPARE(reader.find(key), rows);
            QCOMPARE(reader.upFrom(run, key, 0, kMost), rows);
            const std::size_t middle = rows.size() / 2;
            if (!rows.empty()) {
                const std::vector<std::uint64_t> later(
                    rows.begin() + static_cast<std::ptrdiff_t>(middle), rows.end());
                QCOMPARE(reader.upFrom(run, key, rows[middle], kMost), later);
                QCOMPARE(reader.downFrom(run, key, rows[middle], 1),
                         std::vector<std::uint64_t>{rows[middle]});
            }
            std::reverse(rows.begin(), rows.end());
            QCOMPARE(reader.downFrom(run, key, kMost, kMost), rows);
        }
        QVERIFY(reader.upFrom(run, entries[0].key, 0, 0).empty());
    }

    void aSliceThatIsWrittenAgainChangesNothing() {
        Random random(6);
        const auto entries = randomEntries(random, 2'000, 1);
        const auto run = runOf(1, entries);
        RunWriter writer(*m_database);
        const auto first = writer.writeBlocks(IndexKind::ids, run, entries, 0, 500);
        (void)writer.writeBlocks(IndexKind::ids, run, entries, 0, 900);
        (void)writer.writeBlocks(IndexKind::ids, run, entries, first, kMost);
        writer.list(IndexKind::ids, run);
        IndexReader reader(*m_database, IndexKind::ids);
        QVERIFY(reader.read(reader.runs().at(0)) == entries);
    }

    void damageIsTold_data() {
        QTest::addColumn<QString>("damage");
        const char* one = " WHERE key=(SELECT key FROM index_blocks ORDER BY key LIMIT 1 OFFSET 3)";
        const auto add = [&](const char* name, const char* sql) {
            QTest::newRow(name) << QString::fromLatin1(sql) + QString::fromLatin1(one);
        };
        add("a bit of the entries", "UPDATE index_blocks SET data=substr(data, 1, 99) || x'41' ||"
                                    " substr(data, 101)");
        add("a cut block", "UPDATE index_blocks SET data=substr(data, 1, 99)");
        add("an empty block", "UPDATE index_blocks SET data=x''");
        add("the sum", "UPDATE index_blocks SET sum=sum+1");
        add("the place", "UPDATE index_blocks SET key=key+1");
        add("a block that is gone", "DELETE FROM index_blocks");
        QTest::newRow("the first block is gone")
            << QStringLiteral("DELETE FROM index_blocks WHERE row=0");
        QTest::newRow("the last block is gone")
            << QStringLiteral("DELETE FROM index_blocks WHERE key="
                              "(SELECT MAX(key) FROM index_blocks)");
        QTest::newRow("the run has fewer entries than its list says")
            << QStringLiteral("UPDATE index_runs SET entries=entries+1");
    }
    void damageIsTold() {
        QFETCH(const QString, damage);
        Random random(7);
        const auto entries = randomEntries(random, 2'000, 1);
        writeRun(IndexKind::ids, entries);
        QVERIFY(!isDamaged(IndexKind::ids));
        QCOMPARE(m_database->exec(damage.toStdString()), 1);
        QVERIFY(isDamaged(IndexKind::ids));
        if (damage.contains(u"index_runs")) return;
        // Who looks for an entry gets it or is told.
        IndexReader reader(*m_database, IndexKind::ids);
        int told = 0;
        for (const auto& entry : entries) {
            try {
                QCOMPARE(reader.find(entry.key), std::vector<std::uint64_t>{entry.row});
            } catch (const SQLite::Exception&) {
                ++told;
            }
        }
        QVERIFY(told > 0);
    }

    void filtersRuleOutNewIdsAndNoOthers() {
        Random random(8);
        IdFilter filter(1 << 17);
        std::vector<std::uint64_t> hashes;
        for (int n = 0; n < 1 << 17; ++n) filter.add(hashes.emplace_back(random.next()));
        for (const auto hash : hashes) QVERIFY(filter.mayHold(hash));
        int wrong = 0;
        for (int n = 0; n < 1'000'000; ++n) wrong += filter.mayHold(random.next()) ? 1 : 0;
        QVERIFY2(wrong < 1'500, qPrintable(QString::number(wrong)));
    }

    void fewFiltersServeManyRuns() {
        Random random(9);
        StoredIds ids(*m_database);
        constexpr std::size_t kRuns = 64;
        for (std::uint64_t run = 0; run < kRuns; ++run)
            ids.add(toColumn(run * 131'072 + 1), randomEntries(random, 131'072, run * 131'072 + 1));
        QVERIFY2(ids.filters() <= 8, qPrintable(QString::number(ids.filters())));
    }

    /// A connection that is made anew reads only what the one before did not know.
    void whatWasKnownIsNotReadAgain() {
        Random random(12);
        constexpr std::size_t kIds = 20'000;
        std::vector<std::vector<IndexEntry>> runs;
        for (std::uint64_t n = 0; n < 4; ++n) {
            runs.push_back(randomEntries(random, kIds, n * kIds + 1));
            if (n < 3) writeRun(IndexKind::ids, runs.back());
        }
        auto known = StoredIds(*m_database).give();
        // Meanwhile one run went, of one little was left, under its number, and one came.
        RunWriter writer(*m_database);
        const auto number = [](std::uint64_t n) { return toColumn(n * kIds + 1); };
        writer.remove(IndexKind::ids, number(0));
        writer.remove(IndexKind::ids, number(1));
        std::vector<IndexEntry> few(runs[1].begin(), runs[1].begin() + 7);
        few.push_back(runs[2][5]);  // of another run, which no filter of this one has
        std::sort(few.begin(), few.end());
        auto rewritten = runOf(0, few);
        rewritten.number = number(1);
        (void)writer.writeBlocks(IndexKind::ids, rewritten, few, 0, kMost);
        writer.list(IndexKind::ids, rewritten);
        writeRun(IndexKind::ids, runs[3]);
        // A block that was read before is not looked at; whoever knows nothing finds it damaged.
        QVERIFY(m_database->exec("UPDATE index_blocks SET sum=sum+1 WHERE run=" +
                                 std::to_string(number(2))) > 0);
        QVERIFY_THROWS_EXCEPTION(SQLite::Exception, (void)StoredIds(*m_database, {}));
        StoredIds ids(*m_database, std::move(known));
        m_database->exec("UPDATE index_blocks SET sum=sum-1 WHERE run=" +
                         std::to_string(number(2)));
        QCOMPARE(ids.runs(), std::size_t{3});
        for (const auto& entry : few) {
            const auto rows = ids.find(entry.key);
            QVERIFY(std::find(rows.begin(), rows.end(), entry.row) != rows.end());
        }
        for (const std::uint64_t n : {2u, 3u})
            for (std::size_t i = 0; i < kIds; i += 500) {
                const auto rows = ids.find(runs[n][i].key);
                QVERIFY(std::find(rows.begin(), rows.end(), runs[n][i].row) != rows.end());
            }
        QVERIFY(ids.find(runs[0][3].key).empty());
        // Of what could not be read nothing is lost.
        auto again = ids.give();
        m_database->exec("UPDATE index_runs SET entries=entries+1 WHERE run=" +
                         std::to_string(number(3)));
        QVERIFY_THROWS_EXCEPTION(SQLite::Exception,
                                 (void)StoredIds(*m_database, std::move(again)));
        QVERIFY(!again.empty());
    }

    void filtersOfWhatIsGoneGoOrShrinkAndStillFindTheRest() {
        Random random(10);
        constexpr std::uint64_t kRuns = 6;
        constexpr std::size_t kIds = 131'072;
        std::vector<std::vector<IndexEntry>> runs;
        for (std::uint64_t n = 0; n < kRuns; ++n) {
            runs.push_back(randomEntries(random, kIds, n * kIds + 1));
            writeRun(IndexKind::ids, runs.back());
        }
        StoredIds ids(*m_database);
        QCOMPARE(ids.filters(), std::size_t{3});
        RunWriter writer(*m_database);
        // Of the second and third run, which share a filter, ten are left.
        StoredIds::Change change;
        for (const std::uint64_t n : {1u, 2u}) {
            change.gone.push_back(toColumn(n * kIds + 1));
            writer.remove(IndexKind::ids, change.gone.back());
            for (int i = 0; i < 5; ++i) change.entries.push_back(runs[n][i * 1'000]);
        }
        std::sort(change.entries.begin(), change.entries.end());
        const auto run = runOf(change.gone.front(), change.entries);
        (void)writer.writeBlocks(IndexKind::ids, run, change.entries, 0, kMost);
        writer.list(IndexKind::ids, run);
        change.run = run.number;
        ids.apply(change);
        QCOMPARE(ids.filters(), std::size_t{2});  // the first two became one
        for (const auto& entry : change.entries)
            QCOMPARE(ids.find(entry.key), std::vector<std::uint64_t>{entry.row});
        for (const std::uint64_t n : {0u, 3u, 5u})
            for (std::size_t i = 0; i < kIds; i += 5'000)
                QCOMPARE(ids.find(runs[n][i].key), std::vector<std::uint64_t>{runs[n][i].row});
        QVERIFY(ids.find(runs[1][1].key).empty());
        // Whoever opens the file then knows the same.
        StoredIds again(*m_database);
        QCOMPARE(again.find(change.entries[3].key),
                 std::vector<std::uint64_t>{change.entries[3].row});
        change = {};
        for (std::uint64_t n = 0; n < kRuns; ++n) change.gone.push_back(toColumn(n * kIds + 1));
        ids.apply(change);
        QCOMPARE(ids.filters(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestIndexRuns)
#include "index_runs_test.moc"
