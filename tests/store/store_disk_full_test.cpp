// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_model.h"
#include "tests/support/small_disk.h"

#include "engine/store/connection.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <filesystem>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kDiskBytes = 64 << 20;
constexpr int kSteps = 5;
constexpr int kTries = 20;

/// A store on a disk with so many pages left, where space is freed whenever it says that there is
/// none. The reserve that keeps it from getting there is switched off.
class CrowdedStore {
public:
    CrowdedStore(const SmallDisk& disk, const std::string& name) : m_disk(disk) {
        m_options = optionsFor(disk.path() + "/" + name);
        m_options.retryInterval = kMillisecond;
        m_options.walMoveInterval = 0;
        m_options.checkpointRows = 10;
    }
    ~CrowdedStore() {
        m_open.reset();
        m_disk.clear();
        std::filesystem::remove_all(m_options.directory);
    }
    CrowdedStore(const CrowdedStore&) = delete;
    CrowdedStore& operator=(const CrowdedStore&) = delete;

    /// Empty, or what went wrong.
    std::string run(std::uint64_t pages, bool open) {
        if (open) {
            m_open = std::make_unique<OpenStore>(m_options);
            if (!m_open->error.empty()) return m_open->error;
        }
        if (!m_disk.fill(pages * kPage)) return "the disk cannot be filled";
        if (!open) {
            m_open = std::make_unique<OpenStore>(m_options);
            if (!m_open->error.empty()) {
                m_wasFull = true;
                if (m_open->code != Error::Code::full) return "no room is: " + m_open->error;
                m_disk.clear();
                m_open = std::make_unique<OpenStore>(m_options);
                if (!m_open->error.empty()) return m_open->error;
            }
        }
        std::string wrong = submit(destinationsBatch(Workload::kDestinations));
        for (int n = 0; n < kSteps && wrong.empty(); ++n) wrong = submit(bigger(n));
        if (!wrong.empty()) return wrong;
        if (m_open->listener.faults() > 0) m_wasFull = true;
        m_disk.clear();
        if (!m_open->listener.waitForWritable(true)) return "does not recover by itself";
        if (!m_open->listener.waitForTicket(m_open->ticket)) return "a result is never stored";
        m_open.reset();
        if (auto fault = lookInto(m_options.directory); !fault.empty()) return fault;
        return difference(OpenStore(m_options), m_model);
    }

    [[nodiscard]] bool wasFull() const { return m_wasFull; }

private:
    /// A step with enough payload that every file grows.
    WriteBatch bigger(int step) {
        auto batch = m_workload.step(m_model);
        for (auto& event : batch.events)
            event.payload.assign(3'000 * static_cast<std::size_t>(1 + step), 'p');
        return batch;
    }

    std::string submit(WriteBatch batch) {
        auto& listener = m_open->listener;
        const auto events = batch.events;
        for (int tries = 0; tries < kTries; ++tries) {
            batch.ticket = batch.intake = ++m_open->ticket;
            m_open->store->submit(std::move(batch));
            const auto commit = listener.waitForIntake(m_open->ticket);
            if (commit.intake == 0) return "no answer";
            if (commit.stored) {
                Workload::accepted(m_model, commit);
                return {};
            }
            m_wasFull = true;
            if (listener.faults() == 0) return "events are given back without a word";
            const auto fault = listener.lastFault();
            if (!fault.empty() && fault.find("is full; free some space") == std::string::npos)
                return "no room is: " + fault;
            m_disk.clear();
            if (!listener.waitForWritable(true)) return "does not recover by itself";
            batch = WriteBatch();
            batch.events = events;
        }
        return "events are given back again and again";
    }

    const SmallDisk& m_disk;
    StoreOptions m_options;
    Workload m_workload{2};
    Model m_model;
    std::unique_ptr<OpenStore> m_open;
    bool m_wasFull = false;
};

}  // namespace

class TestStoreDiskFull : public QObject {
    Q_OBJECT

private slots:
    /// With one page more each time the room ends at another write: that of the log, of its index,
    /// of the mark, of the data file, until it is enough.
    void noWriteWithoutRoomCostsAnything_data() {
        QTest::addColumn<bool>("open");
        QTest::newRow("the store is open when the room goes") << true;
        QTest::newRow("the store is opened without room") << false;
    }
    void noWriteWithoutRoomCostsAnything() {
        QFETCH(bool, open);
        const SmallDisk disk(kDiskBytes);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        std::uint64_t pages = 0;
        for (bool full = true; full; ++pages) {
            CrowdedStore store(disk, "data" + std::to_string(pages));
            const auto wrong = store.run(pages, open);
            QVERIFY2(wrong.empty(), (std::to_string(pages) + " pages: " + wrong).c_str());
            full = store.wasFull();
        }
        QVERIFY2(pages > 20, QByteArray::number(static_cast<qulonglong>(pages)).constData());
    }

    /// What is in the log finds no room in the data file while nothing else is written.
    void aLogThatFindsNoRoomInTheDataFileIsAFault() {
        const SmallDisk disk(kDiskBytes);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        auto options = optionsFor(disk.path() + "/data");
        options.walMoveInterval = 2 * kSecond;
        OpenStore open(options);
        // The first commit is moved at once, the next one two seconds later.
        QVERIFY(open.commit(destinationsBatch(1)));
        auto event = newEvent("large", 1, {1});
        event.payload.assign(4 << 20, 'p');
        QVERIFY(open.accept({event}).stored);
        QVERIFY(disk.fill(0));
        QVERIFY(open.listener.waitForWritable(false));
        QVERIFY2(open.listener.lastFault().find("is full") != std::string::npos,
                 open.listener.lastFault().c_str());
        disk.clear();
        QVERIFY(open.listener.waitForWritable(true));
        QVERIFY(open.accept({newEvent("more", 1, {1})}).stored);
    }

    /// The index of a log beyond 4062 pages needs more than its first piece.
    void aStartThatHasToReadALongLogWithoutRoomSaysSo() {
        const SmallDisk disk(2 * kDiskBytes);
        if (!disk.ready()) QSKIP("Not tested: a small disk needs the right to mount.");
        auto options = optionsFor(disk.path() + "/data");
        options.walMoveInterval = kNeverMoved;
        std::string killed;
        {
            OpenStore open(options);
            QVERIFY(open.commit(destinationsBatch(1)));
            for (int n = 0; n < 6; ++n) {
                auto event = newEvent(std::to_string(n), 1, {1});
                event.payload.assign(4 << 20, 'p');
                QVERIFY(open.accept({event}).stored);
            }
            killed = copyAsKilled(options.directory, "killed");
        }
        std::filesystem::remove_all(options.directory);
        std::uint64_t pages = 0;
        for (bool full = true; full; ++pages) {
            std::filesystem::remove(killed + "/lanes.db-shm");
            std::filesystem::remove(killed + "/lock");
            QVERIFY(disk.fill(pages * kPage));
            {
                const OpenStore open(optionsFor(killed));
                full = !open.error.empty();
                if (full)
                    QVERIFY2(open.code == Error::Code::full, open.error.c_str());
                else
                    QCOMPARE(open.pending.size(), std::size_t{6});
            }
            disk.clear();
        }
        QVERIFY2(pages > 9, QByteArray::number(static_cast<qulonglong>(pages)).constData());
    }
};

QTEST_GUILESS_MAIN(TestStoreDiskFull)
#include "store_disk_full_test.moc"
