// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/files.h"
#include "tests/store/store_fixture.h"

#include "engine/data_care.h"
#include "engine/store/connection.h"
#include "engine/store/schema.h"
#include "engine/verify.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;
using namespace lanes::test;

namespace {

WriteBatch attemptBatch(std::uint64_t ticket, Sequence sequence) {
    WriteBatch batch;
    batch.ticket = ticket;
    batch.journal = {journalEntry(JournalKind::attempt, 1, sequence)};
    return batch;
}

/// A limit on the size of files of this process: writes beyond it fail, as on a failing disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const struct rlimit limit = {bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    struct rlimit m_before = {};
};

}  // namespace

class TestStoreFaults : public QObject {
    Q_OBJECT

private:
    /// A closed directory with a waiting event and some payload pages.
    void fill() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        std::vector<NewEvent> events;
        for (int n = 0; n < 200; ++n) {
            events.push_back(newEvent(std::to_string(n), std::uint64_t(n), {1}));
            events.back().payload.assign(1'000, 'x');
        }
        QVERIFY(open.accept(std::move(events)).stored);
    }

    /// The number of what went wrong, 0 if nothing.
    int whatFailsWithoutRights() {
        OpenStore open(optionsFor(m_path));
        if (!open.error.empty() || !open.commit(destinationsBatch(1))) return 1;
        if (::chmod(m_file.c_str(), 0400) != 0 || ::chmod(m_path.c_str(), 0500) != 0) return 2;
        // What is open stays open.
        if (!open.accept({newEvent("a", 1, {1})}).stored) return 3;
        {
            const FileSizeLimit limit(1000);
            if (open.accept({newEvent("b", 1, {1})}).stored) return 4;
        }
        // It has to open its files again after that.
        if (!open.listener.waitForFault("is read-only; allow writing to it and its directory"))
            return 5;
        if (::chmod(m_path.c_str(), 0700) != 0 || ::chmod(m_file.c_str(), 0600) != 0) return 6;
        if (!open.listener.waitForWritable(true)) return 7;
        return open.accept({newEvent("b", 1, {1})}).stored ? 0 : 8;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;
    std::string m_file;

private slots:
    void init() {
        m_directory =
            std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
        m_file = m_path + "/lanes.db";
    }

    void damagedFileIsRefusedAndKept_data() {
        QTest::addColumn<QString>("damage");
        for (const char* name : {"empty", "junk", "text", "cut in half", "cut to one page",
                                 "cut in the header", "middle overwritten", "another database",
                                 "a directory", "missing beside its log"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void damagedFileIsRefusedAndKept() {
        QFETCH(QString, damage);
        fill();
        QByteArray bytes = contentOf(m_file);
        QVERIFY(bytes.size() > 100'000);
        if (damage == u"empty") bytes.clear();
        if (damage == u"junk") bytes.fill('\x5a');
        if (damage == u"text") bytes = "hello";
        if (damage == u"cut in half") bytes.truncate(bytes.size() / 2);
        if (damage == u"cut to one page") bytes.truncate(4096);
        if (damage == u"cut in the header") bytes.truncate(50);
        if (damage == u"middle overwritten")
            for (int n = 8192; n < 40'000; ++n) bytes[n] = '\x33';
        if (damage == u"another database") {
            QVERIFY(QFile::remove(text(m_file)));
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            other.exec("CREATE TABLE notes(text)");
            bytes.clear();
        } else if (damage == u"a directory") {
            QVERIFY(QFile::remove(text(m_file)) && QDir().mkdir(text(m_file)));
        } else if (damage == u"missing beside its log") {
            QVERIFY(QFile::remove(text(m_file)));
            QVERIFY(replaceContent(m_file + "-wal", "frames"));
        } else {
            QVERIFY(replaceContent(m_file, bytes));
        }
        if (damage != u"another database") {
            const OpenStore open(optionsFor(m_path));
            QVERIFY2(open.code == Error::Code::damaged, open.error.c_str());
            QVERIFY2(open.error.find(m_file) != std::string::npos, open.error.c_str());
            QVERIFY2(open.error.find("-wal") != std::string::npos, open.error.c_str());
            QVERIFY(!open.error.empty() && open.error.find('\n') == std::string::npos);
            if (QFileInfo(text(m_file)).isFile()) QCOMPARE(contentOf(m_file), bytes);
        } else {
            const OpenStore open(optionsFor(m_path));
            QVERIFY2(open.code == Error::Code::damaged, open.error.c_str());
        }
        if (damage == u"missing beside its log") return;
        const auto verdict = verifyDataDirectory(m_path);
        QVERIFY(std::holds_alternative<std::string>(verdict));
    }

    void writeAheadLogOfAnotherTimeIsRefused_data() {
        QTest::addColumn<QString>("log");
        for (const char* name : {"missing", "emptied", "older", "of another data file",
                                 "of a larger data file"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void writeAheadLogOfAnotherTimeIsRefused() {
        QFETCH(QString, log);
        const auto killed = [this](const char* name, std::vector<int> steps) {
            auto options = optionsFor(m_directory->path().toStdString() + "/" + name);
            options.walMoveInterval = kNeverMoved;
            OpenStore open(options);
            std::vector<std::string> copies;
            if (!open.commit(destinationsBatch(1))) return copies;
            for (const int step : steps) {
                const auto id = name + std::to_string(step);
                if (!open.accept({newEvent(id, 1, {1})}).stored) break;
                copies.push_back(copyAsKilled(options.directory, id));
            }
            return copies;
        };
        const auto copies = killed("own", {1, 2});
        const auto foreign = killed("foreign", {1, 2, 3, 4});
        QCOMPARE(copies.size(), std::size_t{2});
        QCOMPARE(foreign.size(), std::size_t{4});
        const std::string wal = copies[1] + "/lanes.db-wal";
        const QByteArray right = contentOf(wal);
        if (log == u"missing") QVERIFY(QFile::remove(text(wal)));
        if (log == u"emptied") QVERIFY(replaceContent(wal, {}));
        if (log == u"older") QVERIFY(replaceContent(wal, contentOf(copies[0] + "/lanes.db-wal")));
        if (log == u"of another data file")
            QVERIFY(replaceContent(wal, contentOf(foreign[0] + "/lanes.db-wal")));
        if (log == u"of a larger data file")
            QVERIFY(replaceContent(wal, contentOf(foreign[3] + "/lanes.db-wal")));
        {
            const OpenStore open(optionsFor(copies[1]));
            QVERIFY2(open.code == Error::Code::damaged, open.error.c_str());
            QVERIFY2(open.error.find("lanes.db-wal is missing or of another time") !=
                         std::string::npos,
                     open.error.c_str());
        }
        QVERIFY(replaceContent(wal, right));
        const OpenStore open(optionsFor(copies[1]));
        QCOMPARE(text(open.error), QString());
        QCOMPARE(open.pending.size(), std::size_t{2});
    }

    void dataFileMissingBesideItsMarkIsRefused() {
        fill();
        for (const char* name : {"", "-wal", "-shm"}) QFile::remove(text(m_file + name));
        const OpenStore open(optionsFor(m_path));
        QVERIFY2(open.code == Error::Code::damaged, open.error.c_str());
        QVERIFY(!QFile::exists(text(m_file)));
    }

    void flippedBitsNeverGiveAnEmptyStore() {
        fill();
        const QByteArray good = contentOf(m_file);
        // A fixed stride touches every kind of page without a random choice.
        for (int turn = 0; turn < 40; ++turn) {
            QByteArray bytes = good;
            const int at = static_cast<int>((std::int64_t{turn} * 7919 * 13) % bytes.size());
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << (turn % 8)));
            QVERIFY(replaceContent(m_file, bytes));
            const OpenStore open(optionsFor(m_path));
            const bool refused = !open.error.empty();
            QVERIFY2(refused || open.pending.size() == 200, qPrintable(QString::number(at)));
        }
    }

    void damagedSetIsMovedAsideOnlyWhenAsked() {
        fill();
        QVERIFY(replaceContent(m_file, QByteArray(5000, 'x')));
        QVERIFY(!OpenStore(optionsFor(m_path)).error.empty());
        const auto aside = startEmpty(m_path);
        QVERIFY(std::holds_alternative<SetAsideReport>(aside));
        const auto place = std::get<SetAsideReport>(aside).place;
        QCOMPARE(contentOf(place + "/lanes.db"), QByteArray(5000, 'x'));
        const OpenStore open(optionsFor(m_path));
        QCOMPARE(text(open.error), QString());
        QVERIFY(open.recovery.destinations.empty());
        const auto again = startEmpty(m_path);
        QVERIFY(std::get<std::string>(again).find("in use") != std::string::npos);
    }

    void directoryInUseNamesItsOwner() {
        OpenStore first(optionsFor(m_path));
        QCOMPARE(text(first.error), QString());
        const OpenStore second(optionsFor(m_path));
        QVERIFY(second.code == Error::Code::inUse);
        QVERIFY2(second.error.find("pid " + std::to_string(getpid())) != std::string::npos,
                 second.error.c_str());
        first.store->close();
        QCOMPARE(text(OpenStore(optionsFor(m_path)).error), QString());
    }

    void newerSchemaIsRefused() {
        fill();
        {
            SQLite::Database database(m_file, SQLite::OPEN_READWRITE);
            database.exec("PRAGMA user_version=99");
        }
        const QByteArray before = contentOf(m_file);
        const OpenStore open(optionsFor(m_path));
        QVERIFY(open.code == Error::Code::newer);
        QVERIFY2(open.error.find("99") != std::string::npos, open.error.c_str());
        QCOMPARE(contentOf(m_file), before);
    }

    void pathThatCannotBeADirectoryIsRefused_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("a file is in the way") << QStringLiteral("/file");
        QTest::newRow("below a file") << QStringLiteral("/file/data");
        QTest::newRow("the lock is a directory") << QStringLiteral("/taken");
    }
    void pathThatCannotBeADirectoryIsRefused() {
        QFETCH(QString, path);
        const auto base = m_directory->path();
        QVERIFY(replaceContent((base + QStringLiteral("/file")).toStdString(), "x"));
        QVERIFY(QDir().mkpath(base + QStringLiteral("/taken/lock")));
        const std::string directory = (base + path).toStdString();
        const OpenStore open(optionsFor(directory));
        QVERIFY2(open.error.find(directory) != std::string::npos, open.error.c_str());
        QVERIFY(open.error.find("--data-dir") != std::string::npos);
    }

    void readOnlyDirectoryIsRefused() {
        fill();
        // Permissions do not stop root, a read-only mount does; in a child, so that the mount is
        // gone with it.
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            if (unshare(CLONE_NEWNS) != 0 ||
                mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                mount(m_path.c_str(), m_path.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
                mount(nullptr, m_path.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY,
                      nullptr) != 0)
                _exit(77);
            const OpenStore open(optionsFor(m_path));
            _exit(open.code == Error::Code::readOnly &&
                          open.error.find("read-only") != std::string::npos
                      ? 0
                      : 1);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        if (WEXITSTATUS(status) == 77) QSKIP("needs the right to mount");
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void lockedByAnotherProgramKeepsResultsAndGivesEventsBack() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto accepted = open.accept({newEvent("a", 1, {1}), newEvent("b", 1, {1})});
        {
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE);
            other.exec("BEGIN IMMEDIATE");
            open.store->submit(attemptBatch(++open.ticket, accepted.events[0].sequence));
            QVERIFY(open.listener.waitForWritable(false));
            QVERIFY2(open.listener.lastFault().find("locked") != std::string::npos,
                     open.listener.lastFault().c_str());
            QVERIFY(!open.store->stats().writable);
            const auto refused = open.accept({newEvent("c", 1, {1})});
            QVERIFY(refused.intake != 0 && !refused.stored && refused.events.empty());
            open.store->submit(attemptBatch(++open.ticket, accepted.events[1].sequence));
            QVERIFY(open.listener.lastTicket() < open.ticket - 2);
            other.exec("ROLLBACK");
        }
        QVERIFY(open.listener.waitForTicket(open.ticket));
        QVERIFY(open.listener.waitForWritable(true));
        QVERIFY(open.listener.lastFault().empty());
        // The same event is now taken, and takes no one else's place.
        const auto again = open.accept({newEvent("c", 1, {1})});
        QVERIFY(again.stored && !again.events.at(0).duplicate);
        open.store->close();
        const OpenStore reopened(optionsFor(m_path));
        QCOMPARE(reopened.pending.size(), std::size_t{1});
        QVERIFY(reopened.pending[0].pointer.sequence == again.events[0].sequence);
        QVERIFY((reopened.destination(1)->counters == DeliveryCounters{3, 2, 1, 0, 0}));
    }

    void filesThatGoWhileTheProgramRunsAreNoticed_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("the data file is removed") << "data" << "lanes.db was removed";
        QTest::newRow("the write-ahead log is removed") << "log" << "lanes.db-wal was removed";
        QTest::newRow("the data file is replaced by a copy") << "copy" << "lanes.db was replaced";
        QTest::newRow("the directory is deleted") << "all" << "lanes.db was removed";
        QTest::newRow("the directory is moved, and moved back")
            << "moved" << "lanes.db was removed";
    }
    void filesThatGoWhileTheProgramRunsAreNoticed() {
        QFETCH(QString, what);
        QFETCH(QString, said);
        const std::string elsewhere = m_directory->path().toStdString() + "/elsewhere";
        auto options = optionsFor(m_path);
        options.walMoveInterval = kNeverMoved;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto first = open.accept({newEvent("a", 1, {1})});
        QVERIFY(first.stored);
        if (what == u"data") QVERIFY(QFile::remove(text(m_file)));
        if (what == u"log") QVERIFY(QFile::remove(text(m_file + "-wal")));
        if (what == u"copy") {
            QVERIFY(QFile::copy(text(m_file), text(m_file + ".copy")));
            QCOMPARE(std::rename((m_file + ".copy").c_str(), m_file.c_str()), 0);
        }
        if (what == u"all") QVERIFY(QDir(text(m_path)).removeRecursively());
        if (what == u"moved") QCOMPARE(std::rename(m_path.c_str(), elsewhere.c_str()), 0);
        // Before anything else is called stored.
        QVERIFY(!open.accept({newEvent("b", 1, {1})}).stored);
        open.store->submit(attemptBatch(++open.ticket, first.events[0].sequence));
        QVERIFY(open.listener.waitForWritable(false));
        const auto fault = open.listener.lastFault();
        for (const auto& part : {said.toStdString(), std::string("move it back"),
                                 std::string("close the program"),
                                 std::string("New events are refused and nothing is sent")})
            QVERIFY2(fault.find(part) != std::string::npos, fault.c_str());
        QVERIFY(fault.find("by itself") == std::string::npos);
        QTest::qWait(200);  // some more tries
        QVERIFY(!open.accept({newEvent("c", 1, {1})}).stored);
        QVERIFY(open.listener.lastTicket() < open.ticket - 2);
        if (what != u"moved") return;
        QCOMPARE(std::rename(elsewhere.c_str(), m_path.c_str()), 0);
        QVERIFY(open.listener.waitForWritable(true));
        QVERIFY(open.listener.waitForTicket(open.ticket - 1));
        const auto again = open.accept({newEvent("b", 1, {1})});
        QVERIFY(again.stored && !again.events.at(0).duplicate);
        open.store->close();
        const OpenStore reopened(optionsFor(m_path));
        QVERIFY((reopened.destination(1)->counters == DeliveryCounters{2, 1, 1, 0, 0}));
        QCOMPARE(faultOf(m_path), std::string());
    }

    /// Whoever closes the file as the last one moves the log into it and removes it. A store that
    /// waits for a lock has no connection, so this can be another program.
    void aLogThatWasMovedBeforeItWentIsNoLoss() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(open.accept({newEvent("a", 1, {1})}).stored);
        {
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE);
            other.exec("BEGIN IMMEDIATE");
            QVERIFY(!open.accept({newEvent("b", 1, {1})}).stored);
            QVERIFY(open.listener.waitForWritable(false));
            other.exec("ROLLBACK");
            QTRY_VERIFY2(open.accept({newEvent("b", 1, {1})}).stored,
                         open.listener.lastFault().c_str());
        }
        {
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE);
            QVERIFY(store::queryNumber(other, "SELECT COUNT(*) FROM events") == 2);
        }
        QVERIFY(open.accept({newEvent("c", 1, {1})}).stored);
        open.store->close();
        QCOMPARE(OpenStore(optionsFor(m_path)).pending.size(), std::size_t{3});
    }

    void filesThatGoAreMissedWithoutAnyWrite() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(QDir(text(m_path)).removeRecursively());
        QVERIFY(open.listener.waitForWritable(false));
    }

    void damageThatComesWhileTheProgramRunsIsNotCalledTemporary() {
        fill();
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.accept({newEvent("new", 1, {1})}).stored);
        QTRY_COMPARE(contentOf(m_file).count("\"id\":\"new\""), 1);
        {
            QFile file(text(m_file));
            QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(4096));
            QVERIFY(file.write(QByteArray(static_cast<int>(file.size()) - 4096, '\x33')) > 0);
        }
        {
            // Another program writes, so that nothing that was read before is trusted.
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE);
            other.exec("PRAGMA wal_autocheckpoint=0; PRAGMA user_version=3");
            sqlite3_db_config(other.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        }
        QVERIFY(!open.accept({newEvent("b", 1, {1})}).stored);
        QVERIFY(open.listener.waitForWritable(false));
        const auto fault = open.listener.lastFault();
        for (const char* part : {"is damaged", "rivora-lanes restore FILE", "nothing is sent",
                                 "while the program is closed"})
            QVERIFY2(fault.find(part) != std::string::npos, fault.c_str());
        QVERIFY(fault.find("by itself") == std::string::npos);
    }

    void rightsThatAreTakenAwayStopOnlyWhatNeedsThem() {
#if defined(__SANITIZE_THREAD__)
        QSKIP("The thread sanitizer does not follow a child that starts threads.");
#endif
        // Root may do everything, so the store runs as somebody else, in a child.
        const bool root = ::geteuid() == 0;
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            if (root && (::chmod(m_directory->path().toLocal8Bit().constData(), 0777) != 0 ||
                         ::setgid(65534) != 0 || ::setuid(65534) != 0))
                _exit(77);
            _exit(whatFailsWithoutRights());
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        if (WEXITSTATUS(status) == 77) QSKIP("needs the right to become another user");
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void failedWritesAreTriedAgain() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto accepted = open.accept({newEvent("a", 1, {1}), newEvent("b", 2, {1})});
        {
            const FileSizeLimit limit(1000);
            WriteBatch mixed = attemptBatch(++open.ticket, accepted.events[0].sequence);
            mixed.intake = open.ticket;
            mixed.events = {newEvent("c", 3, {1})};
            open.store->submit(std::move(mixed));
            QVERIFY(open.listener.waitForWritable(false));
            const auto refused = open.listener.waitForIntake(open.ticket);
            QVERIFY(refused.intake == open.ticket && !refused.stored);
            QVERIFY(open.listener.lastTicket() < open.ticket);
            QVERIFY(!open.accept({newEvent("d", 4, {1})}).stored);
        }
        QVERIFY(open.listener.waitForTicket(open.ticket));
        QVERIFY(open.listener.waitForWritable(true));
        // The number of the event that was given back is skipped, which is no loss.
        QCOMPARE(text(OpenStore(optionsFor(copyAsKilled(m_path, "skipped"))).error), QString());
        QVERIFY(open.accept({newEvent("c", 3, {1})}).events.at(0).targets.size() == 1);
        open.store->close();
        const OpenStore reopened(optionsFor(m_path));
        QCOMPARE(text(reopened.error), QString());
        QVERIFY((reopened.destination(1)->counters == DeliveryCounters{3, 1, 2, 0, 0}));
        QVERIFY(std::get<VerifyReport>(verifyDataDirectory(m_path)).clean());
    }

    void closingWhileNothingCanBeWrittenLosesNothingDurable() {
        {
            OpenStore open(optionsFor(m_path));
            QVERIFY(open.commit(destinationsBatch(1)));
            QVERIFY(open.accept({newEvent("a", 1, {1})}).stored);
            const FileSizeLimit limit(1000);
            open.store->submit(attemptBatch(++open.ticket, Sequence(1)));
            QVERIFY(open.listener.waitForWritable(false));
            open.store->close();
        }
        // The result was not stored, so the event is sent again: at least once, never never.
        const OpenStore reopened(optionsFor(m_path));
        QCOMPARE(reopened.pending.size(), std::size_t{1});
    }

    void almostFullDiskTakesResultsButNoEvents() {
        std::atomic<std::uint64_t> free{1ull << 40};
        auto options = optionsFor(m_path);
        options.diskSpace = [&] { return store::DiskSpace{free, 1ull << 30}; };
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        QVERIFY(open.accept({newEvent("a", 1, {1})}).stored);
        free = limits::kDiskReserveBytes - 1;
        QVERIFY(open.listener.waitForWritable(false));
        QVERIFY2(open.listener.lastFault().find("almost full") != std::string::npos,
                 open.listener.lastFault().c_str());
        QVERIFY(!open.accept({newEvent("b", 1, {1})}).stored);
        open.store->submit(attemptBatch(++open.ticket, Sequence(1)));
        QVERIFY(open.listener.waitForTicket(open.ticket));
        QVERIFY(!open.store->stats().writable);
        free = 1ull << 40;
        QVERIFY(open.listener.waitForWritable(true));
        QVERIFY(open.accept({newEvent("b", 1, {1})}).stored);
    }

    void olderSchemaIsBroughtUpAfterACopy_data() {
        QTest::addColumn<bool>("fails");
        QTest::newRow("all steps work") << false;
        QTest::newRow("a step fails and nothing is changed") << true;
    }
    void olderSchemaIsBroughtUpAfterACopy() {
        QFETCH(bool, fails);
        fill();
        const auto known = store::migrations();
        const int now = known.back().version;
        std::vector<store::Migration> steps(known.begin(), known.end());
        steps.push_back({now + 1, "ALTER TABLE operations ADD COLUMN more TEXT"});
        steps.push_back(
            {now + 2, fails ? "CREATE TABLE events(again)" : "CREATE TABLE another(x)"});
        {
            const auto database = store::openForWriting(m_file, 100);
            bool thrown = false;
            try {
                QVERIFY(store::migrate(*database, m_file, steps).ok());
            } catch (const SQLite::Exception&) {
                thrown = true;
            }
            QCOMPARE(thrown, fails);
            QCOMPARE(store::queryNumber(*database, "PRAGMA user_version"),
                     fails ? now : now + 2);
            QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM events"), 200);
        }
        const auto backup =
            store::openForReading(m_file + ".backup-v" + std::to_string(now));
        QCOMPARE(store::queryNumber(*backup, "PRAGMA user_version"), now);
        QCOMPARE(store::queryNumber(*backup, "SELECT COUNT(*) FROM events"), 200);
    }

    void writeAheadLogStaysSmall() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto reader = open.store->openPageReader();
        std::uint64_t largest = 0;
        for (int turn = 0; turn < 60; ++turn) {
            std::vector<NewEvent> events;
            for (int n = 0; n < 20; ++n) {
                events.push_back(
                    newEvent(std::to_string(turn) + "-" + std::to_string(n), 1, {1}));
                events.back().payload.assign(100'000, 'y');
            }
            QVERIFY(open.accept(std::move(events)).stored);
            QVERIFY(reader->event(Sequence(1)).has_value());
            const QFileInfo wal(text(m_file + "-wal"));
            largest = std::max(largest, static_cast<std::uint64_t>(wal.size()));
        }
        QVERIFY2(largest <= limits::kWalBytes, qPrintable(QString::number(largest)));
    }
};

QTEST_GUILESS_MAIN(TestStoreFaults)
#include "store_faults_test.moc"
