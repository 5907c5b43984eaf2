// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data_care.h"

#include "app/control_client.h"
#include "app/data_directory.h"
#include "app/interrupt_watch.h"
#include "app/operation_text.h"
#include "app/single_instance.h"
#include "app/words.h"

#include <QThread>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes::app {

namespace {

constexpr std::chrono::milliseconds kConnectTime{3'000};
constexpr unsigned long kPollMilliseconds = 100;
constexpr std::size_t kFindingsShown = 20;

const char* word(SalvageFinding::Kind kind) {
    using Kind = SalvageFinding::Kind;
    switch (kind) {
        case Kind::lostEvents: return "lost_events";
        case Kind::lostPayload: return "lost_payload";
        case Kind::lostTargets: return "lost_targets";
        case Kind::doubtful: return "doubtful";
        case Kind::lostRows: return "lost_rows";
        case Kind::destination: return "destination";
        case Kind::other: return "other";
    }
    return "other";
}

std::string number(std::uint64_t value) { return std::to_string(value); }

Exit complain(const CareOutput& output, const std::string& text, Exit exit = Exit::fault) {
    output.err << "rivora-lanes: " << oneLine(text) << std::endl;
    return exit;
}

template <typename Report>
Exit show(const CareOutput& output, const std::variant<Report, std::string>& result) {
    if (const auto* error = std::get_if<std::string>(&result)) return complain(output, *error);
    const auto& report = std::get<Report>(result);
    output.out << (output.json ? oneLineJson(toJson(report)) + "\n" : toText(report)) << std::flush;
    return Exit::good;
}

void showProgress(const CareOutput& output, double share) {
    if (!output.terminal || output.json) return;
    const auto percent = static_cast<int>(share * 100);
    output.err << "\r" << percent << " %" << (share >= 1 ? " copied, checking" : "") << std::flush;
}

void endProgress(const CareOutput& output) {
    if (output.terminal && !output.json) output.err << "\r\x1b[K" << std::flush;
}

/// The running instance copies; this process asks how far it is.
std::variant<BackupReport, std::string> backUpBy(ControlClient& client,
                                                 const BackupRequest& request,
                                                 const InterruptWatch& watch,
                                                 const CareOutput& output) {
    auto answer = client.call({"backup start", {{"file", request.file},
                                                {"replace", request.replace}}});
    bool cancelled = false;
    while (answer.ok() && isTrue(answer.result, "running")) {
        showProgress(output, answer.result.value("share", 0.0));
        QThread::msleep(kPollMilliseconds);
        const bool cancels = !cancelled && watch.interrupted();
        cancelled = cancelled || cancels;
        answer = client.call({cancels ? "backup cancel" : "backup status", Json::object()});
    }
    endProgress(output);
    if (!answer.ok()) return answer.error;
    if (const auto error = textOf(answer.result, "error"); !error.empty()) return error;
    return BackupReport{request.file, numberOf(answer.result, "bytes", 0),
                        Sequence(numberOf(answer.result, "last_event", 0))};
}

/// The lock of the instance that would run on the directory, or why it cannot be had.
std::variant<InstanceLock, std::string> onlyHere(const std::string& directory) {
    const auto found = findDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&found)) return *error;
    auto taken = InstanceLock::take(std::get<DataDirectory>(found));
    if (auto* lock = std::get_if<InstanceLock>(&taken)) return std::move(*lock);
    if (auto* error = std::get_if<std::string>(&taken)) return std::move(*error);
    const auto pid = std::get<InstanceLock::Held>(taken).pid;
    return "data directory " + directory + " is in use" +
           (pid != 0 ? " by pid " + std::to_string(pid) : std::string()) +
           "; close that instance first. Nothing was changed.";
}

}  // namespace

Json toJson(const BackupReport& report) {
    return {{"file", report.file}, {"bytes", report.bytes}, {"last_event", report.lastEvent.value}};
}

Json toJson(const RestoreReport& report) {
    return {{"set_aside", report.setAside},
            {"last_event", report.lastEvent.value},
            {"last_given", report.lastGiven.value},
            {"waiting", report.waiting},
            {"dead_letters", report.deadLetters}};
}

Json toJson(const SalvageReport& report) {
    Json json = {{"set_aside", report.setAside},
                 {"complete", report.complete()},
                 {"log_used", report.logUsed},
                 {"events", report.events},
                 {"journal_rows", report.journalRows},
                 {"destinations", report.destinations},
                 {"waiting", report.waiting},
                 {"dead_letters", report.deadLetters},
                 {"lost", report.lost},
                 {"doubtful", report.doubtful},
                 {"order_findings", report.orderFindings}};
    json["findings"] = Json::array();
    for (const auto& finding : report.findings) {
        Json one = {{"kind", word(finding.kind)}, {"text", finding.text}};
        if (finding.first) {
            one["first"] = finding.first.value;
            one["last"] = finding.last.value;
        }
        if (finding.destination) one["destination"] = finding.destination.value;
        if (!finding.eventId.empty()) one["event_id"] = finding.eventId;
        json["findings"].push_back(std::move(one));
    }
    return json;
}

