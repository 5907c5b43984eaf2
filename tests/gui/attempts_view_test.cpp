// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fake_desk.h"
#include "ui/attempts/attempts_view.h"
#include "ui/common/filter_chip.h"
#include "ui/common/filter_menu.h"

#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

/// The tab with all attempts, against a scripted engine.
class AttemptsViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() { m_desk = std::make_unique<test::FakeDesk<AttemptsView>>(); }
    void cleanup() { m_desk.reset(); }
    void anEmptyListOfAttemptsProvesLife();
    void attemptsComeInWhileNobodyLooksCloser();
    void attemptsWaitUnderAReader();
    void theFirstVisibleAttemptKeepsItsPlace();
    void frozenAttemptsStand();
    void aTimeRangeIsAVisibleChip();
    void aRangeInThePastTakesNothingNew();
    void scopeChangesWhileAPageIsUnderWay();
    void anAttemptShowsWhatWasAnswered();
    void hostileAnswersArePlainText();
    void unreadableAttemptsSayWhatToDo();

private:
    void openAttempts();
    /// Attempts that end now, a second apart.
    void attempt(int count = 1, DestinationId destination = DestinationId(1));

    std::unique_ptr<test::FakeDesk<AttemptsView>> m_desk;
};

void AttemptsViewTest::openAttempts() {
    QVERIFY(m_desk->open(
        std::make_unique<AttemptsView>(m_desk->engine, m_desk->loader, m_desk->times)));
}

void AttemptsViewTest::attempt(int count, DestinationId destination) {
    for (int i = 0; i < count; ++i) {
        m_desk->engine.state.at += kSecond;
        m_desk->engine.addAttempt(destination, static_cast<std::uint64_t>(i));
    }
    m_desk->engine.publish();
}

void AttemptsViewTest::anEmptyListOfAttemptsProvesLife() {
    openAttempts();
    QTRY_VERIFY(m_desk->says("No attempts yet"));
    m_desk->page->setTimeRange(1, 2);
    QTRY_VERIFY(m_desk->says("No attempts in this time"));
    m_desk->loader.setReader(nullptr);
    m_desk->engine.publish();
    QVERIFY(m_desk->says("The store is not open"));
}

void AttemptsViewTest::attemptsComeInWhileNobodyLooksCloser() {
    openAttempts();
    attempt(3);
    QTRY_COMPARE(m_desk->rows(), 3);
    attempt(2);
    QTRY_COMPARE(m_desk->rows(), 5);
    QTRY_COMPARE(m_desk->pill(), QString());
    QCOMPARE(m_desk->find<QLabel>("listCount")->text(), QStringLiteral("5 attempts"));
    // A counter may be a commit ahead of the log: the list is read once more by itself.
    QTest::qWait(2 * test::kSettle);
    m_desk->engine.state.destinations[0].attempts += 1;
    m_desk->engine.publish();
    QVERIFY(m_desk->loader.isBusy(PageLoader::Channel::attempts));
    QTRY_VERIFY(!m_desk->loader.isBusy(PageLoader::Channel::attempts));
    QCOMPARE(m_desk->rows(), 5);
    m_desk->engine.addAttempt(DestinationId(1), 1);
    m_desk->engine.state.destinations[0].attempts -= 1;
    QTRY_COMPARE(m_desk->rows(), 6);
}

void AttemptsViewTest::attemptsWaitUnderAReader() {
    openAttempts();
    attempt(5);
    QTRY_COMPARE(m_desk->rows(), 5);
    QTest::qWait(test::kSettle);
    m_desk->table().selectRow(1);
    const QString mine = m_desk->cell(1, AttemptListModel::Event);
    attempt(4);
    QTRY_COMPARE(m_desk->pill(), QStringLiteral("4 new · F5"));
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->rows(), 5);
    QTest::mouseClick(m_desk->find<QPushButton>("pendingChanges"), Qt::LeftButton);
    QTRY_COMPARE(m_desk->rows(), 9);
    QTRY_COMPARE(m_desk->pill(), QString());
    const auto selected = m_desk->table().selectionModel()->selectedRows();
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0].row(), 5);
    QCOMPARE(m_desk->cell(5, AttemptListModel::Event), mine);
    QCOMPARE(m_desk->table().currentIndex().row(), 5);
}

