// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <string>

// Files of a store, as tests look at them and spoil them.
namespace lanes::test {

[[nodiscard]] inline QString text(const std::string& value) {
    return QString::fromStdString(value);
}

/// Empty if it cannot be read.
[[nodiscard]] inline QByteArray contentOf(const std::string& path) {
    QFile file(text(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

[[nodiscard]] inline bool replaceContent(const std::string& path, const QByteArray& bytes) {
    QFile file(text(path));
    return file.open(QIODevice::WriteOnly | QIODevice::Truncate) &&
           file.write(bytes) == bytes.size();
}

}  // namespace lanes::test
