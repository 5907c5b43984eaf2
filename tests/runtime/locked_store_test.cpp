// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify.h"
#include "tests/runtime/engine_world.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

using namespace lanes;
using namespace lanes::test;

namespace {

/// Seconds for which the file is held; LANES_LOCK_SECONDS=30 is the full size.
std::vector<int> holds() {
    if (qEnvironmentVariableIntValue("LANES_LOCK_SECONDS") >= 30) return {1, 5, 30};
    return {3};
}

/// Another process with a lock on the data file, until it goes.
class LockHolder {
public:
    LockHolder(const QString& directory, const char* what) {
        m_process.start(QStringLiteral(LOCK_HOLDER),
                        {directory + QStringLiteral("/lanes.db"), QString::fromLatin1(what)});
        m_holds = QTest::qWaitFor(
            [&] { return m_process.readAllStandardOutput().contains("held"); }, kPatience);
    }
    [[nodiscard]] bool holds() const { return m_holds; }
    /// Lets go; true if it had what it held until now.
    [[nodiscard]] bool release() {
        m_process.closeWriteChannel();
        return QTest::qWaitFor([&] { return m_process.state() == QProcess::NotRunning; },
                               kPatience) &&
               m_process.exitCode() == 0;
    }

private:
    QProcess m_process;
    bool m_holds = false;
};

/// Longest time for which the thread that owns it did not come back to its event loop.
class Pulse {
public:
    Pulse() {
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.start(5);
        m_clock.start();
    }
    [[nodiscard]] qint64 longestMs() {
        beat();
        return m_longest;
    }

private:
    void beat() {
        m_longest = std::max(m_longest, m_clock.restart());
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
};

/// As the window does: pages are read on a thread of their own.
class PageThread {
public:
    explicit PageThread(PageReader& reader) : m_reader(reader) {
        m_thread = std::thread([this] {
            const auto end = m_ending.get_future();
            do read();
            while (end.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready);
        });
    }
    ~PageThread() {
        m_ending.set_value();
        m_thread.join();
    }
    PageThread(const PageThread&) = delete;
    PageThread& operator=(const PageThread&) = delete;

    [[nodiscard]] qint64 longestMs() const { return m_longest; }

private:
    void read() {
        QElapsedTimer clock;
        clock.start();
        (void)m_reader.attempts({});
        (void)m_reader.deadLetters({});
        (void)m_reader.event(Sequence(1));
        (void)m_reader.planRewind(DeadLetterFilter());
        m_longest = std::max(m_longest.load(), clock.elapsed());
    }

