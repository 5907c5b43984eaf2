// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations.h"

#include "app/duration.h"
#include "app/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::app {

namespace {

/// How long an instance that has just been started may take to open its socket.
constexpr std::chrono::milliseconds kConnectTime{3'000};

// What is shown. Values come from the instance of the same program, yet a member that is missing
// must not end in an exception, so they are read with fallbacks.

std::string text(const Json& object, const char* key) {
    return oneLine(textOf(object, key));
}

std::string count(const Json& object, const char* key) {
    return std::to_string(numberOf(object, key, 0));
}

std::string span(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) return "-";
    return roughDuration(static_cast<Micros>(found->get<double>() * double(kSecond)));
}

const Json& list(const Json& object, const char* key) {
    static const Json none = Json::array();
    const auto found = object.find(key);
    return found != object.end() && found->is_array() ? *found : none;
}

std::string userText(const Json& object) {
    const auto kind = textOf(object, "user_kind");
    if (kind == "none") return "(no user)";
    return (kind == "anonymous" ? "anonymous " : "") + text(object, "user");
}

/// Rows with aligned columns. Widths count bytes, which is right for what is ASCII; a wide name
/// shifts its own row only.
class Table {
public:
    explicit Table(std::vector<std::string> header) { add(std::move(header)); }
    void add(std::vector<std::string> row) {
        m_widths.resize(std::max(m_widths.size(), row.size()));
        for (std::size_t at = 0; at < row.size(); ++at)
            m_widths[at] = std::max(m_widths[at], row[at].size());
        m_rows.push_back(std::move(row));
    }
    void print(std::ostream& out) const {
        for (const auto& row : m_rows) {
            std::string line;
            for (std::size_t at = 0; at < row.size(); ++at) {
                line += row[at];
                if (at + 1 < row.size()) line.append(m_widths[at] + 2 - row[at].size(), ' ');
            }
            out << line << '\n';
        }
    }

private:
    std::vector<std::vector<std::string>> m_rows;
    std::vector<std::size_t> m_widths;
};

void printStatus(const Json& result, std::ostream& out) {
    const auto& intake = result.value("intake", Json::object());
    const auto& store = result.value("store", Json::object());
    out << "engine     " << text(result, "lifecycle") << " (" << text(result, "mode") << ", pid "
        << count(result, "pid") << ", " << text(result, "data_dir") << ")\n";
    if (intake.value("listening", Json()) == true)
        out << "intake     http://127.0.0.1:" << count(intake, "port") << "/v1/events\n";
    else
        out << "intake     closed " << text(intake, "error") << "\n";
    if (const auto fault = text(store, "fault"); !fault.empty())
        out << "store      " << fault << "\n";
    out << "events     accepted " << count(result, "accepted") << ", delivered "
        << count(result, "delivered") << ", waiting " << count(result, "waiting") << " in "
        << count(result, "lanes") << " lanes, dead " << count(result, "dead") << ", discarded "
        << count(result, "discarded") << "\n";
    const auto& states = list(result, "destinations");
    if (states.empty()) {
        out << "There is no destination yet; add one: rivora-lanes destinations add NAME URL\n";
        return;
    }
    Table table({"DESTINATION", "STATE", "DELIVERED", "WAITING", "LANES", "DEAD", "IN FLIGHT",
                 "LAST ERROR"});
    for (const auto& state : states)
        table.add({text(state, "name"), text(state, "health"), count(state, "delivered"),
                   count(state, "waiting"), count(state, "lanes"), count(state, "dead"),
                   count(state, "in_flight"), text(state, "last_error")});
    table.print(out);
}

void printDestinations(const Json& result, std::ostream& out) {
    Table table({"NAME", "STATE", "URL", "WINDOW", "IN FLIGHT", "SECRETS", "WAITING", "DEAD"});
    for (const auto& row : list(result, "destinations"))
        table.add({text(row, "name"), text(row, "health"), text(row, "url"), text(row, "window"),
                   count(row, "inFlight"), count(row, "secrets"), count(row, "waiting"),
                   count(row, "dead")});
    table.print(out);
}

void printLanes(const Json& result, std::ostream& out) {
    Table table({"DESTINATION", "USER", "STATE", "WAITING", "HEAD", "ATTEMPTS", "NEXT IN",
                 "DEAD IN", "LAST", "STATUS"});
    for (const auto& row : list(result, "lanes"))
        table.add({text(row, "destination"), userText(row), text(row, "state"),
                   count(row, "waiting"), count(row, "head"), count(row, "attempts"),
                   span(row, "next_attempt_in_s"), span(row, "dead_letters_in_s"),
                   text(row, "last_outcome"), count(row, "last_status")});
    table.print(out);
    out << list(result, "lanes").size() << " of " << count(result, "total") << " lanes\n";
}

void printDeadLetters(const Json& result, std::ostream& out) {
    Table table({"DESTINATION", "SEQ", "USER", "EVENT", "TYPE", "DIED", "ATTEMPTS", "REASON"});
    for (const auto& row : list(result, "dead_letters"))
        table.add({text(row, "destination"), count(row, "sequence"), userText(row),
                   text(row, "event"), text(row, "type"), text(row, "died_at"),
                   count(row, "attempts"), text(row, "reason")});
    table.print(out);
}

void printEvent(const Json& result, std::ostream& out) {
    out << "event      " << count(result, "sequence") << "  " << text(result, "event") << "\n"
        << "user       " << userText(result) << "\n"
        << "type       " << text(result, "type") << "\n"
        << "accepted   " << text(result, "accepted_at") << "\n";
    for (const auto& name : list(result, "destinations"))
        if (name.is_string()) out << "goes to    " << oneLine(name.get<std::string>()) << "\n";
    out << "payload    " << text(result, "payload") << "\n";
    if (list(result, "attempts").empty()) return void(out << "It was not tried yet.\n");
    Table table({"DESTINATION", "LIFE", "NO", "STARTED", "TOOK", "OUTCOME", "STATUS", "ERROR"});
    for (const auto& row : list(result, "attempts"))
        table.add({text(row, "destination"), count(row, "life"), count(row, "number"),
                   text(row, "started_at"), span(row, "seconds"), text(row, "outcome"),
                   count(row, "status"), text(row, "error")});
    table.print(out);
}

/// One operation: what is asked, and how its result reads.
class Run {
public:
    Run(ControlClient& client, bool json, std::ostream& out, std::ostream& err)
        : m_client(client), m_json(json), m_out(out), m_err(err) {}

