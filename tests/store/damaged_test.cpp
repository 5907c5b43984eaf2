// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/files.h"
#include "tests/store/lane_history.h"

#include "engine/core/random.h"
#include "engine/data_care.h"
#include "engine/store/connection.h"
#include "engine/store/page_scan.h"
#include "engine/verify.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>

using namespace lanes;
using namespace lanes::test;

namespace {

/// What decides about order and delivery in each row that a file gives.
std::map<std::string, std::string> rowsOf(const std::string& path) {
    std::map<std::string, std::string> rows;
    auto file = store::PageFile::open(path, store::PageFile::Log::used);
    if (!file) return rows;
    store::PageScan scan(file.value());
    scan.run([&](const store::TableShape& table, const store::PageRecord& record) {
        auto& row = rows[std::string(table.name) + " " + std::to_string(record.row)];
        const auto& values = record.values;
        const auto add = [&](std::initializer_list<std::size_t> columns) {
            for (const auto column : columns)
                row += std::to_string(values[column].integer) + std::string(values[column].bytes) +
                       " ";
        };
        if (table.name == "pointers") add({1, 2});
        if (table.name == "journal") add({1, 2, 3, 4, 5, 8});
        if (table.name == "dead_letters") add({1, 2, 18});
        if (table.name == "trimmed") add({1, 2, 3});
        return true;
    });
    return rows;
}

}  // namespace

/// A damaged set of files: whoever opens it is told, nobody gets an empty store, nothing crashes;
/// and a salvage of it loses nothing without saying so.
class TestDamaged : public QObject {
    Q_OBJECT

private:
    std::string damagedCopy(const std::string& from) {
        const std::string copy = m_root + "/damaged";
        copyDirectory(from, copy);
        return copy;
    }

    /// The start refuses the set and leaves it alone, or gives a state that `verify` accepts or
    /// finds fault with.
    void checkStart(const std::string& directory) {
        const std::string copy = m_root + "/started";
        copyDirectory(directory, copy);
        const auto before = contentOf(copy + "/lanes.db");
        std::string error;
        {
            const OpenStore open(optionsFor(copy));
            error = open.error;
            if (error.empty()) {
                QCOMPARE(open.recovery.destinations.size(), std::size_t{3});
                QVERIFY(open.recovery.lastSequence.value >= m_history.lastSequence());
            }
        }
        if (!error.empty()) {
            ++m_refused;
            QVERIFY(error.find('\n') == std::string::npos);
            const auto after = contentOf(copy + "/lanes.db");
            QVERIFY2(after == before, error.c_str());
        } else if (!faultOf(copy).empty()) {
            ++m_told;
        } else {
            ++m_opened;
        }
    }

    /// \param exact rows that can be read are as they were written
    void checkSalvage(const std::string& directory, bool exact) {
        const auto before = contentOf(directory + "/lanes.db");
        const auto result = salvageDataDirectory(directory, nameOf);
        if (const auto* error = std::get_if<std::string>(&result)) {
            QVERIFY2(error->find("nothing") != std::string::npos, error->c_str());
            QCOMPARE(contentOf(directory + "/lanes.db"), before);
            ++m_unsalvaged;
            return;
        }
        const auto& report = std::get<SalvageReport>(result);
        if (!before.isEmpty()) QCOMPARE(contentOf(report.setAside + "/lanes.db"), before);
        QCOMPARE(text(exact ? faultOf(directory) : std::string()), QString());
        OpenStore open(optionsFor(directory));
        QCOMPARE(text(open.error), QString());
        const auto accepted = open.accept({newEvent("after the salvage", 1, {1})});
        QVERIFY(accepted.stored);
        QVERIFY(accepted.events.front().sequence.value > m_history.lastSequence());
        if (exact) checkNothingLost(open, report);
    }