    PageReader& m_reader;
    std::promise<void> m_ending;
    std::atomic<qint64> m_longest{0};
    std::thread m_thread;
};

}  // namespace

class LockedStoreTest : public QObject {
    Q_OBJECT

private slots:
    void nobodyIsBlockedAndNothingIsLost_data() {
        QTest::addColumn<QByteArray>("lock");
        QTest::addColumn<int>("seconds");
        for (const int seconds : holds()) {
            for (const char* lock : {"immediate", "exclusive", "reader"})
                QTest::addRow("%s for %d s", lock, seconds) << QByteArray(lock) << seconds;
        }
    }
    void nobodyIsBlockedAndNothingIsLost() {
        QFETCH(QByteArray, lock);
        QFETCH(int, seconds);
        const bool writes = lock != "reader";
        QTemporaryDir directory;
        World world(directory.path());
        QVERIFY(world.start());
        const auto mocks = makeMockControl();
        auto slow = behaviour();
        slow.latencyMs = 50;
        const auto url = mocks->addMock("crm", slow, "", 1, 0);
        QVERIFY(world.command(SetDestination{destination("crm", url)}).ok());
        QCOMPARE(world.postEvents(20, 10), 202);
        std::uint64_t sure = 200;
        const auto reader = world.engine->openPageReader();
        QVERIFY(reader);

        LockHolder holder(directory.path(), lock.constData());
        QVERIFY(holder.holds());
        PageThread pages(*reader);
        Pulse pulse;
        QElapsedTimer hold;
        hold.start();
        qint64 slowestAnswer = 0;
        qint64 slowestLanes = 0;
        int refused = 0;
        std::uint64_t token = 100;
        const auto published = world.engine->snapshot()->number;
        while (hold.elapsed() < seconds * 1000) {
            QElapsedTimer clock;
            clock.start();
            LanePageRequest request;
            request.token = ++token;
            world.engine->readLanes(request);
            QTRY_VERIFY_WITH_TIMEOUT(world.pages.contains(token), kPatience);
            slowestLanes = std::max(slowestLanes, clock.restart());
            const int status = world.postEvents(20, 1);
            slowestAnswer = std::max(slowestAnswer, clock.elapsed());
            QVERIFY2(status == 202 || status == 503, QByteArray::number(status).constData());
            if (status == 202) sure += 20;
            if (status == 503) ++refused;
            QTest::qWait(40);
        }
        const auto during = world.engine->snapshot();
        const auto snapshots = during->number - published;
        const qint64 held = hold.elapsed();
        QVERIFY(holder.release());
        if (!writes) QCOMPARE(refused, 0);
        // A shorter hold ends while the first commit waits for it.
        if (writes && seconds >= 3) {
            QVERIFY(refused > 0);
            QVERIFY(!during->store.writable);
            QVERIFY2(during->store.fault.find("locked by another program; close that program") !=
                         std::string::npos,
                     during->store.fault.c_str());
        }
        if (!writes) QVERIFY(during->store.fault.empty());
        // It goes on by itself, with everything that was called stored and nothing else.
        QTRY_VERIFY_WITH_TIMEOUT(world.engine->snapshot()->store.writable, kPatience);
        const auto accepts = [&] {
            const bool accepted = world.postEvents(20, 1) == 202;
            if (accepted) sure += 20;
            return accepted;
        };
        QVERIFY(QTest::qWaitFor(accepts, kPatience));
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, sure, kPatience);
        const auto blocked = pulse.longestMs();
        const auto longestRead = pages.longestMs();
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).accepted, sure, kPatience);
        const auto mock = mocks->mocks().at(0);
        QCOMPARE(mock.orderViolations, 0u);
        QCOMPARE(mock.duplicates, 0u);
        qInfo("%lld ms: loop %lld, lanes %lld, answer %lld, page %lld ms; %llu snapshots, %d "
              "refused",
              held, blocked, slowestLanes, slowestAnswer, longestRead,
              static_cast<unsigned long long>(snapshots), refused);
        QVERIFY2(blocked <= 100, QByteArray::number(blocked).constData());
        QVERIFY2(slowestLanes <= 500, QByteArray::number(slowestLanes).constData());
        // The wait of a commit for the lock, twice at most: before the fault is known.
        QVERIFY2(slowestAnswer <= 3'000, QByteArray::number(slowestAnswer).constData());
        QVERIFY2(longestRead <= 1'000, QByteArray::number(longestRead).constData());
        QVERIFY(snapshots >= static_cast<std::uint64_t>(held / 1000 * 3));
        world.engine->stop();
        const auto verified = verifyDataDirectory(directory.path().toStdString());
        const auto* report = std::get_if<VerifyReport>(&verified);
        QVERIFY(report != nullptr && report->clean());
        QCOMPARE(report->attempts, mock.requests);
    }

    void aStartOnALockedFileEndsSoonAndSaysWhy_data() {
        QTest::addColumn<QByteArray>("lock");
        QTest::newRow("the write lock") << QByteArray("immediate");
        QTest::newRow("the whole file") << QByteArray("alone");
    }
    void aStartOnALockedFileEndsSoonAndSaysWhy() {
        QFETCH(QByteArray, lock);
        QTemporaryDir directory;
        {
            World world(directory.path());
            QVERIFY(world.start());
        }
        LockHolder holder(directory.path(), lock.constData());
        QVERIFY(holder.holds());
        {
            Pulse pulse;
            QElapsedTimer clock;
            clock.start();
            World world(directory.path());
            QVERIFY(!world.start());
            QVERIFY(clock.elapsed() < 5'000);
            QVERIFY(pulse.longestMs() <= 100);
            const auto failure = world.engine->snapshot()->failure;
            QVERIFY2(failure.find("locked by another program; close that program") !=
                         std::string::npos,
                     failure.c_str());
        }
        QVERIFY(holder.release());
        World world(directory.path());
        QVERIFY(world.start());
    }
};

QTEST_GUILESS_MAIN(LockedStoreTest)
#include "locked_store_test.moc"
