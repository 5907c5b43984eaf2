// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

// What Linux tells of a process; `who` is its number, or "self".
namespace lanes::test {

/// A line of its status, as "VmRSS" or "VmHWM", in KiB; -1 if it is not there.
inline qint64 statusKib(const QByteArray& name, const QString& who = QStringLiteral("self")) {
    QFile file(QStringLiteral("/proc/%1/status").arg(who));
    if (!file.open(QIODevice::ReadOnly)) return -1;
    const auto lines = file.readAll().split('\n');
    for (const auto& line : lines)
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).simplified().split(' ').value(0).toLongLong();
    return -1;
}

/// The peak of its memory (VmHWM) begins anew from what is in use now, which is returned in KiB.
inline qint64 restartPeakKib(const QString& who = QStringLiteral("self")) {
    QFile file(QStringLiteral("/proc/%1/clear_refs").arg(who));
    if (file.open(QIODevice::WriteOnly)) file.write("5");
    file.close();
    return statusKib("VmRSS", who);
}

/// How many files and sockets are open in this process.
inline qsizetype openDescriptors() {
    return QDir(QStringLiteral("/proc/self/fd"))
        .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
        .size();
}

}  // namespace lanes::test
