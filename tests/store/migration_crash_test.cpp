// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/power_cut_vfs.h"
#include "tests/store/store_fixture.h"
#include "tests/support/small_disk.h"

#include "engine/store/connection.h"
#include "engine/store/schema.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <sqlite3.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;
using namespace lanes::test;

namespace {

namespace fs = std::filesystem;

/// Every which call is the one; LANES_IO_STRIDE=1 asks for all.
std::uint64_t stride() {
    bool good = false;
    const int asked = qEnvironmentVariableIntValue("LANES_IO_STRIDE", &good);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return good ? static_cast<std::uint64_t>(asked) : 7;
#else
    return good ? static_cast<std::uint64_t>(asked) : 1;
#endif
}

/// Shapes of a file of version 1, made of the one in version_1.sql.
struct Shape {
    const char* name;
    const char* sql;
};
constexpr Shape kShapes[] = {
    {"dead letters, rewinds and operations", ""},
    {"no checkpoint yet", "DELETE FROM checkpoint;"
                          "UPDATE marks SET value=0 WHERE name IN ('journal', 'sequence');"},
    {"nothing but a destination",
     "DELETE FROM events; DELETE FROM pointers; DELETE FROM journal; DELETE FROM dead_letters;"
     "DELETE FROM checkpoint; DELETE FROM operations; DELETE FROM destination_state;"
     "UPDATE marks SET value=0 WHERE name<>'destination';"},
    {"thousands that wait and were tried",
     "WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i+1 FROM n WHERE i<2008)"
     " INSERT INTO events SELECT i, 'test', 'event-'||i, 1, 'user-'||(100+i%50), 'order.created',"
     " 'application/json', 1790000000000000, zeroblob(300) FROM n;"
     "INSERT INTO pointers SELECT seq, 100+seq%50, X'0180BFD6060280BFD606' FROM events WHERE seq>8;"
     "INSERT INTO journal SELECT seq+6, 0, 1, seq, 1, 1, 1790000001000000, 1500, 3, 503, 0, 0, 0,"
     " 'HTTP 503', '', X'' FROM events WHERE seq BETWEEN 9 AND 58;"},
};

void makeVersion1(const std::string& directory, const Shape& shape) {
    fs::create_directories(directory);
    QFile file(QStringLiteral(VERSION_1_FILE));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no version_1.sql");
    SQLite::Database database(store::dataFile(directory),
                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(file.readAll().toStdString());
    database.exec(shape.sql);
    database.exec("PRAGMA journal_mode=WAL");
}

void copyAll(const std::string& from, const std::string& to) {
    fs::remove_all(to);
    fs::copy(from, to, fs::copy_options::recursive);
}

/// All that a start finds, as text.
std::string foundIn(const std::string& directory) {
    OpenStore open(optionsFor(directory));
    if (!open.error.empty()) return "error: " + open.error;
    std::ostringstream out;
    for (const auto& destination : open.recovery.destinations) {
        const auto& c = destination.counters;
        out << destination.config.name << ' ' << c.accepted << ' ' << c.delivered << ' '
            << c.waiting << ' ' << c.dead << ' ' << c.discarded << ' '
            << destination.state.paused << destination.state.pauseReason << '\n';
        for (const auto& dead : destination.dead)
            out << "dead " << dead.sequence.value << '/' << dead.life << ' ' << dead.user.value
                << '\n';
    }
    for (const auto& p : open.pending)
        out << p.pointer.sequence.value << '@' << p.pointer.destination.value << ' '
            << p.user.value << ' ' << p.clock << ' ' << p.attempts << ' ' << p.life << ' '
            << p.operation.value << ' ' << static_cast<int>(p.lastOutcome) << ' ' << p.lastStatus
            << '\n';
    for (const auto& row : open.store->openPageReader()->operations(OperationQuery()).rows)
        out << row.id.value << ' ' << row.action << ' ' << row.done << ' ' << row.skipped << ' '
            << row.deadAgain << ' ' << row.delivered << '\n';
    out << open.recovery.lastOperation.value << ' ' << open.recovery.lastDestination.value << ' '
        << open.recovery.lastSequence.value;
    return out.str();
}

/// Empty if the copy is whole and of version 1, with so many journal rows.
std::string faultOfBackup(const std::string& directory, std::int64_t journalRows) {
    const auto path = store::dataFile(directory) + ".backup-v1";
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return "there is no backup";
    if ((status.st_mode & 0777) != 0600) return "others can read the backup";
    if (fs::exists(path + "-journal")) return "there is a log of another file beside the backup";
    // From a copy, for a reader leaves files of its own beside it.
    const auto copy = directory + "/../backup.db";
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
    SQLite::Database database(copy, SQLite::OPEN_READWRITE);
    if (database.execAndGet("PRAGMA integrity_check").getString() != "ok") return "damaged";
    if (store::queryNumber(database, "PRAGMA user_version") != 1) return "of another version";
    if (store::queryNumber(database, "SELECT COUNT(*) FROM journal") != journalRows)
        return "the backup has other rows";
    return {};
}

int statementsLeft = 0;

int countStatement(unsigned, void*, void*, void*) {
    if (--statementsLeft == 0) ::_exit(PowerCutVfs::kDied);
    return 0;
}

int traceConnection(sqlite3* database, char**, const struct sqlite3_api_routines*) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, countStatement, nullptr);
}

