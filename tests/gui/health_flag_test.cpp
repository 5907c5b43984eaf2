// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/health/flag_book.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {
constexpr WallMicros kNow = 1'790'000'000 * kSecond;
}  // namespace

/// What was done, beside the graphs.
class HealthFlagTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void operationsBecomeFlags_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("who");
        QTest::addColumn<QString>("text");
        QTest::newRow("a pause") << QStringLiteral("pause") << QStringLiteral("anna")
                                 << QStringLiteral("crm paused by anna: maintenance");
        QTest::newRow("a pause by the program")
            << QStringLiteral("pause") << QStringLiteral("Rivora Lanes")
            << QStringLiteral("crm paused by the program: maintenance");
        QTest::newRow("a resume") << QStringLiteral("resume") << QStringLiteral("anna")
                                  << QStringLiteral("crm resumed by anna: maintenance");
        QTest::newRow("a setting is none") << QStringLiteral("set destination")
                                           << QStringLiteral("anna") << QString();
        QTest::newRow("a hold is none")
            << QStringLiteral("hold") << QStringLiteral("anna") << QString();
    }
    void operationsBecomeFlags() {
        QFETCH(QString, action);
        QFETCH(QString, who);
        QFETCH(QString, text);
        OperationRow row;
        row.id = OperationId(4);
        row.at = kNow;
        row.action = action.toStdString();
        row.who = who.toStdString();
        row.scope = "crm";
        row.reason = "maintenance";
        const auto flag = flagOf(row);
        QCOMPARE(flag.has_value(), !text.isEmpty());
        if (!flag) return;
        QCOMPARE(flagText(*flag, true), text);
        QCOMPARE(flag->operation, OperationId(4));
        QVERIFY(!flagText(*flag, false).contains(QStringLiteral("crm")));
    }

    void aRewindTellsItsScope() {
        OperationRow row;
        row.kind = OperationKind::rewind;
        row.action = "rewind";
        row.who = "anna";
        row.scope = "12 selected";
        QCOMPARE(flagText(flagOf(row).value(), true),
                 QStringLiteral("Rewind by anna: 12 selected"));
        row.kind = OperationKind::discard;
        QVERIFY(!flagOf(row));
    }

    void theBookFindsWhatConcernsADestination() {
        test::FakeEngine engine;
        engine.state.at = kNow;
        engine.state.lifecycle = Lifecycle::running;
        engine.addDestination("crm");
        engine.addDestination("billing");
        const auto add = [&](OperationKind kind, const char* action, const char* scope,
                             WallMicros at) -> OperationRow& {
            OperationRow& row = engine.addOperation(kind, action);
            row.scope = scope;
            row.who = "anna";
            row.at = at;
            return row;
        };
        add(OperationKind::setting, "pause", "crm", kNow - 15 * 24 * kHour);  // too long ago
        add(OperationKind::setting, "pause", "crm", kNow - kHour);
        add(OperationKind::setting, "resume", "billing", kNow - 30 * kMinute);
        const auto rewind = add(OperationKind::rewind, "rewind", "2 selected", kNow - kMinute).id;
        engine.store->operationEvents[rewind] = {
            {0, {DestinationId(2), Sequence(5)}}, {1, {DestinationId(2), Sequence(6)}}};
        engine.publish();
        PageLoader loader;
        FlagBook book(engine);
        book.setLoader(&loader);
        QSignalSpy changed(&book, &FlagBook::changed);
        book.look();  // nothing is open yet
        loader.setReader(engine.openPageReader());
        book.look();
        QVERIFY(changed.wait());
        const auto count = [&](std::uint32_t id) {
            return book.flags(DestinationId(id), 0, kNow + 1).size();
        };
        QCOMPARE(count(0), std::size_t(3));
        QCOMPARE(count(1), std::size_t(1));
        QCOMPARE(count(2), std::size_t(2));
        QCOMPARE(count(9), std::size_t(0));
        QCOMPARE(book.flags({}, 0, kNow).front().kind, FlagKind::pause);
        QCOMPARE(book.flags({}, kNow - kHour, kNow - kMinute).size(), std::size_t(2));
        loader.setReader(nullptr);
    }

    void aSecondLookReadsOnlyWhatIsNew() {
        test::FakeEngine engine;
        for (int i = 0; i < 700; ++i) {
            OperationRow& row = engine.addOperation(OperationKind::setting, "pause");
            row.at = kNow + i;
        }
        const auto reader = engine.openPageReader();
        const auto first = FlagBook::read(*reader, {}, 0);
        QCOMPARE(first.flags.size(), FlagBook::kMost);
        QCOMPARE(first.flags.front().at, kNow + 699);
        QVERIFY(first.newest);
        engine.addOperation(OperationKind::setting, "set destination");
        engine.addOperation(OperationKind::setting, "resume").at = kNow + 800;
        const auto second = FlagBook::read(*reader, first.newest, 0);
        QCOMPARE(second.flags.size(), std::size_t(1));
        QCOMPARE(second.newest.value, first.newest.value + 2);
        engine.store->fault = "the disk is gone";
        QVERIFY(!FlagBook::read(*reader, second.newest, 0).fault.empty());
    }
};

QTEST_MAIN(HealthFlagTest)
#include "health_flag_test.moc"
