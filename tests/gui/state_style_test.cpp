// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"

#include <QApplication>
#include <QImage>
#include <QSet>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {

constexpr std::array kHealth{HealthState::healthy, HealthState::throttled, HealthState::degraded,
                             HealthState::recovering, HealthState::paused};
constexpr std::array kLane{LaneState::ready, LaneState::inFlight, LaneState::committing,
                           LaneState::backingOff, LaneState::held};
constexpr std::array kOutcome{Outcome::delivered,  Outcome::refused, Outcome::throttled,
                              Outcome::overloaded, Outcome::failed,  Outcome::unreachable,
                              Outcome::unknown};
constexpr std::array kOperation{OperationState::finished, OperationState::moving,
                                OperationState::tracing, OperationState::delivering,
                                OperationState::stopped};

template <typename States>
void expectOwnShapesAndWords(const States& states) {
    QSet<QString> words;
    QSet<QChar> shapes;
    for (const auto state : states) {
        words.insert(stateStyle(state).word);
        shapes.insert(stateStyle(state).glyph);
    }
    QCOMPARE(words.size(), qsizetype(states.size()));
    QCOMPARE(shapes.size(), qsizetype(states.size()));
}

/// The strongest contrast of any drawn pixel to a ground.
double strongest(const QImage& image, const QColor& ground) {
    double most = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (const QColor pixel = image.pixelColor(x, y); pixel.alpha() > 200)
                most = std::max(most, contrast(pixel, ground));
    return most;
}

}  // namespace

class StateStyleTest : public QObject {
    Q_OBJECT

private slots:
    void contrastFollowsTheRule() {
        QVERIFY(std::abs(contrast(Qt::white, Qt::black) - 21.0) < 0.01);
        QVERIFY(std::abs(contrast(Qt::white, Qt::white) - 1.0) < 0.01);
        QVERIFY(std::abs(contrast(QColor(0x767676), Qt::white) - 4.54) < 0.01);
    }

    void everyStateIsReadable_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    void everyStateIsReadable() {
        QFETCH(QPalette, palette);
        const QColor base = palette.color(QPalette::Base);
        for (const HealthState state : kHealth) {
            QVERIFY(contrast(stateTextColour(state, palette), base) >= 4.5);
            QVERIFY(contrast(readableLine(stateStyle(state).colour, base), base) >= 3.0);
        }
        for (const LaneState state : kLane)
            QVERIFY(contrast(stateTextColour(state, palette), base) >= 4.5);
        for (const Outcome outcome : kOutcome)
            QVERIFY(contrast(stateTextColour(outcome, palette), base) >= 4.5);
        for (const OperationState state : kOperation)
            QVERIFY(contrast(stateTextColour(state, palette), base) >= 4.5);
        QVERIFY(contrast(errorTextColour(palette), base) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Text), base) >= 7);
        QVERIFY(contrast(palette.color(QPalette::PlaceholderText), base) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::HighlightedText),
                         palette.color(QPalette::Highlight)) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Link), base) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::ToolTipText),
                         palette.color(QPalette::ToolTipBase)) >= 4.5);
    }

    void noTwoStatesShareAShapeAWordOrAPattern() {
        QSet<QString> words;
        QSet<QChar> shapes;
        QSet<int> patterns;
        QSet<QRgb> colours;
        for (const HealthState state : kHealth) {
            const StateStyle style = stateStyle(state);
            words.insert(style.word);
            shapes.insert(style.glyph);
            patterns.insert(style.pattern);
            colours.insert(style.colour.rgb());
        }
        QCOMPARE(words.size(), 5);
        QCOMPARE(shapes.size(), 5);
        QCOMPARE(patterns.size(), 5);
        QCOMPARE(colours.size(), 5);
        expectOwnShapesAndWords(kOutcome);
        expectOwnShapesAndWords(kOperation);
        QCOMPARE(kOutcome.size(), kOutcomes);
    }

    void marksStandOutInBothThemes_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::light);
        QTest::newRow("dark") << int(Theme::dark);
    }
    void marksStandOutInBothThemes() {
        QFETCH(int, theme);
        applyTheme(*qApp, static_cast<Theme>(theme));
        const QColor base = QApplication::palette().color(QPalette::Base);
        std::vector<StateStyle> styles{errorStyle()};
        for (const HealthState state : kHealth) styles.push_back(stateStyle(state));
        for (const LaneState state : kLane) styles.push_back(stateStyle(state));
        for (const Outcome outcome : kOutcome) styles.push_back(stateStyle(outcome));
        for (const OperationState state : kOperation) styles.push_back(stateStyle(state));
        for (const StateStyle& style : styles) {
            const double seen =
                strongest(style.icon.pixmap(QSize(16, 16), 1.0).toImage(), base);
            QVERIFY2(seen >= 3.0, qPrintable(QStringLiteral("%1: %2").arg(style.word).arg(seen)));
        }
    }

    void everyIconIsDrawn() {
        applyTheme(*qApp, Theme::light);
        for (int i = 0; i <= int(Symbol::check); ++i) {
            const QIcon drawn = icon(static_cast<Symbol>(i));
            for (const int side : {16, 24, 32}) {
                const QPixmap pixmap = drawn.pixmap(QSize(side, side), 1.0);
                QCOMPARE(pixmap.size(), QSize(side, side));
                QVERIFY2(strongest(pixmap.toImage(), Qt::white) >= 4.5,
                         qPrintable(QString::number(i)));
            }
        }
        QVERIFY(!applicationIcon().pixmap(64).isNull());
    }

    void oneIconFollowsTheTheme() {
        applyTheme(*qApp, Theme::light);
        const QIcon pause = icon(Symbol::pause);
        const QImage light = pause.pixmap(QSize(16, 16), 1.0).toImage();
        applyTheme(*qApp, Theme::dark);
        QVERIFY(isDark(QApplication::palette()));
        const QImage dark = pause.pixmap(QSize(16, 16), 1.0).toImage();
        QVERIFY(light != dark);
        QVERIFY(strongest(dark, QApplication::palette().color(QPalette::Base)) >= 4.5);
        applyTheme(*qApp, Theme::light);
        QVERIFY(!isDark(QApplication::palette()));
    }

    void iconsAreSharpAtTwiceTheScale() {
        const QPixmap pixmap = icon(Symbol::filter).pixmap(QSize(16, 16), 2.0);
        QCOMPARE(pixmap.size(), QSize(32, 32));
        QCOMPARE(pixmap.devicePixelRatio(), 2.0);
    }
};

QTEST_MAIN(StateStyleTest)
#include "state_style_test.moc"