    void checkNothingLost(const OpenStore& open, const SalvageReport& report) {
        const auto now = openStates(open);
        for (const auto& [place, state] : m_history.states()) {
            if (state == LaneHistory::State::delivered || now.contains(place)) continue;
            bool told = false;
            for (const auto& finding : report.findings)
                told = told || (finding.first.value <= place.first &&
                                place.first <= finding.last.value);
            QVERIFY2(told, ("event " + std::to_string(place.first) + " at destination " +
                            std::to_string(place.second) + " is gone and nobody says so")
                               .c_str());
        }
        m_doubtful += report.doubtful;
        m_lost += report.lost;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_root;
    std::string m_closed;  ///< a directory of a store that was closed
    std::string m_killed;  ///< and of one that was killed, with a write-ahead log
    LaneHistory m_history{7};
    int m_refused = 0, m_told = 0, m_opened = 0, m_silent = 0, m_unsalvaged = 0;
    std::uint64_t m_doubtful = 0, m_lost = 0;

private slots:
    void initTestCase() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_root = m_directory->path().toStdString();
        auto options = optionsFor(m_root + "/data");
        options.walMoveInterval = 30 * kMillisecond;  // some of it is in the data file
        options.checkpointRows = 300;
        {
            OpenStore open(options);
            QVERIFY(m_history.write(open, 600));
            m_killed = copyAsKilled(options.directory, "killed");
        }
        m_closed = options.directory;
        QVERIFY(QFileInfo(text(m_killed + "/lanes.db-wal")).size() > 100'000);
        QCOMPARE(text(faultOf(m_closed)), QString());
    }

    void wholeSetIsSalvagedAsItIs() {
        for (const auto& from : {m_closed, m_killed}) {
            const auto copy = damagedCopy(from);
            const auto result = salvageDataDirectory(copy, nameOf);
            QVERIFY(std::holds_alternative<SalvageReport>(result));
            const auto& report = std::get<SalvageReport>(result);
            QVERIFY2(report.complete(), report.complete() ? "" : report.findings[0].text.c_str());
            QCOMPARE(report.logUsed, from == m_killed);
            QCOMPARE(text(faultOf(copy)), QString());
            const OpenStore open(optionsFor(copy));
            auto truth = m_history.states();
            std::erase_if(truth, [](const auto& entry) {
                return entry.second == LaneHistory::State::delivered;
            });
            QVERIFY(openStates(open) == truth);
        }
    }

    void flippedBits_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("killed");
        QTest::addColumn<int>("count");
        QTest::newRow("data file of a closed store") << QString() << false << 90;
        QTest::newRow("data file of a killed store") << QString() << true << 40;
        QTest::newRow("write-ahead log") << QStringLiteral("-wal") << true << 40;
        QTest::newRow("shared memory") << QStringLiteral("-shm") << true << 10;
        QTest::newRow("mark") << QStringLiteral("-mark") << true << 20;
    }
    void flippedBits() {
        QFETCH(QString, file);
        QFETCH(bool, killed);
        QFETCH(int, count);
        m_refused = m_told = m_opened = m_silent = m_unsalvaged = 0;
        m_doubtful = m_lost = 0;
        const std::string from = killed ? m_killed : m_closed;
        if (file == u"-shm") QVERIFY(replaceContent(from + "/lanes.db-shm", QByteArray(32768, 1)));
        const auto truth = rowsOf(from + "/lanes.db");
        Random random(static_cast<std::uint64_t>(count));
        for (int turn = 0; turn < count; ++turn) {
            const auto copy = damagedCopy(from);
            const std::string path = copy + "/lanes.db" + file.toStdString();
            QByteArray bytes = contentOf(path);
            const auto size = static_cast<std::uint64_t>(bytes.size());
            const auto at = static_cast<int>(random.below(size));
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
            QVERIFY(replaceContent(path, bytes));
            // What is flipped inside a value is another value; nothing can see that but in the
            // log, which has sums.
            bool exact = true;
            if (file.isEmpty()) {
                for (const auto& [key, row] : rowsOf(copy + "/lanes.db")) {
                    const auto found = truth.find(key);
                    exact = exact && found != truth.end() && found->second == row;
                }
            }
            if (!exact) ++m_silent;
            checkStart(copy);
            checkSalvage(copy, exact);
            if (QTest::currentTestFailed()) {
                qWarning("turn %d, byte %d", turn, at);
                return;
            }
        }
        QFile::remove(text(from + "/lanes.db-shm"));
        qInfo("%d files: %d refused, %d opened, %d opened with a fault that verify tells;"
              " %d with a changed value; %d not to be salvaged, %llu lost and told, %llu in doubt",
              count, m_refused, m_opened, m_told, m_silent, m_unsalvaged,
              static_cast<unsigned long long>(m_lost),
              static_cast<unsigned long long>(m_doubtful));
    }

