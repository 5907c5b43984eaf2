// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/core/random.h"
#include "engine/store/connection.h"
#include "engine/verify.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr std::uint32_t kDestinations = 3;

/// What the store must say after any restart, kept the plain way.
struct Model {
    struct Waiting {
        UserId user;
        std::uint32_t attempts = 0;
        std::uint32_t life = 1;
        OperationId operation;
        Micros clock = 7 * kSecond;
        Outcome lastOutcome = Outcome::delivered;
        std::uint16_t lastStatus = 0;
    };
    std::map<std::pair<Sequence, DestinationId>, Waiting> waiting;
    std::map<std::pair<Sequence, DestinationId>, Waiting> dead;
    std::map<std::pair<Sequence, DestinationId>, Waiting> delivered;
    /// Of those that wait rewound and untried: as they were, and whether they were delivered.
    std::map<std::pair<Sequence, DestinationId>, std::pair<Waiting, bool>> rewound;
    std::map<DestinationId, DeliveryCounters> counters;
    int rewinds = 0;
    int redeliveries = 0;
    int undone = 0;
};

/// A seeded workload: each step is a batch and its effect on the model.
class Workload {
public:
    explicit Workload(std::uint64_t seed) : m_random(seed) {}

    WriteBatch step(Model& model) {
        WriteBatch batch;
        const auto rows = m_random.below(8);
        std::set<std::pair<Sequence, DestinationId>> touched;
        for (std::uint64_t row = 0; row < rows; ++row) addEntry(model, batch, touched);
        const auto events = m_random.below(6);
        for (std::uint64_t n = 0; n < events; ++n) {
            std::vector<std::uint32_t> targets;
            for (std::uint32_t id = 1; id <= kDestinations; ++id) {
                if (m_random.chance(0.5)) targets.push_back(id);
            }
            batch.events.push_back(
                newEvent("id-" + std::to_string(++m_ids), 1 + m_random.below(9), targets));
        }
        return batch;
    }

    static void accepted(Model& model, const IntakeCommit& commit) {
        for (const auto& event : commit.events) {
            for (const auto& target : event.targets) {
                Model::Waiting waiting;
                waiting.user = event.user;
                model.waiting[{event.sequence, target.destination}] = waiting;
                ++model.counters[target.destination].accepted;
                ++model.counters[target.destination].waiting;
            }
        }
    }

private:
    template <typename Map>
    auto pick(Map& map) {
        auto it = map.begin();
        std::advance(it, static_cast<std::ptrdiff_t>(m_random.below(map.size())));
        return it;
    }

    void addEntry(Model& model, WriteBatch& batch,
                  std::set<std::pair<Sequence, DestinationId>>& touched) {
        if (!model.rewound.empty() && m_random.chance(0.1)) {
            undo(model, batch, touched);
            return;
        }
        if (!model.delivered.empty() && m_random.chance(0.05)) {
            redeliver(model, batch, touched);
            return;
        }
        const bool onDead = !model.dead.empty() && m_random.chance(0.3);
        auto& map = onDead ? model.dead : model.waiting;
        if (map.empty()) return;
        const auto chosen = pick(map);
        const auto key = chosen->first;
        if (!touched.insert(key).second) return;
        auto state = chosen->second;
        auto& counters = model.counters[key.second];
        JournalEntry entry;
        entry.pointer = {key.second, key.first};
        entry.user = state.user;
        entry.life = state.life;
        if (onDead) {
            map.erase(chosen);
            --counters.dead;
            entry.outcome = state.lastOutcome;
            entry.status = state.lastStatus;
            if (m_random.chance(0.3)) {
                entry.kind = JournalKind::discarded;
                ++counters.discarded;
            } else {
                entry.kind = JournalKind::rewound;
                model.rewound[key] = {state, false};
                entry.life = ++state.life;
                entry.clock = state.clock = static_cast<Micros>(m_random.below(1'000'000));
                entry.operation = state.operation = OperationId(1 + m_random.below(5));
                state.attempts = 0;
                ++counters.waiting;
                ++model.rewinds;
                model.waiting[key] = state;
            }
        } else if (m_random.chance(0.2)) {
            map.erase(chosen);
            model.rewound.erase(key);
            entry.kind = JournalKind::deadLettered;
            entry.attempt = state.attempts;
            entry.outcome = state.lastOutcome;
            entry.status = state.lastStatus;
            --counters.waiting;
            ++counters.dead;
            model.dead[key] = state;
        } else {
            entry.attempt = state.attempts + 1;
            entry.operation = state.operation;
            model.rewound.erase(key);
            if (m_random.chance(0.5)) {
                map.erase(chosen);
                model.delivered[key] = state;
                entry.status = 200;
                --counters.waiting;
                ++counters.delivered;
            } else {
                entry.outcome = static_cast<Outcome>(1 + m_random.below(6));
                entry.status = static_cast<std::uint16_t>(400 + m_random.below(199));
                chosen->second.attempts = entry.attempt;
                chosen->second.lastOutcome = entry.outcome;
                chosen->second.lastStatus = entry.status;
            }
        }
        batch.journal.push_back(entry);
    }