/// Whether a child that starts on the directory dies at this step.
enum class Step { call, statement };
bool diesAt(const std::string& directory, Step step, std::uint64_t number) {
    const pid_t child = ::fork();
    if (child < 0) qFatal("cannot fork");
    if (child == 0) {
        PowerCutVfs vfs;
        if (step == Step::call) {
            vfs.dieAt(number);
        } else {
            statementsLeft = static_cast<int>(number);
            sqlite3_auto_extension(reinterpret_cast<void (*)()>(traceConnection));
        }
        const auto connection = store::createDataFile(store::dataFile(directory)).ok();
        try {
            const auto database = store::openForWriting(store::dataFile(directory), 100);
            const bool done = store::migrate(*database, store::dataFile(directory)).ok();
            ::_exit(connection && done ? 0 : 1);
        } catch (const SQLite::Exception&) {
            ::_exit(2);
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code != 0 && code != PowerCutVfs::kDied)
        qFatal("the migration ended with %d at %llu", code,
               static_cast<unsigned long long>(number));
    return code == PowerCutVfs::kDied;
}

}  // namespace

class TestMigrationCrash : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_base;   ///< the file of version 1
    std::string m_path;   ///< what is tried on
    std::string m_right;  ///< what a start finds that nothing disturbed
    std::int64_t m_journalRows = 0;

    /// What must hold after whatever came between, with the name of a start without it.
    std::string faultAfter() {
        const auto file = store::dataFile(m_path);
        const bool kept = fs::exists(file + ".backup-v1");
        if (kept) {
            if (auto fault = faultOfBackup(m_path, m_journalRows); !fault.empty()) return fault;
        }
        {
            const auto database = store::openForReading(file);
            const auto version = store::queryNumber(*database, "PRAGMA user_version");
            const auto columns = store::queryNumber(
                *database, "SELECT COUNT(*) FROM pragma_table_info('destination_state')"
                           " WHERE name='resume_at'");
            if (version == 1 && columns == 0) {
            } else if (version == store::migrations().back().version && columns == 1) {
                if (!kept) return "it was brought up without a backup";
            } else {
                return "it is between two versions";
            }
        }
        if (const auto found = foundIn(m_path); found != m_right) return "it finds " + found;
        if (auto fault = faultOf(m_path); !fault.empty()) return fault;
        if (fs::exists(file + ".backup-v1.new")) return "half a backup is left";
        return faultOfBackup(m_path, m_journalRows);
    }

    void use(const Shape& shape) {
        m_base = m_directory.path().toStdString() + "/base";
        m_path = m_directory.path().toStdString() + "/data";
        fs::remove_all(m_base);
        makeVersion1(m_base, shape);
        copyAll(m_base, m_path);
        m_right = foundIn(m_path);
        SQLite::Database database(store::dataFile(m_base), SQLite::OPEN_READWRITE);
        m_journalRows = store::queryNumber(database, "SELECT COUNT(*) FROM journal");
    }

