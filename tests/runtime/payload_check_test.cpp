// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/payload_check.h"

#include <QTest>

using namespace lanes;

class PayloadCheckTest : public QObject {
    Q_OBJECT

private slots:
    void looksAtWhatSaysThatItIsJson_data() {
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a good object")
            << QByteArray("application/json") << QByteArray("{\"a\": 1}") << QByteArray();
        QTest::newRow("a good value of another JSON type")
            << QByteArray("application/cloudevents+json") << QByteArray("7") << QByteArray();
        QTest::newRow("a type with a parameter, in capitals")
            << QByteArray("Application/JSON ; charset=utf-8") << QByteArray("nope")
            << QByteArray("line 1, column ");
        QTest::newRow("more after the value, in the third line")
            << QByteArray("application/json") << QByteArray("{\n\n  } x")
            << QByteArray("line 3, column 5: there is more after the value");
        QTest::newRow("a column counts characters, not bytes")
            << QByteArray("application/json") << QByteArray("\"\xc3\xa4\xc3\xa4\" x")
            << QByteArray("line 1, column 6");
        QTest::newRow("nothing at all")
            << QByteArray("application/json") << QByteArray() << QByteArray("line 1, column 1");
        QTest::newRow("anything is good text")
            << QByteArray("text/plain") << QByteArray("{") << QByteArray();
        QTest::newRow("bytes without a type") << QByteArray() << QByteArray("{") << QByteArray();
    }
    void looksAtWhatSaysThatItIsJson() {
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, payload);
        QFETCH(QByteArray, says);
        const auto problem = payloadProblem(type.toStdString(), payload.toStdString());
        QCOMPARE(problem.empty(), says.isEmpty());
        QVERIFY2(problem.find(says.toStdString()) != std::string::npos, problem.c_str());
    }
};

QTEST_GUILESS_MAIN(PayloadCheckTest)
#include "payload_check_test.moc"
