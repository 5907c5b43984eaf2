// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data_directory.h"
#include "app/single_instance.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes::app;

namespace {

DataDirectory opened(const QString& path) {
    const auto result = openDataDirectory(path.toStdString());
    const auto* directory = std::get_if<DataDirectory>(&result);
    if (!directory) QTest::qFail("the directory cannot be opened", __FILE__, __LINE__);
    return directory ? *directory : DataDirectory{};
}

}  // namespace

class DataDirectoryTest : public QObject {
    Q_OBJECT

private slots:
    void makesItForItsOwnerOnly() {
        const QTemporaryDir directory;
        const auto path = directory.filePath(QStringLiteral("deep/data"));
        const auto made = opened(path);
        QCOMPARE(QString::fromStdString(made.path), QFileInfo(path).canonicalFilePath());
        const auto rights = QFile::permissions(path);
        QVERIFY(rights.testFlag(QFile::ReadOwner) && rights.testFlag(QFile::WriteOwner));
        QVERIFY(!(rights & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther)));
    }

    void knowsOneDirectoryByTwoNames() {
        const QTemporaryDir directory;
        const auto data = directory.filePath(QStringLiteral("data"));
        const auto link = directory.filePath(QStringLiteral("link"));
        const auto first = opened(data);
        QVERIFY(QFile::link(data, link));
        QCOMPARE(opened(link).path, first.path);
        QCOMPARE(opened(link).socket, first.socket);
    }

    void keepsTheSocketsAddressShort() {
        const QTemporaryDir directory;
        const auto deep = directory.filePath(QString(150, u'd'));
        const auto place = opened(deep);
        QVERIFY(place.socket.size() < 100);
        QVERIFY(place.socket != opened(directory.filePath(QString(151, u'd'))).socket);
    }

    void refusesAFile() {
        const QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto result = openDataDirectory(file.fileName().toStdString());
        QVERIFY(std::get<std::string>(result).find("--data-dir") != std::string::npos);
        const auto below = openDataDirectory(file.fileName().toStdString() + "/data");
        QVERIFY(std::get<std::string>(below).find("cannot be created") != std::string::npos);
    }

    void doesNotMakeWhatIsOnlyLookedFor() {
        const QTemporaryDir directory;
        const auto path = directory.filePath(QStringLiteral("none"));
        const auto result = findDataDirectory(path.toStdString());
        QVERIFY(std::get<std::string>(result).find("does not exist") != std::string::npos);
        QVERIFY(!QFileInfo::exists(path));
    }

    void letsOneInstanceIn() {
        const QTemporaryDir directory;
        const auto place = opened(directory.filePath(QStringLiteral("data")));
        auto first = InstanceLock::take(place);
        QVERIFY(std::holds_alternative<InstanceLock>(first));
        auto second = InstanceLock::take(place);
        const auto* held = std::get_if<InstanceLock::Held>(&second);
        QVERIFY(held);
        QCOMPARE(held->pid, QCoreApplication::applicationPid());
        std::get<InstanceLock>(first).release();
        QVERIFY(std::holds_alternative<InstanceLock>(InstanceLock::take(place)));
    }

    void releasesWhenItGoes() {
        const QTemporaryDir directory;
        const auto place = opened(directory.filePath(QStringLiteral("data")));
        { const auto held = InstanceLock::take(place); }
        auto again = InstanceLock::take(place);
        QVERIFY(std::holds_alternative<InstanceLock>(again));
        const InstanceLock moved = std::get<InstanceLock>(std::move(again));
        QVERIFY(std::holds_alternative<InstanceLock::Held>(InstanceLock::take(place)));
    }
};

QTEST_GUILESS_MAIN(DataDirectoryTest)
#include "data_directory_test.moc"
