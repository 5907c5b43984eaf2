// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/empty_reader.h"
#include "ui/search/search_question.h"

#include <QTest>

#include <map>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// Knows events by their source and id.
class Log final : public test::EmptyReader {
public:
    std::map<std::pair<std::string, std::string>, Sequence> events;
    int asked = 0;

    FoundEvents findEvents(const std::string& source, const std::string& id) override {
        ++asked;
        FoundEvents found;
        const auto event = events.find({source, id});
        if (event != events.end()) found.sequences.push_back(event->second);
        return found;
    }
    std::optional<EventRow> event(Sequence sequence) override {
        EventRow row;
        row.sequence = sequence;
        return row;
    }
};

}  // namespace

/// Where an id is looked for.
class SearchQuestionTest : public QObject {
    Q_OBJECT

private slots:
    void anIdIsFoundWhereverItCameFrom_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("sequence");
        QTest::newRow("native") << QStringLiteral("e1") << 1;
        QTest::newRow("of an SDK") << QStringLiteral("e2") << 2;
        QTest::newRow("of a source with a key of its own") << QStringLiteral("e3") << 3;
        QTest::newRow("of an import") << QStringLiteral("import-7:e4") << 4;
        QTest::newRow("of a CloudEvent") << QStringLiteral("/shop:e5") << 5;
        QTest::newRow("of a CloudEvent whose source has colons")
            << QStringLiteral("urn:shop:1:e6") << 6;
        QTest::newRow("of a CloudEvent whose id has colons") << QStringLiteral("/shop:e:7") << 7;
        QTest::newRow("nobody's") << QStringLiteral("e9") << 0;
    }
    void anIdIsFoundWhereverItCameFrom() {
        QFETCH(QString, text);
        QFETCH(int, sequence);
        Log log;
        log.events = {{{"native", "e1"}, Sequence(1)},
                      {{"segment", "e2"}, Sequence(2)},
                      {{"web", "e3"}, Sequence(3)},
                      {{"import-7", "e4"}, Sequence(4)},
                      {{"cloudevents:/shop", "e5"}, Sequence(5)},
                      {{"cloudevents:urn:shop:1", "e6"}, Sequence(6)},
                      {{"cloudevents:/shop", "e:7"}, Sequence(7)}};
        const auto answer = search(log, {text.toStdString(), {}, {"web"}});
        QCOMPARE(answer.events.size(), std::size_t(sequence == 0 ? 0 : 1));
        if (sequence > 0)
            QCOMPARE(answer.events[0].sequence, Sequence(static_cast<std::uint64_t>(sequence)));
    }

    void aTextOfColonsIsNoWork() {
        Log log;
        (void)search(log, {std::string(10'000, ':'), {}, {}});
        QVERIFY(log.asked < 30);
    }
};

QTEST_GUILESS_MAIN(SearchQuestionTest)
#include "search_question_test.moc"
