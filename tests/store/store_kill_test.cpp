// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/store_fixture.h"

#include "engine/core/random.h"
#include "engine/store/connection.h"
#include "engine/verify.h"

#include <SQLiteCpp/Column.h>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace lanes;
using namespace lanes::test;

class TestStoreKill : public QObject {
    Q_OBJECT

private:
    /// Runs the victim until it has written so many lines, kills it, and reads the rest.
    bool killAfter(std::uint64_t seed, int lines) {
        QProcess victim;
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        victim.start(QStringLiteral(STORE_VICTIM),
                     {QString::fromStdString(m_path), QString::number(seed)});
        QByteArray output;
        while (output.count('\n') < lines) {
            if (!victim.waitForReadyRead(20'000)) return false;
            output += victim.readAllStandardOutput();
        }
        victim.kill();
        if (!victim.waitForFinished(20'000)) return false;
        output += victim.readAllStandardOutput();
        for (const auto& line : output.split('\n')) {
            const auto words = line.split(' ');
            if (words.at(0) == "E") m_events.insert(words.at(1).toULongLong());
            if (words.at(0) == "D")
                m_delivered.insert({words.at(1).toUInt(), words.at(2).toULongLong()});
        }
        return true;
    }

    QTemporaryDir m_directory{QString::fromLatin1(temporaryTemplate())};
    std::string m_path;
    std::set<std::uint64_t> m_events;
    std::set<std::pair<std::uint32_t, std::uint64_t>> m_delivered;

private slots:
    void whatWasCalledDurableIsThereAfterEveryKill() {
        m_path = m_directory.path().toStdString() + "/data";
        Random random(20);
        for (std::uint64_t turn = 1; turn <= 20; ++turn) {
            QVERIFY(killAfter(turn, 1 + static_cast<int>(random.below(300))));

            // Sound as a database, and in order, before anything has repaired it.
            const auto verdict = verifyDataDirectory(m_path);
            QVERIFY(std::holds_alternative<VerifyReport>(verdict));
            const auto& report = std::get<VerifyReport>(verdict);
            QVERIFY2(report.clean(), report.findings.empty() ? "" : report.findings[0].c_str());

            const OpenStore open(optionsFor(m_path));
            QCOMPARE(open.error, std::string());
            std::set<std::pair<std::uint32_t, std::uint64_t>> waiting;
            for (const auto& pending : open.pending)
                waiting.insert({pending.pointer.destination.value, pending.pointer.sequence.value});
            const auto reader = open.store->openEventReader();
            for (const auto sequence : m_events) {
                QVERIFY2(reader->read(Sequence(sequence)).has_value(), "an event was lost");
                for (std::uint32_t id = 1; id <= 3; ++id) {
                    const bool waits = waiting.contains({id, sequence});
                    if (m_delivered.contains({id, sequence}))
                        QVERIFY2(!waits, "a durable delivery was forgotten");
                }
            }
            for (const auto& destination : open.recovery.destinations) {
                const auto& counters = destination.counters;
                QVERIFY(counters.balanced());
                QVERIFY(counters.accepted >= m_events.size());
            }
            const auto database = store::openForReading(store::dataFile(m_path));
            QCOMPARE(database->execAndGet("PRAGMA integrity_check").getString(),
                     std::string("ok"));
        }
        QVERIFY(m_events.size() > 100);
        QVERIFY(m_delivered.size() > 100);
    }
};

QTEST_GUILESS_MAIN(TestStoreKill)
#include "store_kill_test.moc"
