// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/import_fixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace lanes;
using namespace lanes::test;

class FileImportTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;

    std::string data() const { return m_directory->path().toStdString(); }
    QString path(const char* name = "events.ndjson") const {
        return m_directory->filePath(QLatin1String(name));
    }
    void write(const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) const {
        QFile file(path());
        QVERIFY(file.open(mode));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    StartImport request() const {
        StartImport request;
        request.path = path().toStdString();
        return request;
    }
    /// From start to end; the state that is left.
    ImportSnapshot import(Desk& desk, const StartImport& request) const {
        {
            const std::lock_guard lock(desk.mutex);
            desk.ended = false;
        }
        desk.start(data(), request);
        if (!desk.waitForEnd()) qFatal("the import does not end");
        return desk.import->snapshot();
    }
    ImportSnapshot import(Desk& desk) const { return import(desk, request()); }
    QList<QJsonObject> report(const char* name = "events.ndjson.rejected.ndjson") const {
        QList<QJsonObject> out;
        QFile file(path(name));
        if (!file.open(QIODevice::ReadOnly)) return out;
        const auto lines = file.readAll().split('\n');
        for (const auto& line : lines)
            if (!line.isEmpty()) out += QJsonDocument::fromJson(line).object();
        return out;
    }
    static std::uint64_t sum(const ImportSnapshot& s) {
        return s.skippedLines + s.blank + s.accepted + s.duplicates + s.rejected;
    }

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void linesBecomeEventsInTheirOrder() {
        write(
            "\xEF\xBB\xBF{\"id\":\"a\",\"user\":\"u\",\"type\":\"t\",\"payload\":[1, 2]}\r\n"
            "\r\n"
            "{\"type\":\"page\",\"userId\":9,\"messageId\":\"m\"}\n"
            "{\"id\":\"a\",\"user\":\"u\",\"type\":\"t\",\"payload\":3}\n"
            "{\"user\":\"u\",\"type\":\"t\",\"payload\":4}");
        Desk desk;
        const auto done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.error, std::string());
        QCOMPARE(done.lines, 5u);
        QCOMPARE(done.blank, 1u);
        QCOMPARE(done.accepted, 3u);
        QCOMPARE(done.duplicates, 1u);
        QCOMPARE(done.rejected, 0u);
        QCOMPARE(done.bytesRead, done.bytesTotal);
        QCOMPARE(desk.payloads(),
                 QByteArray("[1, 2] {\"type\":\"page\",\"userId\":9,\"messageId\":\"m\"} 4"));
        QCOMPARE(desk.stored[0].source, std::string("native"));
        QCOMPARE(desk.stored[1].source, std::string("segment"));
        QCOMPARE(desk.stored[1].id, std::string("m"));
        QVERIFY(desk.stored[2].id.starts_with("file-"));
        QVERIFY(desk.stored[2].id.ends_with("-5"));
        // No line was rejected, so there is no report.
        QVERIFY(!QFile::exists(path("events.ndjson.rejected.ndjson")));
    }

    void badLinesAreReportedAndTheOthersTaken() {
        write(eventLine(1) + "\n{broken\n" + eventLine(2) + "\n" + QByteArray(3 << 20, 'x') + "\n" +
              "{\"type\":\"t\",\"payload\":1,\"destinations\":[\"nowhere\"]}\n" +
              "{\"type\":\"t\",\"payload\":\"\xff\"}\n" + QByteArray("\0\0", 2) + "\n" +
              eventLine(3) + "\n{\"user\":\"u\",\"ty");
        Desk desk;
        const auto done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(desk.payloads(), QByteArray("1 2 3"));
        QCOMPARE(done.rejected, 6u);
        QCOMPARE(sum(done), done.lines);
        QCOMPARE(done.report, path("events.ndjson.rejected.ndjson").toStdString());
        const auto lines = report();
        QStringList said;
        for (const auto& line : lines)
            said += QString::number(line[u"line"].toInt()) + u' ' + line[u"code"].toString();
        QCOMPARE(said.join(u';'),
                 QStringLiteral("2 bad_json;4 too_large;5 unknown_destination;6 bad_json;"
                                "7 bad_json;9 cut_line"));
        QCOMPARE(lines[0][u"text"].toString(), QStringLiteral("{broken"));
        QVERIFY(lines[0][u"detail"].toString().contains(u"byte 1"));
        QCOMPARE(lines[1][u"detail"].toString(), QStringLiteral("line 4 is longer than 1 MiB"));
        QCOMPARE(lines[1][u"text"].toString(), QString(4096, u'x'));
        QCOMPARE(lines[1][u"cut"].toBool(), true);
        QVERIFY(lines[2][u"text"].toString().contains(u"nowhere"));
        QVERIFY(lines[3][u"text"].toString().contains(QChar(0xfffd)));
        QVERIFY(lines[5][u"detail"].toString().contains(u"import it again later"));
        QCOMPARE(QFile::permissions(path("events.ndjson.rejected.ndjson")) &
                     (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup),
                 QFile::Permissions());
    }

    void theSameFileAgainImportsNothingTwice() {
        QByteArray text;
        for (int i = 0; i < 2500; ++i)
            text += eventLine(i % 2) + '\n';  // equal lines are events too
        write(text + "{bad\n");
        Desk desk;
        auto done = import(desk);
        QCOMPARE(done.accepted, 2500u);
        // From where it ended.
        done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.skippedLines, 2501u);
        QCOMPARE(done.accepted + done.duplicates + done.rejected, 0u);
        QCOMPARE(done.lines, 2501u);
        // From the beginning, and after one line was mended.
        auto again = request();
        again.fromBeginning = true;
        done = import(desk, again);
        QCOMPARE(done.duplicates, 2500u);
        QCOMPARE(done.rejected, 1u);
        QCOMPARE(report().size(), 1);
        write(text + eventLine(9) + "\n");
        done = import(desk, again);
        QCOMPARE(done.accepted, 1u);
        QCOMPARE(done.duplicates, 2500u);
        QCOMPARE(desk.stored.size(), 2501u);
        QCOMPARE(desk.stored.back().payload, std::string("9"));
    }

    void anotherSourceIsAnotherImport() {
        write(eventLine(1) + '\n');
        Desk desk;
        QCOMPARE(import(desk).accepted, 1u);
        auto other = request();
        other.source = "shop 2";
        QCOMPARE(import(desk, other).accepted, 1u);
        QCOMPARE(desk.stored[1].source, std::string("shop 2"));
    }

    void aFileThatHasGrownGoesOn() {
        write(eventLine(1) + "\n{\"user\":\"u\"");  // somebody is writing the second line
        Desk desk;
        auto done = import(desk);
        QCOMPARE(done.accepted, 1u);
        QCOMPARE(done.rejected, 1u);
        write(",\"type\":\"t\",\"payload\":2}\n" + eventLine(3), QIODevice::Append);
        done = import(desk);
        QCOMPARE(done.accepted, 2u);
        QCOMPARE(done.lines, 3u);
        QCOMPARE(done.skippedLines, 1u);
        write("\n" + eventLine(4) + "\n", QIODevice::Append);
        done = import(desk);
        QCOMPARE(done.duplicates, 1u);  // the line that had no end was read again
        QCOMPARE(done.accepted, 1u);
        QCOMPARE(desk.payloads(), QByteArray("1 2 3 4"));
    }

    void whatIsWrittenWhileItIsReadIsTakenToo() {
        QByteArray text;
        for (int i = 0; i < 5000; ++i) text += eventLine(i) + '\n';
        write(text);
        Desk desk;
        desk.answered = 1;
        desk.start(data(), request());
        QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
        write(eventLine(5000) + '\n', QIODevice::Append);
        desk.answered = SIZE_MAX;
        desk.answer();
        QVERIFY(desk.waitForEnd());
        QCOMPARE(desk.import->snapshot().accepted, 5001u);
    }

    void aFileThatIsReplacedEndsTheImport() {
        QByteArray text;
        for (int i = 0; i < 5000; ++i) text += eventLine(i) + '\n';
        write(text);
        Desk desk;
        desk.answered = 1;
        desk.start(data(), request());
        QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
        QVERIFY(QFile::rename(path(), path("yesterday.ndjson")));
        write(eventLine(7) + '\n');
        desk.answered = SIZE_MAX;
        desk.answer();
        QVERIFY(desk.waitForEnd());
        auto done = desk.import->snapshot();
        QCOMPARE(done.state, ImportState::failed);
        QVERIFY(done.error.find("replaced by another file") != std::string::npos);
        // The other file is begun at its beginning.
        const auto before = desk.stored.size();
        done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.lines, 1u);
        QCOMPARE(desk.stored.size(), before + 1);
    }

    void oneBatchIsStoredWhileTheNextIsRead() {
        QByteArray text;
        for (int i = 0; i < 10'500; ++i) text += eventLine(i) + '\n';
        write(text);
        Desk desk;
        QCOMPARE(import(desk).accepted, 10'500u);
        QCOMPARE(desk.mostWaiting, 1u);
        QCOMPARE(desk.largest, 1000u);
    }

    void whatTheStoreGivesBackIsStoredBeforeAnythingLater() {
        QByteArray text;
        QByteArray numbers;
        for (int i = 0; i < 4000; ++i) {
            text += eventLine(i) + '\n';
            numbers += QByteArray::number(i) + ' ';
        }
        write(text);
        Desk desk;
        desk.answered = 0;
        desk.givesBack = 3;
        desk.start(data(), request());
        for (int i = 0; i < 3; ++i) {
            QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
            desk.import->setStoreFault("The disk is full.");
            desk.answer();
            QTRY_COMPARE_WITH_TIMEOUT(desk.import->snapshot().state, ImportState::waiting,
                                      kPatience);
            QCOMPARE(desk.import->snapshot().error, std::string("The disk is full."));
            QCOMPARE(desk.waits(), 0u);
            desk.import->setStoreFault({});
        }
        QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
        QCOMPARE(desk.import->snapshot().state, ImportState::running);
        desk.answered = SIZE_MAX;
        desk.answer();
        QVERIFY(desk.waitForEnd());
        QCOMPARE(desk.payloads(), numbers.trimmed());
        QCOMPARE(desk.import->snapshot().state, ImportState::finished);
    }

    void aCancelledImportGoesOnWhereItWas() {
        QByteArray text = "{bad\n";
        QByteArray numbers;
        for (int i = 0; i < 9000; ++i) {
            text += eventLine(i) + '\n';
            numbers += QByteArray::number(i) + ' ';
        }
        write(text);
        Desk desk;
        desk.answered = 2;
        desk.start(data(), request());
        QTRY_VERIFY_WITH_TIMEOUT(desk.waits() == 1 && desk.batches == 2, kPatience);
        desk.import->cancel();
        QVERIFY(!desk.isOver());  // what is being stored is waited for
        desk.answer();
        QVERIFY(desk.waitForEnd());
        auto done = desk.import->snapshot();
        QCOMPARE(done.state, ImportState::cancelled);
        QCOMPARE(done.lines, 3000u);
        QCOMPARE(done.accepted, 2999u);
        desk.answered = SIZE_MAX;
        done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.resumedAt, 3000u);
        QCOMPARE(done.accepted, 9000u);
        QCOMPARE(done.duplicates, 0u);
        QCOMPARE(done.rejected, 1u);
        QCOMPARE(desk.payloads(), numbers.trimmed());
        QCOMPARE(report().size(), 1);
    }

    void anImportThatWaitsForTheStoreCanBeCancelled() {
        write(eventLine(1) + '\n');
        Desk desk;
        desk.givesBack = 1;
        desk.answered = 0;
        desk.start(data(), request());
        QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
        desk.import->setStoreFault("fault");
        desk.answer();
        QTRY_COMPARE_WITH_TIMEOUT(desk.import->snapshot().state, ImportState::waiting, kPatience);
        desk.import->cancel();
        QVERIFY(desk.waitForEnd());
        QCOMPARE(desk.import->snapshot().state, ImportState::cancelled);
        QCOMPARE(desk.import->snapshot().lines, 0u);
        desk.answered = SIZE_MAX;
        QCOMPARE(import(desk).accepted, 1u);
    }

    /// Ends as a crash does: nothing is heard of what was being stored, and what was written to the
    /// report after the last record is still there.
    void afterACrashNothingIsTwiceAndNothingMissing_data() {
        QTest::addColumn<bool>("packed");
        QTest::newRow("a plain file") << false;
        QTest::newRow("a packed file, which is read from its beginning") << true;
    }
    void afterACrashNothingIsTwiceAndNothingMissing() {
        QFETCH(bool, packed);
        QByteArray text;
        QByteArray numbers;
        for (int i = 0; i < 9000; ++i) {
            text += (i % 100 == 0 ? QByteArray("{bad\n") : QByteArray()) + eventLine(i) + '\n';
            numbers += QByteArray::number(i) + ' ';
        }
        write(packed ? gzip(text) : text);
        Desk desk;
        const QString records = path("imports");
        // An orderly end first, so that the report has something that must stay.
        desk.answered = 1;
        desk.start(data(), request());
        QTRY_COMPARE_WITH_TIMEOUT(desk.waits(), 1u, kPatience);
        desk.import->cancel();
        desk.answer();
        QVERIFY(desk.waitForEnd());
        QVERIFY(!report().isEmpty());
        for (const std::size_t after : {std::size_t{1}, std::size_t{4}}) {
            const auto before = desk.batches;
            desk.answered = before + after;
            desk.start(data(), request());
            QTRY_VERIFY_WITH_TIMEOUT(desk.waits() == 1 && desk.batches == before + after,
                                     kPatience);
            // The record as a crash would leave it: the one of the start of this run.
            const auto names = QDir(records).entryList(QDir::Files);
            QCOMPARE(names.size(), 1);
            QFile record(records + u'/' + names[0]);
            QVERIFY(record.open(QIODevice::ReadOnly));
            const auto kept = record.readAll();
            record.close();
            {
                // The store has it, but nobody hears of it.
                const std::lock_guard lock(desk.mutex);
                ImportOutcome unheard;
                desk.keep(*desk.waiting.front(), unheard);
                desk.waiting.clear();
            }
            desk.import.reset();
            QVERIFY(record.open(QIODevice::WriteOnly));
            QCOMPARE(record.write(kept), kept.size());
            record.close();
        }
        desk.answered = SIZE_MAX;
        const auto done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.lines, 9090u);
        QCOMPARE(sum(done), done.lines);
        QCOMPARE(desk.payloads(), numbers.trimmed());
        const auto lines = report();
        QCOMPARE(lines.size(), 90);
        for (int i = 0; i < 90; ++i) QCOMPARE(lines[i][u"line"].toInt(), 1 + 101 * i);
    }

    void aReportThatIsSomebodysWorkIsNotTouched() {
        write("{bad\n");
        QFile other(path("events.ndjson.rejected.ndjson"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("mine\n") == 5);
        other.close();
        Desk desk;
        (void)import(desk);
        QVERIFY2(desk.error.find("is there already") != std::string::npos, desk.error.c_str());
        auto elsewhere = request();
        elsewhere.reportPath = path("report").toStdString();
        QCOMPARE(import(desk, elsewhere).state, ImportState::finished);
        QCOMPARE(report("report").size(), 1);
        // Edited since.
        QFile edited(path("report"));
        QVERIFY(edited.open(QIODevice::Append) && edited.write("a note\n") == 7);
        edited.close();
        elsewhere.fromBeginning = true;
        (void)import(desk, elsewhere);
        QVERIFY2(desk.error.find("is there already") != std::string::npos, desk.error.c_str());
        QCOMPARE(QFileInfo(other.fileName()).size(), 5);
    }

    void aReportThatCannotBeWrittenEndsTheImportAndLosesNothing() {
        write(eventLine(1) + "\n{bad\n" + eventLine(2) + "\n");
        auto nowhere = request();
        nowhere.reportPath = path("missing/report").toStdString();
        Desk desk;
        const auto failed = import(desk, nowhere);
        QCOMPARE(failed.state, ImportState::failed);
        QVERIFY(failed.error.find("--report PATH") != std::string::npos);
        const auto done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.rejected, 1u);
        QCOMPARE(report().size(), 1);
        QCOMPARE(desk.payloads(), QByteArray("1 2"));
    }

    void whatCannotBeReadIsSaid() {
        Desk desk;
        (void)import(desk);
        QVERIFY(desk.error.starts_with("there is no file"));
        // The place for the records is taken.
        write(eventLine(1) + '\n');
        QFile taken(path("imports"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        (void)import(desk);
        QVERIFY2(desk.error.find("cannot be kept") != std::string::npos, desk.error.c_str());
    }

    void aPackedFileThatIsCutImportsWhatIsThere() {
        QByteArray text;
        for (int i = 0; i < 20'000; ++i) text += eventLine(i * 7919) + '\n';
        const auto whole = gzip(text);
        write(whole.left(whole.size() / 2));
        Desk desk;
        auto done = import(desk);
        QCOMPARE(done.state, ImportState::failed);
        QVERIFY(done.error.find("end too early") != std::string::npos);
        QVERIFY(done.accepted > 1000);
        write(whole.mid(whole.size() / 2), QIODevice::Append);  // the copy was not done yet
        done = import(desk);
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(done.accepted, 20'000u);
        QCOMPARE(desk.stored.size(), 20'000u);
    }
};

QTEST_GUILESS_MAIN(FileImportTest)
#include "file_import_test.moc"