std::string toText(const BackupReport& report) {
    return "backed up to " + oneLine(report.file) + ": " + number(report.bytes) +
           " bytes, events up to " + number(report.lastEvent.value) + "\n";
}

std::string toText(const RestoreReport& report) {
    std::string text = "restored: events up to " + number(report.lastEvent.value) + ", " +
                       number(report.waiting) + " waiting, " + number(report.deadLetters) +
                       " dead letters\n";
    text += "Events that were delivered since the backup are delivered again, with the same ids. "
            "Events that were accepted since are not in it";
    if (report.lastGiven > report.lastEvent)
        text += " (numbers " + number(report.lastEvent.value + 1) + " to " +
                number(report.lastGiven.value) + "; they are not given again)";
    text += ".\n";
    if (!report.setAside.empty())
        text += "The set that was in place is in " + oneLine(report.setAside) + ".\n";
    return text;
}

/// Which event is meant, and how many others of which the same is said.
std::string whichEvents(const SalvageFinding& first, std::size_t others) {
    std::string which;
    if (!first.eventId.empty())
        which = "id " + oneLine(first.eventId);
    else if (first.first && first.first == first.last)
        which = "event " + number(first.first.value);
    if (others > 0) which += (which.empty() ? "" : " and ") + number(others) + " more";
    return which.empty() ? which : " (" + which + ")";
}

/// What was found, each text once; the report file has them all.
std::string findingLines(const std::vector<SalvageFinding>& findings) {
    std::vector<const SalvageFinding*> firsts;
    std::map<std::string_view, std::size_t> counts;
    for (const auto& finding : findings)
        if (++counts[finding.text] == 1) firsts.push_back(&finding);
    std::string text;
    for (std::size_t n = 0; n < firsts.size() && n < kFindingsShown; ++n)
        text += "  " + oneLine(firsts[n]->text) +
                whichEvents(*firsts[n], counts.at(firsts[n]->text) - 1) + "\n";
    if (firsts.size() > kFindingsShown)
        text += "  ... and " + number(firsts.size() - kFindingsShown) + " other findings\n";
    return text;
}

std::string toText(const SalvageReport& report) {
    std::string text = "salvaged " + counted(report.events, "event") + ", " +
                       number(report.journalRows) + " journal rows and " +
                       counted(report.destinations, "destination") + ": " +
                       number(report.waiting) + " waiting, " + number(report.deadLetters) +
                       " dead letters\n";
    if (report.complete()) text += "Nothing is missing.\n";
    if (report.lost > 0)
        text += number(report.lost) + " lost: their senders have to send them again\n";
    if (report.doubtful > 0)
        text += number(report.doubtful) + " in doubt: they are dead letters now, with the reason; "
                                          "rewind what its receiver lacks\n";
    text += findingLines(report.findings);
    text += "The damaged set is in " + oneLine(report.setAside);
    if (!report.complete()) text += ", with all of this in " + std::string(kSalvageReportFile);
    return text + ".\n";
}

bool keepReport(const SalvageReport& report) {
    const std::string path = report.setAside + "/" + kSalvageReportFile;
    std::ofstream file(path);
    std::error_code failure;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                           std::filesystem::perms::owner_write,
                                 failure);
    file << oneLineJson(toJson(report)) << "\n";
    return file.flush().good();
}

Exit runBackup(const MakeBackup& command, const std::string& directory, const DataCare& care,
               const CareOutput& output) {
    BackupRequest request;
    request.file = std::filesystem::absolute(command.file).string();
    request.replace = command.force;
    const InterruptWatch watch;
    const auto found = findDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&found)) return complain(output, *error);
    const auto& place = std::get<DataDirectory>(found);
    ControlClient client;
    if (client.connectTo(place, kConnectTime))
        return show(output, backUpBy(client, request, watch, output));
    const auto result = care.backUp(place.path, request, [&](double share) {
        showProgress(output, share);
        return !watch.interrupted();
    });
    endProgress(output);
    return show(output, result);
}

Exit runRestore(const RestoreBackup& command, const std::string& directory, const DataCare& care,
                const CareOutput& output) {
    // A directory that is new gets its first data file this way.
    const auto made = openDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&made)) return complain(output, *error);
    const auto lock = onlyHere(directory);
    if (const auto* error = std::get_if<std::string>(&lock)) return complain(output, *error);
    return show(output, care.restore(std::get<DataDirectory>(made).path,
                                     std::filesystem::absolute(command.file).string()));
}

Exit runSalvage(const std::string& directory, const DataCare& care, const CareOutput& output) {
    const auto found = findDataDirectory(directory);
    if (const auto* error = std::get_if<std::string>(&found)) return complain(output, *error);
    const auto lock = onlyHere(directory);
    if (const auto* error = std::get_if<std::string>(&lock)) return complain(output, *error);
    const auto result = care.salvage(std::get<DataDirectory>(found).path);
    if (const auto shown = show(output, result); shown != Exit::good) return shown;
    const auto& report = std::get<SalvageReport>(result);
    if (report.complete()) return Exit::good;
    if (!keepReport(report))
        return complain(output, "the report cannot be written into " + report.setAside);
    return Exit::checkFailed;
}

}  // namespace lanes::app