    /// An untried rewind is taken back.
    void undo(Model& model, WriteBatch& batch,
              std::set<std::pair<Sequence, DestinationId>>& touched) {
        const auto chosen = pick(model.rewound);
        const auto key = chosen->first;
        if (!touched.insert(key).second) return;
        const auto [state, delivered] = chosen->second;
        JournalEntry entry;
        entry.kind = JournalKind::returned;
        entry.pointer = {key.second, key.first};
        entry.life = state.life + 1;
        entry.outcome = delivered ? Outcome::delivered : Outcome::unknown;
        batch.journal.push_back(entry);
        model.rewound.erase(chosen);
        model.waiting.erase(key);
        auto& counters = model.counters[key.second];
        --counters.waiting;
        ++(delivered ? counters.delivered : counters.dead);
        (delivered ? model.delivered : model.dead)[key] = state;
        ++model.undone;
    }

    /// A delivered event goes back to its lane.
    void redeliver(Model& model, WriteBatch& batch,
                   std::set<std::pair<Sequence, DestinationId>>& touched) {
        const auto chosen = pick(model.delivered);
        const auto key = chosen->first;
        if (!touched.insert(key).second) return;
        auto state = chosen->second;
        model.rewound[key] = {state, true};
        model.delivered.erase(chosen);
        state.attempts = 0;
        ++state.life;
        state.operation = OperationId(1 + m_random.below(5));
        state.clock = static_cast<Micros>(m_random.below(1'000'000));
        state.lastOutcome = Outcome::delivered;
        state.lastStatus = 200;
        JournalEntry entry;
        entry.kind = JournalKind::rewound;
        entry.pointer = {key.second, key.first};
        entry.user = state.user;
        entry.life = state.life;
        entry.operation = state.operation;
        entry.clock = state.clock;
        entry.status = 200;
        batch.journal.push_back(entry);
        model.waiting[key] = state;
        auto& counters = model.counters[key.second];
        --counters.delivered;
        ++counters.waiting;
        ++model.redeliveries;
    }

    Random m_random;
    std::uint64_t m_ids = 0;
};

/// Empty if the store came back as the model says.
QString difference(const OpenStore& open, const Model& model) {
    if (!open.error.empty()) return QString::fromStdString(open.error);
    if (open.pending.size() != model.waiting.size())
        return QStringLiteral("%1 wait instead of %2")
            .arg(open.pending.size())
            .arg(model.waiting.size());
    Sequence before;
    for (const auto& pending : open.pending) {
        const auto name = QString::number(pending.pointer.sequence.value);
        if (pending.pointer.sequence < before) return name + QStringLiteral(" is out of order");
        before = pending.pointer.sequence;
        const auto found =
            model.waiting.find({pending.pointer.sequence, pending.pointer.destination});
        if (found == model.waiting.end()) return name + QStringLiteral(" does not wait");
        const auto& truth = found->second;
        if (pending.user != truth.user || pending.attempts != truth.attempts ||
            pending.life != truth.life || pending.operation != truth.operation ||
            pending.clock != truth.clock || pending.lastOutcome != truth.lastOutcome ||
            pending.lastStatus != truth.lastStatus)
            return name + QStringLiteral(" waits otherwise");
    }
    std::size_t dead = 0;
    for (const auto& destination : open.recovery.destinations) {
        const auto counters = model.counters.find(destination.config.id);
        const auto truth =
            counters == model.counters.end() ? DeliveryCounters() : counters->second;
        if (!(destination.counters == truth)) return QStringLiteral("the counts differ");
        for (const auto& pointer : destination.dead) {
            const auto found = model.dead.find({pointer.sequence, destination.config.id});
            if (found == model.dead.end()) return QStringLiteral("a dead letter too many");
            if (found->second.user != pointer.user || found->second.life != pointer.life)
                return QStringLiteral("a dead letter differs");
            ++dead;
        }
    }
    if (dead != model.dead.size()) return QStringLiteral("a dead letter is missing");
    return {};
}

QString booksOf(const std::string& directory) {
    const auto verdict = verifyDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&verdict))
        return QString::fromStdString(*error);
    const auto& report = std::get<VerifyReport>(verdict);
    if (report.unbalanced == 0) return {};
    // The workload keeps no order, so the findings about order are no matter here.
    return QString::fromStdString(report.findings.back());
}

}  // namespace

