// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/files.h"
#include "tests/store/lane_history.h"

#include "engine/data_care.h"
#include "engine/store/connection.h"

#include <SQLiteCpp/Column.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::test;
using Kind = SalvageFinding::Kind;

namespace {

/// Overwrites pages of a table: every `stride`th one of a kind ("leaf", "internal", "root").
int overwrite(const std::string& path, const std::string& table, const std::string& kind,
              int stride) {
    std::vector<int> pages;
    {
        SQLite::Database database(path, SQLite::OPEN_READONLY);
        SQLite::Statement query(database,
                                kind == "root"
                                    ? "SELECT rootpage FROM sqlite_master WHERE name=?"
                                    : "SELECT pageno FROM dbstat WHERE name=? AND pagetype='" +
                                          kind + "' ORDER BY pageno");
        query.bind(1, table);
        while (query.executeStep()) pages.push_back(query.getColumn(0).getInt());
    }
    QFile file(text(path));
    if (!file.open(QIODevice::ReadWrite)) return 0;
    int done = 0;
    for (std::size_t n = 0; n < pages.size(); n += static_cast<std::size_t>(stride)) {
        file.seek((qint64{pages[n]} - 1) * 4096);
        done += file.write(QByteArray(4096, '\x33')) == 4096 ? 1 : 0;
    }
    return done;
}

}  // namespace

