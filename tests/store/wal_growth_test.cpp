// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/config.h"
#include "engine/store/connection.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

using namespace lanes;
using namespace lanes::test;

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPayload = 100'000;
constexpr int kEventsOfGroup = 20;

/// Seconds of writing among readers; LANES_WAL_SECONDS=60 is the full size.
int writingSeconds() {
    bool good = false;
    const int asked = qEnvironmentVariableIntValue("LANES_WAL_SECONDS", &good);
    return good ? asked : 6;
}

std::uint64_t sizeOf(const std::string& path) {
    QFileInfo info(QString::fromStdString(path));
    return static_cast<std::uint64_t>(info.size());
}

/// Two megabytes.
std::vector<NewEvent> group(int turn) {
    std::vector<NewEvent> events;
    for (int n = 0; n < kEventsOfGroup; ++n) {
        events.push_back(newEvent(std::to_string(turn) + "-" + std::to_string(n), 1, {1}));
        events.back().payload.assign(kPayload, 'y');
    }
    return events;
}

/// A transaction that sees the log as it is now until it ends.
class OpenReader {
public:
    explicit OpenReader(const std::string& directory)
        : m_database(store::openForReading(store::dataFile(directory))),
          m_transaction(*m_database) {
        (void)store::queryNumber(*m_database, "SELECT COUNT(*) FROM journal");
    }

private:
    store::Connection m_database;
    store::ReadTransaction m_transaction;
};

}  // namespace

class TestWalGrowth : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;
    std::string m_log;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
        m_log = m_path + "/lanes.db-wal";
    }

    void readersWithShortTransactionsKeepItSmall() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        std::promise<void> ending;
        const std::shared_future<void> end(ending.get_future());
        const auto endsWithin = [end](std::chrono::milliseconds time) {
            return end.wait_for(time) == std::future_status::ready;
        };
        std::atomic<std::uint64_t> largest{0};
        std::atomic<std::uint64_t> reads{0};
        std::vector<std::thread> threads;
        // Each holds a transaction nearly always, and there is always one.
        for (int n = 0; n < 3; ++n) {
            threads.emplace_back([&, n] {
                auto database = store::openForReading(store::dataFile(m_path));
                for (bool ends = false; !ends; ++reads) {
                    const store::ReadTransaction transaction(*database);
                    (void)store::queryNumber(*database, "SELECT MAX(seq) FROM events");
                    ends = endsWithin(5ms + n * 4ms);
                }
            });
        }
        threads.emplace_back([&] {
            while (!endsWithin(1ms)) largest = std::max(largest.load(), sizeOf(m_log));
        });
        QElapsedTimer clock;
        clock.start();
        bool stored = true;
        std::uint64_t written = 0;
        for (int turn = 0; stored && clock.elapsed() < writingSeconds() * 1000; ++turn) {
            stored = open.accept(group(turn)).stored;
            written += kEventsOfGroup * kPayload;
        }
        ending.set_value();
        for (auto& thread : threads) thread.join();
        qInfo("%llu MB written, %llu reads, log at most %llu MB",
              static_cast<unsigned long long>(written / 1'000'000),
              static_cast<unsigned long long>(reads.load()),
              static_cast<unsigned long long>(largest.load() / 1'000'000));
        QVERIFY2(stored, open.listener.lastFault().c_str());
        QVERIFY(written > 2 * limits::kWalBytes);
        QVERIFY(largest > 0);
        QVERIFY2(largest <= limits::kWalBytes,
                 QByteArray::number(static_cast<qulonglong>(largest)).constData());
        QVERIFY(open.listener.lastFault().empty());
    }

    void aReaderThatStaysIsToldOfBoundedAndForgotten() {
        auto options = optionsFor(m_path);
        options.stuckWalBytes = 96u << 20;
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        const auto first = open.accept(group(-1)).events.at(0).sequence;
        auto reader = std::make_unique<OpenReader>(m_path);
        int turn = 0;
        // Up to the first limit nothing is said; then it is, and everything goes on.
        while (sizeOf(m_log) <= limits::kWalBytes) {
            QVERIFY(open.accept(group(turn++)).stored);
            QVERIFY(turn < 100);
        }
        QTRY_VERIFY(!open.listener.lastFault().empty());
        const auto warning = open.listener.lastFault();
        for (const char* part : {"lanes.db-wal is larger than 64 MiB", "end that program",
                                 "Everything still works", "from 96 MiB on"})
            QVERIFY2(warning.find(part) != std::string::npos, warning.c_str());
        QVERIFY(open.store->stats().writable);
        QVERIFY(open.store->stats().fault == warning);
        QVERIFY(open.accept(group(turn++)).stored);
        // At the second no event is taken.
        IntakeCommit answer;
        do {
            answer = open.accept(group(turn++));
            QTest::qWait(30);
        } while (answer.stored && turn < 200);
        QVERIFY(!answer.stored && answer.intake != 0);
        QVERIFY(!open.store->stats().writable);
        const auto fault = open.listener.lastFault();
        for (const char* part : {"lanes.db-wal is larger than 96 MiB", "end that program",
                                 "New events are refused"})
            QVERIFY2(fault.find(part) != std::string::npos, fault.c_str());
        const auto full = sizeOf(m_log);
        for (int n = 0; n < 10; ++n) QVERIFY(!open.accept(group(turn++)).stored);
        QCOMPARE(sizeOf(m_log), full);
        QVERIFY2(full < options.stuckWalBytes + 24'000'000,
                 QByteArray::number(static_cast<qulonglong>(full)).constData());
        // What requests under way find out is stored all the same.
        QVERIFY(open.commit(journalBatch({journalEntry(JournalKind::attempt, 1, first)})));

        reader.reset();
        QVERIFY(open.listener.waitForWritable(true));
        QTRY_VERIFY(open.listener.lastFault().empty());
        QVERIFY(sizeOf(m_log) <= limits::kWalBytes);
        QVERIFY(open.accept(group(turn++)).stored);
        QCOMPARE(faultOf(m_path), std::string());
    }

    void whatAStuckLogHoldsNeedsRoomInTheDataFile() {
        auto options = optionsFor(m_path);
        std::atomic<std::uint64_t> free{1ull << 40};
        options.diskSpace = [&] { return store::DiskSpace{free, 1ull << 30}; };
        OpenStore open(options);
        QVERIFY(open.commit(destinationsBatch(1)));
        auto reader = std::make_unique<OpenReader>(m_path);
        for (int turn = 0; sizeOf(m_log) <= limits::kWalBytes; ++turn)
            QVERIFY(open.accept(group(turn)).stored);
        free = limits::kDiskReserveBytes + limits::kWalBytes / 2;
        QVERIFY(open.listener.waitForWritable(false));
        QVERIFY2(open.listener.lastFault().find("almost full") != std::string::npos,
                 open.listener.lastFault().c_str());
        reader.reset();
        QVERIFY(open.listener.waitForWritable(true));
    }
};

QTEST_GUILESS_MAIN(TestWalGrowth)
#include "wal_growth_test.moc"