class TestStoreRecovery : public QObject {
    Q_OBJECT

private slots:
    void anyInstantComesBackExactly_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<quint64>("checkpointRows");
        QTest::newRow("checkpoint after nearly every batch") << quint64{1} << quint64{5};
        QTest::newRow("checkpoint now and then") << quint64{2} << quint64{60};
        QTest::newRow("checkpoint now and then, other seed") << quint64{3} << quint64{111};
        QTest::newRow("checkpoint never, tails only") << quint64{4} << quint64{1'000'000};
    }
    void anyInstantComesBackExactly() {
        QFETCH(quint64, seed);
        QFETCH(quint64, checkpointRows);
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        auto options = optionsFor(directory);
        options.checkpointRows = checkpointRows;
        Random random(seed * 77);
        Workload workload(seed);
        Model model;
        auto open = std::make_unique<OpenStore>(options);
        QVERIFY(open->commit(destinationsBatch(kDestinations)));
        for (int step = 0; step < 300; ++step) {
            WriteBatch batch = workload.step(model);
            batch.ticket = batch.intake = ++open->ticket;
            open->store->submit(std::move(batch));
            const auto commit = open->listener.waitForIntake(open->ticket);
            QVERIFY(commit.stored);
            Workload::accepted(model, commit);
            if (random.chance(0.06)) {
                // As after a kill: the files as they are, without the shared memory.
                const std::string copy =
                    temporary.path().toStdString() + "/copy" + std::to_string(step);
                QDir().mkpath(QString::fromStdString(copy));
                for (const char* name : {"/lanes.db", "/lanes.db-wal"})
                    QVERIFY(QFile::copy(QString::fromStdString(directory + name),
                                        QString::fromStdString(copy + name)));
                const OpenStore copied(optionsFor(copy));
                QCOMPARE(difference(copied, model), QString());
                QCOMPARE(booksOf(copy), QString());
            }
            if (random.chance(0.05)) {
                QCOMPARE(booksOf(directory), QString());
                open.reset();
                open = std::make_unique<OpenStore>(options);
                QCOMPARE(difference(*open, model), QString());
            }
        }
        QVERIFY(model.rewinds > 0);
        QVERIFY(model.redeliveries > 0);
        QVERIFY(model.undone > 0);
        QVERIFY(model.counters[DestinationId(1)].discarded > 0);
    }

    void damagedCheckpointIsRebuiltFromTheLog() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        Workload workload(9);
        Model model;
        {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(kDestinations)));
            for (int step = 0; step < 50; ++step) {
                WriteBatch batch = workload.step(model);
                batch.ticket = batch.intake = ++open.ticket;
                open.store->submit(std::move(batch));
                Workload::accepted(model, open.listener.waitForIntake(open.ticket));
            }
        }
        {
            SQLite::Database database(directory + "/lanes.db", SQLite::OPEN_READWRITE);
            QVERIFY(database.exec("UPDATE checkpoint SET pending=x'01020304'") > 0);
        }
        const OpenStore open(optionsFor(directory));
        QCOMPARE(difference(open, model), QString());
    }

    void sequencesAreNeverGivenAgain() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        for (std::uint64_t turn = 1; turn <= 3; ++turn) {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(1)));
            QCOMPARE(open.recovery.lastSequence.value, turn - 1);
            QCOMPARE(open.accept({newEvent(std::to_string(turn), 1, {1})})
                         .events.at(0).sequence.value,
                     turn);
            open.store->close();
            SQLite::Database database(directory + "/lanes.db", SQLite::OPEN_READWRITE);
            database.exec("DELETE FROM events; DELETE FROM pointers");
            // Nothing is left of the log, so nothing may wait either.
            database.exec("DELETE FROM checkpoint");
        }
    }

    void progressReachesOne() {
        QTemporaryDir temporary(QString::fromLatin1(temporaryTemplate()));
        const std::string directory = temporary.path().toStdString() + "/data";
        {
            OpenStore open(optionsFor(directory));
            QVERIFY(open.commit(destinationsBatch(1)));
            std::vector<NewEvent> events;
            for (int n = 0; n < 40'000; ++n)
                events.push_back(newEvent(std::to_string(n), std::uint64_t(n), {1}));
            QVERIFY(open.accept(std::move(events)).stored);
        }
        RecordingListener listener;
        SqliteStore store(optionsFor(directory), listener);
        Recovery recovery;
        std::vector<double> progress;
        std::size_t pending = 0;
        recovery.progress = [&](double share) { progress.push_back(share); };
        recovery.pending = [&](const PendingPointer&) { ++pending; };
        QVERIFY(store.open(recovery).ok());
        QCOMPARE(pending, std::size_t{40'000});
        QVERIFY(progress.size() >= 3);
        QVERIFY(std::is_sorted(progress.begin(), progress.end()));
        QCOMPARE(progress.back(), 1.0);
    }
};

QTEST_GUILESS_MAIN(TestStoreRecovery)
#include "store_recovery_test.moc"
