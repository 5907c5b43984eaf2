// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/power_cut_vfs.h"
#include "tests/store/store_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace lanes;
using namespace lanes::test;

namespace {

/// Which calls fail in a plain run: every kStride-th; LANES_IO_STRIDE=1 asks for all.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStride = 7;
#else
constexpr int kStride = 1;
#endif
constexpr int kSteps = 8;
constexpr int kTries = 20;

enum class Ending { closed, cut };

/// A store that works while one call to the disk, or all from one on, fail.
class FaultyStore {
public:
    /// \param moves whether the write-ahead log goes into the data file after each group.
    explicit FaultyStore(bool moves) {
        m_options = optionsFor(m_directory.path().toStdString() + "/data");
        m_options.retryInterval = kMillisecond;
        m_options.walMoveInterval = moves ? 0 : kNeverMoved;
        m_options.checkpointRows = 10;
        m_options.checkpointBlocks = 1;
        m_options.idRunEntries = 10;
    }

    /// Empty, or what went wrong.
    std::string run(std::uint64_t call, PowerCutVfs::Repeat repeat, Ending ending) {
        m_vfs.failAt(call, repeat);
        std::string wrong = start();
        if (wrong.empty()) wrong = work();
        if (!wrong.empty()) return wrong;
        if (ending == Ending::cut) {
            heal();
            m_vfs.cutAt(1);
            m_open.reset();
            m_vfs.heal();
            Random random(call);
            m_vfs.leaveBehind(random);
        } else {
            m_open.reset();
            heal();
        }
        if (auto fault = lookInto(m_options.directory); !fault.empty()) return fault;
        return difference(OpenStore(m_options), m_model);
    }

    [[nodiscard]] bool hit() const { return m_hit; }

private:
    void heal() {
        m_hit = m_hit || m_vfs.hit();
        m_vfs.heal();
    }

    std::string start() {
        m_open = std::make_unique<OpenStore>(m_options);
        if (m_open->error.empty()) return {};
        if (!m_vfs.hit()) return m_open->error;
        // A disk that fails is no reason to set the file aside.
        if (m_open->code == Error::Code::damaged) return "called damaged: " + m_open->error;
        heal();
        m_open = std::make_unique<OpenStore>(m_options);
        return m_open->error;
    }

    std::string work() {
        std::string wrong = submit(destinationsBatch(Workload::kDestinations));
        for (int n = 0; n < kSteps && wrong.empty(); ++n) wrong = submit(m_workload.step(m_model));
        if (!wrong.empty()) return wrong;
        // The fault may have come between two groups.
        if (m_vfs.hit()) heal();
        if (!m_open->listener.waitForWritable(true)) return "does not recover by itself";
        if (!m_open->listener.waitForTicket(m_open->ticket)) return "a result is never stored";
        return {};
    }

    /// Events that come back are given again, as a sender does; the rest the store keeps.
    std::string submit(WriteBatch batch) {
        auto& listener = m_open->listener;
        const auto events = batch.events;
        for (int tries = 0; tries < kTries; ++tries) {
            batch.ticket = batch.intake = ++m_open->ticket;
            m_open->store->submit(std::move(batch));
            const auto commit = listener.waitForIntake(m_open->ticket);
            if (commit.intake == 0) return "no answer";
            if (commit.stored) {
                for (const auto& event : commit.events)
                    if (event.duplicate) return "an event that was given back is there";
                Workload::accepted(m_model, commit);
                return {};
            }
            if (!m_vfs.hit()) return "events are given back without a fault";
            if (listener.faults() == 0) return "events are given back without a word";
            heal();
            if (!listener.waitForWritable(true)) return "does not recover by itself";
            batch = WriteBatch();
            batch.events = events;
        }
        return "events are given back again and again";
    }

    PowerCutVfs m_vfs;
    Workload m_workload{1};
    Model m_model;
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    StoreOptions m_options;
    std::unique_ptr<OpenStore> m_open;
    bool m_hit = false;
};

}  // namespace

class TestIoErrors : public QObject {
    Q_OBJECT

private slots:
    void noCallThatFailsCostsWhatWasCalledDurable_data() {
        QTest::addColumn<bool>("once");
        QTest::addColumn<bool>("cut");
        QTest::addColumn<bool>("moves");
        QTest::newRow("a call fails once, then the store is closed") << true << false << true;
        QTest::newRow("all fail from one on, then the store is closed") << false << false << true;
        QTest::newRow("a call fails once, then the power goes") << true << true << true;
        QTest::newRow("a call fails once, then the power goes, all is in the write-ahead log")
            << true << true << false;
        QTest::newRow("all fail from one on, then the power goes, all is in the write-ahead log")
            << false << true << false;
    }
    void noCallThatFailsCostsWhatWasCalledDurable() {
        QFETCH(bool, once);
        QFETCH(bool, cut);
        QFETCH(bool, moves);
        bool good = false;
        const int asked = qEnvironmentVariableIntValue("LANES_IO_STRIDE", &good);
        const auto stride = static_cast<std::uint64_t>(good ? asked : kStride);
        std::uint64_t call = 1;
        for (bool hit = true; hit; call += stride) {
            FaultyStore store(moves);
            const auto wrong =
                store.run(call, once ? PowerCutVfs::Repeat::once : PowerCutVfs::Repeat::forEver,
                          cut ? Ending::cut : Ending::closed);
            QVERIFY2(wrong.empty(), ("call " + std::to_string(call) + ": " + wrong).c_str());
            hit = store.hit();
        }
        QVERIFY2(call > 150, std::to_string(call).c_str());
    }
};

QTEST_GUILESS_MAIN(TestIoErrors)
#include "io_error_test.moc"
