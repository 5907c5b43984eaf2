// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/mock_presets.h"

#include <QSet>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

class MockPresetsTest : public QObject {
    Q_OBJECT

private slots:
    void eachIsKnownAgain() {
        QSet<QString> words;
        for (const Preset preset : kPresets) {
            MockBehaviour before;
            before.poisonUser = "user-7";
            before.capacityPerSecond = 50;
            const MockBehaviour behaviour = withPreset(before, preset);
            QCOMPARE(behaviour.poisonUser, before.poisonUser);
            QCOMPARE(behaviour.capacityPerSecond, 50.0);
            QVERIFY(presetOf(behaviour) == preset);
            QVERIFY(!behaviourText(behaviour).isEmpty());
            QVERIFY(!presetExplanation(preset).isEmpty());
            words.insert(presetWord(preset));
        }
        QCOMPARE(words.size(), static_cast<qsizetype>(kPresets.size()));
    }

    void aBehaviourIsWhatItLooksLike() {
        MockBehaviour behaviour;
        behaviour.latencyMs = 55;
        QVERIFY(presetOf(behaviour) == Preset::healthy);
        behaviour.latencyMs = 450;
        QVERIFY(presetOf(behaviour) == Preset::slow);
        behaviour.errorShare = 0.35;
        QVERIFY(!presetOf(behaviour));
        behaviour.errorShare = 0;
        behaviour.status = 410;
        QVERIFY(!presetOf(behaviour));
    }

    void theModeCountsWhereNothingElseShows() {
        MockBehaviour behaviour;
        behaviour.latencyMs = 55;
        behaviour.mode = MockBehaviour::Mode::down;
        QVERIFY(presetOf(behaviour) == Preset::down);
    }

    void textsSayWhatASenderSees_data() {
        QTest::addColumn<int>("preset");
        QTest::addColumn<QString>("text");
        QTest::newRow("healthy") << int(Preset::healthy)
                                 << QStringLiteral("answers 200 after 20 ms");
        QTest::newRow("flaky") << int(Preset::flaky)
                               << QStringLiteral("answers 200, 20 % of them 500");
        QTest::newRow("429") << int(Preset::tooMany) << QStringLiteral("answers 429");
        QTest::newRow("down") << int(Preset::down) << QStringLiteral("refuses connections");
    }
    void textsSayWhatASenderSees() {
        QFETCH(int, preset);
        QTEST(behaviourText(withPreset({}, static_cast<Preset>(preset))), "text");
    }
};

QTEST_GUILESS_MAIN(MockPresetsTest)
#include "mock_presets_test.moc"