class TestSalvage : public QObject {
    Q_OBJECT

private:
    void change(const char* sql) {
        SQLite::Database database(m_file, SQLite::OPEN_READWRITE);
        database.exec(sql);
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    void forgetCheckpoint() {
        change("DELETE FROM checkpoint; DELETE FROM marks WHERE name='checkpoint';"
               "UPDATE marks SET value=0 WHERE name IN ('sequence','journal')");
    }
    void salvage() {
        const auto result = salvageDataDirectory(m_path, nameOf);
        if (const auto* error = std::get_if<std::string>(&result))
            QFAIL(error->c_str());
        m_report = std::get<SalvageReport>(result);
        QCOMPARE(text(faultOf(m_path)), QString());
        QCOMPARE(m_report.orderFindings, std::uint64_t{0});
    }
    [[nodiscard]] std::size_t findings(Kind kind) const {
        return static_cast<std::size_t>(
            std::count_if(m_report.findings.begin(), m_report.findings.end(),
                          [kind](const auto& finding) { return finding.kind == kind; }));
    }
    [[nodiscard]] std::map<LaneHistory::Place, LaneHistory::State> truth() const {
        auto states = m_history->states();
        std::erase_if(states, [](const auto& entry) {
            return entry.second == LaneHistory::State::delivered;
        });
        return states;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<LaneHistory> m_history;
    std::string m_path;
    std::string m_file;
    SalvageReport m_report;

private slots:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>(QString::fromLatin1(temporaryTemplate()));
        m_path = m_directory->path().toStdString() + "/data";
        m_file = m_path + "/lanes.db";
        m_history = std::make_unique<LaneHistory>(11);
        OpenStore open(optionsFor(m_path));
        QVERIFY(m_history->write(open, 800));
        open.store->close();
    }

    void lostJournalRowsBeforeTheCheckpointLeaveNoDoubt() {
        QVERIFY(overwrite(m_file, "journal", "leaf", 2) > 2);
        salvage();
        QCOMPARE(m_report.doubtful, std::uint64_t{0});
        QCOMPARE(m_report.lost, std::uint64_t{0});
        const OpenStore open(optionsFor(m_path));
        QVERIFY(openStates(open) == truth());
    }

    void lostJournalRowsWithoutACheckpointMakeDeadLettersOfWhatIsInDoubt() {
        forgetCheckpoint();
        QVERIFY(overwrite(m_file, "journal", "leaf", 2) > 2);
        salvage();
        QVERIFY(m_report.doubtful > 20);
        const OpenStore open(optionsFor(m_path));
        const auto now = openStates(open);
        for (const auto& [place, state] : truth()) {
            const auto found = now.find(place);
            QVERIFY(found != now.end());
            // A dead letter never goes out by itself; what waited still does.
            if (state == LaneHistory::State::dead)
                QCOMPARE(static_cast<int>(found->second), static_cast<int>(state));
        }
        // In doubt is only what stands before something that was tried.
        for (const auto& finding : m_report.findings) {
            if (finding.kind != Kind::doubtful) continue;
            QVERIFY(!finding.eventId.empty());
            QVERIFY(now.at({finding.first.value, finding.destination.value}) ==
                    LaneHistory::State::dead);
        }
        auto reader = open.store->openPageReader();
        QVERIFY(reader != nullptr);
        DeadLetterQuery query;
        bool told = false;
        const auto page = reader->deadLetters(query);
        for (const auto& row : page.rows)
            told = told || row.reason.find("may have been delivered") != std::string::npos;
        QVERIFY(told);
    }

    void lostEndOfTheJournalLetsItsEventsWaitAgainInOrder() {
        forgetCheckpoint();
        change("DELETE FROM journal WHERE id > (SELECT MAX(id) - 40 FROM journal)");
        salvage();
        QVERIFY(findings(Kind::lostRows) > 0);
        const OpenStore open(optionsFor(m_path));
        const auto now = openStates(open);
        for (const auto& [place, state] : truth()) QVERIFY(now.contains(place));
        QVERIFY(now.size() > truth().size());
    }

    void lostPayloadsAreNamed() {
        QVERIFY(overwrite(m_file, "events", "leaf", 10) > 2);
        salvage();
        QVERIFY(m_report.lost > 0);
        const OpenStore open(optionsFor(m_path));
        const auto now = openStates(open);
        for (const auto& [place, state] : truth()) {
            const bool named = std::any_of(
                m_report.findings.begin(), m_report.findings.end(), [&](const auto& finding) {
                    return finding.kind == Kind::lostPayload &&
                           finding.first.value == place.first &&
                           finding.destination.value == place.second;
                });
            QVERIFY(named != now.contains(place));
            if (!named) QVERIFY(now.at(place) == state);
        }
    }

    void lostPointersAreMadeFromTheEvents() {
        QVERIFY(overwrite(m_file, "pointers", "leaf", 2) > 1);
        salvage();
        QCOMPARE(m_report.doubtful, std::uint64_t{0});
        const OpenStore open(optionsFor(m_path));
        QVERIFY(openStates(open) == truth());
    }

    void unknownTargetsAreDeadLettersWhereTheyMayGo() {
        forgetCheckpoint();
        QVERIFY(overwrite(m_file, "pointers", "leaf", 2) > 1);
        salvage();
        QVERIFY(findings(Kind::lostTargets) > 0);
        const OpenStore open(optionsFor(m_path));
        const auto now = openStates(open);
        for (const auto& [place, state] : truth()) QVERIFY(now.contains(place));
    }

    void lostDestinationsComeBackPaused() {
        QCOMPARE(overwrite(m_file, "destinations", "root", 1), 1);
        salvage();
        QCOMPARE(findings(Kind::destination), std::size_t{3});
        const OpenStore open(optionsFor(m_path));
        QVERIFY(openStates(open) == truth());
        for (const auto& destination : open.recovery.destinations) {
            QVERIFY(destination.state.paused);
            QCOMPARE(text(destination.state.pausedBy), QStringLiteral("salvage"));
            QCOMPARE(text(destination.config.url), QStringLiteral("http://lost.invalid/"));
            QCOMPARE(text(validate(destination.config)), QString());
        }
    }

    void lostListOfDeadLettersIsMadeFromTheJournal() {
        QVERIFY(overwrite(m_file, "dead_letters", "leaf", 1) > 0);
        salvage();
        QCOMPARE(m_report.doubtful, std::uint64_t{0});
        const OpenStore open(optionsFor(m_path));
        QVERIFY(openStates(open) == truth());
    }

    void lostInnerPagesLoseNothing_data() {
        QTest::addColumn<QString>("table");
        for (const char* table : {"journal", "events", "pointers"})
            QTest::newRow(table) << QString::fromLatin1(table);
    }
    void lostInnerPagesLoseNothing() {
        QFETCH(QString, table);
        QCOMPARE(overwrite(m_file, table.toStdString(), "root", 1), 1);
        salvage();
        QCOMPARE(m_report.doubtful, std::uint64_t{0});
        QCOMPARE(m_report.lost, std::uint64_t{0});
        const OpenStore open(optionsFor(m_path));
        QVERIFY(openStates(open) == truth());
    }

    void lostListOfTablesLosesNothing() {
        QFile file(text(m_file));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QCOMPARE(file.write(QByteArray(4096, '\x33')), qint64{4096});
        file.close();
        salvage();
        QCOMPARE(m_report.lost, std::uint64_t{0});
        const OpenStore open(optionsFor(m_path));
        const auto now = openStates(open);
        for (const auto& [place, state] : truth()) QVERIFY(now.contains(place));
    }

    void numbersAreNeverGivenTwice() {
        change("DELETE FROM events WHERE seq>700; DELETE FROM pointers WHERE seq>700;"
               "DELETE FROM journal WHERE id>100");
        salvage();
        QVERIFY(findings(Kind::lostEvents) > 0);
        OpenStore open(optionsFor(m_path));
        const auto commit = open.accept({newEvent("new", 1, {1})});
        QVERIFY(commit.events.front().sequence.value > m_history->lastSequence());
        open.store->close();
        QCOMPARE(text(faultOf(m_path)), QString());
    }

    void runningInstanceIsNotTouched() {
        const OpenStore open(optionsFor(m_path));
        const auto result = salvageDataDirectory(m_path, nameOf);
        QVERIFY(std::get<std::string>(result).find("in use") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestSalvage)
#include "salvage_test.moc"
