// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/plan_log.h"
#include "tests/store/power_cut_vfs.h"
#include "tests/store/store_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <filesystem>
#include <functional>
#include <sstream>

using namespace lanes;
using namespace lanes::test;

namespace {

int strideOr(int otherwise) {
    bool good = false;
    const int asked = qEnvironmentVariableIntValue("LANES_IO_STRIDE", &good);
    return good ? asked : otherwise;
}

/// What a question got: an answer as text, or no answer. `whole` is what it calls itself.
struct Answer {
    std::string text;
    bool whole = true;
};

Answer answered(const std::optional<EventRow>& row, bool failed) {
    if (!row) return {"none", !failed};
    return {row->id + " " + row->user.text + " " + row->payload, true};
}

/// A question to a reader that opened its connection just now; nothing if it cannot be opened.
using Question = std::function<std::optional<Answer>(const SqliteStore&)>;

std::optional<Answer> askPages(const SqliteStore& store,
                               const std::function<Answer(PageReader&)>& ask) {
    const auto reader = store.openPageReader();
    if (!reader) return std::nullopt;
    return ask(*reader);
}

Answer deadLetters(PageReader& reader) {
    const auto page = reader.deadLetters({});
    std::vector<Pointer> pointers;
    for (const auto& row : page.rows) pointers.push_back(row.pointer);
    return {textOf(pointers), page.complete};
}

Answer attempts(PageReader& reader) {
    const auto page = reader.attempts({});
    std::ostringstream out;
    for (const auto& row : page.rows) out << row.position << ' ' << row.error << ';';
    return {out.str(), page.complete};
}

Answer rewindPlan(PageReader& reader) {
    const auto plan = reader.planRewind(DeadLetterFilter());
    std::ostringstream out;
    out << textOf(plan.pointers) << ' ' << plan.lastOperation.value;
    for (const auto& d : plan.destinations)
        out << ' ' << d.events << ' ' << d.lanes << ' ' << d.bytes << ' ' << d.laterDelivered;
    return {out.str(), plan.error.empty()};
}

Answer lanePlan(PageReader& reader) {
    const auto plan = reader.planLanes({{{DestinationId(1), UserId(1)}, Sequence(1)}});
    std::ostringstream out;
    for (const auto& lane : plan.lanes) out << textOf(lane.events) << ';';
    out << plan.dead << ' ' << plan.delivered << ' ' << plan.waiting;
    return {out.str(), plan.error.empty()};
}

const std::vector<std::pair<const char*, Question>>& questions() {
    static const std::vector<std::pair<const char*, Question>> all = {
        {"dead letters",
         [](const SqliteStore& store) { return askPages(store, deadLetters); }},
        {"attempts", [](const SqliteStore& store) { return askPages(store, attempts); }},
        {"a plan to rewind", [](const SqliteStore& store) { return askPages(store, rewindPlan); }},
        {"a plan of lanes", [](const SqliteStore& store) { return askPages(store, lanePlan); }},
        {"an event for its delivery",
         [](const SqliteStore& store) -> std::optional<Answer> {
             const auto reader = store.openEventReader();
             if (!reader) return std::nullopt;
             const auto row = reader->read(Sequence(9));
             return answered(row, reader->failed());
         }},
        {"an event of one destination",
         [](const SqliteStore& store) -> std::optional<Answer> {
             const auto reader = store.openEventReader();
             if (!reader) return std::nullopt;
             const auto row = reader->readFor({DestinationId(1), Sequence(5)});
             return answered(row, reader->failed());
         }},
    };
    return all;
}

}  // namespace

class TestIoErrorReading : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_path;

