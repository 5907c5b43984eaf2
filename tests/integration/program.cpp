// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>

#include <csignal>

namespace lanes::test {

namespace {

const QString kProgram = QStringLiteral(LANES_PROGRAM);

bool endsWithin(QProcess& process, int seconds) {
    return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, seconds * 1000);
}

}  // namespace

QProcessEnvironment withoutDisplay() {
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_LOGGING_RULES"})
        environment.remove(QLatin1String(name));
    return environment;
}

QJsonObject Ran::json() const {
    return QJsonDocument::fromJson(out).object();
}

Ran run(const QStringList& arguments, int seconds,
        const QList<std::pair<const char*, const char*>>& more) {
    QProcess process;
    auto environment = withoutDisplay();
    for (const auto& [name, value] : more)
        environment.insert(QLatin1String(name), QLatin1String(value));
    process.setProcessEnvironment(environment);
    process.start(kProgram, arguments);
    Ran ran;
    if (!endsWithin(process, seconds)) process.kill();
    process.waitForFinished();
    if (process.exitStatus() == QProcess::NormalExit) ran.exit = process.exitCode();
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    return ran;
}

QString fastPlace() {
    const QString memory = QStringLiteral("/dev/shm");
    const bool there = QFileInfo(memory).isWritable();
    return (there ? memory : QDir::tempPath()) + QStringLiteral("/rivora-lanes-XXXXXX");
}

bool Headless::start(const QStringList& more) {
    m_process = std::make_unique<QProcess>();
    auto environment = withoutDisplay();
    for (const auto& [name, value] : m_more) environment.insert(name, value);
    m_process->setProcessEnvironment(environment);
    m_port = 0;
    m_process->start(kProgram, QStringList{QStringLiteral("headless"), QStringLiteral("--listen"),
                                           QStringLiteral("0"), QStringLiteral("--data-dir"),
                                           m_directory, QStringLiteral("--quiet")} +
                                   more);
    QByteArray said;
    static const QRegularExpression address(QStringLiteral("127\\.0\\.0\\.1:(\\d+)/v1"));
    const bool listens = QTest::qWaitFor(
        [&] {
            said += m_process->readAllStandardOutput();
            const auto match = address.match(QString::fromUtf8(said));
            if (match.hasMatch()) m_port = match.captured(1).toUShort();
            return match.hasMatch() || m_process->state() == QProcess::NotRunning;
        },
        60'000);
    if (!listens || m_port == 0) return false;
    if (m_key.isEmpty()) m_key = tell({QStringLiteral("write-key")}).out.trimmed();
    return !m_key.isEmpty();
}

void Headless::kill() {
    if (!m_process) return;
    m_process->kill();
    m_process->waitForFinished();
}

bool Headless::gone() const {
    return !m_process || m_process->state() == QProcess::NotRunning;
}

bool Headless::wasKilled() const {
    return m_process && gone() && m_process->exitStatus() == QProcess::CrashExit;
}

int Headless::stop() {
    m_process->terminate();
    if (!endsWithin(*m_process, 30) || m_process->exitStatus() != QProcess::NormalExit) return -1;
    return m_process->exitCode();
}

Ran Headless::tell(const QStringList& command) const {
    return run(command + QStringList{QStringLiteral("--data-dir"), m_directory});
}

QByteArray answerTo(std::uint16_t port, const QByteArray& key, const QByteArray& body) {
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), port);
    socket.write("POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port) +
                 "\r\nAuthorization: Bearer " + key +
                 "\r\nContent-Type: application/json\r\nContent-Length: " +
                 QByteArray::number(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
    QByteArray answer;
    const bool whole = QTest::qWaitFor(
        [&] {
            if (socket.isOpen()) answer += socket.readAll();
            return socket.state() == QTcpSocket::UnconnectedState || answer.contains("\r\n\r\n");
        },
        10'000);
    return whole && answer.startsWith("HTTP/1.1 ") ? answer : QByteArray();
}

int post(std::uint16_t port, const QByteArray& key, const QByteArray& body) {
    return answerTo(port, key, body).mid(9, 3).toInt();
}

}  // namespace lanes::test
