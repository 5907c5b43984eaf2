// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/format_fuzz.h"

#include "engine/core/random.h"
#include "tests/intake/intake_fixture.h"

#include <QTest>

#include <array>

using namespace lanes;
using namespace lanes::test;

namespace {

/// So few that a run with sanitizers stays within seconds; `LANES_FUZZ_ROUNDS` asks for more.
int rounds() {
    const int wanted = qEnvironmentVariableIntValue("LANES_FUZZ_ROUNDS");
    return wanted > 0 ? wanted : 40'000;
}

const std::array<const char*, kFuzzTargets> kNames = {
    "native JSON",  "native lines",       "an SDK's event",      "an SDK's batch",
    "a CloudEvent", "a CloudEvent batch", "a binary CloudEvent", "header values",
    "gzip",         "the line splitter",  "lines of a file"};

/// What is put into inputs: pieces that the readers give a meaning to.
const std::array<QByteArray, 40> kPieces = {"{",
                                            "}",
                                            "[",
                                            "]",
                                            "\"",
                                            ",",
                                            ":",
                                            "\\",
                                            "null",
                                            "true",
                                            "-",
                                            "1e400",
                                            "12345678901234567890",
                                            "\"id\":",
                                            "\"user\":",
                                            "\"type\":\"t\"",
                                            "\"payload\":",
                                            "\"batch\":[",
                                            "\"userId\":\"u\",",
                                            "\"messageId\":\"m\",",
                                            "\"event\":\"E\",",
                                            "\"specversion\":\"1.0\",",
                                            "\"data\":1,",
                                            "\"data_base64\":\"AA==\",",
                                            "\"partitionkey\":\"p\",",
                                            "\\u0000",
                                            "\\ud800",
                                            "\\ud83d\\ude00",
                                            "\xff",
                                            "\xc3",
                                            "\xe2\x82\xac",
                                            "\xef\xbb\xbf",
                                            "%C0%A0",
                                            "%E2%82%AC",
                                            "%",
                                            "\r\n",
                                            "\n",
                                            "\n\n",
                                            "\t",
                                            QByteArray("\0", 1)};

QByteArray nested(int depth) {
    return QByteArray("[").repeated(depth) + QByteArray("]").repeated(depth);
}

/// Good inputs of a reader: what is made of them is often nearly good.
QList<QByteArray> seedsOf(FuzzTarget target) {
    const QByteArray native =
        R"({"id":"e","user":"u","type":"t","payload":{"n":[1,2.5e3,"x"]},"destinations":["crm"]})";
    const QByteArray track =
        R"({"type":"track","userId":7,"event":"E","messageId":"m","properties":{"a":"b"}})";
    const QByteArray page = R"({"type":"page","anonymousId":"a","context":{"x":[1,[2]]}})";
    const QByteArray cloud =
        R"({"specversion":"1.0","id":"1","source":"/s","type":"t","subject":"u","data":{"n":1}})";
    switch (target) {
        case FuzzTarget::nativeJson: return {native, "[" + native + "," + native + "]"};
        case FuzzTarget::nativeLines: return {native + "\n" + native + "\r\n\n" + native};
        case FuzzTarget::segmentEvent: return {track};
        case FuzzTarget::segmentBatch:
            return {R"({"batch":[)" + track + "," + page + R"(],"sentAt":"x"})"};
        case FuzzTarget::cloudEvent: return {cloud};
        case FuzzTarget::cloudEventBatch: return {"[" + cloud + " ,\n" + cloud + "]"};
        case FuzzTarget::cloudEventBinary:
            return {
                "ce-specversion:1.0\nce-id:1\nce-source:/s\nce-type:t\nce-subject:u%20v\n"
                "ce-partitionkey:\"p\"\nContent-Type:application/json\n\n{\"n\":1}",
                "ce-specversion:1.0\nce-id:1\nce-source:/s\nce-type:t\n\nplain"};
        case FuzzTarget::headerValues:
            return {"Euro%20%E2%82%AC%20%F0%9F%98%80", R"("a\"b\\c")", "key-1",
                    "Application/JSON ; charset=\"UTF-8\""};
        case FuzzTarget::gzip: return {gzip(native), gzip(QByteArray(5'000, 'x')), gzip({})};
        case FuzzTarget::lineSplitter:
            return {
                "\x05"
                "one\ntwo\r\n\nlast",
                QByteArray("\x07") + QByteArray(200, 'x') + "\ny"};
        case FuzzTarget::eventLines: return {native, track, page};
    }
    return {};
}

/// Makes inputs by a seed.
class Mutator {
public:
    Mutator(std::uint64_t seed, QList<QByteArray> seeds)
        : m_random(seed), m_seeds(std::move(seeds)) {}

    QByteArray next() {
        QByteArray bytes = one();
        const auto changes = m_random.below(6);
        for (std::uint64_t i = 0; i < changes; ++i) change(bytes);
        return bytes;
    }

private:
    QByteArray one() {
        return m_seeds.at(
            static_cast<qsizetype>(m_random.below(static_cast<std::uint64_t>(m_seeds.size()))));
    }
    qsizetype at(const QByteArray& bytes) {
        return static_cast<qsizetype>(m_random.below(static_cast<std::uint64_t>(bytes.size()) + 1));
    }
    void change(QByteArray& bytes) {
        const qsizetype place = at(bytes);
        const auto length = static_cast<qsizetype>(1 + m_random.below(24));
        switch (m_random.below(8)) {
            case 0:
                if (place < bytes.size()) bytes[place] = static_cast<char>(m_random.below(256));
                break;
            case 1:
                if (place < bytes.size())
                    bytes[place] = static_cast<char>(bytes[place] ^ (1 << m_random.below(8)));
                break;
            case 2: bytes.remove(place, length); break;
            case 3: bytes.insert(place, bytes.mid(at(bytes), length)); break;
            case 4: bytes.insert(place, kPieces[m_random.below(kPieces.size())]); break;
            case 5: bytes = bytes.left(place) + one().mid(place); break;
            case 6: bytes.truncate(place); break;
            default:
                bytes.insert(place, m_random.chance(0.1)
                                        ? nested(static_cast<int>(1 + m_random.below(200)))
                                        : QByteArray(static_cast<int>(m_random.below(1'200)), 'z'));
        }
    }

    Random m_random;
    QList<QByteArray> m_seeds;
};

}  // namespace

/// Millions of strangers' inputs, from a seed; memory is watched by the sanitizers.
class FormatFuzzTest : public QObject {
    Q_OBJECT

private slots:
    void everyReaderStandsWhatItIsGiven_data() {
        QTest::addColumn<int>("target");
        for (std::size_t i = 0; i < kFuzzTargets; ++i)
            QTest::newRow(kNames[i]) << static_cast<int>(i);
    }

    void everyReaderStandsWhatItIsGiven() {
        QFETCH(int, target);
        const auto reader = static_cast<FuzzTarget>(target);
        for (const QByteArray& seed : seedsOf(reader)) {
            const auto result =
                fuzz(reader, {seed.constData(), static_cast<std::size_t>(seed.size())});
            QCOMPARE(QByteArray::fromStdString(result.broken), QByteArray());
        }
        Mutator mutator(static_cast<std::uint64_t>(target) + 1, seedsOf(reader));
        int taken = 0;
        for (int round = 0; round < rounds(); ++round) {
            const QByteArray input = mutator.next();
            const auto result =
                fuzz(reader, {input.constData(), static_cast<std::size_t>(input.size())});
            if (result.taken) ++taken;
            if (result.broken.empty()) continue;
            QFAIL(qPrintable(QStringLiteral("round %1: %2 from %3")
                                 .arg(round)
                                 .arg(QString::fromStdString(result.broken),
                                      QString::fromLatin1(input.toHex()))));
        }
        QVERIFY2(taken > rounds() / 50, "hardly anything good came through: a test of nothing");
        QVERIFY2(taken < rounds() || reader == FuzzTarget::lineSplitter, "all was good");
    }
};

QTEST_GUILESS_MAIN(FormatFuzzTest)
#include "format_fuzz_test.moc"