void AttemptsViewTest::theFirstVisibleAttemptKeepsItsPlace() {
    attempt(6000);
    openAttempts();
    QTRY_VERIFY(m_desk->rows() >= 256);
    const auto top = [this] {
        return m_desk->cell(m_desk->table().visibleRows().first, AttemptListModel::Event);
    };
    const auto shows = [this](int row, const char* event) {
        return m_desk->cell(row, AttemptListModel::Event) == QLatin1String(event);
    };
    auto* bar = m_desk->table().verticalScrollBar();
    // Down to where the window has let go of the newest ones: whatever comes below and goes above,
    // the rows that are seen stay where they are.
    QSignalSpy moved(m_desk->table().model(), SIGNAL(rowsMoved()));
    for (int moves = 0; !shows(m_desk->rows() - 1, "evt_10001");) {
        bar->setValue(bar->maximum());
        const QString seen = top();
        QTRY_VERIFY_WITH_TIMEOUT(moved.count() > moves || shows(m_desk->rows() - 1, "evt_10001"),
                                 10000);
        moves = static_cast<int>(moved.count());
        QCOMPARE(top(), seen);
    }
    QCOMPARE(m_desk->rows(), static_cast<int>(AttemptListModel::kMostRows));
    // ... and up again, to the newest.
    QTRY_VERIFY_WITH_TIMEOUT((bar->setValue(0), shows(0, "evt_16000")), 20000);
    QVERIFY(m_desk->find<QLabel>("listCount")->text().contains(QLatin1String("scroll for older")));
}

void AttemptsViewTest::frozenAttemptsStand() {
    openAttempts();
    attempt(5);
    QTRY_COMPARE(m_desk->rows(), 5);
    m_desk->page->setFrozen(true);
    attempt(3);
    m_desk->page->applyPending();
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->rows(), 5);
    QCOMPARE(m_desk->pill(), QString());
    m_desk->page->setFrozen(false);
    QTRY_COMPARE(m_desk->rows(), 8);
}

void AttemptsViewTest::aTimeRangeIsAVisibleChip() {
    attempt(100);
    openAttempts();
    QTRY_COMPARE(m_desk->rows(), 100);
    auto* chip = m_desk->find<FilterChip>("rangeChip");
    QVERIFY(!chip->isVisible());
    const WallMicros until = m_desk->engine.state.at - 10 * kSecond;
    m_desk->table().selectRow(15);
    const QString mine = m_desk->cell(15, AttemptListModel::Event);
    m_desk->page->setTimeRange(until - 20 * kSecond, until);
    QTRY_COMPARE(m_desk->rows(), 20);
    QCOMPARE(m_desk->cell(m_desk->table().currentIndex().row(), AttemptListModel::Event), mine);
    QCOMPARE(m_desk->table().selectionModel()->selectedRows().size(), 1);
    QVERIFY(chip->isVisible());
    QCOMPARE(chip->findChild<QLabel*>(QStringLiteral("filterText"))->text(),
             QStringLiteral("Ended 2027-01-15 08:01:10 to 2027-01-15 08:01:30 UTC"));
    QTest::mouseClick(chip->findChild<QToolButton*>(QStringLiteral("filterRemove")),
                      Qt::LeftButton);
    QTRY_COMPARE(m_desk->rows(), 100);
    QVERIFY(!chip->isVisible());
    // What the range does not have is chosen no longer.
    m_desk->table().selectRow(0);
    m_desk->page->setTimeRange(until - 20 * kSecond, until);
    QTRY_COMPARE(m_desk->rows(), 20);
    QVERIFY(!m_desk->table().selectionModel()->hasSelection());
}

void AttemptsViewTest::aRangeInThePastTakesNothingNew() {
    attempt(10);
    openAttempts();
    m_desk->page->setTimeRange(0, m_desk->engine.state.at);
    QTRY_COMPARE(m_desk->rows(), 9);  // the last one ended at the end, which is not in the range
    QTest::qWait(test::kSettle);
    m_desk->table().selectRow(0);
    attempt(3);
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->rows(), 9);
    QCOMPARE(m_desk->pill(), QString());
    // One that is open at its end does.
    m_desk->page->setTimeRange(m_desk->engine.state.at, 0);
    QTRY_COMPARE(m_desk->rows(), 1);
    QTest::qWait(test::kSettle);
    m_desk->table().selectRow(0);
    attempt(3);
    QTRY_COMPARE(m_desk->pill(), QStringLiteral("3 new · F5"));
}

void AttemptsViewTest::scopeChangesWhileAPageIsUnderWay() {
    attempt(30, DestinationId(1));
    attempt(20, DestinationId(2));
    openAttempts();
    // The page of all attempts is asked for and not answered yet.
    m_desk->page->setFilter(numberIs(FilterField::destination, 2));
    m_desk->page->setFilter(numberIs(FilterField::destination, 1));
    QTRY_COMPARE(m_desk->rows(), 30);
    QTest::qWait(50);
    QCOMPARE(m_desk->rows(), 30);
    // Nothing fits: the list says so, and what was there before does not come back by itself.
    m_desk->page->setFilter(numberIs(FilterField::status, 404));
    QTRY_VERIFY(m_desk->page->filterProgress().nothing);
    QCOMPARE(m_desk->rows(), 0);
    m_desk->page->setFilter(Filter());
    QTRY_COMPARE(m_desk->rows(), 50);
}

