// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>

namespace lanes::test {

/// What a command of the program left behind.
struct Ran {
    int exit = -1;  ///< -1: it did not end in time, or crashed
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QJsonObject json() const;
};

/// Runs the real program with these arguments until it ends, while this thread goes on serving.
/// `more` is set in its environment, which names no display otherwise.
[[nodiscard]] Ran run(const QStringList& arguments, int seconds = 60,
                      const QList<std::pair<const char*, const char*>>& more = {});

/// The environment of a machine without a display.
[[nodiscard]] QProcessEnvironment withoutDisplay();

/// Template for a temporary directory, in memory where there is such a place: a process that dies
/// leaves behind what it wrote, so the disk is not under test.
[[nodiscard]] QString fastPlace();

/// A running headless instance.
class Headless {
public:
    explicit Headless(QString dataDirectory) : m_directory(std::move(dataDirectory)) {}
    ~Headless() { kill(); }

    /// Starts it on any free port; false if it does not listen in time.
    [[nodiscard]] bool start(const QStringList& more = {});
    /// What the next starts find in their environment.
    void setEnvironment(QList<std::pair<QString, QString>> more) { m_more = std::move(more); }
    /// SIGKILL.
    void kill();
    /// SIGTERM, without waiting.
    void terminate() { m_process->terminate(); }
    [[nodiscard]] bool gone() const;
    /// It is gone, by a signal.
    [[nodiscard]] bool wasKilled() const;
    /// SIGTERM; the exit code.
    [[nodiscard]] int stop();
    /// A command for this instance.
    [[nodiscard]] Ran tell(const QStringList& command) const;
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] QByteArray writeKey() const { return m_key; }
    [[nodiscard]] qint64 pid() const { return m_process->processId(); }
    [[nodiscard]] QByteArray errors() const { return m_process->readAllStandardError(); }

private:
    QString m_directory;
    QList<std::pair<QString, QString>> m_more;
    std::unique_ptr<QProcess> m_process;
    std::uint16_t m_port = 0;
    QByteArray m_key;
};

/// The answer to a POST of JSON to the intake, its header at least; empty if there was none.
[[nodiscard]] QByteArray answerTo(std::uint16_t port, const QByteArray& key,
                                  const QByteArray& body);
/// Its status; 0 if there was none.
[[nodiscard]] int post(std::uint16_t port, const QByteArray& key, const QByteArray& body);

}  // namespace lanes::test
