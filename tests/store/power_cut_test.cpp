// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/power_cut_vfs.h"
#include "tests/store/store_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <string_view>

using namespace lanes;
using namespace lanes::test;

namespace {

/// Seeds of a plain run; LANES_CUT_SEEDS=n asks for more, LANES_CUT_FIRST says where to begin.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSeeds = 50;
#else
constexpr std::uint64_t kSeeds = 500;
#endif
constexpr int kLives = 4;

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    bool good = false;
    const auto value = qEnvironmentVariable(variable).toULongLong(&good);
    return good ? value : otherwise;
}

/// Connections that live meanwhile never sync, whatever they are told.
class SynchronousOff {
public:
    SynchronousOff() { sqlite3_auto_extension(entry()); }
    ~SynchronousOff() { sqlite3_cancel_auto_extension(entry()); }
    SynchronousOff(const SynchronousOff&) = delete;
    SynchronousOff& operator=(const SynchronousOff&) = delete;

private:
    using Entry = void (*)();
    static Entry entry() { return reinterpret_cast<Entry>(&SynchronousOff::opened); }

    static int opened(sqlite3* database, char**, const void*) {
        const int code =
            sqlite3_exec(database, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
        sqlite3_set_authorizer(database, &SynchronousOff::authorize, nullptr);
        return code;
    }
    static int authorize(void*, int action, const char* name, const char*, const char*,
                         const char*) {
        const bool told = action == SQLITE_PRAGMA && std::string_view(name) == "synchronous";
        return told ? SQLITE_IGNORE : SQLITE_OK;
    }
};

/// A store that lives a few lives, each ended by a power cut.
class CutStore {
public:
    explicit CutStore(std::uint64_t seed) : m_random(seed), m_workload(seed) {
        m_options = optionsFor(m_directory.path().toStdString() + "/data");
        m_options.retryInterval = kHour;
    }

    /// Empty, or what was lost.
    std::string run() {
        for (int life = 0; life <= kLives; ++life) {
            m_options.checkpointRows = 1 + m_random.below(100);
            m_options.checkpointBlocks = 1 + m_random.below(2);
            m_options.idRunEntries = 1 + m_random.below(50);
            m_options.walMoveInterval = m_random.chance(0.5) ? 0 : kNeverMoved;
            // Sound as a database, and in its books, before anything has repaired it.
            std::string lost;
            if (m_configured) lost = lookInto(m_options.directory);
            if (life < kLives) m_vfs.cutAt(1 + m_random.below(m_random.chance(0.2) ? 40 : 900));
            if (lost.empty()) lost = live();
            if (!lost.empty()) return "life " + std::to_string(life) + ": " + lost;
            m_cuts += m_vfs.hit() ? 1 : 0;
            m_vfs.heal();
            m_vfs.leaveBehind(m_random);
        }
        return {};
    }

    [[nodiscard]] std::uint64_t cuts() const { return m_cuts; }
    [[nodiscard]] std::uint64_t batches() const { return m_batches; }
    /// What of each kind of an operator's acts was durable; the fewest.
    [[nodiscard]] int acts() const {
        return std::min({m_model.rewinds, m_model.redeliveries, m_model.undone, m_model.pauses,
                         m_model.ended, m_model.edits});
    }

private:
    std::string live() {
        OpenStore open(m_options);
        if (!open.error.empty()) return m_vfs.hit() ? std::string() : open.error;
        const auto lost = compare(open);
        // A cut while the log was read for the comparison says nothing about what is there.
        if (!lost.empty()) return m_vfs.hit() ? std::string() : lost;
        const auto steps = 5 + m_random.below(30);
        for (std::uint64_t n = 0; n < steps; ++n) {
            if (!step(open)) return {};
        }
        return {};
    }

    /// The batch under way when the power went may be there as a whole, or not at all.
    std::string compare(const OpenStore& open) {
        if (!m_configured) return {};
        if (open.recovery.destinations.size() != Workload::kDestinations)
            return "destinations are lost";
        const auto lost = difference(open, m_model);
        if (!m_underWay || (!lost.empty() && !difference(open, *m_underWay).empty())) return lost;
        if (!lost.empty()) m_model = *m_underWay;
        m_underWay.reset();
        return {};
    }

    bool step(OpenStore& open) {
        WriteBatch batch;
        Model next = m_model;
        if (m_configured)
            batch = m_workload.step(next);
        else
            batch = destinationsBatch(Workload::kDestinations);
        Model underWay = next;
        Workload::accepted(underWay, expected(batch));
        batch.ticket = batch.intake = ++open.ticket;
        open.store->submit(std::move(batch));
        const auto commit = open.listener.waitForIntake(open.ticket);
        if (!commit.stored) {
            m_underWay = std::move(underWay);
            return false;
        }
        Workload::accepted(next, commit);
        m_model = std::move(next);
        m_configured = true;
        ++m_batches;
        return true;
    }

    /// The answer that a batch would have had.
    IntakeCommit expected(const WriteBatch& batch) const {
        IntakeCommit commit;
        auto last = m_model.events.empty() ? 0 : m_model.events.rbegin()->value;
        for (const auto& event : batch.events) {
            StoredEvent stored;
            stored.sequence = Sequence(++last);
            stored.user = event.userId;
            stored.targets = event.targets;
            commit.events.push_back(std::move(stored));
        }
        return commit;
    }

    PowerCutVfs m_vfs;
    Random m_random;
    Workload m_workload;
    Model m_model;
    std::optional<Model> m_underWay;
    bool m_configured = false;
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    StoreOptions m_options;
    std::uint64_t m_cuts = 0;
    std::uint64_t m_batches = 0;
};

}  // namespace

class TestPowerCut : public QObject {
    Q_OBJECT

private slots:
    void whatWasCalledDurableIsThereAfterEveryCut() {
        const auto first = number("LANES_CUT_FIRST", 1);
        const auto count = number("LANES_CUT_SEEDS", kSeeds);
        std::uint64_t cuts = 0;
        std::uint64_t batches = 0;
        int acted = 0;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            CutStore store(seed);
            const auto lost = store.run();
            QVERIFY2(lost.empty(), ("seed " + std::to_string(seed) + ", " + lost).c_str());
            cuts += store.cuts();
            batches += store.batches();
            acted += store.acts() > 0 ? 1 : 0;
        }
        // A run in which nothing is cut proves nothing.
        QVERIFY(cuts > count);
        QVERIFY(batches > 10 * count);
        QVERIFY2(2 * static_cast<std::uint64_t>(acted) > count, std::to_string(acted).c_str());
    }

    void aStoreThatNeverSyncsLosesWhatItCalledDurable() {
        const SynchronousOff off;
        int losses = 0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed)
            losses += CutStore(seed).run().empty() ? 0 : 1;
        QVERIFY(losses > 5);
    }
};

QTEST_GUILESS_MAIN(TestPowerCut)
#include "power_cut_test.moc"