void AttemptsViewTest::anAttemptShowsWhatWasAnswered() {
    attempt(3);
    AttemptRow& row = m_desk->engine.store->log[1];
    row.outcome = Outcome::overloaded;
    row.status = 503;
    row.response = "come back later";
    EventRow event;
    event.sequence = row.pointer.sequence;
    event.id = row.eventId;
    event.payload = "{\"n\":1}";
    m_desk->engine.store->events[row.pointer.sequence] = event;
    AttemptRow newer = row;
    newer.position = row.position + 100;
    newer.number = 2;
    newer.response = "not yet";
    m_desk->engine.store->attempts[row.pointer] = {newer, row};
    openAttempts();
    QTRY_COMPARE(m_desk->rows(), 3);
    m_desk->table().selectRow(1);
    QTest::keyClick(&m_desk->table(), Qt::Key_Return);
    QVERIFY(m_desk->page->isDetailsOpen());
    auto* response = m_desk->find<QPlainTextEdit>("detailsResponse");
    QCOMPARE(response->toPlainText(), QStringLiteral("come back later"));
    QVERIFY(response->isVisible());
    QTRY_COMPARE(m_desk->find<QPlainTextEdit>("detailsBody")->toPlainText(),
                 QStringLiteral("{\"n\":1}"));
    // The attempt is found among those of its event, and another one can be chosen there.
    auto* attempts = m_desk->find<Table>("detailsAttempts");
    QTRY_COMPARE(attempts->currentIndex().row(), 1);
    attempts->setCurrentIndex(attempts->model()->index(0, 0));
    QCOMPARE(response->toPlainText(), QStringLiteral("not yet"));
    auto* tabs = m_desk->find<QTabBar>("detailsTabs");
    QCOMPARE(tabs->tabText(1), QStringLiteral("Response to #2 · 7 bytes"));
    tabs->setCurrentIndex(0);
    QVERIFY(m_desk->find<QPlainTextEdit>("detailsBody")->isVisible());
    // One without an answer says why.
    row.response.clear();
    m_desk->engine.store->log[0].outcome = Outcome::unreachable;
    m_desk->engine.store->log[0].status = 0;
    m_desk->engine.store->log[0].error = "connection refused";
    m_desk->page->setTimeRange(1, 0);
    QTRY_COMPARE(m_desk->rows(), 3);
    m_desk->table().selectRow(0);
    QTRY_COMPARE(response->placeholderText(), QStringLiteral("No answer came: connection refused"));
    QCOMPARE(response->toPlainText(), QString());
}

void AttemptsViewTest::hostileAnswersArePlainText() {
    const std::string hostile = "<img src=\"http://127.0.0.1:9/x\">\n<b>bold</b>";
    attempt(1);
    AttemptRow& row = m_desk->engine.store->log[0];
    row.outcome = Outcome::failed;
    row.status = 500;
    row.response = hostile;
    row.error = hostile;
    row.eventId = hostile;
    row.user.text = hostile;
    openAttempts();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    m_desk->page->setDetailsOpen(true);
    QCOMPARE(m_desk->find<QPlainTextEdit>("detailsResponse")->toPlainText(),
             QString::fromStdString(hostile));
    const auto labels = m_desk->page->findChildren<QLabel*>();
    for (const QLabel* label : labels) QCOMPARE(label->textFormat(), Qt::PlainText);
    for (int column = 0; column < AttemptListModel::ColumnCount; ++column) {
        const auto index = m_desk->table().model()->index(0, column);
        QVERIFY(!index.data(Qt::ToolTipRole).toString().contains(QLatin1String("<img")));
        QVERIFY(!index.data().toString().contains(QLatin1Char('\n')));
    }
}

void AttemptsViewTest::unreadableAttemptsSayWhatToDo() {
    m_desk->engine.store->fault = "the disk does not answer";
    openAttempts();
    QTRY_VERIFY(m_desk->says("The attempts could not be read"));
    m_desk->engine.store->fault.clear();
    attempt(3);
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->rows(), 3);
    m_desk->engine.store->fault = "the disk does not answer";
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->pill(), QStringLiteral("Some could not be read · F5 tries again"));
    QCOMPARE(m_desk->rows(), 3);
}

QTEST_MAIN(AttemptsViewTest)
#include "attempts_view_test.moc"
