// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exports/row_file.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

class RowFileTest : public QObject {
    Q_OBJECT

private slots:
    void aRowOfCsv() {
        const RowValues row{RowTime{1'790'000'000'250'000}, std::string("=HYPERLINK(\"x\")"),
                            std::uint64_t(18'446'744'073'709'551'615U), 0.25, std::monostate(),
                            RowTime{0}, std::string("a, \"b\"\nc")};
        QCOMPARE(rowLine(columns(row.size()), row, RowFormat::csv, TimeDisplay::Zone::utc),
                 QByteArray("2026-09-21T14:13:20.250Z,\"'=HYPERLINK(\"\"x\"\")\","
                            "18446744073709551615,0.25,,,\"a, \"\"b\"\"\nc\"\r\n"));
    }

    void textsAreDefusedAndNumbersAreNot_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("cell");
        QTest::newRow("equals") << QByteArray("=1") << QByteArray("'=1");
        QTest::newRow("plus") << QByteArray("+1") << QByteArray("'+1");
        QTest::newRow("minus") << QByteArray("-1") << QByteArray("'-1");
        QTest::newRow("at") << QByteArray("@a") << QByteArray("'@a");
        QTest::newRow("tab") << QByteArray("\t=1") << QByteArray("'\t=1");
        QTest::newRow("return") << QByteArray("\r=1") << QByteArray("\"'\r=1\"");
        QTest::newRow("broken UTF-8") << QByteArray("\xff") << QByteArray("\xEF\xBF\xBD");
    }
    void textsAreDefusedAndNumbersAreNot() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, cell);
        const RowValues row{text.toStdString(), -1.5};
        QCOMPARE(rowLine(columns(2), row, RowFormat::csv, TimeDisplay::Zone::utc),
                 cell + ",-1.5\r\n");
    }

    void aRowOfJsonKeepsItsOrderAndItsDigits() {
        const RowValues row{RowTime{1'790'000'000'250'000}, std::string("=1 \"\\\n\x01"),
                            std::uint64_t(9'007'199'254'740'993U), std::monostate()};
        const auto line =
            rowLine(columns(row.size()), row, RowFormat::json, TimeDisplay::Zone::utc);
        QCOMPARE(line, QByteArray("{\"c0\":\"2026-09-21T14:13:20.250Z\",\"c1\":\"=1 "
                                  "\\\"\\\\\\n\\u0001\",\"c2\":9007199254740993,\"c3\":null}\n"));
        QCOMPARE(QJsonDocument::fromJson(line).object().value(QStringLiteral("c1")).toString(),
                 QStringLiteral("=1 \"\\\n\x01"));
    }

    void theFileHasItsNameOnceItIsWhole() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("rows.csv"));
        RowFile file(path, {QStringLiteral("a"), QStringLiteral("b")}, RowFormat::csv,
                     TimeDisplay::Zone::utc);
        QCOMPARE(file.open(), QString());
        QCOMPARE(file.write({{std::uint64_t(1), std::string("x")}}), QString());
        QVERIFY(!QFile::exists(path));
        QCOMPARE(file.finish(), QString());
        QCOMPARE(content(path), QByteArray("a,b\r\n1,x\r\n"));
    }

    void whatIsGivenUpLeavesTheFileOfBefore() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("rows.csv"));
        {
            QFile before(path);
            QVERIFY(before.open(QIODevice::WriteOnly));
            before.write("before");
        }
        {
            RowFile file(path, {QStringLiteral("a")}, RowFormat::csv, TimeDisplay::Zone::utc);
            QCOMPARE(file.open(), QString());
            QCOMPARE(file.write({{std::uint64_t(1)}}), QString());
        }
        QCOMPARE(content(path), QByteArray("before"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void whatCannotBeWrittenSaysWhy() {
        RowFile file(QStringLiteral("/nowhere/rows.csv"), {QStringLiteral("a")}, RowFormat::csv,
                     TimeDisplay::Zone::utc);
        QVERIFY(!file.open().isEmpty());
    }

private:
    static QStringList columns(std::size_t count) {
        QStringList names;
        for (std::size_t i = 0; i < count; ++i) names << QStringLiteral("c%1").arg(i);
        return names;
    }
    static QByteArray content(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

QTEST_GUILESS_MAIN(RowFileTest)
#include "row_file_test.moc"
