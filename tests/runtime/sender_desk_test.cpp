// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/sender_desk.h"

#include "engine/config.h"
#include "tests/support/empty_reader.h"

#include <QTest>

#include <map>
#include <utility>

using namespace lanes;

namespace {

/// Reads from a list; of everything else there is nothing.
class ListReader final : public test::EmptyReader {
public:
    explicit ListReader(std::vector<QuarantineRow> rows) : m_rows(std::move(rows)) {}

    QuarantinePage quarantine(const QuarantineQuery& query) override {
        QuarantinePage page;
        page.complete = true;
        for (const auto& row : m_rows) {
            if (query.before && row.id >= query.before) continue;
            page.complete = page.rows.size() < 2;  // small pages, so that there are several
            if (!page.complete) break;
            page.rows.push_back(row);
        }
        return page;
    }
    std::optional<QuarantineRow> quarantined(QuarantineId id) override {
        for (const auto& row : m_rows)
            if (row.id == id) return row;
        return std::nullopt;
    }

private:
    std::vector<QuarantineRow> m_rows;
};

SourceConfig shop(std::vector<std::string> keys, SourceId id = {}) {
    return {id, "shop", std::move(keys), 0, "anna"};
}

const std::string kOne(64, '1');
const std::string kTwo(64, '2');

/// A desk, the batches that it gave to the store, and what it said.
struct World {
    World() : desk(ports()) { desk.begin({}, SourceId(6), rows.size()); }

    SenderDeskPorts ports() {
        SenderDeskPorts ports;
        ports.submit = [this](WriteBatch batch) { batches.push_back(std::move(batch)); };
        ports.answer = [this](CommandId id, const CommandResult& result) { answers[id] = result; };
        ports.wallClock = [] { return WallMicros{77}; };
        ports.openReader = [this] { return std::make_unique<ListReader>(rows); };
        ports.readAgain = [](const QuarantineRow& row,
                             std::string body) -> std::variant<IntakeSubmission, EventRejection> {
            if (body.empty()) return EventRejection{0, "bad_json", "It is empty."};
            IntakeSubmission submission;
            NewEvent event;
            event.source = row.source;
            event.id = "e";
            event.type = "order.created";
            event.payload = std::move(body);
            submission.events.push_back(std::move(event));
            submission.named = {{DestinationId(3)}};
            return submission;
        };
        ports.route = [](const std::string&, const std::vector<DestinationId>& named) {
            std::vector<Target> targets;
            for (const auto id : named) targets.push_back({id, 5});
            return targets;
        };
        ports.sourcesChanged = [this](const std::vector<SourceConfig>& sources) {
            open = sources;
            ++changes;
        };
        return ports;
    }
    /// The store has committed the oldest batch, or given its events back.
    input::EventsAccepted commit(bool stored = true, bool duplicate = false) {
        const auto batch = std::move(batches.front());
        batches.erase(batches.begin());
        IntakeCommit done;
        done.intake = batch.intake;
        done.stored = stored;
        if (stored)
            for (const auto& event : batch.events)
                done.events.push_back({Sequence(9), duplicate, false, event.userId,
                                       duplicate ? std::vector<Target>() : event.targets});
        input::EventsAccepted accepted;
        desk.stored(done, accepted);
        return accepted;
    }
    [[nodiscard]] std::string error(std::uint64_t command) {
        return answers.contains(CommandId(command)) ? answers[CommandId(command)].error
                                                    : "(no answer)";
    }

    std::vector<QuarantineRow> rows = {row(5), row(4), row(3), row(2)};
    std::vector<WriteBatch> batches;
    std::map<CommandId, CommandResult> answers;
    std::vector<SourceConfig> open;
    int changes = 0;
    SenderDesk desk;

    static QuarantineRow row(std::uint64_t id) {
        QuarantineRow row;
        row.id = QuarantineId(id);
        row.source = "shop";
        return row;
    }
};

}  // namespace

class SenderDeskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSourceOpensOnceItIsDurable();
    void itsKeysAreChangedAndItsRecordStays();
    void aRemovedSourceOpensNothing();
    void whatCannotBeIsRefused_data();
    void whatCannotBeIsRefused();
    void aNameIsTakenWhileItIsBeingStored();
    void aMendedEventIsStoredAndThenReleased();
    void aMendedEventThatCannotBeStoredStays();
    void whatIsStillWrongIsTold();
    void aDuplicateIsTold();
    void onlyThoseThatAreThereAreDiscarded();
};

