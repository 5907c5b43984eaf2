// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/random.h"
#include "ui/health/history_file.h"
#include "ui/health/history_keeper.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr std::int64_t kStart = 1'790'000'400;  // a whole number of ten minutes

Bucket bucketAt(std::int64_t start, double value) {
    Bucket bucket;
    bucket.start = start;
    bucket.covered = 59.5F;
    bucket.state = HealthState::degraded;
    bucket.accepted = value;
    bucket.delivered = value / 3;
    bucket.attempts = value;
    bucket.errors = 1;
    bucket.outHigh = 12.5F;
    bucket.seconds = 60;
    bucket.inFlight.add(3);
    bucket.backlog.add(value);
    return bucket;
}

HistoryBuffer::Kept sample() {
    HistoryBuffer::Kept kept;
    for (const std::uint32_t id : {0u, 1u, 7u}) {
        auto& track = kept.tracks[id];
        for (int i = 0; i < 100; ++i)
            track.minutes.buckets.push_back(bucketAt(kStart + 60 * i, 10.25 * i));
        track.minutes.folded = kStart + 6000;
        track.tenMinutes.buckets.push_back(bucketAt(kStart, 1e12));
        track.tenMinutes.folded = kStart + 600;
    }
    return kept;
}

}  // namespace

/// The history of the graphs on the disk.
class HistoryFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;

private slots:
    void whatIsWrittenIsRead() {
        const auto kept = unpackHistory(packHistory(sample()));
        QVERIFY(kept);
        QCOMPARE(kept->tracks.size(), std::size_t(3));
        const auto& track = kept->tracks.at(7);
        QCOMPARE(track.minutes.folded, kStart + 6000);
        QCOMPARE(track.minutes.buckets.size(), std::size_t(100));
        const auto& bucket = track.minutes.buckets[99];
        const auto expected = bucketAt(kStart + 60 * 99, 10.25 * 99);
        QCOMPARE(bucket.start, expected.start);
        QCOMPARE(bucket.covered, expected.covered);
        QCOMPARE(bucket.state, expected.state);
        QCOMPARE(bucket.accepted, expected.accepted);
        QCOMPARE(bucket.delivered, expected.delivered);
        QCOMPARE(bucket.errors, expected.errors);
        QCOMPARE(bucket.outHigh, expected.outHigh);
        QCOMPARE(bucket.seconds, expected.seconds);
        QCOMPARE(bucket.inFlight.max, 3.0F);
        QCOMPARE(bucket.backlog.mean(), expected.backlog.mean());
        QCOMPARE(track.tenMinutes.buckets[0].accepted, 1e12);
    }

    void notesAreKeptWithTheirMocks() {
        auto kept = sample();
        kept.notes = {{kStart * kSecond, DestinationId(7), "crm", "Answers 503"},
                      {(kStart + 60) * kSecond, {}, "", std::string(10'000, 'x')}};
        const auto read = unpackHistory(packHistory(kept));
        QVERIFY(read);
        QCOMPARE(read->notes.size(), std::size_t(2));
        QCOMPARE(read->notes[0], kept.notes[0]);
        QCOMPARE(read->notes[1].text, std::string(4096, 'x'));
        HistoryBuffer history;
        history.restore(*read);
        QCOMPARE(history.notes()[0], kept.notes[0]);
        QCOMPARE(history.kept().notes.size(), std::size_t(2));
    }

    void notesAreBoundedInNumberAndAge() {
        HistoryBuffer history;
        for (int i = 0; i < 300; ++i)
            history.note({(kStart + i) * kSecond, {}, "crm", std::to_string(i)});
        QCOMPARE(history.notes().size(), kHistoryNotes);
        QCOMPARE(history.notes().front().text, std::string("100"));
        history.note({(kStart + 15 * 24 * 3600) * kSecond, {}, "crm", "later"});
        QCOMPARE(history.notes().size(), std::size_t(1));
    }

    /// As the last version wrote it: without notes.
    void aFileOfTheFirstVersionIsRead() {
        auto bytes = packHistory(sample());
        bytes.chop(4);  // the number of notes
        bytes[5] = 1;
        const auto read = unpackHistory(bytes);
        QVERIFY(read);
        QCOMPARE(read->tracks.size(), std::size_t(3));
        bytes[5] = 3;
        QVERIFY(!unpackHistory(bytes));
    }

    void damageIsNoticedAndNeverTakenForHistory() {
        auto whole = sample();
        whole.notes = {{kStart * kSecond, DestinationId(7), "crm", "Answers 503"}};
        const auto good = packHistory(whole);
        QVERIFY(!unpackHistory({}));
        QVERIFY(!unpackHistory("console"));
        QVERIFY(!unpackHistory(good + 'x'));
        for (qsizetype size = 0; size < good.size(); size += 97)
            QVERIFY2(!unpackHistory(good.first(size)), qPrintable(QString::number(size)));
        // Whatever a flipped byte leaves behind can be drawn: times rise and numbers are numbers.
        Random random(3);
        for (int i = 0; i < 3000; ++i) {
            QByteArray bad = good;
            const auto at =
                static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(bad.size())));
            bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(1 + random.below(255)));
            const auto kept = unpackHistory(bad);
            if (!kept) continue;
            for (const auto& [id, track] : kept->tracks) {
                std::int64_t last = 0;
                for (const auto& bucket : track.minutes.buckets) {
                    QVERIFY(bucket.start > last && bucket.start % 60 == 0);
                    QVERIFY(bucket.accepted >= 0 && bucket.covered >= 0);
                    last = bucket.start;
                }
            }
        }
    }

    void anUnreadableFileIsMovedAside() {
        const auto path = m_directory.filePath(QStringLiteral("bad"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("not a history");
        file.close();
        QVERIFY(readHistory(path).tracks.empty());
        QVERIFY(!QFile::exists(path));
        QVERIFY(QFile::exists(path + QStringLiteral(".unreadable")));
        QVERIFY(readHistory(m_directory.filePath(QStringLiteral("none"))).tracks.empty());
    }

    void aFileThatCannotBeWrittenSaysWhy() {
        QVERIFY(!writeHistory(m_directory.filePath(QStringLiteral("no/such/place")), sample())
                     .isEmpty());
    }

    void theKeeperSavesAndGoesOn() {
        const auto path = m_directory.filePath(QStringLiteral("kept"));
        EngineSnapshot state;
        state.lifecycle = Lifecycle::running;
        state.at = kStart * kSecond;
        state.destinations.resize(1);
        state.destinations[0].id = DestinationId(1);
        const auto live = [&](HistoryBuffer& history, int seconds) {
            for (int i = 0; i < seconds; ++i) {
                ++state.number;
                state.at += kSecond;
                state.engineTime += kSecond;
                state.destinations[0].counters.accepted += 5;
                history.add(state);
            }
        };
        {
            HistoryBuffer history;
            HistoryKeeper keeper(history, path);
            live(history, 120);
            QSignalSpy written(&keeper, &HistoryKeeper::written);
            keeper.save();
            QVERIFY(written.wait());
            QCOMPARE(written[0][0].toString(), QString());
            QCOMPARE(readHistory(path).tracks.size(), std::size_t(2));
            live(history, 120);
        }
        QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        HistoryBuffer history;
        const HistoryKeeper keeper(history, path);
        live(history, 1);
        const auto minutes =
            history.range(DestinationId(1), Resolution::minute, 0, kStart + 1'000'000);
        QVERIFY(minutes.size() >= 3);
        QCOMPARE(minutes[1].accepted, 300.0);
    }
};

QTEST_GUILESS_MAIN(HistoryFileTest)
#include "history_file_test.moc"
