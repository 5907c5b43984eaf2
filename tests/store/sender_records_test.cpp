// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/data_care.h"
#include "engine/store/connection.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::test;

namespace {

SourceConfig shop(std::uint32_t id, std::vector<std::string> keys) {
    return {SourceId(id), "shop-" + std::to_string(id), std::move(keys), kTestTime, "anna"};
}

QuarantineEntry rejected(const std::string& id, std::string body = "{\"id\":1}") {
    return {kTestTime,          "shop-1", EventForm::segment, "bad_field",
            "userId: too long", id,       std::move(body)};
}

}  // namespace

/// Senders with keys of their own, and events that were rejected; and the settings of destinations
/// that say how they are reached.
class TestSenderRecords : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] std::vector<std::uint64_t> ids(const OpenStore& open,
                                                 const QuarantineQuery& query = {}) const {
        std::vector<std::uint64_t> all;
        for (const auto& row : open.store->openPageReader()->quarantine(query).rows)
            all.push_back(row.id.value);
        return all;
    }
    void reject(OpenStore& open, std::vector<QuarantineEntry> entries) {
        WriteBatch batch;
        batch.quarantined = std::move(entries);
        QVERIFY(open.commit(std::move(batch)));
    }
    void release(OpenStore& open, std::vector<QuarantineId> which) {
        WriteBatch batch;
        batch.released = std::move(which);
        QVERIFY(open.commit(std::move(batch)));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
    }

    void sourcesAreKeptChangedAndRemoved() {
        const std::string one(64, '1');
        const std::string two(64, '2');
        OpenStore open(optionsFor(m_path));
        WriteBatch add;
        add.sources = {shop(1, {one}), shop(2, {})};
        QVERIFY(open.commit(std::move(add)));
        WriteBatch change;
        change.sources = {shop(1, {one, two})};
        change.removedSources = {SourceId(2)};
        QVERIFY(open.commit(std::move(change)));
        const OpenStore killed(optionsFor(copyAsKilled(m_path, "killed")));
        QCOMPARE(killed.error, std::string());
        QVERIFY(killed.recovery.sources == std::vector<SourceConfig>{shop(1, {one, two})});
        // The number of the removed one is never given again.
        QCOMPARE(killed.recovery.lastSource, SourceId(2));
    }

    void howADestinationIsReachedIsKept() {
        auto config = destinationConfig(1);
        config.url = "https://127.0.0.1/";
        config.body = BodyFormat::cloudEventsStructured;
        config.authentication = {Authentication::Scheme::basic, "anna", "pass:word"};
        config.tls = {"certificate", "key", std::string(64, 'a')};
        config.proxy = {"socks5://127.0.0.1:1080", "anna", "secret"};
        OpenStore open(optionsFor(m_path));
        WriteBatch batch;
        batch.destinations = {config, destinationConfig(2)};
        QVERIFY(open.commit(std::move(batch)));
        const OpenStore killed(optionsFor(copyAsKilled(m_path, "killed")));
        QVERIFY(killed.destination(1)->config == config);
        QVERIFY(killed.destination(2)->config == destinationConfig(2));
    }

    void rejectedEventsAreListedNewestFirst() {
        OpenStore open(optionsFor(m_path));
        reject(open, {rejected("a"), rejected("b"), rejected("c")});
        QCOMPARE(ids(open), (std::vector<std::uint64_t>{3, 2, 1}));
        QCOMPARE(ids(open, {QuarantineId(3), 1}), (std::vector<std::uint64_t>{2}));
        const auto reader = open.store->openPageReader();
        const auto page = reader->quarantine({});
        QVERIFY(page.complete);
        const auto& row = page.rows.front();
        QCOMPARE(row.at, kTestTime);
        QCOMPARE(row.source, std::string("shop-1"));
        QVERIFY(row.form == EventForm::segment);
        QCOMPARE(row.code, std::string("bad_field"));
        QCOMPARE(row.detail, std::string("userId: too long"));
        QCOMPARE(row.eventId, std::string("c"));
        QCOMPARE(row.bytes, std::uint64_t{8});
        QVERIFY(row.body.empty());
        QCOMPARE(reader->quarantined(QuarantineId(3))->body, std::string("{\"id\":1}"));
        QVERIFY(!reader->quarantined(QuarantineId(4)).has_value());
    }

    void whatIsReleasedIsGoneAndItsNumberWithIt() {
        OpenStore open(optionsFor(m_path));
        reject(open, {rejected("a"), rejected("b")});
        release(open, {QuarantineId(2), QuarantineId(7)});
        reject(open, {rejected("c")});
        QCOMPARE(ids(open), (std::vector<std::uint64_t>{3, 1}));
        const OpenStore killed(optionsFor(copyAsKilled(m_path, "killed")));
        QCOMPARE(killed.recovery.quarantined, std::uint64_t{2});
    }

    void anEventAndItsReleaseAreOneCommit() {
        OpenStore open(optionsFor(m_path));
        QVERIFY(open.commit(destinationsBatch(1)));
        reject(open, {rejected("a")});
        WriteBatch batch;
        batch.intake = 1;
        batch.events = {newEvent("a", 1, {1})};
        batch.released = {QuarantineId(1)};
        QVERIFY(open.commit(std::move(batch)));
        QVERIFY(ids(open).empty());
        QCOMPARE(open.store->openPageReader()->findEvents("test", "a").sequences.size(),
                 std::size_t{1});
    }

    void theOldestGoWhenThereAreTooMany() {
        OpenStore open(optionsFor(m_path));
        constexpr auto most = static_cast<std::uint64_t>(limits::kQuarantined);
        reject(open, std::vector<QuarantineEntry>(limits::kQuarantined - 1, rejected("x")));
        // Room that a released one left is used before an old one goes.
        release(open, {QuarantineId(2)});
        reject(open, {rejected("y"), rejected("y")});
        QVERIFY(open.store->openPageReader()->quarantined(QuarantineId(1)).has_value());
        reject(open, {rejected("z")});
        const auto reader = open.store->openPageReader();
        QVERIFY(!reader->quarantined(QuarantineId(1)).has_value());
        QVERIFY(reader->quarantined(QuarantineId(3)).has_value());
        QVERIFY(reader->quarantined(QuarantineId(most + 2)).has_value());
        const auto database = store::openForReading(store::dataFile(m_path));
        QCOMPARE(store::queryNumber(*database, "SELECT COUNT(*) FROM quarantine"),
                 static_cast<std::int64_t>(most));
    }

    void aHugeOneIsCutAndSaysSo() {
        OpenStore open(optionsFor(m_path));
        reject(open, {rejected("a", std::string(limits::kQuarantinedBytes + 1, 'x')),
                      rejected("b", std::string(limits::kQuarantinedBytes, 'x'))});
        const auto reader = open.store->openPageReader();
        const auto cut = reader->quarantined(QuarantineId(1));
        QCOMPARE(cut->body.size(), limits::kQuarantinedBytes);
        QCOMPARE(cut->bytes, std::uint64_t{limits::kQuarantinedBytes + 1});
        QVERIFY(!cut->whole());
        QVERIFY(reader->quarantined(QuarantineId(2))->whole());
    }

    void aSalvageKeepsThem() {
        {
            OpenStore open(optionsFor(m_path));
            WriteBatch batch = destinationsBatch(1);
            batch.sources = {shop(1, {std::string(64, '1')}), shop(2, {})};
            batch.quarantined = {rejected("a"), rejected("b")};
            batch.intake = 1;
            batch.events = {newEvent("a", 1, {1})};
            QVERIFY(open.commit(std::move(batch)));
        }
        const auto made = salvageDataDirectory(
            m_path, [](const UserKey&, const std::string&) { return UserId(1); });
        QVERIFY(std::holds_alternative<SalvageReport>(made));
        OpenStore again(optionsFor(m_path));
        QCOMPARE(again.error, std::string());
        QCOMPARE(again.recovery.sources.size(), std::size_t{2});
        QCOMPARE(again.recovery.lastSource, SourceId(2));
        QCOMPARE(again.recovery.quarantined, std::uint64_t{2});
        reject(again, {rejected("c")});
        QCOMPARE(ids(again), (std::vector<std::uint64_t>{3, 2, 1}));
    }
};

QTEST_GUILESS_MAIN(TestSenderRecords)
#include "sender_records_test.moc"