private slots:
    void init() {
        m_path = m_directory.path().toStdString() + "/data";
        std::filesystem::remove_all(m_path);
    }

    void whatCannotBeReadIsNeverAnAnswer_data() {
        QTest::addColumn<int>("question");
        QTest::addColumn<bool>("once");
        for (int n = 0; n < static_cast<int>(questions().size()); ++n) {
            const auto* name = questions()[static_cast<std::size_t>(n)].first;
            QTest::addRow("%s, one call fails", name) << n << true;
            QTest::addRow("%s, all calls fail from one on", name) << n << false;
        }
    }
    void whatCannotBeReadIsNeverAnAnswer() {
        QFETCH(int, question);
        QFETCH(bool, once);
        const auto& ask = questions()[static_cast<std::size_t>(question)].second;
        PowerCutVfs vfs;
        OpenStore open(optionsFor(m_path));
        QVERIFY(writePlanLog(open));
        const auto right = ask(*open.store);
        QVERIFY(right && right->whole);
        std::uint64_t call = 1;
        int refused = 0;
        for (bool hit = true; hit; ++call) {
            vfs.failAt(call, once ? PowerCutVfs::Repeat::once : PowerCutVfs::Repeat::forEver);
            const auto answer = ask(*open.store);
            hit = vfs.hit();
            vfs.heal();
            if (!answer || !answer->whole) {
                QVERIFY2(hit, "no answer without a fault");
                ++refused;
                continue;
            }
            QVERIFY2(answer->text == right->text,
                     ("call " + std::to_string(call) + ": " + answer->text).c_str());
        }
        QVERIFY(refused > 0);
        // The store has not noticed: others read its files.
        QVERIFY(open.commit(journalBatch({journalEntry(JournalKind::attempt, 2, Sequence(9))})));
    }

    void retentionThatFailsIsGoneOnWith_data() {
        QTest::addColumn<bool>("once");
        QTest::newRow("one call fails") << true;
        QTest::newRow("all calls fail from one on") << false;
    }
    void retentionThatFailsIsGoneOnWith() {
        QFETCH(bool, once);
        const std::string base = m_path + "-base";
        std::filesystem::remove_all(base);
        constexpr std::uint64_t kEvents = 300;
        {
            OpenStore open(optionsFor(base));
            QVERIFY(open.commit(destinationsBatch(1)));
            std::vector<NewEvent> events;
            WriteBatch batch;
            for (std::uint64_t n = 1; n <= kEvents; ++n) {
                events.push_back(newEvent(std::to_string(n), n % 10 != 0 ? n % 7 : 100 + n, {1}));
                batch.journal.push_back(
                    journalEntry(JournalKind::attempt, 1, Sequence(n),
                                 n % 10 != 0 ? Outcome::delivered : Outcome::failed));
            }
            QVERIFY(open.accept(events).stored);
            QVERIFY(open.commit(std::move(batch)));
        }
        std::atomic<WallMicros> now{kTestTime};
        auto options = optionsFor(m_path);
        options.wallNow = [&] { return now.load(); };
        options.retentionInterval = 10 * kMillisecond;
        options.retryInterval = kMillisecond;
        const auto stride = static_cast<std::uint64_t>(strideOr(97));
        const DeliveryCounters right{kEvents, kEvents / 10 * 9, kEvents / 10, 0, 0};
        std::uint64_t call = 1;
        for (bool hit = true; hit; call += stride) {
            std::filesystem::remove_all(m_path);
            std::filesystem::copy(base, m_path);
            {
                PowerCutVfs vfs;
                now = kTestTime;
                OpenStore open(options);
                QCOMPARE(open.error, std::string());
                vfs.failAt(call, once ? PowerCutVfs::Repeat::once : PowerCutVfs::Repeat::forEver);
                now = kTestTime + 8 * 24 * kHour;
                const auto trimmed = [&] {
                    const auto reader = open.store->openEventReader();
                    return reader && !reader->read(Sequence(kEvents - 1)) && !reader->failed();
                };
                if (!once) {
                    // It stands while nothing can be read or written, and goes on afterwards.
                    QVERIFY(QTest::qWaitFor(
                        [&] { return open.listener.faults() > 0 || trimmed(); }, 20'000));
                    hit = vfs.hit();
                    vfs.heal();
                }
                QVERIFY2(QTest::qWaitFor(trimmed, 20'000),
                         ("call " + std::to_string(call) + ": " + open.listener.lastFault())
                             .c_str());
                if (once) hit = vfs.hit();
                QVERIFY(open.listener.waitForWritable(true));
            }
            const OpenStore open(optionsFor(m_path));
            QCOMPARE(open.error, std::string());
            QVERIFY2(open.destination(1)->counters == right,
                     ("call " + std::to_string(call)).c_str());
            QCOMPARE(open.pending.size(), std::size_t{kEvents / 10});
            AttemptQuery query;
            query.sequence = Sequence(10);
            QCOMPARE(open.store->openPageReader()->attempts(query).rows.size(), std::size_t{1});
            QCOMPARE(faultOf(m_path), std::string());
        }
        QVERIFY(call > 20);
    }
};

QTEST_GUILESS_MAIN(TestIoErrorReading)
#include "io_error_reading_test.moc"
