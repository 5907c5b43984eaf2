// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data_directory.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace lanes::app {

namespace {

/// Addresses of local sockets have 108 bytes on Linux, 104 elsewhere; Qt adds a little while it
/// makes one.
constexpr qsizetype kSocketPathBytes = 92;

/// The socket lies in the data directory, where everybody who may use it finds it whatever the
/// environment says; only for long paths in the user's runtime directory, by a digest of the path.
std::string socketPath(const QString& canonical) {
    const auto inside = canonical + QStringLiteral("/control.sock");
    if (inside.toUtf8().size() <= kSocketPathBytes) return inside.toStdString();
    const auto digest =
        QCryptographicHash::hash(canonical.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation).toStdString() +
           "/rivora-lanes-" + digest.toStdString() + ".sock";
}

}  // namespace

std::string defaultDataDirectory(DataKind kind) {
    const auto base = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return (kind == DataKind::demo ? base + QStringLiteral("/demo") : base).toStdString();
}

std::variant<DataDirectory, std::string> findDataDirectory(const std::string& path) {
    const QFileInfo info(QString::fromStdString(path));
    if (!info.exists()) return "the data directory " + path + " does not exist.";
    if (!info.isDir()) return path + " is a file; give a directory with --data-dir.";
    const auto canonical = info.canonicalFilePath();
    return DataDirectory{canonical.toStdString(), socketPath(canonical)};
}

std::variant<DataDirectory, std::string> openDataDirectory(const std::string& path) {
    const QFileInfo info(QString::fromStdString(path));
    if (!info.exists()) {
        const auto parent = info.absoluteDir().absolutePath();
        // The last one only for its owner: it holds secrets and what customers did.
        if (!QDir().mkpath(parent) ||
            (::mkdir(info.absoluteFilePath().toUtf8().constData(), 0700) != 0 && errno != EEXIST))
            return "the data directory " + path + " cannot be created (" + std::strerror(errno) +
                   "); choose another with --data-dir.";
    }
    auto found = findDataDirectory(path);
    if (const auto* directory = std::get_if<DataDirectory>(&found)) {
        const QFileInfo canonical(QString::fromStdString(directory->path));
        if (!canonical.isWritable())
            return "the data directory " + path +
                   " is read-only; give the right to write or choose another with --data-dir.";
    }
    return found;
}

}  // namespace lanes::app