void SenderDeskTest::aSourceOpensOnceItIsDurable() {
    World world;
    world.desk.obey(CommandId(1), SetSource{shop({kOne})});
    QVERIFY(world.open.empty());
    QVERIFY(!world.answers.contains(CommandId(1)));
    QVERIFY(SenderDesk::isOurs(world.batches.front().intake));
    (void)world.commit();
    QCOMPARE(world.error(1), std::string());
    QCOMPARE(world.answers[CommandId(1)].source, SourceId(7));  // 6 was given before
    QCOMPARE(world.open.size(), std::size_t{1});
    QCOMPARE(world.open[0].addedAt, WallMicros{77});
    QCOMPARE(world.open[0].keys, std::vector<std::string>{kOne});
}

void SenderDeskTest::itsKeysAreChangedAndItsRecordStays() {
    World world;
    world.desk.obey(CommandId(1), SetSource{shop({kOne})});
    (void)world.commit();
    auto changed = shop({kOne, kTwo}, SourceId(7));
    changed.addedBy = "boris";
    world.desk.obey(CommandId(2), SetSource{changed});
    (void)world.commit();
    QCOMPARE(world.error(2), std::string());
    QCOMPARE(world.open[0].keys, (std::vector<std::string>{kOne, kTwo}));
    QCOMPARE(world.open[0].addedBy, std::string("anna"));
    QCOMPARE(world.open[0].addedAt, WallMicros{77});
}

void SenderDeskTest::aRemovedSourceOpensNothing() {
    World world;
    world.desk.obey(CommandId(1), SetSource{shop({kOne})});
    (void)world.commit();
    world.desk.obey(CommandId(2), RemoveSource{SourceId(7)});
    QCOMPARE(world.open.size(), std::size_t{1});
    (void)world.commit();
    QVERIFY(world.open.empty());
    QCOMPARE(world.error(2), std::string());
    // Its name is free again, its number is not.
    world.desk.obey(CommandId(3), SetSource{shop({kOne})});
    (void)world.commit();
    QCOMPARE(world.answers[CommandId(3)].source, SourceId(8));
}

void SenderDeskTest::whatCannotBeIsRefused_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a name of a format") << 0 << QByteArray("without a key of their own");
    QTest::newRow("a name that is taken") << 1 << QByteArray("already a source \"shop\"");
    QTest::newRow("another name") << 2 << QByteArray("cannot be changed");
    QTest::newRow("a key of another one") << 3 << QByteArray("\"shop\" has this key");
    QTest::newRow("a key that is none") << 4 << QByteArray("64 hexadecimal digits");
    QTest::newRow("too many keys") << 5 << QByteArray("at most four");
    QTest::newRow("a change of one that is gone") << 6 << QByteArray("removed meanwhile");
    QTest::newRow("a removal of one that is gone") << 7 << QByteArray("removed meanwhile");
    QTest::newRow("nothing to discard") << 8 << QByteArray("Name 1 to");
    QTest::newRow("what is gone") << 9 << QByteArray("in quarantine any more");
}

void SenderDeskTest::whatCannotBeIsRefused() {
    QFETCH(int, which);
    QFETCH(QByteArray, text);
    World world;
    world.desk.obey(CommandId(1), SetSource{shop({kOne})});
    (void)world.commit();
    const CommandId id(2);
    auto other = shop({kTwo});
    other.name = "web";
    auto renamed = shop({kOne}, SourceId(7));
    renamed.name = "web";
    auto sameKey = other;
    sameKey.keys = {kOne};
    auto format = other;
    format.name = "Segment";
    auto badKey = other;
    badKey.keys = {"hunter2"};
    auto many = other;
    for (char c = 'a'; c < 'f'; ++c) many.keys.emplace_back(64, c);
    switch (which) {
        case 0: world.desk.obey(id, SetSource{format}); break;
        case 1: world.desk.obey(id, SetSource{shop({kTwo})}); break;
        case 2: world.desk.obey(id, SetSource{renamed}); break;
        case 3: world.desk.obey(id, SetSource{sameKey}); break;
        case 4: world.desk.obey(id, SetSource{badKey}); break;
        case 5: world.desk.obey(id, SetSource{many}); break;
        case 6: world.desk.obey(id, SetSource{shop({kTwo}, SourceId(99))}); break;
        case 7: world.desk.obey(id, RemoveSource{SourceId(99)}); break;
        case 8: world.desk.obey(id, DiscardQuarantined{}); break;
        default: world.desk.obey(id, DiscardQuarantined{{QuarantineId(99)}}); break;
    }
    QVERIFY2(world.error(2).find(text.toStdString()) != std::string::npos, world.error(2).c_str());
    QVERIFY(world.batches.empty());
}

