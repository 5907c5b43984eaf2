// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/real_console.h"

#include <QHostAddress>
#include <QLocale>
#include <QSettings>
#include <QTabWidget>
#include <QTcpSocket>

#include <algorithm>

namespace lanes::test {

bool RealConsole::open() {
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
    QLocale::setDefault(QLocale::c());
    m_mocks = makeMockControl();
    MockBehaviour quick;
    quick.latencyMs = 2;
    quick.latencySigma = 0;
    m_url = m_mocks->addMock("shop", quick, {}, 1, 0);
    EngineOptions options;
    options.dataDirectory = m_folder.filePath(QStringLiteral("data")).toStdString();
    options.intakePort = 0;
    options.seed = 1;
    options.demonstration = true;
    m_engine = makeEngine(options);
    m_window = std::make_unique<ui::MainWindow>(*m_engine, m_mocks.get());
    m_window->show();
    if (!QTest::qWaitForWindowExposed(m_window.get())) return false;
    m_window->showLanes();
    m_engine->start();
    return QTest::qWaitFor(
        [this] {
            const auto snapshot = m_engine->snapshot();
            return snapshot->lifecycle == Lifecycle::running && snapshot->intake.listening &&
                   find<QTabWidget>("tabs")->isVisible();
        },
        15000);
}

RealConsole::~RealConsole() {
    m_window.reset();
    if (m_engine) m_engine->stop();
    m_engine.reset();
    m_mocks.reset();
}

DestinationSnapshot RealConsole::destination() const {
    return m_engine->snapshot()->destinations.at(0);
}

QDialog* RealConsole::dialog(const char* name) const {
    const auto dialogs = m_window->findChildren<QDialog*>(QLatin1String(name));
    const auto it = std::find_if(dialogs.begin(), dialogs.end(),
                                 [](const QDialog* found) { return found->isVisible(); });
    return it == dialogs.end() ? nullptr : *it;
}

bool RealConsole::send(const QByteArray& user, int from, int count) const {
    QByteArray body = "[";
    for (int i = 0; i < count; ++i)
        body += (i ? "," : "") + QByteArray("{\"id\":\"") + user + "-" +
                QByteArray::number(from + i) + "\",\"user\":\"" + user +
                "\",\"type\":\"order.updated\",\"payload\":{\"user\":\"" + user +
                "\",\"n\":" + QByteArray::number(from + i) + "}}";
    body += "]";
    QTcpSocket socket;
    const quint16 port = m_engine->snapshot()->intake.port;
    socket.connectToHost(QHostAddress::LocalHost, port);
    socket.write("POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(port) +
                 "\r\nAuthorization: Bearer " + QByteArray::fromStdString(m_engine->writeKey()) +
                 "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
                 QByteArray::number(body.size()) + "\r\n\r\n" + body);
    QByteArray answer;
    const bool answered = QTest::qWaitFor(
        [&] {
            answer += socket.readAll();
            return answer.startsWith("HTTP/1.1 2") ||
                   (!answer.isEmpty() && socket.state() == QAbstractSocket::UnconnectedState);
        },
        10000);
    if (!answered || !answer.startsWith("HTTP/1.1 2")) qWarning() << answer;
    return answered && answer.startsWith("HTTP/1.1 2");
}

bool RealConsole::setScale(double scale) const {
    m_engine->submit(SetClockScale{scale});
    return QTest::qWaitFor([&] { return m_engine->snapshot()->clockScale == scale; }, 5000);
}

bool RealConsole::setMock(const MockBehaviour& behaviour) const {
    m_mocks->setBehaviour(0, behaviour);
    return QTest::qWaitFor([&] { return mock().behaviour == behaviour; }, 5000);
}

}  // namespace lanes::test
