// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/write_key.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace lanes;

class WriteKeyTest : public QObject {
    Q_OBJECT

private slots:
    void makesAKeyAndKeepsIt();
    void keepsItPrivate();
    void completesAnEmptyFile();
    void refusesADamagedFile();
    void saysWhatIsWrong();
};

namespace {

QString keyFile(const QTemporaryDir& directory) {
    return directory.filePath(QStringLiteral("write-key"));
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

constexpr QFileDevice::Permissions kPrivate = QFileDevice::ReadOwner | QFileDevice::WriteOwner |
                                              QFileDevice::ReadUser | QFileDevice::WriteUser;

}  // namespace

void WriteKeyTest::makesAKeyAndKeepsIt() {
    const QTemporaryDir first;
    const QTemporaryDir second;
    const auto key = loadOrCreateWriteKey(first.path().toStdString());
    QVERIFY(key);
    QCOMPARE(key.value().size(), 43u);
    QCOMPARE(QByteArray::fromBase64(QByteArray::fromStdString(key.value()),
                                    QByteArray::Base64UrlEncoding)
                 .size(),
             32);
    const auto again = loadOrCreateWriteKey(first.path().toStdString());
    QVERIFY(again);
    QCOMPARE(again.value(), key.value());
    const auto other = loadOrCreateWriteKey(second.path().toStdString());
    QVERIFY(other);
    QVERIFY(other.value() != key.value());
}

void WriteKeyTest::keepsItPrivate() {
    const QTemporaryDir directory;
    QVERIFY(loadOrCreateWriteKey(directory.path().toStdString()));
    QCOMPARE(QFileInfo(keyFile(directory)).permissions(), kPrivate);
    QVERIFY(QFile::setPermissions(keyFile(directory), kPrivate | QFileDevice::ReadOther));
    QVERIFY(loadOrCreateWriteKey(directory.path().toStdString()));
    QCOMPARE(QFileInfo(keyFile(directory)).permissions(), kPrivate);
}

void WriteKeyTest::completesAnEmptyFile() {
    const QTemporaryDir directory;
    write(keyFile(directory), {});
    const auto key = loadOrCreateWriteKey(directory.path().toStdString());
    QVERIFY(key);
    QCOMPARE(key.value().size(), 43u);
    const auto again = loadOrCreateWriteKey(directory.path().toStdString());
    QVERIFY(again);
    QCOMPARE(again.value(), key.value());
}

void WriteKeyTest::refusesADamagedFile() {
    const QTemporaryDir directory;
    for (const QByteArray& content :
         {QByteArray("short\n"), QByteArray(43, ' '), QByteArray(44, 'a'), QByteArray(4'000, 'a'),
          QByteArray(42, 'a') + '\0'}) {
        write(keyFile(directory), content);
        const auto key = loadOrCreateWriteKey(directory.path().toStdString());
        QVERIFY(!key);
        QVERIFY(key.error().code == Error::Code::damaged);
        QVERIFY(key.error().detail.find("write-key") != std::string::npos);
    }
    write(keyFile(directory), QByteArray(43, 'a') + "\r\n");
    QVERIFY(loadOrCreateWriteKey(directory.path().toStdString()));
}

void WriteKeyTest::saysWhatIsWrong() {
    const QTemporaryDir directory;
    const auto missing = loadOrCreateWriteKey(directory.path().toStdString() + "/none");
    QVERIFY(!missing);
    QVERIFY(missing.error().detail.find("No such file") != std::string::npos);
    if (::geteuid() == 0) QSKIP("root may write everywhere");
    QVERIFY(
        QFile::setPermissions(directory.path(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const auto denied = loadOrCreateWriteKey(directory.path().toStdString());
    QVERIFY(!denied);
    QVERIFY(denied.error().code == Error::Code::readOnly);
    QVERIFY(QFile::setPermissions(directory.path(), kPrivate | QFileDevice::ExeOwner));
}

QTEST_GUILESS_MAIN(WriteKeyTest)
#include "write_key_test.moc"