void SenderDeskTest::aNameIsTakenWhileItIsBeingStored() {
    World world;
    world.desk.obey(CommandId(1), SetSource{shop({kOne})});
    world.desk.obey(CommandId(2), SetSource{shop({kTwo})});
    QVERIFY(world.error(2).find("already a source") != std::string::npos);
    (void)world.commit();
    QCOMPARE(world.open.size(), std::size_t{1});
}

void SenderDeskTest::aMendedEventIsStoredAndThenReleased() {
    World world;
    world.desk.obey(CommandId(1), RetryQuarantined{QuarantineId(3), "{\"n\":2}"});
    QCOMPARE(world.batches.size(), std::size_t{1});
    QVERIFY(world.batches[0].released.empty());
    QCOMPARE(world.batches[0].events[0].payload, std::string("{\"n\":2}"));
    QVERIFY((world.batches[0].events[0].targets == std::vector<Target>{{DestinationId(3), 5}}));
    const auto accepted = world.commit();
    QCOMPARE(accepted.events.size(), std::size_t{1});
    QVERIFY(!world.answers.contains(CommandId(1)));
    QVERIFY(world.batches.at(0).released == std::vector<QuarantineId>{QuarantineId(3)});
    (void)world.commit();
    QCOMPARE(world.error(1), std::string());
    QVERIFY(!world.answers[CommandId(1)].duplicate);
    QCOMPARE(world.desk.quarantined(), std::uint64_t{3});
}

void SenderDeskTest::aMendedEventThatCannotBeStoredStays() {
    World world;
    world.desk.obey(CommandId(1), RetryQuarantined{QuarantineId(3), "{}"});
    QVERIFY(world.commit(false).events.empty());
    QVERIFY(world.error(1).find("nothing was changed") != std::string::npos);
    QVERIFY(world.batches.empty());
    QCOMPARE(world.desk.quarantined(), std::uint64_t{4});
}

void SenderDeskTest::whatIsStillWrongIsTold() {
    World world;
    world.desk.obey(CommandId(1), RetryQuarantined{QuarantineId(3), ""});
    QCOMPARE(world.error(1), std::string("It is empty."));
    world.desk.obey(CommandId(2), RetryQuarantined{QuarantineId(99), "{}"});
    QVERIFY(world.error(2).find("not in quarantine any more") != std::string::npos);
    QVERIFY(world.batches.empty());
}

void SenderDeskTest::aDuplicateIsTold() {
    World world;
    world.desk.obey(CommandId(1), RetryQuarantined{QuarantineId(3), "{}"});
    QVERIFY(world.commit(true, true).events.empty());
    (void)world.commit();
    QVERIFY(world.answers[CommandId(1)].duplicate);
}

void SenderDeskTest::onlyThoseThatAreThereAreDiscarded() {
    World world;
    world.desk.obey(CommandId(1),
                    DiscardQuarantined{{QuarantineId(2), QuarantineId(99), QuarantineId(5)}});
    QVERIFY((world.batches.at(0).released ==
             std::vector<QuarantineId>{QuarantineId(5), QuarantineId(2)}));
    (void)world.commit();
    const auto& result = world.answers[CommandId(1)];
    QCOMPARE(result.done, std::uint64_t{2});
    QCOMPARE(result.skipped, std::uint64_t{1});
    QCOMPARE(world.desk.quarantined(), std::uint64_t{2});
    world.desk.noteQuarantined(3);
    QCOMPARE(world.desk.quarantined(), std::uint64_t{5});
    world.desk.noteQuarantined(limits::kQuarantined);
    QCOMPARE(world.desk.quarantined(), std::uint64_t{limits::kQuarantined});
}

QTEST_GUILESS_MAIN(SenderDeskTest)
#include "sender_desk_test.moc"
