// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sender_run.h"

#include "app/operation_text.h"
#include "engine/config.h"
#include "engine/write_key.h"

#include <QFile>

#include <utility>

namespace lanes::app {

namespace {

void printKey(const std::string& key, std::ostream& out) {
    out << "write key " << key << "\nGive it to the sender; it is not shown again.\n";
}

}  // namespace

Exit addSource(ControlClient& client, const AddSource& add, const CommandOutput& output) {
    const auto key = makeWriteKey();
    auto answer =
        client.call({"sources add", {{"name", add.name}, {"key_hash", writeKeyHash(key)}}});
    if (answer.ok()) answer.result["write_key"] = key;
    return output.show(answer, [&](const Json& result, std::ostream& out) {
        out << "added " << textIn(result, "added") << "\n";
        printKey(key, out);
    });
}

Exit rotateSource(ControlClient& client, const RotateSource& rotate, const CommandOutput& output) {
    const auto key = rotate.finish ? std::string() : makeWriteKey();
    Json arguments = {{"name", rotate.name}, {"newest_only", rotate.atOnce || rotate.finish}};
    if (!key.empty()) arguments["key_hash"] = writeKeyHash(key);
    auto answer = client.call({"sources rotate", std::move(arguments)});
    if (answer.ok() && !key.empty()) answer.result["write_key"] = key;
    return output.show(answer, [&](const Json& result, std::ostream& out) {
        const auto keys = numberOf(result, "keys", 0);
        out << textIn(result, "name") << " has " << counted(keys, "key");
        if (const auto withdrawn = numberOf(result, "withdrawn", 0); withdrawn > 0)
            out << "; " << withdrawn << " opened until now and " << (withdrawn == 1 ? "does" : "do")
                << " not any more";
        out << "\n";
        if (key.empty()) return;
        printKey(key, out);
        if (keys > 1)
            out << "The older keys open as well, until: rivora-lanes sources rotate "
                << textIn(result, "name") << " --finish\n";
    });
}

Exit listSources(ControlClient& client, const CommandOutput& output) {
    return output.show(client.call({"sources list", Json::object()}), printSources);
}

Exit dropSource(ControlClient& client, const DropSource& drop, const CommandOutput& output) {
    return output.show(client.call({"sources remove", {{"name", drop.name}}}),
                       [](const Json& result, std::ostream& out) {
                           out << "removed " << textIn(result, "removed")
                               << "; its keys open nothing any more, its events stay\n";
                       });
}

Exit listQuarantine(ControlClient& client, const ListQuarantine& list,
                    const CommandOutput& output) {
    const bool bodies = list.bodies && output.json;
    return output.show(
        client.call({"quarantine list", {{"limit", list.limit}, {"bodies", bodies}}}),
        printQuarantine);
}

Exit showQuarantined(ControlClient& client, const ShowQuarantined& show,
                     const CommandOutput& output) {
    return output.show(client.call({"quarantine show", {{"id", show.id.value}}}), printQuarantined);
}

Exit retryRejected(ControlClient& client, const RetryRejected& retry, const CommandOutput& output) {
    std::string body;
    if (retry.bodyFile.empty()) {
        const auto found = client.call({"quarantine show", {{"id", retry.id.value}}});
        if (!found.ok()) return output.fail(found.error, found.exit);
        if (!isTrue(found.result, "whole"))
            return output.fail(
                "only the first part of this event was kept; send the whole of it "
                "with --body-file.",
                Exit::usage);
        body = textOf(found.result, "body");
    } else {
        QFile file(QString::fromStdString(retry.bodyFile));
        if (!file.open(QIODevice::ReadOnly))
            return output.fail(
                retry.bodyFile + " cannot be read: " + file.errorString().toStdString() + ".",
                Exit::usage);
        const auto bytes = file.read(static_cast<qint64>(limits::kEventBytes) + 1);
        if (static_cast<std::size_t>(bytes.size()) > limits::kEventBytes)
            return output.fail(
                retry.bodyFile + " is larger than 1 MiB, the most that an event has.", Exit::usage);
        body = bytes.toStdString();
    }
    return output.show(
        client.call({"quarantine retry", {{"id", retry.id.value}, {"body", std::move(body)}}}),
        [&](const Json& result, std::ostream& out) {
            out << "rejected event " << retry.id.value
                << (isTrue(result, "duplicate")
                        ? " was accepted before, under the same id; it is out of the quarantine\n"
                        : " is accepted\n");
        });
}

Exit discardRejected(ControlClient& client, const DiscardRejected& discard,
                     const CommandOutput& output) {
    Json ids = Json::array();
    for (const auto id : discard.ids) ids.push_back(id.value);
    if (discard.all) {
        const auto all = client.call({"quarantine list", {{"limit", limits::kQuarantined}}});
        if (!all.ok()) return output.fail(all.error, all.exit);
        for (const auto& row : all.result.value("rejected", Json::array()))
            ids.push_back(numberOf(row, "id", 0));
        if (ids.empty()) {
            output.out << (output.json ? R"({"discarded":0,"skipped":0})"
                                       : "Nothing is in quarantine.")
                       << "\n";
            return Exit::good;
        }
    }
    return output.show(client.call({"quarantine discard", {{"ids", std::move(ids)}}}),
                       [](const Json& result, std::ostream& out) {
                           out << "discarded "
                               << counted(numberOf(result, "discarded", 0), "rejected event");
                           if (const auto gone = numberOf(result, "skipped", 0); gone > 0)
                               out << "; " << gone << " were not there any more";
                           out << "\n";
                       });
}

}  // namespace lanes::app