    /// A checkpoint that claims a later position than its own would make finished events of those
    /// that were accepted after it.
    void wrongPositionOfTheCheckpointHidesNothing() {
        for (const char* mark : {"sequence", "journal"}) {
            const std::string path = m_root + "/position-" + mark;
            {
                auto options = optionsFor(path);
                options.checkpointRows = 10;
                OpenStore open(options);
                QVERIFY(open.commit(destinationsBatch(1)));
                for (int n = 0; n < 40; ++n)
                    QVERIFY(open.accept({newEvent(std::to_string(n), 1, {1})}).stored);
                const auto copy = copyAsKilled(path, std::string("killed-") + mark);
                SQLite::Database database(copy + "/lanes.db", SQLite::OPEN_READWRITE);
                SQLite::Statement change(database, "UPDATE marks SET value=value+8 WHERE name=?");
                change.bind(1, mark);
                QCOMPARE(change.exec(), 1);
            }
            const OpenStore open(optionsFor(m_root + "/killed-" + mark));
            QCOMPARE(text(open.error), QString());
            QCOMPARE(open.pending.size(), std::size_t{40});
        }
    }

    void largerDamage_data() {
        QTest::addColumn<QString>("damage");
        for (const char* name :
             {"cut in half", "cut by one byte", "cut to the first page", "header cut", "empty",
              "junk", "a directory", "first page overwritten", "every tenth page overwritten",
              "log missing", "log emptied", "log of another store", "log cut in half",
              "data file missing", "mark missing"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void largerDamage() {
        QFETCH(QString, damage);
        const auto copy = damagedCopy(m_killed);
        const std::string path = copy + "/lanes.db";
        const std::string wal = path + "-wal";
        QByteArray bytes = contentOf(path);
        const QByteArray log = contentOf(wal);
        const int size = static_cast<int>(bytes.size());
        if (damage == u"cut in half") bytes.truncate(size / 2);
        if (damage == u"cut by one byte") bytes.chop(1);
        if (damage == u"cut to the first page") bytes.truncate(4096);
        if (damage == u"header cut") bytes.truncate(60);
        if (damage == u"empty") bytes.clear();
        if (damage == u"junk") bytes.fill('\x5a');
        if (damage == u"first page overwritten") bytes.replace(0, 4096, QByteArray(4096, '\x33'));
        if (damage == u"every tenth page overwritten")
            for (int at = 4096 * 9; at < size; at += 40'960)
                bytes.replace(at, 4096, QByteArray(4096, '\x33'));
        QVERIFY(replaceContent(path, bytes));
        if (damage == u"log missing") QFile::remove(text(wal));
        if (damage == u"log emptied") QVERIFY(replaceContent(wal, {}));
        if (damage == u"log cut in half") QVERIFY(replaceContent(wal, log.left(log.size() / 2)));
        if (damage == u"data file missing") QFile::remove(text(path));
        if (damage == u"mark missing") QFile::remove(text(path + "-mark"));
        if (damage == u"a directory") {
            QFile::remove(text(path));
            QDir().mkdir(text(path));
        }
        if (damage == u"log of another store") {
            LaneHistory other(8);
            auto options = optionsFor(m_root + "/other");
            options.walMoveInterval = kNeverMoved;
            OpenStore open(options);
            QVERIFY(other.write(open, 200));
            QVERIFY(replaceContent(wal, contentOf(options.directory + "/lanes.db-wal")));
        }
        checkStart(copy);
        if (QTest::currentTestFailed()) return;
        if (damage == u"a directory") {
            QVERIFY(std::holds_alternative<std::string>(salvageDataDirectory(copy, nameOf)));
            return;
        }
        checkSalvage(copy, true);
    }
};

QTEST_GUILESS_MAIN(TestDamaged)
#include "damaged_test.moc"
