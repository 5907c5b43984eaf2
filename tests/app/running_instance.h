// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_client.h"
#include "app/control_server.h"
#include "app/operations.h"
#include "tests/app/scripted_engine.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QLocalSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>

namespace lanes::app {

/// A running instance with a scripted engine, and the command line that operates it.
class RunningInstance {
protected:
    struct Said {
        Exit exit = Exit::good;
        std::string out;
        std::string err;
    };

    /// The command line blocks, so it runs on a thread of its own while this one serves.
    template <typename Body>
    static void aside(Body body) {
        const std::unique_ptr<QThread> thread(QThread::create(body));
        QEventLoop loop;
        QObject::connect(thread.get(), &QThread::finished, &loop, &QEventLoop::quit);
        thread->start();
        loop.exec();
        thread->wait();
    }
    Said say(const Operation& operation, bool json = false, const Confirm& confirm = nullptr) {
        Said said;
        aside([&] {
            std::ostringstream out;
            std::ostringstream err;
            said.exit = runOperation(operation, m_place.path, json, out, err, confirm);
            said.out = out.str();
            said.err = err.str();
        });
        return said;
    }
    /// The first line that comes back for raw bytes; empty if the connection is closed first.
    QByteArray raw(const QByteArray& bytes,
                   std::chrono::milliseconds time = std::chrono::seconds(5)) {
        QByteArray line;
        QLocalSocket socket;
        socket.connectToServer(QString::fromStdString(m_place.socket));
        socket.write(bytes);
        QElapsedTimer elapsed;
        elapsed.start();
        while (elapsed.elapsed() < time.count() && !line.endsWith('\n') &&
               socket.state() != QLocalSocket::UnconnectedState) {
            QTest::qWait(1);
            line += socket.readAll();
        }
        return line;
    }
    static DeadLetterChoice allOf(const std::string& name) {
        DeadLetterChoice choice;
        choice.destination = name;
        return choice;
    }

    void open(std::chrono::milliseconds idleTime = std::chrono::milliseconds(300)) {
        m_directory = std::make_unique<QTemporaryDir>();
        m_place = std::get<DataDirectory>(
            openDataDirectory(m_directory->filePath(QStringLiteral("data")).toStdString()));
        m_engine = std::make_unique<test::ScriptedEngine>();
        m_commands =
            std::make_unique<ControlCommands>(*m_engine, InstanceFacts{m_place.path, "headless"});
        m_server = std::make_unique<ControlServer>(*m_commands, ControlLimits{4, idleTime});
        QCOMPARE(m_server->listen(m_place), std::string());
    }
    void close() {
        m_server.reset();
        m_commands.reset();
        m_engine.reset();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    DataDirectory m_place;
    std::unique_ptr<test::ScriptedEngine> m_engine;
    std::unique_ptr<ControlCommands> m_commands;
    std::unique_ptr<ControlServer> m_server;
};

}  // namespace lanes::app
