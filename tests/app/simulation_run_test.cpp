// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulation_run.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <sstream>

using namespace lanes;
using namespace lanes::app;

namespace {

/// A minute of a small world: played in an instant.
PlaySimulation small(std::uint64_t first, std::uint64_t last) {
    PlaySimulation play;
    play.first = first;
    play.last = last;
    play.options.length = kMinute;
    play.options.destinations = 2;
    play.options.users = 20;
    play.options.events = 300;
    return play;
}

QJsonObject json(const PlaySimulation& play, Exit expected) {
    std::ostringstream out;
    std::ostringstream err;
    if (runSimulationCommand(play, {true, false}, out, err) != expected) return {};
    return QJsonDocument::fromJson(QByteArray::fromStdString(out.str())).object();
}

}  // namespace

class SimulationRunTest : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatHappened() {
        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(runSimulationCommand(small(1, 4), {}, out, err), Exit::good);
        const auto text = QByteArray::fromStdString(out.str());
        QVERIFY2(text.startsWith("4 seeds, 0 with a violation\n"), text.constData());
        QVERIFY2(text.contains("  orderly stops\n"), text.constData());
        QVERIFY2(text.contains(" seeds a second\n"), text.constData());
        QVERIFY(err.str().empty());
    }

    void showsAPersonHowFarItIs() {
        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(runSimulationCommand(small(1, 2), {false, true}, out, err), Exit::good);
        QVERIFY(err.str().ends_with("\r\033[K"));
    }

    void countsTheSameHoweverTheSeedsAreShared() {
        const auto all = json(small(1, 6), Exit::good);
        const auto first = json(small(1, 2), Exit::good);
        const auto rest = json(small(3, 6), Exit::good);
        QVERIFY(all[QStringLiteral("requests")].toInt() > 1'000);
        for (const char* figure : {"steps", "accepted", "delivered", "requests", "crashes"})
            QCOMPARE(first[QLatin1String(figure)].toInt() + rest[QLatin1String(figure)].toInt(),
                     all[QLatin1String(figure)].toInt());
    }

    void tellsEachViolationWithItsSeed() {
        auto play = small(8, 9);
        play.options.events = 3'000;
        play.options.drainSlack = -kHour;  // nothing drains in less than no time
        const auto all = json(play, Exit::checkFailed);
        QCOMPARE(all[QStringLiteral("failed_seeds")].toInt(), 2);
        QCOMPARE(all[QStringLiteral("seeds")].toInt(), 2);
        QCOMPARE(all[QStringLiteral("violations")].toInt(), 2);
        QCOMPARE(all[QStringLiteral("seed")].toInt(), 8);
        const auto violations = all[QStringLiteral("failures")].toArray();
        QCOMPARE(violations.size(), 2);
        QCOMPARE(violations[0][QStringLiteral("seed")].toInt(), 8);
        QCOMPARE(violations[0][QStringLiteral("promise")].toString(), QStringLiteral("drain"));
        const auto replay = violations[1][QStringLiteral("replay")].toString();
        QVERIFY2(replay.startsWith(QLatin1String("rivora-lanes simulate --seeds 9..9 ")),
                 qPrintable(replay));

        std::ostringstream out;
        std::ostringstream err;
        QCOMPARE(runSimulationCommand(play, {}, out, err), Exit::checkFailed);
        const auto text = QByteArray::fromStdString(out.str());
        QVERIFY2(text.contains("seed 8; again with: rivora-lanes simulate --seeds 8..8 "),
                 text.constData());
        QVERIFY2(text.contains("2 seeds, 2 with a violation\n"), text.constData());
    }
};

QTEST_GUILESS_MAIN(SimulationRunTest)
#include "simulation_run_test.moc"