private slots:
    void aKillAnywhereLeavesAllOrNothing_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<bool>("statement");
        for (int shape = 0; shape < 4; ++shape) {
            QTest::addRow("at each call to the disk: %s", kShapes[shape].name) << shape << false;
            QTest::addRow("at each statement: %s", kShapes[shape].name) << shape << true;
        }
    }
    void aKillAnywhereLeavesAllOrNothing() {
        QFETCH(int, shape);
        QFETCH(bool, statement);
        use(kShapes[shape]);
        QVERIFY2(!m_right.starts_with("error"), m_right.c_str());
        std::uint64_t number = 1;
        for (bool dies = true; dies; number += stride()) {
            copyAll(m_base, m_path);
            dies = diesAt(m_path, statement ? Step::statement : Step::call, number);
            const auto fault = faultAfter();
            QVERIFY2(fault.empty(), ("at " + std::to_string(number) + ": " + fault).c_str());
        }
        qInfo("%llu places", static_cast<unsigned long long>(number));
        QVERIFY(number > 30);
    }

    void aDiskThatFailsOrLosesPowerLeavesAllOrNothing_data() {
        QTest::addColumn<int>("way");
        QTest::newRow("one call fails") << 0;
        QTest::newRow("all calls fail from one on") << 1;
        QTest::newRow("the power goes") << 2;
    }
    void aDiskThatFailsOrLosesPowerLeavesAllOrNothing() {
        QFETCH(int, way);
        use(kShapes[0]);
        std::uint64_t call = 1;
        for (bool hit = true; hit; call += stride()) {
            copyAll(m_base, m_path);
            {
                PowerCutVfs vfs;
                if (way == 2)
                    vfs.cutAt(call);
                else
                    vfs.failAt(call, way == 0 ? PowerCutVfs::Repeat::once
                                              : PowerCutVfs::Repeat::forEver);
                {
                    const OpenStore open(optionsFor(m_path));
                    hit = vfs.hit();
                    QVERIFY2(hit || open.error.empty(), open.error.c_str());
                    QVERIFY2(open.error.empty() || open.code == Error::Code::unavailable ||
                                 open.code == Error::Code::readOnly,
                             open.error.c_str());
                    if (way == 2 && !hit) break;
                }
                vfs.heal();
                if (way == 2) {
                    Random random(call);
                    vfs.leaveBehind(random);
                }
            }
            const auto fault = faultAfter();
            QVERIFY2(fault.empty(), ("call " + std::to_string(call) + ": " + fault).c_str());
        }
        QVERIFY(call > 50);
    }

    void whatAnEarlierTryLeftIsInNobodysWay_data() {
        QTest::addColumn<QString>("left");
        for (const char* name : {".backup-v1.new", ".backup-v1.new-journal", ".backup-v1",
                                 ".backup-v1-journal"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void whatAnEarlierTryLeftIsInNobodysWay() {
        QFETCH(QString, left);
        use(kShapes[0]);
        copyAll(m_base, m_path);
        QFile file(QString::fromStdString(store::dataFile(m_path)) + left);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(9000, '\x5a'));
        file.close();
        QCOMPARE(foundIn(m_path), m_right);
        QCOMPARE(faultOfBackup(m_path, m_journalRows), std::string());
    }

    void withoutRoomForTheCopyNothingIsChanged() {
        const SmallDisk disk(16 << 20);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        use(kShapes[3]);
        m_path = disk.path() + "/data";
        std::uint64_t pages = 0;
        bool refusedBefore = false;
        for (bool full = true; full; pages += 8) {
            copyAll(m_base, m_path);
            QFile file(QString::fromStdString(store::dataFile(m_path)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto before = file.readAll();
            file.close();
            QVERIFY(disk.fill(pages * 4096));
            {
                const OpenStore open(optionsFor(m_path));
                full = !open.error.empty();
                if (full) {
                    QVERIFY2(open.code == Error::Code::full, open.error.c_str());
                    QVERIFY2(open.error.find("ree some space") != std::string::npos,
                             open.error.c_str());
                    refusedBefore |= open.error.find("no room for a copy") != std::string::npos;
                }
            }
            disk.clear();
            if (full) {
                QVERIFY(file.open(QIODevice::ReadOnly));
                QCOMPARE(file.readAll(), before);
                file.close();
            }
            const auto fault = faultAfter();
            QVERIFY2(fault.empty(), (std::to_string(pages) + " pages: " + fault).c_str());
        }
        QVERIFY(refusedBefore);
    }

    void aNewerFileIsLeftAsItIs() {
        use(kShapes[0]);
        {
            SQLite::Database database(store::dataFile(m_path), SQLite::OPEN_READWRITE);
            sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
            database.exec("PRAGMA journal_mode=WAL; PRAGMA user_version=99");
        }
        const auto content = [this](const char* suffix) {
            QFile file(QString::fromStdString(store::dataFile(m_path)) + QLatin1String(suffix));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("?");
        };
        const auto data = content("");
        const auto log = content("-wal");
        const OpenStore open(optionsFor(m_path));
        QVERIFY(open.code == Error::Code::newer);
        QVERIFY2(open.error.find("schema 99") != std::string::npos &&
                     open.error.find("install the newer version") != std::string::npos,
                 open.error.c_str());
        QCOMPARE(content(""), data);
        QCOMPARE(content("-wal"), log);
        QVERIFY(!fs::exists(store::dataFile(m_path) + ".backup-v99"));
    }
};

QTEST_GUILESS_MAIN(TestMigrationCrash)
#include "migration_crash_test.moc"
