// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/write_key.h"
#include "tests/app/running_instance.h"

#include <QFile>

using namespace lanes;
using namespace lanes::app;

class SenderRunTest : public QObject, RunningInstance {
    Q_OBJECT

private slots:
    void init() {
        open();
        SourceSnapshot shop;
        shop.config = {
            SourceId(4), "shop", {std::string(64, '1'), std::string(64, '2')}, 1, "anna"};
        shop.accepted = 7;
        m_engine->state.sources.push_back(shop);
        QuarantineRow row;
        row.id = QuarantineId(17);
        row.at = 1'000'000;
        row.source = "shop";
        row.form = EventForm::segment;
        row.code = "bad_field";
        row.detail = "\"type\" is no word of an SDK";
        row.body = "{\"type\":\"dance\"}";
        row.bytes = row.body.size();
        m_engine->store.quarantine = {row};
    }
    void cleanup() { close(); }

    void aKeyIsShownOnceAndKeptAsAFingerprint() {
        const auto said = say(Operation{AddSource{"web"}}, true);
        QCOMPARE(said.exit, Exit::good);
        const auto key = Json::parse(said.out)["write_key"].get<std::string>();
        QCOMPARE(key.size(), std::size_t(43));
        const auto& set = std::get<SetSource>(m_engine->commands.at(0));
        QCOMPARE(set.config.name, std::string("web"));
        QCOMPARE(set.config.keys, std::vector<std::string>{writeKeyHash(key)});
        QVERIFY(say(Operation{AddSource{"web"}}).out.find("not shown again") != std::string::npos);
    }

    void keysAreChanged_data() {
        QTest::addColumn<bool>("atOnce");
        QTest::addColumn<bool>("finish");
        QTest::addColumn<int>("keys");
        QTest::newRow("beside the old ones") << false << false << 3;
        QTest::newRow("at once") << true << false << 1;
        QTest::newRow("in the end") << false << true << 1;
    }
    void keysAreChanged() {
        QFETCH(bool, atOnce);
        QFETCH(bool, finish);
        QFETCH(int, keys);
        const auto said = say(Operation{RotateSource{"shop", atOnce, finish}}, true);
        QCOMPARE(said.exit, Exit::good);
        const auto& config = std::get<SetSource>(m_engine->commands.at(0)).config;
        QCOMPARE(config.id, SourceId(4));
        QCOMPARE(config.keys.size(), static_cast<std::size_t>(keys));
        const auto json = Json::parse(said.out);
        QCOMPARE(json.contains("write_key"), !finish);
        if (finish)
            QCOMPARE(config.keys[0], std::string(64, '2'));
        else
            QCOMPARE(config.keys.back(), writeKeyHash(json["write_key"].get<std::string>()));
        QCOMPARE(json["withdrawn"].get<int>(), keys == 3 ? 0 : atOnce ? 2 : 1);
    }

    void aSourceIsRemoved() {
        QCOMPARE(say(Operation{DropSource{"shop"}}).exit, Exit::good);
        QCOMPARE(std::get<RemoveSource>(m_engine->commands.at(0)).source, SourceId(4));
        const auto said = say(Operation{DropSource{"nobody"}});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find("there are: shop") != std::string::npos, said.err.c_str());
    }

    void sourcesAreListed() {
        const auto said = say(Operation{ListSources{}});
        QVERIFY2(said.out.find("shop") != std::string::npos, said.out.c_str());
        QVERIFY(say(Operation{ListSources{}}, true).out.find(std::string(64, '1')) ==
                std::string::npos);
        m_engine->state.sources.clear();
        QVERIFY(say(Operation{ListSources{}}).out.find("sources add") != std::string::npos);
    }

    void rejectedEventsAreListedAndShown() {
        const auto list = say(Operation{ListQuarantine{}});
        QVERIFY2(list.out.find("is no word of an SDK") != std::string::npos, list.out.c_str());
        const auto bodies = Json::parse(say(Operation{ListQuarantine{50, true}}, true).out);
        QCOMPARE(bodies["rejected"][0]["body"].get<std::string>(),
                 std::string("{\"type\":\"dance\"}"));
        const auto shown = say(Operation{ShowQuarantined{QuarantineId(17)}});
        QVERIFY2(shown.out.find("{\"type\":\"dance\"}") != std::string::npos, shown.out.c_str());
        QCOMPARE(say(Operation{ShowQuarantined{QuarantineId(1)}}).exit, Exit::usage);
    }

    void oneIsSentAgainAsItWasOrMended() {
        QCOMPARE(say(Operation{RetryRejected{QuarantineId(17), {}}}).exit, Exit::good);
        QCOMPARE(std::get<RetryQuarantined>(m_engine->commands.at(0)).body,
                 std::string("{\"type\":\"dance\"}"));
        QFile file(m_directory->filePath(QStringLiteral("mended.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"type\":\"track\"}");
        file.close();
        const auto path = file.fileName().toStdString();
        QCOMPARE(say(Operation{RetryRejected{QuarantineId(17), path}}).exit, Exit::good);
        QCOMPARE(std::get<RetryQuarantined>(m_engine->commands.at(1)).body,
                 std::string("{\"type\":\"track\"}"));
    }

    void oneThatWasCutIsNotSentAgainAsItIs() {
        m_engine->store.quarantine[0].bytes = limits::kQuarantinedBytes + 1;
        const auto said = say(Operation{RetryRejected{QuarantineId(17), {}}});
        QCOMPARE(said.exit, Exit::usage);
        QVERIFY2(said.err.find("--body-file") != std::string::npos, said.err.c_str());
        QVERIFY(m_engine->commands.empty());
    }

    void someOrAllAreGivenUp() {
        QCOMPARE(say(Operation{DiscardRejected{{QuarantineId(3), QuarantineId(17)}, false}}).exit,
                 Exit::good);
        QVERIFY((std::get<DiscardQuarantined>(m_engine->commands.at(0)).ids ==
                 std::vector<QuarantineId>{QuarantineId(3), QuarantineId(17)}));
        QCOMPARE(say(Operation{DiscardRejected{{}, true}}).exit, Exit::good);
        QVERIFY((std::get<DiscardQuarantined>(m_engine->commands.at(1)).ids ==
                 std::vector<QuarantineId>{QuarantineId(17)}));
    }

    void whereThereIsNothingNothingIsGivenUp() {
        m_engine->store.quarantine.clear();
        QVERIFY(say(Operation{DiscardRejected{{}, true}}).out.find("Nothing is in quarantine") !=
                std::string::npos);
        QVERIFY(m_engine->commands.empty());
    }
};

QTEST_GUILESS_MAIN(SenderRunTest)
#include "sender_run_test.moc"
