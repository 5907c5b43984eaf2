// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/files.h"
#include "tests/store/lane_history.h"

#include "engine/data_care.h"
#include "engine/store/connection.h"
#include "engine/store/schema.h"
#include "engine/store/set_replacement.h"

#include <SQLiteCpp/Column.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <filesystem>
#include <future>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lanes;
using namespace lanes::test;

namespace {

/// A backup that was asked of a running store.
class Asked {
public:
    Asked(OpenStore& open, const BackupRequest& request) {
        open.store->backUp(request, [this](const Result<BackupReport>& result) {
            m_result.set_value(result ? std::string() : result.error().detail);
        });
    }
    [[nodiscard]] bool ended() const {
        return m_future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    /// Empty if it was made.
    [[nodiscard]] std::string error() {
        if (m_future.wait_for(std::chrono::seconds(30)) != std::future_status::ready)
            return "it did not end";
        return m_future.get();
    }

private:
    std::promise<std::string> m_result;
    std::future<std::string> m_future = m_result.get_future();
};

std::string errorOf(const std::variant<RestoreReport, std::string>& result) {
    const auto* error = std::get_if<std::string>(&result);
    return error == nullptr ? std::string() : *error;
}

std::vector<NewEvent> largeEvents(int count, int from = 0) {
    std::vector<NewEvent> events;
    for (int n = 0; n < count; ++n) {
        events.push_back(newEvent("large-" + std::to_string(from + n),
                                  static_cast<std::uint64_t>(n) + 1, {1}));
        events.back().payload.assign(20'000, 'x');
    }
    return events;
}

}  // namespace

class TestBackup : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_root;
    std::string m_path;
    std::string m_file;

    [[nodiscard]] std::size_t eventsIn(const std::string& file) {
        SQLite::Database database(file, SQLite::OPEN_READONLY);
        return static_cast<std::size_t>(
            store::queryNumber(database, "SELECT COUNT(*) FROM events"));
    }

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_root = m_directory->path().toStdString();
        m_path = m_root + "/data";
        m_file = m_root + "/copy.db";
    }

    void copyOfARunningStoreHoldsWhatWasCommittedBeforeItsEnd() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (int n = 0; n < 30; ++n) QVERIFY(open.accept(largeEvents(50, 50 * n)).stored);
        std::size_t acknowledged = 1500;
        double share = 0;
        std::chrono::microseconds slowest{0};
        std::uint64_t largestLog = 0;
        Asked asked(open, {m_file});
        while (!asked.ended()) {
            const auto began = std::chrono::steady_clock::now();
            QVERIFY(open.accept(largeEvents(5, static_cast<int>(acknowledged))).stored);
            slowest = std::max(slowest, std::chrono::duration_cast<std::chrono::microseconds>(
                                            std::chrono::steady_clock::now() - began));
            acknowledged += 5;
            const auto stats = open.store->stats();
            // If it began again at a commit, the share would fall.
            QVERIFY2(stats.backup.share >= share - 0.05, qPrintable(QString::number(share)));
            share = stats.backup.share;
            largestLog = std::max(largestLog, stats.walBytes);
        }
        QCOMPARE(text(asked.error()), QString());
        qInfo("slowest commit %lld us, largest write-ahead log %llu bytes, %zu events meanwhile",
              static_cast<long long>(slowest.count()), static_cast<unsigned long long>(largestLog),
              acknowledged - 1500);
        QVERIFY(largestLog < limits::kWalBytes);
        QVERIFY(eventsIn(m_file) >= 1500);
        struct stat status {};
        QCOMPARE(::stat(m_file.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);
        for (const char* suffix : {".part", "-wal", "-shm", ".part-wal", ".part-shm"})
            QVERIFY(!QFile::exists(text(m_file + suffix)));
        const auto& backup = open.store->stats().backup;
        QVERIFY(!backup.running && backup.error.empty());
        QCOMPARE(backup.bytes, static_cast<std::uint64_t>(status.st_size));
        const auto restored = restoreDataDirectory(m_root, m_file);  // a directory that is empty
        QCOMPARE(text(errorOf(restored)), QString());
        QCOMPARE(text(faultOf(m_root)), QString());
    }

