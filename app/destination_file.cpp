// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/destination_file.h"

#include "app/config_file.h"
#include "app/operation_text.h"
#include "app/words.h"

#include <QFile>
#include <QSaveFile>

#include <string>

namespace lanes::app {

namespace {

std::string joined(const Json& texts) {
    std::string all;
    for (const auto& text : texts)
        if (text.is_string()) all += (all.empty() ? "" : ", ") + oneLine(text.get<std::string>());
    return all;
}

/// For its owner alone from its first byte on: it may hold secrets.
std::string write(const std::string& path, const std::string& text, bool replace) {
    const auto name = QString::fromStdString(path);
    if (!replace && QFile::exists(name))
        return path + " exists; give another name, or --force to replace it.";
    QSaveFile file(name);
    const bool good = file.open(QIODevice::WriteOnly) &&
                      file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                      file.write(text.data(), static_cast<qint64>(text.size())) ==
                          static_cast<qint64>(text.size()) &&
                      file.commit();
    return good ? std::string()
                : path + " cannot be written: " + file.errorString().toStdString() + ".";
}

/// How many of them are new, or changed.
std::size_t numberOf(const Json& destinations, std::string_view is) {
    std::size_t number = 0;
    for (const auto& row : destinations)
        if (textIn(row, "is") == is) ++number;
    return number;
}

void print(const Json& destinations, std::ostream& out) {
    for (const auto& row : destinations) {
        const auto is = textIn(row, "is");
        out << (is == "new"       ? "adds     "
                : is == "changed" ? "changes  "
                                  : "same     ")
            << textIn(row, "name") << " -> " << textIn(row, "url");
        if (is == "changed") out << " (" << joined(row.value("fields", Json::array())) << ")";
        out << "\n";
    }
}

}  // namespace

Exit exportDestinations(ControlClient& client, const ExportDestinations& wanted,
                        const CommandOutput& output) {
    const auto answer =
        client.call({"destinations export", {{"with_secrets", wanted.withSecrets}}});
    if (!answer.ok()) return output.fail(answer.error, answer.exit);
    const auto config = answer.result.value("config", Json::object());
    const auto text = config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (!wanted.file.empty()) {
        if (const auto error = write(wanted.file, text, wanted.force); !error.empty())
            return output.fail(error, Exit::usage);
    }
    const auto leftOut = answer.result.value("left_out", Json::object());
    for (const auto& [name, fields] : leftOut.items())
        output.err << "rivora-lanes: left out of " << oneLine(name) << ": " << joined(fields)
                   << "; an import keeps what is there (--with-secrets writes them)\n";
    if (wanted.file.empty()) {
        output.out << text << std::flush;
        return Exit::good;
    }
    const auto number = config.value("destinations", Json::array()).size();
    if (output.json)
        output.out << oneLineJson({{"file", wanted.file}, {"destinations", number}}) << "\n";
    else
        output.out << "wrote " << counted(number, "destination") << " to " << oneLine(wanted.file)
                   << "\n";
    output.out.flush();
    return Exit::good;
}

Exit importDestinations(ControlClient& client, const ImportDestinations& wanted,
                        const CommandOutput& output, const Confirm& confirm) {
    auto read = readConfigFile(wanted.file);
    if (const auto* error = std::get_if<std::string>(&read))
        return output.fail(*error, Exit::usage);
    Json arguments;
    arguments["changes"] = Json::array();
    for (const auto& change : std::get<Changes>(read))
        arguments["changes"].push_back(toJson(change));
    auto answer = client.call({"destinations import", arguments});
    if (!answer.ok()) return output.fail(wanted.file + ": " + answer.error, answer.exit);
    const auto plan = answer.result.value("destinations", Json::array());
    const auto news = numberOf(plan, "new");
    const auto changes = numberOf(plan, "changed");
    if (!output.json) print(plan, output.out);
    output.out.flush();
    if (!wanted.dryRun && news + changes > 0) {
        const auto what =
            "add " + counted(news, "destination") + " and change " + std::to_string(changes);
        if (!wanted.confirmed) {
            if (!confirm || output.json)
                return output.fail("this would " + what + "; add --yes to do it.", Exit::usage);
            if (!confirm("Add " + what.substr(4) + "?")) {
                output.out << "Nothing was changed.\n";
                return Exit::good;
            }
        }
        arguments["apply"] = true;
        answer = client.call({"destinations import", std::move(arguments)});
        if (!answer.ok()) return output.fail(answer.error, answer.exit);
    }
    if (output.json)
        output.out << oneLineJson(answer.result) << "\n";
    else if (wanted.dryRun)
        output.out << "Nothing was changed.\n";
    else
        output.out << "added " << news << ", changed " << changes << "\n";
    output.out.flush();
    return Exit::good;
}

}  // namespace lanes::app