    Exit operator()(const PutDestination& put) {
        Json arguments;
        arguments["change"] = toJson(put.change);
        arguments["new"] = put.isNew;
        auto answer = m_client.call({"destinations put", arguments});
        // The one time it is shown: the engine never gives a secret away.
        if (put.secretWasGenerated && answer.ok())
            answer.result["secret"] = put.change.secrets->front();
        return show(answer, [&](const Json& result, std::ostream& out) {
            out << (put.isNew ? "added " : "changed ") << text(result, "name") << " -> "
                << text(result, "url") << "\n";
            if (put.secretWasGenerated)
                out << "secret " << text(result, "secret")
                    << "\nKeep it for the receiver; it is not shown again.\n";
        });
    }
    Exit operator()(const ListDestinations&) {
        return ask("destinations list", {}, printDestinations);
    }
    Exit operator()(const DropDestination& drop) {
        return ask("destinations remove", {{"name", drop.name}}, done("removed"));
    }
    Exit operator()(const Pause& pause) {
        return ask("pause", {{"name", pause.name}, {"reason", pause.reason}}, done("paused"));
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
        auto arguments = toJson(letters.choice);
        arguments["limit"] = letters.limit;
        return ask("dead-letters list", std::move(arguments), printDeadLetters);
    }
    Exit operator()(const ShowEvent& event) {
        return ask("events show", {{"sequence", event.sequence}}, printEvent);
    }
    Exit operator()(const ShowStatus&) { return ask("status", {}, printStatus); }
    Exit operator()(const ShowWriteKey&) {
        return ask("write-key", {}, [](const Json& result, std::ostream& out) {
            out << text(result, "write_key") << "\n";
        });
    }
    Exit operator()(const MoveDeadLetters& move);

private:
    using Print = std::function<void(const Json&, std::ostream&)>;

    static Print done(const char* key) {
        return [key](const Json& result, std::ostream& out) {
            out << key << " " << text(result, key) << "\n";
        };
    }
    Exit ask(const char* command, Json arguments, const Print& print) {
        if (arguments.is_null()) arguments = Json::object();
        return show(m_client.call({command, std::move(arguments)}), print);
    }
    Exit show(const ControlAnswer& answer, const Print& print) {
        if (!answer.ok()) return fail(answer.error, answer.exit);
        if (m_json)
            m_out << oneLineJson(answer.result) << "\n";
        else
            print(answer.result, m_out);
        m_out.flush();
        return Exit::good;
    }
    Exit fail(const std::string& error, Exit exit) {
        m_err << "rivora-lanes: " << oneLine(error) << "\n";
        return exit;
    }

    ControlClient& m_client;
    bool m_json;
    std::ostream& m_out;
    std::ostream& m_err;
};

Exit Run::operator()(const MoveDeadLetters& move) {
    Json arguments;
    arguments["choice"] = toJson(move.choice);
    arguments["rewind"] = move.rewind;
    const auto plan = m_client.call({"dead-letters plan", arguments});
    if (!plan.ok()) return fail(plan.error, plan.exit);
    const auto number = numberOf(plan.result, "count", 0);
    const std::string verb = move.rewind ? "rewind" : "discard";
    const auto what =
        count(plan.result, "count") + " dead letters in " + count(plan.result, "lanes") + " lanes";
    if (number == 0) {
        if (m_json)
            m_out << R"({"asked":0,"done":0,"skipped":0})"
                  << "\n";
        else
            m_out << "There are no such dead letters.\n";
        return Exit::good;
    }
    if (number > kFew && !move.confirmed)
        return fail("this would " + verb + " " + what + "; add --yes to do it.", Exit::usage);
    const auto answer = m_client.call({"dead-letters move", {{"reason", move.reason}}});
    return show(answer, [&](const Json& result, std::ostream& out) {
        out << (move.rewind ? "rewound " : "discarded ") << count(result, "done") << " of "
            << count(result, "asked");
        if (numberOf(result, "skipped", 0) > 0)
            out << "; " << count(result, "skipped") << " were no dead letters any more";
        out << " (operation " << count(result, "operation") << ")\n";
        if (plan.result.value("complete", Json()) == false)
            out << "There are more; give the command again for the rest.\n";
    });
}

}  // namespace

Exit runOperation(const Operation& operation, const std::string& directory, bool json,
                  std::ostream& out, std::ostream& err) {
    const auto found = findDataDirectory(directory);
    ControlClient client;
    if (!std::holds_alternative<DataDirectory>(found) ||
        !client.connectTo(std::get<DataDirectory>(found), kConnectTime)) {
        err << "rivora-lanes: no instance is running on " << directory
            << "; start it with: rivora-lanes headless --data-dir " << directory << "\n";
        return Exit::fault;
    }
    return std::visit(Run(client, json, out, err), operation);
}

}  // namespace lanes::app
