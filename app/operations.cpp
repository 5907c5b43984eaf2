// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations.h"

#include "app/destination_file.h"
#include "app/import_run.h"
#include "app/operation_text.h"
#include "app/sender_run.h"
#include "app/words.h"

#include <QDateTime>
#include <QFile>

#include <utility>

namespace lanes::app {

namespace {

/// How long an instance that has just been started may take to open its socket.
constexpr std::chrono::milliseconds kConnectTime{3'000};

/// One operation: what is asked, and how its result reads.
class Run {
public:
    Run(ControlClient& client, bool json, std::ostream& out, std::ostream& err, Confirm confirm)
        : m_client(client), m_json(json), m_out(out), m_err(err), m_confirm(std::move(confirm)) {}

    Exit operator()(const PutDestination& put) {
        Json arguments;
        arguments["change"] = toJson(put.change);
        arguments["new"] = put.isNew;
        auto answer = m_client.call({"destinations put", arguments});
        // The one time it is shown: the engine never gives a secret away.
        if (put.secretWasGenerated && answer.ok())
            answer.result["secret"] = put.change.secrets->front();
        return show(answer, [&](const Json& result, std::ostream& out) {
            out << (put.isNew ? "added " : "changed ") << textIn(result, "name") << " -> "
                << textIn(result, "url") << "\n";
            if (put.secretWasGenerated)
                out << "secret " << textIn(result, "secret")
                    << "\nKeep it for the receiver; it is not shown again.\n";
        });
    }
    Exit operator()(const ListDestinations&) {
        return ask("destinations list", {}, printDestinations);
    }
    Exit operator()(const DropDestination& drop) {
        return ask("destinations remove", {{"name", drop.name}}, done("removed"));
    }
    Exit operator()(const ExportDestinations& wanted) {
        return exportDestinations(m_client, wanted, output());
    }
    Exit operator()(const ImportDestinations& wanted) {
        return importDestinations(m_client, wanted, output(), m_confirm);
    }
    Exit operator()(const ListSources&) { return listSources(m_client, output()); }
    Exit operator()(const AddSource& add) { return addSource(m_client, add, output()); }
    Exit operator()(const RotateSource& rotate) {
        return rotateSource(m_client, rotate, output());
    }
    Exit operator()(const DropSource& drop) { return dropSource(m_client, drop, output()); }
    Exit operator()(const ListQuarantine& list) {
        return listQuarantine(m_client, list, output());
    }
    Exit operator()(const ShowQuarantined& show) {
        return showQuarantined(m_client, show, output());
    }
    Exit operator()(const RetryRejected& retry) {
        return retryRejected(m_client, retry, output());
    }
    Exit operator()(const DiscardRejected& discard) {
        return discardRejected(m_client, discard, output());
    }
    Exit operator()(const Pause& pause) {
        return ask("pause",
                   {{"name", pause.name},
                    {"reason", pause.reason},
                    {"for_us", static_cast<std::uint64_t>(pause.length)}},
                   [](const Json& result, std::ostream& out) {
                       out << "paused " << textIn(result, "paused");
                       if (const auto at = textIn(result, "resumes_at"); !at.empty())
                           out << "; it resumes by itself at " << at;
                       out << "\n";
                   });
    }
    Exit operator()(const Resume& resume) {
        return ask("resume", {{"name", resume.name}}, done("resumed"));
    }
    Exit operator()(const ListLanes& lanes) {
        return ask("lanes",
                   {{"destination", lanes.destination},
                    {"order", static_cast<unsigned>(lanes.order)},
                    {"limit", lanes.limit}},
                   printLanes);
    }
    Exit operator()(const ListDeadLetters& letters) {
        auto arguments = toJson(letters.choice, wallNow());
        arguments["limit"] = letters.limit;
        return ask("dead-letters list", std::move(arguments), printDeadLetters);
    }
    Exit operator()(const ShowEvent& event) {
        return ask("events show", {{"sequence", event.sequence}}, printEvent);
    }
    Exit operator()(const ImportFile& import) {
        return ImportRun(m_client, m_json, m_out, m_err).run(import);
    }
    Exit operator()(const ShowStatus&) { return ask("status", {}, printStatus); }
    Exit operator()(const ShowWriteKey&) {
        return ask("write-key", {}, [](const Json& result, std::ostream& out) {
            out << textIn(result, "write_key") << "\n";
        });
    }
    Exit operator()(const ListOperations& operations) {
        return ask("operations list", {{"limit", operations.limit}}, printOperations);
    }
    Exit operator()(const ShowOperation& operation) {
        return ask("operations show", {{"id", operation.id}, {"limit", operation.limit}},
                   printOperation);
    }
    Exit operator()(const HaltOperation& halt) {
        return ask("operations stop", {{"id", halt.id}}, [](const Json& result, std::ostream& out) {
            out << "stopped operation " << countIn(result, "stopped") << ": "
                << countIn(result, "done") << " of "
                << counted(numberOf(result, "asked", 0), "event") << " were moved and go on, "
                << countIn(result, "left") << " stay where they are\n";
        });
    }
    Exit operator()(const MoveDeadLetters& move);
    Exit operator()(const EditDeadLetter& edit);
    Exit operator()(const NoteDeadLetter& note) {
        return ask("dead-letters note",
                   {{"sequence", note.sequence},
                    {"destination", note.destination},
                    {"text", note.text}},
                   [](const Json& result, std::ostream& out) {
                       out << (textIn(result, "note").empty() ? "the note is gone from event "
                                                              : "the note is kept on event ")
                           << countIn(result, "noted") << "\n";
                   });
    }
    Exit operator()(const UndoOperation& undo);
    Exit operator()(const HoldUser& hold);

private:
    using Print = CommandOutput::Print;

    static Print done(const char* key) {
        return [key](const Json& result, std::ostream& out) {
            out << key << " " << textIn(result, key) << "\n";
        };
    }
    Exit ask(const char* command, Json arguments, const Print& print) {
        if (arguments.is_null()) arguments = Json::object();
        return show(m_client.call({command, std::move(arguments)}), print);
    }
    [[nodiscard]] CommandOutput output() { return {m_json, m_out, m_err}; }
    Exit show(const ControlAnswer& answer, const Print& print) {
        return output().show(answer, print);
    }
    Exit fail(const std::string& error, Exit exit) { return output().fail(error, exit); }

    static WallMicros wallNow() { return QDateTime::currentMSecsSinceEpoch() * kMillisecond; }
    bool agreed(const Json& plan, bool rewind);
    static void printMoved(const MoveDeadLetters& move, const Json& result, std::ostream& out);

    ControlClient& m_client;
    bool m_json;
    std::ostream& m_out;
    std::ostream& m_err;
    Confirm m_confirm;
    Exit m_refusal = Exit::good;
};

Exit Run::operator()(const MoveDeadLetters& move) {
    Json arguments;
    arguments["choice"] = toJson(move.choice, wallNow());
    arguments["rewind"] = move.rewind;
    arguments["lanes"] = move.lanes;
    const auto plan = m_client.call({"dead-letters plan", arguments});
    if (!plan.ok()) return fail(plan.error, plan.exit);
    if (move.planOnly)
        return show(plan, [&](const Json& result, std::ostream& out) {
            printPlan(result, move.rewind, out);
        });
    const auto number = plannedEvents(plan.result);
    if (number == 0) {
        if (m_json)
            m_out << R"({"asked":0,"done":0,"skipped":0})"
                  << "\n";
        else
            m_out << "There are no such dead letters.\n";
        return Exit::good;
    }
    if (number > kFew && !move.confirmed && !agreed(plan.result, move.rewind)) return m_refusal;
    Json how = {{"reason", move.reason}, {"tracer", move.tracer}, {"pace", move.pace}};
    return show(m_client.call({"dead-letters move", std::move(how)}),
                [&](const Json& result, std::ostream& out) { printMoved(move, result, out); });
}

/// Shows what would happen and asks. If nobody can be asked, that is an error.
bool Run::agreed(const Json& plan, bool rewind) {
    const std::string verb = rewind ? "rewind " : "discard ";
    if (!m_json) {
        printPlan(plan, rewind, m_out);
        m_out.flush();
    }
    if (!m_json && m_confirm) {
        m_refusal = Exit::good;
        if (m_confirm((rewind ? "Rewind " : "Discard ") + planned(plan) + "?")) return true;
        m_out << "Nothing was changed.\n";
        return false;
    }
    m_refusal = fail("this would " + verb + planned(plan) + "; add --yes to do it.", Exit::usage);
    return false;
}

void Run::printMoved(const MoveDeadLetters& move, const Json& result, std::ostream& out) {
    const auto id = countIn(result, "operation");
    if (isTrue(result, "under_way")) {
        out << "the rewind of " << counted(numberOf(result, "asked", 0), "dead letter")
            << " has begun (operation " << id << ")\nfollow it: rivora-lanes operations show " << id
            << "\n";
    } else {
        out << (move.rewind ? "rewound " : "discarded ") << countIn(result, "done") << " of "
            << countIn(result, "asked") << (move.lanes ? " events" : "");
        if (numberOf(result, "skipped", 0) > 0)
            out << "; " << countIn(result, "skipped")
                << (move.lanes ? " stay where they are" : " were no dead letters any more");
        out << " (operation " << id << ")\n";
    }
    if (move.rewind)
        out << "take back what is not tried yet: rivora-lanes operations undo " << id << "\n";
    if (const auto newcomers = numberOf(result, "newcomers", 0); newcomers > 0)
        out << counted(newcomers, "more such dead letter")
            << " came after the plan was made; not moved\n";
}

Exit Run::operator()(const EditDeadLetter& edit) {
    QFile file(QString::fromStdString(edit.payloadFile));
    if (!file.open(QIODevice::ReadOnly))
        return fail(edit.payloadFile + " cannot be read: " + file.errorString().toStdString() + ".",
                    Exit::usage);
    const auto payload = file.read(static_cast<qint64>(limits::kEventBytes) + 1);
    if (static_cast<std::size_t>(payload.size()) > limits::kEventBytes)
        return fail(edit.payloadFile + " is larger than 1 MiB, the most that an event has.",
                    Exit::usage);
    return ask("dead-letters edit",
               {{"sequence", edit.sequence},
                {"destination", edit.destination},
                {"payload_base64", payload.toBase64().toStdString()},
                {"reason", edit.reason}},
               [&](const Json& result, std::ostream& out) {
                   out << "event " << countIn(result, "edited") << " returned to its lane at "
                       << oneLine(edit.destination) << " with " << payload.size()
                       << " bytes of new payload (operation " << countIn(result, "operation")
                       << ")\n";
               });
}

Exit Run::operator()(const UndoOperation& undo) {
    return ask("operations undo", {{"id", undo.id}}, [](const Json& result, std::ostream& out) {
        out << countIn(result, "done") << " of " << counted(numberOf(result, "asked", 0), "event")
            << " returned to "
            << (isTrue(result, "lanes") ? "where they came from" : "the dead letters");
        if (numberOf(result, "skipped", 0) > 0)
            out << "; " << countIn(result, "skipped") << " were tried already";
        out << " (operation " << countIn(result, "operation") << ")\n";
    });
}

Exit Run::operator()(const HoldUser& hold) {
    const char* key = hold.release ? "released" : "held";
    return ask("hold",
               {{"user", hold.user},
                {"anonymous", hold.anonymous},
                {"destination", hold.destination},
                {"reason", hold.reason},
                {"release", hold.release}},
               [key, release = hold.release](const Json& result, std::ostream& out) {
                   out << key << " " << textIn(result, key) << " at "
                       << textIn(result, "destination");
                   if (!release) out << "; what is in flight finishes, retry time stands still";
                   out << "\n";
               });
}

}  // namespace

Exit runOperation(const Operation& operation, const std::string& directory, bool json,
                  std::ostream& out, std::ostream& err, const Confirm& confirm) {
    const auto found = findDataDirectory(directory);
    ControlClient client;
    if (!std::holds_alternative<DataDirectory>(found) ||
        !client.connectTo(std::get<DataDirectory>(found), kConnectTime)) {
        err << "rivora-lanes: no instance is running on " << directory
            << "; start it with: rivora-lanes headless --data-dir " << directory << "\n";
        return Exit::fault;
    }
    return std::visit(Run(client, json, out, err, confirm), operation);
}

}  // namespace lanes::app