    void placeThatCannotBeUsedIsRefused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("says");
        QTest::newRow("the data file itself") << "/data/lanes.db" << "the data file itself";
        QTest::newRow("a name of its own") << "/data/lanes.db.next-1" << "belongs to it";
        QTest::newRow("the data file by another name") << "/link.db" << "the data file itself";
        QTest::newRow("its log") << "/data/lanes.db-wal" << "the data file itself";
        QTest::newRow("a file that exists") << "/there.db" << "exists";
        QTest::newRow("a directory") << "/data" << "not a regular file";
        QTest::newRow("in no directory") << "/none/copy.db" << "cannot be written";
    }
    void placeThatCannotBeUsedIsRefused() {
        QFETCH(QString, file);
        QFETCH(QString, says);
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        QFile there(text(m_root + "/there.db"));
        QVERIFY(there.open(QIODevice::WriteOnly) && there.write("mine") == 4);
        there.close();
        std::filesystem::create_symlink(m_path + "/lanes.db", m_root + "/link.db");
        const std::string place = m_root + file.toStdString();
        {
            Asked asked(open, {place});
            const auto error = asked.error();
            QVERIFY2(error.find(says.toStdString()) != std::string::npos, error.c_str());
            QVERIFY(error.find(place) != std::string::npos);
        }
        QVERIFY(open.accept({newEvent("a", 1, {1})}).stored);
        if (file != u"/there.db") return;
        QCOMPARE(there.size(), qint64{4});
        Asked forced(open, {place, true});
        QCOMPARE(text(forced.error()), QString());
        QVERIFY(eventsIn(place) == 1);
    }

    void placeInsideTheDataDirectoryIsFine() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        Asked asked(open, {m_path + "/monday.db"});
        QCOMPARE(text(asked.error()), QString());
    }

    void fullDiskFailsTheBackupAndNothingElse() {
#if defined(__SANITIZE_THREAD__)
        QSKIP("The thread sanitizer does not follow a child that starts threads.");
#endif
        const std::string small = m_root + "/small";
        QVERIFY(QDir().mkdir(text(small)));
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            if (unshare(CLONE_NEWNS) != 0 ||
                mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                mount("tmpfs", small.c_str(), "tmpfs", 0, "size=512k") != 0)
                _exit(77);
            OpenStore open(optionsFor(m_path));
            if (!open.commit(destinationsBatch(1)) || !open.accept(largeEvents(100)).stored)
                _exit(1);
            Asked asked(open, {small + "/copy.db"});
            if (asked.error().find("disk is full") == std::string::npos) _exit(2);
            if (std::filesystem::exists(small + "/copy.db.part")) _exit(3);
            if (!open.accept(largeEvents(10, 100)).stored || open.listener.faults() != 0)
                _exit(4);
            _exit(open.store->stats().backup.running ? 5 : 0);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        if (WEXITSTATUS(status) == 77) QSKIP("needs the right to mount");
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void cancelledBackupLeavesNothing() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (int n = 0; n < 20; ++n) QVERIFY(open.accept(largeEvents(100, 100 * n)).stored);
        Asked asked(open, {m_file});
        open.store->cancelBackup();
        const auto error = asked.error();
        QVERIFY2(error.find("cancelled") != std::string::npos, error.c_str());
        QVERIFY(!QFile::exists(text(m_file)) && !QFile::exists(text(m_file + ".part")));
        Asked again(open, {m_file});
        QCOMPARE(text(again.error()), QString());
    }

    void onlyOneBackupAtATime() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (int n = 0; n < 20; ++n) QVERIFY(open.accept(largeEvents(100, 100 * n)).stored);
        Asked first(open, {m_file});
        Asked second(open, {m_file + "2"});
        QVERIFY(second.error().find("another one") != std::string::npos);
        QCOMPARE(text(first.error()), QString());
    }

    void closingEndsTheBackup() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (int n = 0; n < 20; ++n) QVERIFY(open.accept(largeEvents(100, 100 * n)).stored);
        Asked asked(open, {m_file});
        open.store->close();
        QVERIFY(asked.ended());
        QVERIFY(!QFile::exists(text(m_file + ".part")));
    }

    void lockedDataFileEndsTheBackupAndTheStoreGoesOn() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        for (int n = 0; n < 20; ++n) QVERIFY(open.accept(largeEvents(100, 100 * n)).stored);
        {
            SQLite::Database other(m_path + "/lanes.db", SQLite::OPEN_READWRITE);
            other.exec("BEGIN IMMEDIATE");
            Asked asked(open, {m_file});
            WriteBatch batch = journalBatch({journalEntry(JournalKind::attempt, 1, Sequence(1))});
            batch.ticket = ++open.ticket;
            open.store->submit(std::move(batch));
            QVERIFY(open.listener.waitForWritable(false));
            (void)asked.error();  // made before the lock was met, or given up: it ends
            QVERIFY(!open.store->stats().backup.running);
            other.exec("ROLLBACK");
        }
        QVERIFY(open.listener.waitForWritable(true));
        QVERIFY(open.listener.waitForTicket(open.ticket));
    }

    void restorePutsTheCopyInPlaceAndGivesNoNumberTwice() {
        LaneHistory history(5);
        std::map<LaneHistory::Place, LaneHistory::State> states;
        {
            OpenStore open(optionsFor(m_path));
            QVERIFY(history.write(open, 200));
        }
        {
            const OpenStore open(optionsFor(m_path));
            states = openStates(open);
        }
        QVERIFY(std::holds_alternative<BackupReport>(backUpDataDirectory(m_path, {m_file})));
        {
            OpenStore open(optionsFor(m_path));
            QVERIFY(open.accept(largeEvents(50)).stored);
        }
        const auto result = restoreDataDirectory(m_path, m_file);
        QCOMPARE(text(errorOf(result)), QString());
        const auto& report = std::get<RestoreReport>(result);
        QCOMPARE(report.lastEvent.value, history.lastSequence());
        QCOMPARE(report.lastGiven.value, history.lastSequence() + 50);
        QVERIFY(eventsIn(report.setAside + "/lanes.db") == 250);
        QVERIFY(QFile::exists(text(report.setAside + "/lanes.db-mark")));
        QCOMPARE(text(faultOf(m_path)), QString());
        OpenStore open(optionsFor(m_path));
        QCOMPARE(text(open.error), QString());
        QVERIFY(openStates(open) == states);
        const auto commit = open.accept({newEvent("new", 1, {1})});
        QCOMPARE(commit.events.front().sequence.value, history.lastSequence() + 51);
    }

    void copyThatCannotBeUsedIsRefusedAndTheSetStays_data() {
        QTest::addColumn<QString>("copy");
        QTest::addColumn<QString>("says");
        QTest::newRow("missing") << "missing" << "cannot be read";
        QTest::newRow("a directory") << "directory" << "not a regular file";
        QTest::newRow("junk") << "junk" << "cannot be restored";
        QTest::newRow("damaged") << "damaged" << "cannot be restored";
        QTest::newRow("another database") << "another" << "cannot be restored";
        QTest::newRow("counts that do not add up") << "counts" << "do not add up";
        QTest::newRow("the data file itself") << "itself" << "in use";
    }
    void copyThatCannotBeUsedIsRefusedAndTheSetStays() {
        QFETCH(QString, copy);
        QFETCH(QString, says);
        LaneHistory history(5);
        {
            OpenStore open(optionsFor(m_path));
            QVERIFY(history.write(open, 200));
        }
        QVERIFY(std::holds_alternative<BackupReport>(backUpDataDirectory(m_path, {m_file})));
        QFile file(text(m_file));
        if (copy == u"missing") file.remove();
        if (copy == u"directory") QVERIFY(file.remove() && QDir().mkdir(text(m_file)));
        if (copy == u"junk" || copy == u"damaged") {
            QVERIFY(file.open(QIODevice::ReadWrite));
            const qint64 from = copy == u"junk" ? 0 : 40'960;
            file.seek(from);
            file.write(QByteArray(static_cast<int>(file.size() - from), '\x33'));
            file.close();
        }
        if (copy == u"another") {
            file.remove();
            SQLite::Database other(m_file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            other.exec("CREATE TABLE notes(text)");
        }
        if (copy == u"counts") {
            SQLite::Database database(m_file, SQLite::OPEN_READWRITE);
            database.exec("DELETE FROM pointers WHERE seq=3");
        }
        const std::string from = copy == u"itself" ? m_path + "/lanes.db" : m_file;
        const auto error = errorOf(restoreDataDirectory(m_path, from));
        QVERIFY2(error.find(says.toStdString()) != std::string::npos, error.c_str());
        const OpenStore open(optionsFor(m_path));
        QCOMPARE(text(open.error), QString());
        QCOMPARE(open.recovery.lastSequence.value, history.lastSequence());
        QCOMPARE(QDir(text(m_path)).entryList({QStringLiteral("set-aside*"),
                                               QStringLiteral("lanes.db.*")}),
                 QStringList());
    }

    void directoryInUseIsNotRestored() {
        const OpenStore open(optionsFor(m_path));
        QVERIFY(errorOf(restoreDataDirectory(m_path, m_file)).find("in use") != std::string::npos);
    }

    /// A crash after each step: the old set is there, or the next start finishes what was begun.
    void crashWhileASetIsReplaced() {
        int steps = 0;
        for (int crash = 1; crash <= 20; ++crash) {
            const std::string path = m_root + "/crash-" + std::to_string(crash);
            {
                OpenStore open(optionsFor(path));
                QVERIFY(open.commit(destinationsBatch(1)));
                QVERIFY(open.accept({newEvent("old", 1, {1})}).stored);
            }
            QVERIFY(store::createDataFile(store::draftFile(path)).ok());
            const pid_t child = fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                int step = 0;
                (void)store::replaceSet(path, [&](const char*) {
                    if (++step == crash) _exit(1);
                });
                _exit(0);
            }
            int status = 0;
            QCOMPARE(waitpid(child, &status, 0), child);
            const bool begun = crash > 1;
            {
                const OpenStore open(optionsFor(path));
                QCOMPARE(text(open.error), QString());
                QCOMPARE(open.recovery.destinations.size(), std::size_t(begun ? 0 : 1));
            }
            const auto aside = QDir(text(path)).entryList({QStringLiteral("set-aside*")});
            QCOMPARE(aside.size(), begun ? 1 : 0);
            if (begun) {
                const auto place = path + "/" + aside.front().toStdString();
                QVERIFY(eventsIn(place + "/lanes.db") == 1);
                QVERIFY(QFile::exists(text(place + "/lanes.db-mark")));
            }
            if (WEXITSTATUS(status) == 0) break;
            steps = crash;
        }
        QCOMPARE(steps, 8);
    }
};

QTEST_GUILESS_MAIN(TestBackup)
#include "backup_test.moc"
