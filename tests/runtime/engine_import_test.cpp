// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify.h"
#include "tests/runtime/engine_world.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <sqlite3.h>

#include <algorithm>
#include <vector>

using namespace lanes;
using namespace lanes::test;

/// A second program that holds the lock of the data file for writing.
class Intruder {
public:
    explicit Intruder(const QString& directory) {
        const auto path = (directory + QStringLiteral("/lanes.db")).toStdString();
        sqlite3_open(path.c_str(), &m_database);
        sqlite3_busy_timeout(m_database, kPatience);
        m_locked =
            sqlite3_exec(m_database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
    }
    ~Intruder() { sqlite3_close(m_database); }
    Intruder(const Intruder&) = delete;
    Intruder& operator=(const Intruder&) = delete;
    [[nodiscard]] bool locked() const { return m_locked; }

private:
    sqlite3* m_database = nullptr;
    bool m_locked = false;
};

class EngineImportTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;

    QString data() const { return m_directory->filePath(QStringLiteral("data")); }
    StartImport file(const char* name, const QByteArray& text) const {
        QFile file(m_directory->filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("no file");
        StartImport request;
        request.path = file.fileName().toStdString();
        return request;
    }
    static QByteArray lines(int count, int users = 10) {
        QByteArray text;
        for (int i = 0; i < count; ++i)
            text += "{\"user\":\"u" + QByteArray::number(i % users) +
                    "\",\"type\":\"step\",\"payload\":" + QByteArray::number(i) + "}\n";
        return text;
    }
    static bool ends(const World& world, std::uint64_t number) {
        return QTest::qWaitFor(
            [&] {
                const auto shown = world.engine->snapshot()->fileImport;
                return shown.number == number && !shown.active();
            },
            4 * kPatience);
    }

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void importedEventsAreDeliveredInTheOrderOfTheirLines() {
        World world(data());
        QVERIFY(world.start());
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        QVERIFY(world.command(SetDestination{destination("crm", url)}).ok());
        const auto started = world.command(
            file("a", lines(3000) + "{\"type\":\"t\",\"payload\":1,\"destinations\":[\"erp\"]}\n"));
        QVERIFY2(started.ok(), started.error.c_str());
        QCOMPARE(started.importNumber, 1u);
        QVERIFY(ends(world, 1));
        const auto shown = world.engine->snapshot()->fileImport;
        QCOMPARE(shown.state, ImportState::finished);
        QCOMPARE(shown.accepted, 3000u);
        QCOMPARE(shown.rejected, 1u);
        QFile report(QString::fromStdString(shown.report));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("there is no destination \\\"erp\\\""));
        QTRY_COMPARE_WITH_TIMEOUT(mocks->mocks().at(0).accepted, 3000u, 2 * kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
        QCOMPARE(mocks->mocks().at(0).duplicates, 0u);
        QVERIFY(world.totals().balanced());
        QCOMPARE(world.totals().accepted, 3000u);
        // The lines are in the log in their order.
        const auto reader = world.engine->openPageReader();
        for (const std::uint64_t sequence : {1u, 1500u, 3000u})
            QCOMPARE(reader->event(Sequence(sequence))->payload, std::to_string(sequence - 1));
    }

    void theIdOfTheSenderCountsWhereverItCameFrom() {
        World world(data());
        QVERIFY(world.start());
        QCOMPARE(world.post(R"({"id":"x","user":"u","type":"t","payload":1})"), 202);
        QVERIFY(world.command(file("a", R"({"id":"x","user":"u","type":"t","payload":1})")).ok());
        QVERIFY(ends(world, 1));
        QCOMPARE(world.engine->snapshot()->fileImport.duplicates, 1u);
        QCOMPARE(world.engine->snapshot()->fileImport.accepted, 0u);
    }

    void oneImportAtATime() {
        World world(data());
        QVERIFY(world.start());
        QVERIFY(world.command(file("a", lines(40'000))).ok());
        const auto second = world.command(file("b", lines(1)));
        QVERIFY2(second.error.starts_with("An import is running already, of "),
                 second.error.c_str());
        QVERIFY(world.command(CancelImport{}).ok());
        QVERIFY(ends(world, 1));
        QCOMPARE(world.engine->snapshot()->fileImport.state, ImportState::cancelled);
        QCOMPARE(world.command(CancelImport{}).error, std::string("No import is running."));
        QVERIFY(world.command(file("b", lines(1))).ok());
        QVERIFY(ends(world, 2));
        QCOMPARE(world.engine->snapshot()->fileImport.accepted, 1u);
    }

    void whatCannotBeImportedIsRefusedWithAReason_data() {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("no such file") << QByteArray("/nowhere/x") << QByteArray()
                                      << QByteArray("there is no file /nowhere/x.");
        QTest::newRow("a directory") << QByteArray("/tmp") << QByteArray()
                                     << QByteArray("/tmp is a directory; name a file.");
        QTest::newRow("a path that depends on where one is")
            << QByteArray("x") << QByteArray()
            << QByteArray("The path of the file must be absolute.");
        QTest::newRow("a source with a line end")
            << QByteArray("/tmp/x") << QByteArray("a\nb")
            << QByteArray("The source is a name of at most 256 bytes without control characters.");
    }
    void whatCannotBeImportedIsRefusedWithAReason() {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, error);
        World world(data());
        QVERIFY(world.start());
        StartImport request;
        request.path = path.toStdString();
        request.source = source.toStdString();
        QCOMPARE(QByteArray::fromStdString(world.command(request).error), error);
        QCOMPARE(world.engine->snapshot()->fileImport.number, 0u);
    }

    void aStopInTheMiddleIsGoneOnWithAfterTheNextStart() {
        // Long enough for this machine: the stop must come before the last line is stored.
        std::uint32_t count = 60'000;
        StartImport request;
        for (auto stopped = ImportState::finished; stopped == ImportState::finished;) {
            m_directory = std::make_unique<QTemporaryDir>();
            request = file("a", lines(static_cast<int>(count)));
            World world(data());
            QVERIFY(world.start());
            QVERIFY(world.command(request).ok());
            QTRY_VERIFY_WITH_TIMEOUT(world.engine->snapshot()->fileImport.accepted >= 2000,
                                     kPatience);
            world.engine->stop();
            stopped = world.engine->snapshot()->fileImport.state;
            if (stopped != ImportState::finished)
                QCOMPARE(stopped, ImportState::cancelled);
            else if (count < 1'000'000)
                count *= 4;
            else
                QFAIL("no stop came before the end of the import");
        }
        World world(data());
        QVERIFY(world.start());
        const auto started = world.command(request);
        QVERIFY(started.ok());
        QVERIFY(ends(world, 1));
        const auto shown = world.engine->snapshot()->fileImport;
        QCOMPARE(shown.state, ImportState::finished);
        QVERIFY(shown.resumedAt >= 2000);
        // What was being stored at the stop is read once more.
        QVERIFY(shown.duplicates <= 1000);
        QCOMPARE(shown.accepted + shown.duplicates, std::uint64_t(count));
        const auto reader = world.engine->openPageReader();
        QCOMPARE(world.engine->snapshot()->store.lastSequence.value, std::uint64_t(count));
        for (std::uint64_t sequence = 1; sequence <= count; sequence += 499)
            QCOMPARE(reader->event(Sequence(sequence))->payload, std::to_string(sequence - 1));
    }

    void anImportWaitsWhileTheStoreCannotBeWritten() {
        World world(data());
        QVERIFY(world.start());
        const auto request = file("a", lines(30'000));
        QVERIFY(world.command(request).ok());
        {
            const Intruder intruder(data());
            QVERIFY(intruder.locked());
            QTRY_VERIFY_WITH_TIMEOUT(
                world.engine->snapshot()->fileImport.state == ImportState::waiting ||
                    !world.engine->snapshot()->fileImport.active(),
                kPatience);
            const auto shown = world.engine->snapshot()->fileImport;
            QCOMPARE(shown.state, ImportState::waiting);
            QVERIFY2(shown.error.starts_with("Nothing can be stored:"), shown.error.c_str());
        }
        QVERIFY(ends(world, 1));
        const auto shown = world.engine->snapshot()->fileImport;
        QCOMPARE(shown.state, ImportState::finished);
        QCOMPARE(shown.error, std::string());
        QCOMPARE(shown.accepted, 30'000u);
        const auto reader = world.engine->openPageReader();
        std::string last = "-1";
        for (std::uint64_t sequence = 1;
             sequence <= world.engine->snapshot()->store.lastSequence.value; ++sequence) {
            const auto event = reader->event(Sequence(sequence));
            if (!event) continue;  // a number that was skipped
            QCOMPARE(event->payload, std::to_string(std::stoi(last) + 1));
            last = event->payload;
        }
        QCOMPARE(last, std::string("29999"));
    }

    void liveSendersAreServedBesideAnImport() {
        World world(data());
        QVERIFY(world.start());
        const auto once = [&world] {
            QElapsedTimer timer;
            timer.start();
            if (world.postEvents(1, 1) != 202) qFatal("not accepted");
            return timer.elapsed();
        };
        const auto middle = [](std::vector<qint64> times) {
            std::sort(times.begin(), times.end());
            return times[times.size() / 2];
        };
        std::vector<qint64> alone;
        for (int i = 0; i < 20; ++i) alone.push_back(once());
        QVERIFY(world.command(file("a", lines(100'000))).ok());
        std::vector<qint64> beside;
        while (world.engine->snapshot()->fileImport.active()) beside.push_back(once());
        QCOMPARE(world.engine->snapshot()->fileImport.accepted, 100'000u);
        const auto slowest = *std::max_element(beside.begin(), beside.end());
        qInfo("an event over HTTP: alone %lld ms, beside an import %lld ms, slowest %lld ms of %zu",
              static_cast<long long>(middle(alone)), static_cast<long long>(middle(beside)),
              static_cast<long long>(slowest), beside.size());
        QVERIFY(beside.size() >= 5);
        QVERIFY2(middle(beside) < 250, "live senders are held up");
        QVERIFY2(slowest < 3000, "a live sender was held up");
    }
};

QTEST_GUILESS_MAIN(EngineImportTest)
#include "engine_import_test.moc"
