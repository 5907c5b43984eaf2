// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/fake_desk.h"
#include "ui/common/row_source.h"
#include "ui/quarantine/quarantine_model.h"
#include "ui/quarantine/quarantine_view.h"

#include <QAbstractItemModelTester>
#include <QDialog>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// The tab with the rejected events, against a scripted engine.
class QuarantineViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_desk = std::make_unique<test::FakeDesk<QuarantineView>>();
        m_last = 0;
    }
    void cleanup() { m_desk.reset(); }
    void anEmptyListSaysWhatWouldStandThere();
    void rejectedEventsAreListedNewestFirst();
    void newOnesWaitUnderAReader();
    void theDetailsSayWhatCameFromWhere();
    void oneIsMendedAndTaken();
    void whatIsStillWrongStandsUnderIt();
    void whatIsNoJsonCannotBeTaken();
    void oneThatWasCutHasToBeGivenWhole();
    void aDuplicateIsTold();
    void discardingIsConfirmedWithItsNumber();
    void whatIsTypedStaysWhileOthersCome();
    void foreignTextIsPlain();
    void allOfThemAreWrittenDown();

private:
    QuarantineRow& reject(const std::string& body = R"({"type":"dance"})") {
        const std::scoped_lock lock(m_desk->engine.store->mutex);
        QuarantineRow row;
        row.id = QuarantineId(++m_last);
        row.at = m_desk->engine.state.at;
        row.source = "shop";
        row.form = EventForm::segment;
        row.code = "bad_field";
        row.detail = "\"type\" is no word of an SDK";
        row.eventId = "e" + std::to_string(m_last);
        row.body = body;
        row.bytes = body.size();
        auto& rows = m_desk->engine.store->quarantine;
        rows.insert(rows.begin(), row);
        ++m_desk->engine.state.intake.rejectedEvents;
        m_desk->engine.state.intake.quarantined = rows.size();
        return rows.front();
    }
    void openList() {
        QVERIFY(m_desk->open(std::make_unique<QuarantineView>(m_desk->engine, m_desk->commands,
                                                              m_desk->loader, m_desk->times)));
    }
    /// The engine takes what it is given and the store forgets it.
    void answerWell(bool duplicate = false) {
        m_desk->engine.answer = [this, duplicate](const Command& command) {
            CommandResult result;
            const std::scoped_lock lock(m_desk->engine.store->mutex);
            auto& rows = m_desk->engine.store->quarantine;
            std::set<QuarantineId> gone;
            if (const auto* retry = std::get_if<RetryQuarantined>(&command)) gone.insert(retry->id);
            if (const auto* discard = std::get_if<DiscardQuarantined>(&command))
                gone.insert(discard->ids.begin(), discard->ids.end());
            result.done = std::erase_if(
                rows, [&](const QuarantineRow& row) { return gone.contains(row.id); });
            result.duplicate = duplicate;
            m_desk->engine.state.intake.quarantined = rows.size();
            return result;
        };
    }
    void choose(int row) {
        m_desk->page->setDetailsOpen(true);
        m_desk->table().selectRow(row);
    }
    [[nodiscard]] QPlainTextEdit* body() const {
        return m_desk->find<QPlainTextEdit>("rejectedBody");
    }
    [[nodiscard]] QPushButton* button(const char* name) const {
        return m_desk->find<QPushButton>(name);
    }
    [[nodiscard]] QString state() const { return m_desk->find<QLabel>("rejectedState")->text(); }
    template <typename Wanted>
    const Wanted* lastCommand() const {
        const auto& submitted = m_desk->engine.submitted;
        return submitted.empty() ? nullptr : std::get_if<Wanted>(&submitted.back());
    }

    std::unique_ptr<test::FakeDesk<QuarantineView>> m_desk;
    std::uint64_t m_last = 0;
};

void QuarantineViewTest::anEmptyListSaysWhatWouldStandThere() {
    openList();
    QTRY_VERIFY(m_desk->says("Nothing was rejected"));
    reject();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->rows(), 1, 10000);
}

