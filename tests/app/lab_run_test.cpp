// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab_run.h"

#include "app/lab_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace lanes;
using namespace lanes::app;

namespace {

/// A minute at a small destination: played in an instant.
const char* const kSmall =
    R"({"name": "mine", "workers": 2, "queue": 4, "users": 50, "warm_up_s": 10, "outage_s": 60})";

std::string complaint(const QByteArray& text) {
    const auto read = readLabText(text.toStdString(), "file");
    const auto* error = std::get_if<std::string>(&read);
    return error ? *error : std::string();
}

}  // namespace

class LabRunTest : public QObject {
    Q_OBJECT

private slots:
    void aFileChangesItsBase() {
        const auto read = readLabText(
            R"({"base": "ramp", "name": "mine", "workers": 3, "service_s": 0.1, "outage": "hang",
                "outage_s": 12.5, "bucket_rate": 20, "bucket_status": 503, "noise_kind": "reset",
                "phases": [{"begin_s": 1, "end_s": 2, "from": 0.5, "to": 1}]})",
            "file");
        const auto* error = std::get_if<std::string>(&read);
        QVERIFY2(!error, error ? error->c_str() : "");
        const auto& scenario = std::get<LabScenario>(read);
        QCOMPARE(scenario.name, std::string("mine"));
        QCOMPARE(scenario.workers, 3u);
        QCOMPARE(scenario.outage, LabOutage::hang);
        QCOMPARE(scenario.outageLength, 12'500 * kMillisecond);
        QCOMPARE(scenario.capacity(), 20.0);
        QCOMPARE(scenario.bucketStatus, std::uint16_t{503});
        QCOMPARE(scenario.noiseKind, LabNoise::reset);
        QCOMPARE(scenario.burn, 0.3);  // of its base
        QCOMPARE(scenario.phases.size(), std::size_t{1});
        QCOMPARE(scenario.speed(1'500 * kMillisecond), 0.75);
    }

    void badFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* text, const char* says) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(says);
        };
        row("nothing", "", "a JSON object");
        row("half of it", "{\"workers\": 3", "a JSON object");
        row("a list", "[]", "a JSON object");
        row("a field that is unknown", R"({"worker": 3})", "unknown");
        row("a base that is unknown", R"({"base": "no such"})", "no scenario");
        row("no worker", R"({"workers": 0})", "\"workers\" must be a number from 1");
        row("half a worker", R"({"workers": 1.5})", "whole number");
        row("a text for a number", R"({"service_s": "1"})", "must be a number");
        row("an endless time", R"({"outage_s": 1e300})", "\"outage_s\"");
        row("a noise that is unknown", R"({"noise_kind": "loud"})", "error, overload");
        row("a limit that is told oddly", R"({"bucket_status": 430})", "429 or 503");
        row("an outage that is unknown", R"({"outage": "flood"})", "refuse, hang");
        row("more events than memory", R"({"events_per_second": 1e6})", "50 million");
        row("a phase that ends before it begins",
            R"({"phases": [{"begin_s": 2, "end_s": 1}]})", "after");
        row("phases that are none", R"({"phases": 7})", "a list");
        row("a number among phases", R"({"phases": [7]})", "objects");
    }

    void badFilesAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto error = QByteArray::fromStdString(complaint(text));
        QVERIFY2(error.contains(says), error.constData());
    }

    void printsATableOrJson() {
        QTemporaryDir directory;
        const auto path = directory.filePath(QStringLiteral("mine.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kSmall);
        file.close();
        PlayLab command;
        command.scenario = path.toStdString();

        std::ostringstream table;
        std::ostringstream errors;
        QCOMPARE(runLabCommand(command, false, table, errors), Exit::good);
        const auto lines = QByteArray::fromStdString(table.str());
        for (const char* word : {"mine", "queue", "strict", "lanes-backoff", "an ideal sender"})
            QVERIFY2(lines.contains(word), lines.constData());

        std::ostringstream json;
        QCOMPARE(runLabCommand(command, true, json, errors), Exit::good);
        const auto array = QJsonDocument::fromJson(QByteArray::fromStdString(json.str())).array();
        QCOMPARE(array.size(), 1);
        QCOMPARE(array[0].toObject()[u"scenario"].toString(), QStringLiteral("mine"));
        QCOMPARE(array[0].toObject()[u"senders"].toArray().size(), 4);
        QCOMPARE(errors.str(), std::string());
    }

    void saysWhichScenariosThereAre() {
        PlayLab command;
        std::ostringstream out;
        std::ostringstream errors;
        command.scenario = "no such";
        QCOMPARE(runLabCommand(command, true, out, errors), Exit::usage);
        QVERIFY(errors.str().find("seventytwo") != std::string::npos);
        command.scenario = "./no-such.json";
        QCOMPARE(runLabCommand(command, true, out, errors), Exit::usage);
        QCOMPARE(out.str(), std::string());
    }
};

QTEST_GUILESS_MAIN(LabRunTest)
#include "lab_run_test.moc"
