// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/import_source.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace lanes;

class ImportSourceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;

    QString path(const char* name) const { return m_directory->filePath(QLatin1String(name)); }
    std::string write(const char* name, const QByteArray& bytes) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return file.fileName().toStdString();
    }
    static std::string errorOf(const std::string& file) {
        const auto opened = ImportSource::open(file);
        return opened.ok() ? std::string() : opened.error().detail;
    }
    static QByteArray packed(const QByteArray& text) {
        QByteArray out(text.size() + 1024, '\0');
        z_stream stream{};
        if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
        stream.avail_in = static_cast<uInt>(text.size());
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        deflate(&stream, Z_FINISH);
        out.truncate(static_cast<qsizetype>(stream.total_out));
        deflateEnd(&stream);
        return out;
    }
    /// All of it in steps of so many bytes, or the error.
    static QByteArray readAll(ImportSource& source, std::size_t room) {
        QByteArray out;
        std::string step(room, '\0');
        while (true) {
            const auto got = source.read(step.data(), room);
            if (!got.ok()) return "error: " + QByteArray::fromStdString(got.error().detail);
            if (got.value() == 0) return out;
            out.append(step.data(), static_cast<qsizetype>(got.value()));
        }
    }

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void whatIsNoFileIsRefusedAtOnceWithAReason() {
        const auto fifo = path("pipe").toStdString();
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        QVERIFY(errorOf(fifo).find("is a pipe") != std::string::npos);
        QVERIFY(errorOf(m_directory->path().toStdString()).find("is a directory") !=
                std::string::npos);
        QVERIFY(errorOf(path("nothing").toStdString()).starts_with("there is no file"));
        QVERIFY(errorOf("/dev/null").find("is no regular file") != std::string::npos);
        const auto secret = write("secret", "x");
        if (::geteuid() == 0) return;  // who may read everything cannot see the refusal
        QCOMPARE(::chmod(secret.c_str(), 0), 0);
        QVERIFY(errorOf(secret).find("may not be read") != std::string::npos);
    }

    void plainAndPackedFilesGiveTheSameText_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("text");
        QByteArray text;
        for (int i = 0; i < 30'000; ++i) text += QByteArray::number(i * 7919) + '\n';
        QTest::newRow("plain") << text << text;
        QTest::newRow("empty") << QByteArray() << QByteArray();
        QTest::newRow("one byte") << QByteArray("x") << QByteArray("x");
        QTest::newRow("packed") << packed(text) << text;
        QTest::newRow("packed nothing") << packed({}) << QByteArray();
        QTest::newRow("packed in parts")
            << packed(text) + packed({}) + packed("end") << text + "end";
        QTest::newRow("packed and cut")
            << packed(text).chopped(9) << QByteArray("error: end too early");
        QTest::newRow("packed and damaged")
            << packed(text).replace(2000, 20, QByteArray(20, 'x')) << QByteArray("error: broken");
        QTest::newRow("packed with something behind it")
            << packed(text) + "rest" << QByteArray("error: broken");
    }
    void plainAndPackedFilesGiveTheSameText() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, text);
        const auto name = write("file", file);
        for (const std::size_t room : {std::size_t{1'000}, std::size_t{65'536}}) {
            auto source = ImportSource::open(name);
            QVERIFY(source.ok());
            const auto read = readAll(*source.value(), room);
            if (text.startsWith("error: ")) {
                QVERIFY(read.startsWith("error: the gzip data of"));
                QVERIFY2(read.contains(text.mid(7)), read.constData());
                continue;
            }
            QVERIFY(read == text);
            QCOMPARE(source.value()->bytesRead(), static_cast<std::uint64_t>(file.size()));
            QVERIFY(source.value()->check().ok());
        }
    }

    void aFileThatChangesUnderTheReaderIsNoticed_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("it grows, which it may") << QStringLiteral("grow") << QByteArray();
        QTest::newRow("it is cut") << QStringLiteral("cut") << QByteArray("was cut to 3 bytes");
        QTest::newRow("it is replaced")
            << QStringLiteral("replace") << QByteArray("removed or replaced");
        QTest::newRow("it is removed")
            << QStringLiteral("remove") << QByteArray("removed or replaced");
        QTest::newRow("it is written anew")
            << QStringLiteral("overwrite") << QByteArray("was written anew");
    }
    void aFileThatChangesUnderTheReaderIsNoticed() {
        QFETCH(QString, change);
        QFETCH(QByteArray, said);
        const auto name = write("file", "one\ntwo\nthree\n");
        auto source = ImportSource::open(name);
        QVERIFY(source.ok());
        std::string step(8, '\0');
        QCOMPARE(source.value()->read(step.data(), step.size()).value(), 8u);
        QVERIFY(source.value()->check().ok());
        if (change == u"grow") {
            QFile file(path("file"));
            QVERIFY(file.open(QIODevice::Append) && file.write("four\n") == 5);
        } else if (change == u"cut") {
            QCOMPARE(::truncate(name.c_str(), 3), 0);
        } else if (change == u"replace") {
            write("other", "one\ntwo\nthree\n");
            QCOMPARE(::rename(path("other").toStdString().c_str(), name.c_str()), 0);
        } else if (change == u"remove") {
            QCOMPARE(::unlink(name.c_str()), 0);
        } else {
            write("file", "eins\nzwei\ndrei\nvier\n");
        }
        const auto checked = source.value()->check();
        QCOMPARE(checked.ok(), said.isEmpty());
        if (!checked.ok())
            QVERIFY2(checked.error().detail.find(said.toStdString()) != std::string::npos,
                     checked.error().detail.c_str());
    }

    void aFileIsKnownByWhatStandsBeforeAPosition() {
        const auto open = [](const std::string& name) {
            return std::move(ImportSource::open(name).value());
        };
        const QByteArray text(10'000, 'x');
        const auto one = open(write("one", text + "abc"));
        const auto same = open(write("same", text + "abd"));
        QCOMPARE(one->fingerprint(10'002), same->fingerprint(10'002));
        QVERIFY(one->fingerprint(10'003) != same->fingerprint(10'003));
        QVERIFY(one->fingerprint(10'004).empty());
        QVERIFY(!one->fingerprint(0).empty());
    }
};

QTEST_GUILESS_MAIN(ImportSourceTest)
#include "import_source_test.moc"
