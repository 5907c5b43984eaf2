// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/line_splitter.h"

#include <QTest>

#include <string>
#include <vector>

using namespace lanes;

/// Texts are cut into pieces at every place and in every size: the lines are always the same.
class LineSplitterTest : public QObject {
    Q_OBJECT

    static constexpr std::size_t kLimit = 6;

    /// "number:end:text", with "!" for one that is too long and "~" for one without a line end.
    static QByteArray shown(const SplitLine& line) {
        QByteArray text = QByteArray::number(static_cast<qulonglong>(line.number)) + ':' +
                          QByteArray::number(static_cast<qulonglong>(line.end)) + ':';
        text +=
            line.tooLong ? QByteArray("!") : QByteArray(line.text.data(), std::ssize(line.text));
        return line.ended ? text : text + '~';
    }

    static void feed(LineSplitter& splitter, std::string piece, QByteArrayList& out) {
        // What stands behind a piece must not matter.
        const std::size_t size = piece.size();
        piece += std::string(LineSplitter::kPadding, '\n');
        splitter.feed(std::string_view(piece).substr(0, size));
        while (const auto line = splitter.next()) out += shown(*line);
    }

    static QByteArrayList linesOf(const std::vector<std::string>& pieces) {
        LineSplitter splitter(kLimit);
        QByteArrayList out;
        for (const auto& piece : pieces) feed(splitter, piece, out);
        if (const auto line = splitter.rest()) out += shown(*line);
        return out;
    }

private slots:
    void aTextHasItsLinesHoweverItComes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("lines");
        using List = QByteArrayList;
        QTest::newRow("nothing at all") << QByteArray() << List{};
        QTest::newRow("lines that end with LF")
            << QByteArray("ab\ncd\n") << List{"1:3:ab", "2:6:cd"};
        QTest::newRow("lines that end with CR and LF")
            << QByteArray("ab\r\ncd\r\n") << List{"1:4:ab", "2:8:cd"};
        QTest::newRow("both kinds of line ends")
            << QByteArray("ab\r\ncd\nef\r\n") << List{"1:4:ab", "2:7:cd", "3:11:ef"};
        QTest::newRow("a last line without its end")
            << QByteArray("ab\ncd") << List{"1:3:ab", "2:5:cd~"};
        QTest::newRow("a last line that ends with CR alone")
            << QByteArray("ab\ncd\r") << List{"1:3:ab", "2:6:cd~"};
        QTest::newRow("empty lines")
            << QByteArray("\n\r\n\nx\n") << List{"1:1:", "2:3:", "3:4:", "4:6:x"};
        QTest::newRow("a CR inside a line stays") << QByteArray("a\rb\r\r\n") << List{"1:6:a\rb\r"};
        QTest::newRow("a byte order mark before the first line only") << QByteArray(
                                                                             "\xEF\xBB\xBF"
                                                                             "ab\n\xEF\xBB\xBF"
                                                                             "cd\n")
                                                                      << List{"1:6:ab",
                                                                              "2:12:\xEF\xBB\xBF"
                                                                              "cd"};
        QTest::newRow("a byte order mark and nothing else")
            << QByteArray("\xEF\xBB\xBF") << List{"1:3:~"};
        QTest::newRow("a line of just the limit")
            << QByteArray("abcdef\nx\n") << List{"1:7:abcdef", "2:9:x"};
        QTest::newRow("the line end does not count against the limit")
            << QByteArray(
                   "\xEF\xBB\xBF"
                   "abcdef\r\nx\n")
            << List{"1:11:abcdef", "2:13:x"};
        QTest::newRow("a line of one byte more than the limit")
            << QByteArray("abcdefg\nx\n") << List{"1:8:!", "2:10:x"};
        QTest::newRow("a line that is far too long")
            << QByteArray("x\n" + QByteArray(50, 'y') + "\nz\n")
            << List{"1:2:x", "2:53:!", "3:55:z"};
        QTest::newRow("a last line that is too long") << QByteArray(20, 'y') << List{"1:20:!~"};
        QTest::newRow("NUL bytes are bytes")
            << QByteArray("a\0b\n\0\n", 6)
            << List{"1:4:" + QByteArray("a\0b", 3), "2:6:" + QByteArray("\0", 1)};
    }
    void aTextHasItsLinesHoweverItComes() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArrayList, lines);
        const std::string all = text.toStdString();
        for (std::size_t size = 1; size <= all.size() + 1; ++size) {
            std::vector<std::string> pieces;
            for (std::size_t at = 0; at < all.size(); at += size)
                pieces.push_back(all.substr(at, size));
            QCOMPARE(linesOf(pieces), lines);
        }
        for (std::size_t first = 0; first <= all.size(); ++first)
            for (std::size_t second = first; second <= all.size(); ++second)
                QCOMPARE(linesOf({all.substr(0, first), all.substr(first, second - first),
                                  all.substr(second)}),
                         lines);
    }

    void aLineWithoutItsEndGoesOnWhenTheTextGrows() {
        LineSplitter splitter(kLimit);
        QByteArrayList out;
        feed(splitter, "ab\ncd", out);
        QCOMPARE(shown(splitter.rest().value()), QByteArray("2:5:cd~"));
        QCOMPARE(shown(splitter.rest().value()), QByteArray("2:5:cd~"));
        feed(splitter, "e\nf\n", out);
        QCOMPARE(out, (QByteArrayList{"1:3:ab", "2:7:cde", "3:9:f"}));
        QVERIFY(!splitter.rest());
    }

    void itGoesOnBehindWhatWasReadBefore() {
        LineSplitter splitter(kLimit, 41, 1000);
        QByteArrayList out;
        feed(splitter,
             "\xEF\xBB\xBF"
             "a\n",
             out);
        QCOMPARE(out, QByteArrayList{"42:1005:\xEF\xBB\xBF"
                                     "a"});
    }

    void aLineIsNeverHeldBeyondItsLimit() {
        LineSplitter splitter(1000);
        QByteArrayList out;
        for (int i = 0; i < 1000; ++i) feed(splitter, std::string(1000, 'x'), out);
        const auto rest = splitter.rest();
        QVERIFY(rest && rest->tooLong);
        QVERIFY(rest->text.size() < 1010);
    }
};

QTEST_GUILESS_MAIN(LineSplitterTest)
#include "line_splitter_test.moc"