void QuarantineViewTest::theDetailsSayWhatCameFromWhere() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    m_desk->page->resize(1200, 600);
    // What is cut off by the width begins alike.
    const auto words = [this](const char* name) {
        return m_desk->find<QLabel>(name)->text().chopped(1);
    };
    QTRY_VERIFY(QStringLiteral("Rejected event 1: e1").startsWith(words("rejectedTitle")));
    QVERIFY(words("rejectedTitle").startsWith(QStringLiteral("Rejected")));
    QVERIFY(words("rejectedFacts").contains(QStringLiteral(" · from shop")));
    QCOMPARE(m_desk->find<QLabel>("rejectedReason")->text(),
             QStringLiteral("\"type\" is no word of an SDK"));
}

void QuarantineViewTest::rejectedEventsAreListedNewestFirst() {
    for (int i = 0; i < 600; ++i) reject();  // several pages
    openList();
    QTRY_COMPARE(m_desk->rows(), 600);
    const QAbstractItemModelTester tester(m_desk->table().model());
    QCOMPARE(m_desk->cell(0, QuarantineModel::Event), QStringLiteral("e600"));
    QCOMPARE(m_desk->cell(599, QuarantineModel::Event), QStringLiteral("e1"));
    QCOMPARE(m_desk->cell(0, QuarantineModel::Source), QStringLiteral("shop"));
    QCOMPARE(m_desk->cell(0, QuarantineModel::Reason),
             QStringLiteral("\"type\" is no word of an SDK"));
}

void QuarantineViewTest::newOnesWaitUnderAReader() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    m_desk->table().selectRow(0);
    reject();
    QTRY_VERIFY(m_desk->pill().startsWith(QStringLiteral("Changed")));
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->rows(), 1);
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->rows(), 2);
    // The chosen one is found again by its number.
    QCOMPARE(m_desk->table().selectionModel()->selectedRows().front().row(), 1);
    QTRY_COMPARE(m_desk->pill(), QString());
}

void QuarantineViewTest::oneIsMendedAndTaken() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_COMPARE(body()->toPlainText(), QStringLiteral("{\"type\":\"dance\"}"));
    answerWell();
    QSignalSpy told(m_desk->page.get(), &QuarantineView::succeeded);
    body()->setPlainText(QStringLiteral("{\"type\":\"track\",\n\"userId\":12345678901234567890}"));
    button("rejectedRetry")->click();
    const auto* retry = lastCommand<RetryQuarantined>();
    QVERIFY(retry);
    QCOMPARE(retry->id, QuarantineId(1));
    QCOMPARE(retry->body, std::string("{\"type\":\"track\",\n\"userId\":12345678901234567890}"));
    QVERIFY(!button("rejectedRetry")->isEnabled());
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(told[0][0].toString(), QStringLiteral("Rejected event 1 is accepted and on its way."));
    QTRY_COMPARE(m_desk->rows(), 0);
}

void QuarantineViewTest::whatIsStillWrongStandsUnderIt() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(button("rejectedRetry")->isEnabled());
    m_desk->engine.answer = [](const Command&) {
        CommandResult result;
        result.error = "\"userId\" is missing";
        return result;
    };
    button("rejectedRetry")->click();
    QTRY_COMPARE(state(), QStringLiteral("\"userId\" is missing"));
    QVERIFY(button("rejectedRetry")->isEnabled());
    QCOMPARE(m_desk->rows(), 1);
}

void QuarantineViewTest::whatIsNoJsonCannotBeTaken() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(button("rejectedRetry")->isEnabled());
    QVERIFY(!button("rejectedRestore")->isVisible());
    body()->setPlainText(QStringLiteral("{\n\"type\": }"));
    QVERIFY(!button("rejectedRetry")->isEnabled());
    QVERIFY2(state().startsWith(QStringLiteral("No JSON at line 2, column 9")),
             qPrintable(state()));
    button("rejectedRestore")->click();
    QCOMPARE(body()->toPlainText(), QStringLiteral("{\"type\":\"dance\"}"));
    QVERIFY(button("rejectedRetry")->isEnabled());
}

