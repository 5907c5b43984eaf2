// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/diagnostics.h"

#include "app/data_directory.h"
#include "app/single_instance.h"
#include "app/words.h"

#include <QFileInfo>
#include <QLibraryInfo>
#include <QLocale>
#include <QSslSocket>
#include <QStorageInfo>
#include <QSysInfo>
#include <QTimeZone>

#include <sqlite3.h>

namespace lanes::app {

namespace {

std::string environment(const char* name) {
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariable(name).toStdString() : "(not set)";
}

}  // namespace

Json diagnosticsJson(const std::string& dataDirectory) {
    Json facts;
    facts["version"] = LANES_VERSION;
    facts["qt_built"] = QT_VERSION_STR;
    facts["qt_running"] = qVersion();
    facts["qt_build"] = QLibraryInfo::build();
    facts["sqlite"] = sqlite3_libversion();
    facts["tls"] = QSslSocket::supportsSsl()
                       ? QSslSocket::sslLibraryVersionString().toStdString()
                       : std::string("not available; https destinations cannot be reached");
    facts["system"] = QSysInfo::prettyProductName().toStdString();
    facts["kernel"] = (QSysInfo::kernelType() + u' ' + QSysInfo::kernelVersion()).toStdString();
    facts["architecture"] = QSysInfo::currentCpuArchitecture().toStdString();
    facts["locale"] = QLocale::system().name().toStdString();
    facts["time_zone"] = QTimeZone::systemTimeZoneId().toStdString();
    facts["data_dir"] = dataDirectory;
    const QFileInfo info(QString::fromStdString(dataDirectory));
    facts["data_dir_exists"] = info.isDir();
    facts["data_dir_writable"] = info.isDir() && info.isWritable();
    if (info.isDir()) facts["data_dir_free_bytes"] = QStorageInfo(info.filePath()).bytesAvailable();
    facts["demo_data_dir"] = defaultDataDirectory(DataKind::demo);
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_LOGGING_RULES",
                             "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        facts[name] = environment(name);
    return facts;
}

std::string diagnosticsText(const Json& facts) {
    std::string text;
    for (const auto& [name, value] : facts.items())
        text += name + ": " +
                oneLine(value.is_string() ? value.get<std::string>() : oneLineJson(value)) + "\n";
    return text;
}

}  // namespace lanes::app
