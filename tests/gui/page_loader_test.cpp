// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/empty_reader.h"
#include "ui/common/page_loader.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <stdexcept>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// A reader whose calls wait until they are let go or interrupted.
class SlowReader : public test::EmptyReader {
public:
    explicit SlowReader(std::atomic<int>& interrupts) : m_interrupts(interrupts) {}
    DeadLetterPage deadLetters(const DeadLetterQuery& query) override {
        if (query.limit == 13) throw std::runtime_error("broken page");
        if (query.limit == 14) {
            DeadLetterPage failed;
            failed.error = "the file is locked";
            return failed;
        }
        if (query.limit == 15) {
            // As a call that is interrupted in the moment before it begins.
            while (m_interrupts < 2) QThread::yieldCurrentThread();
        }
        if (query.limit == 1) gate.acquire();
        DeadLetterPage page;
        page.rows.resize(query.limit);
        return page;
    }
    void interrupt() override {
        ++m_interrupts;
        gate.release();
    }
    QSemaphore gate;

private:
    std::atomic<int>& m_interrupts;
};

}  // namespace

class PageLoaderTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void answersArriveOnThisThread();
    void theNewestQuestionOfAChannelWins();
    void channelsDoNotDisturbEachOther();
    void anErrorIsReportedAndTheNextQuestionRuns();
    void aPageThatFailedTellsWhyAndIsDelivered();
    void aCallThatMissedItsInterruptIsInterruptedAgain();
    void closingTheReaderInterruptsIt();
    void withoutAReaderNothingIsAsked();

private:
    void ask(std::uint32_t rows);

    std::atomic<int> m_interrupts = 0;
    std::unique_ptr<PageLoader> m_loader;
    std::vector<std::size_t> m_answers;
};

void PageLoaderTest::init() {
    m_interrupts = 0;
    m_answers.clear();
    m_loader = std::make_unique<PageLoader>();
    m_loader->setReader(std::make_unique<SlowReader>(m_interrupts));
}

void PageLoaderTest::ask(std::uint32_t rows) {
    DeadLetterQuery query;
    query.limit = rows;
    m_loader->load(
        PageLoader::Channel::deadLetters,
        [query](PageReader& reader) { return reader.deadLetters(query); },
        [this](const DeadLetterPage& page) {
            QCOMPARE(QThread::currentThread(), thread());
            m_answers.push_back(page.rows.size());
        });
}

void PageLoaderTest::answersArriveOnThisThread() {
    ask(5);
    QVERIFY(m_loader->isBusy(PageLoader::Channel::deadLetters));
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{5});
    QVERIFY(!m_loader->isBusy(PageLoader::Channel::deadLetters));
}

void PageLoaderTest::theNewestQuestionOfAChannelWins() {
    ask(1);  // waits in the reader
    ask(2);
    ask(3);
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{3});
    QVERIFY(m_interrupts >= 1);
}

void PageLoaderTest::channelsDoNotDisturbEachOther() {
    bool event = false;
    ask(4);
    m_loader->load(
        m_loader->addChannel(), [](PageReader& reader) { return reader.event(Sequence(1)); },
        [&event](const std::optional<EventRow>&) { event = true; });
    QTRY_VERIFY(event && m_answers.size() == 1);
    QCOMPARE(m_interrupts.load(), 0);
}

void PageLoaderTest::anErrorIsReportedAndTheNextQuestionRuns() {
    QSignalSpy failed(m_loader.get(), &PageLoader::failed);
    ask(13);
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].toString(), QStringLiteral("broken page"));
    ask(2);
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{2});
}

void PageLoaderTest::aPageThatFailedTellsWhyAndIsDelivered() {
    QSignalSpy failed(m_loader.get(), &PageLoader::failed);
    ask(14);
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{0});
    QCOMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].toString(), QStringLiteral("the file is locked"));
}

void PageLoaderTest::aCallThatMissedItsInterruptIsInterruptedAgain() {
    ask(15);
    ask(2);
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{2});
    // Once it is back nothing is interrupted any more.
    const int interrupts = m_interrupts;
    QVERIFY(interrupts >= 2);
    ask(3);
    QTRY_COMPARE(m_answers, (std::vector<std::size_t>{2, 3}));
    QCOMPARE(m_interrupts.load(), interrupts);
}

void PageLoaderTest::closingTheReaderInterruptsIt() {
    ask(1);
    m_loader->setReader(nullptr);
    QVERIFY(!m_loader->isOpen());
    QVERIFY(m_interrupts >= 1);
    m_loader->setReader(std::make_unique<SlowReader>(m_interrupts));
    ask(6);
    QTRY_COMPARE(m_answers, std::vector<std::size_t>{6});
}

void PageLoaderTest::withoutAReaderNothingIsAsked() {
    m_loader->setReader(nullptr);
    ask(2);
    QVERIFY(!m_loader->isBusy(PageLoader::Channel::deadLetters));
}

QTEST_GUILESS_MAIN(PageLoaderTest)
#include "page_loader_test.moc"
