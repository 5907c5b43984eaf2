// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/intake/import_fixture.h"
#include "tests/support/process_figures.h"

#include <QFile>
#include <QTemporaryDir>

#include <utility>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr qint64 kMemoryKiB = 64 << 10;

/// Of the large file; LANES_IMPORT_MIB sets the full size.
int sizeInMebibytes() {
    const int wanted = qEnvironmentVariableIntValue("LANES_IMPORT_MIB");
    return wanted > 0 ? wanted : 64;
}

}  // namespace

/// Whatever is in a file, an import of it needs little memory.
class ImportMemoryTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;

    QString path() const { return m_directory.filePath(QStringLiteral("events.ndjson")); }
    /// Writes a file; how many events and bad lines are in it.
    std::pair<std::uint64_t, std::uint64_t> make(const QString& kind, int mebibytes) const;

private slots:
    void cleanup() { QFile::remove(path()); }

    void memoryStaysFlat_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("a large file") << QStringLiteral("large");
        QTest::newRow("a line of 50 MB") << QStringLiteral("line");
        QTest::newRow("events of the largest size") << QStringLiteral("events");
        QTest::newRow("a hole of 2 GB") << QStringLiteral("hole");
        QTest::newRow("1 GB that was packed into 1 MB") << QStringLiteral("bomb");
        QTest::newRow("nothing but bad lines") << QStringLiteral("bad");
    }
    void memoryStaysFlat() {
        QFETCH(QString, kind);
        const int size = sizeInMebibytes();
        const auto [events, rejected] = make(kind, size);
        Desk desk;
        desk.counting = true;
        const auto before = restartPeakKib();
        StartImport request;
        request.path = path().toStdString();
        request.reportPath = path().toStdString() + kind.toStdString();
        request.fromBeginning = true;
        desk.start(m_directory.path().toStdString(), request);
        QVERIFY(QTest::qWaitFor([&desk] { return desk.isOver(); }, 60 * kPatience));
        const auto done = desk.import->snapshot();
        const auto growth = statusKib("VmHWM") - before;
        qInfo("%s: %lld KiB more at the peak", qPrintable(kind), static_cast<long long>(growth));
        QCOMPARE(done.state, ImportState::finished);
        QCOMPARE(desk.counted, events);
        QCOMPARE(done.rejected, rejected);
#if !defined(__SANITIZE_ADDRESS__)  // it keeps what was freed
        QVERIFY2(growth <= kMemoryKiB, QByteArray::number(growth).constData());
#endif
    }
};

std::pair<std::uint64_t, std::uint64_t> ImportMemoryTest::make(const QString& kind,
                                                               int mebibytes) const {
    QFile file(path());
    if (!file.open(QIODevice::WriteOnly)) qFatal("no room");
    const QByteArray line = eventLine(1) + '\n';
    if (kind == u"large") {
        const QByteArray one =
            "{\"user\":\"u\",\"type\":\"t\",\"payload\":\"" + QByteArray(250, 'x') + "\"}\n";
        const auto lines = (static_cast<qint64>(mebibytes) << 20) / one.size();
        for (qint64 i = 0; i < lines; ++i) file.write(one);
        return {static_cast<std::uint64_t>(lines), 0};
    }
    if (kind == u"line") {
        file.write(line);
        for (int i = 0; i < 50; ++i) file.write(QByteArray(1'000'000, 'x'));
        file.write("\n" + line);
        return {2, 1};
    }
    if (kind == u"events") {
        const QByteArray head = "{\"type\":\"t\",\"payload\":\"";
        for (int i = 0; i < 40; ++i)
            file.write(head + QByteArray((1 << 20) - head.size() - 2, 'x') + "\"}\n");
        return {40, 0};
    }
    if (kind == u"hole") {
        file.write(line);
        file.flush();
        file.resize(qint64{2} << 30);
        file.seek(file.size());
        file.write("\n" + line);
        return {2, 1};
    }
    if (kind == u"bad") {
        const QByteArray bad = QByteArray(5000, '{') + '\n';
        const auto lines = (static_cast<qint64>(mebibytes) << 20) / bad.size();
        for (qint64 i = 0; i < lines; ++i) file.write(bad);
        return {0, static_cast<std::uint64_t>(lines)};
    }
    // One packed MiB of zeros, many times: gzip streams may follow one another.
    const auto zeros = gzip(QByteArray(16 << 20, '\0'));
    file.write(gzip(line));
    for (int i = 0; i < 64; ++i) file.write(zeros);
    file.write(gzip("\n" + line));
    return {2, 1};
}

QTEST_GUILESS_MAIN(ImportMemoryTest)
#include "import_memory_test.moc"