void QuarantineViewTest::oneThatWasCutHasToBeGivenWhole() {
    reject("{\"a\":1}").bytes = limits::kQuarantinedBytes + 1;
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(state().startsWith(QStringLiteral("Only the first")));
    QVERIFY(!button("rejectedRetry")->isEnabled());
    body()->setPlainText(QStringLiteral("{\"a\":2}"));
    QVERIFY(button("rejectedRetry")->isEnabled());
}

void QuarantineViewTest::aDuplicateIsTold() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(button("rejectedRetry")->isEnabled());
    answerWell(true);
    QSignalSpy told(m_desk->page.get(), &QuarantineView::succeeded);
    button("rejectedRetry")->click();
    QTRY_COMPARE(told.count(), 1);
    QVERIFY(told[0][0].toString().contains(QStringLiteral("accepted before")));
}

void QuarantineViewTest::discardingIsConfirmedWithItsNumber() {
    for (int i = 0; i < 4; ++i) reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 4);
    auto* many = button("quarantineDiscard");
    QVERIFY(!many->isVisible());
    m_desk->table().selectRow(1);
    m_desk->table().selectionModel()->select(
        m_desk->table().model()->index(3, 0),
        QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(many->isVisible());
    QVERIFY2(many->text().contains(QLatin1Char('2')), qPrintable(many->text()));
    answerWell();
    many->click();
    auto* dialog = m_desk->find<QDialog>("quarantineDiscardDialog");
    QVERIFY(m_desk->engine.submitted.empty());
    auto* accept = dialog->findChild<QPushButton*>(QStringLiteral("quarantineDiscardAccept"));
    QVERIFY2(accept->text().contains(QLatin1Char('2')), qPrintable(accept->text()));
    accept->click();
    const auto* discard = lastCommand<DiscardQuarantined>();
    QVERIFY(discard);
    QVERIFY((discard->ids == std::vector<QuarantineId>{QuarantineId(1), QuarantineId(3)}));
    QTRY_COMPARE(m_desk->rows(), 2);
}

void QuarantineViewTest::whatIsTypedStaysWhileOthersCome() {
    reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(button("rejectedRetry")->isEnabled());
    body()->setPlainText(QStringLiteral("{\"typed\":true}"));
    m_desk->table().clearSelection();
    reject();
    QTest::qWait(test::kSettle);
    QCOMPARE(m_desk->rows(), 1);
    m_desk->page->applyPending();
    QTRY_COMPARE(m_desk->rows(), 2);
    QCOMPARE(body()->toPlainText(), QStringLiteral("{\"typed\":true}"));
}

void QuarantineViewTest::foreignTextIsPlain() {
    auto& row = reject(R"("<img src=http://127.0.0.1:1/>")");
    row.source = row.eventId = row.detail = "<img src=http://127.0.0.1:1/>\xe2\x80\xae";
    openList();
    QTRY_COMPARE(m_desk->rows(), 1);
    choose(0);
    QTRY_VERIFY(body()->toPlainText().contains(QStringLiteral("<img")));
    for (const auto* label : m_desk->page->findChildren<QLabel*>())
        QVERIFY2(label->textFormat() == Qt::PlainText || !label->text().contains(QLatin1Char('<')),
                 qPrintable(label->objectName()));
    QVERIFY(!m_desk->cell(0, QuarantineModel::Event).contains(QChar(0x202e)));
}

void QuarantineViewTest::allOfThemAreWrittenDown() {
    for (int i = 0; i < 70; ++i) reject();
    openList();
    QTRY_COMPARE(m_desk->rows(), 70);
    const auto source = m_desk->page->allRows();
    std::size_t rows = 0;
    bool last = false;
    const auto columns = source->facts().columns.size();
    while (!last) {
        bool came = false;
        source->readNext([&](RowBatch batch) {
            rows += batch.rows.size();
            last = batch.last;
            came = true;
            for (const auto& row : batch.rows)
                QCOMPARE(static_cast<qsizetype>(row.size()), columns);
        });
        QTRY_VERIFY(came);
    }
    QCOMPARE(rows, std::size_t{70});
}

QTEST_MAIN(QuarantineViewTest)
#include "quarantine_view_test.moc"
