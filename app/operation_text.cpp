// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operation_text.h"

#include "app/duration.h"
#include "app/words.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lanes::app {

namespace {

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
    return (kind == "anonymous" ? "anonymous " : "") + textIn(object, "user");
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

/// The limit of a destination, requests a second.
std::string rateIn(const Json& object) {
    const auto found = object.find("rateLimit");
    if (found == object.end() || !found->is_number() || *found == 0) return "-";
    return shortNumber(found->get<double>());
}

/// Of the last attempt, if it was answered.
std::string statusIn(const Json& row) {
    return numberOf(row, "last_status", 0) == 0 ? "-" : countIn(row, "last_status");
}

std::string laneState(const Json& row) {
    const auto by = textIn(row, "held_by");
    return by.empty() ? textIn(row, "state") : textIn(row, "state") + " by " + by;
}

void printPause(const Json& state, std::ostream& out) {
    if (textIn(state, "paused_at").empty()) return;
    out << textIn(state, "name") << " is paused by " << textIn(state, "paused_by") << " since "
        << textIn(state, "paused_at");
    if (const auto reason = textIn(state, "pause_reason"); !reason.empty()) out << ": " << reason;
    if (const auto at = textIn(state, "resumes_at"); !at.empty())
        out << "; it resumes by itself at " << at;
    out << "\n";
}

/// How far an operation has come, in numbers.
std::string progress(const Json& row) {
    auto text = countIn(row, "done") + " of " + countIn(row, "asked") + " moved";
    if (numberOf(row, "skipped", 0) > 0) text += ", " + countIn(row, "skipped") + " skipped";
    if (row.find("delivered") == row.end()) return text;
    text += "; " + countIn(row, "delivered") + " delivered, " + countIn(row, "dead_again") +
            " dead again, " + countIn(row, "waiting") + " wait";
    if (numberOf(row, "returned", 0) > 0) text += ", " + countIn(row, "returned") + " returned";
    return text;
}

std::string sizeText(std::uint64_t bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    const char* unit = " kB";
    double size = static_cast<double>(bytes) / 1000;
    for (const char* larger : {" MB", " GB"}) {
        if (size < 1000) break;
        size /= 1000;
        unit = larger;
    }
    return shortNumber(std::round(size * 10) / 10) + unit;
}

/// What becomes of the events at one destination.
std::string prospect(const Json& row) {
    const auto health = textIn(row, "health");
    if (health == "paused") {
        const auto at = textIn(row, "resumes_at");
        return "they wait until it is resumed" + (at.empty() ? "" : ", by itself at " + at);
    }
    if (health == "degraded") return "they wait until it recovers";
    if (const auto drain = row.find("drain_s"); drain != row.end() && drain->is_number())
        return "all of it delivered in about " + span(row, "drain_s") + " or more";
    return "no estimate: nothing was answered yet";
}

}  // namespace

std::string textIn(const Json& object, const char* key) {
    return oneLine(textOf(object, key));
}

std::string countIn(const Json& object, const char* key) {
    return std::to_string(numberOf(object, key, 0));
}

std::string counted(std::uint64_t number, const std::string& one) {
    return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

void printStatus(const Json& result, std::ostream& out) {
    const auto& intake = result.value("intake", Json::object());
    const auto& store = result.value("store", Json::object());
    out << "engine     " << textIn(result, "lifecycle") << " (" << textIn(result, "mode")
        << ", pid " << countIn(result, "pid") << ", " << textIn(result, "data_dir") << ")\n";
    if (intake.value("listening", Json()) == true)
        out << "intake     http://127.0.0.1:" << countIn(intake, "port") << "/v1/events\n";
    else
        out << "intake     closed " << textIn(intake, "error") << "\n";
    if (const auto fault = textIn(store, "fault"); !fault.empty())
        out << "store      " << fault << "\n";
    out << "events     accepted " << countIn(result, "accepted") << ", delivered "
        << countIn(result, "delivered") << ", waiting " << countIn(result, "waiting") << " in "
        << countIn(result, "lanes") << " lanes, dead " << countIn(result, "dead") << ", discarded "
        << countIn(result, "discarded") << "\n";
    const auto& states = list(result, "destinations");
    if (states.empty()) {
        out << "There is no destination yet; add one: rivora-lanes destinations add NAME URL\n";
        return;
    }
    Table table({"DESTINATION", "STATE", "DELIVERED", "WAITING", "LANES", "HELD", "DEAD",
                 "IN FLIGHT", "LAST ERROR"});
    for (const auto& state : states)
        table.add({textIn(state, "name"), textIn(state, "health"), countIn(state, "delivered"),
                   countIn(state, "waiting"), countIn(state, "lanes"), countIn(state, "lanes_held"),
                   countIn(state, "dead"), countIn(state, "in_flight"),
                   textIn(state, "last_error")});
    table.print(out);
    for (const auto& state : states) printPause(state, out);
    for (const auto& operation : list(result, "operations"))
        out << "operation " << countIn(operation, "id") << "  " << textIn(operation, "action")
            << ", " << textIn(operation, "state") << ": " << progress(operation) << "\n";
}

void printDestinations(const Json& result, std::ostream& out) {
    Table table({"NAME", "STATE", "URL", "WINDOW", "IN FLIGHT", "A SECOND", "EDITS", "SECRETS",
                 "WAITING", "DEAD"});
    for (const auto& row : list(result, "destinations"))
        table.add({textIn(row, "name"), textIn(row, "health"), textIn(row, "url"),
                   textIn(row, "window"), countIn(row, "inFlight"), rateIn(row),
                   isTrue(row, "allowEdits") ? "yes" : "no", countIn(row, "secrets"),
                   countIn(row, "waiting"), countIn(row, "dead")});
    table.print(out);
}

void printSources(const Json& result, std::ostream& out) {
    if (list(result, "sources").empty())
        return void(out << "There are only senders with the general write key; add one with its "
                           "own: rivora-lanes sources add NAME\n");
    Table table({"NAME", "KEYS", "ADDED", "BY", "ACCEPTED", "DUPLICATES", "REJECTED",
                 "LAST REQUEST"});
    for (const auto& row : list(result, "sources"))
        table.add({textIn(row, "name"), countIn(row, "keys"), textIn(row, "added_at"),
                   textIn(row, "added_by"), countIn(row, "accepted"), countIn(row, "duplicates"),
                   countIn(row, "rejected"), textIn(row, "last_request_at")});
    table.print(out);
}

void printQuarantine(const Json& result, std::ostream& out) {
    if (list(result, "rejected").empty()) return void(out << "Nothing is in quarantine.\n");
    Table table({"ID", "AT", "SOURCE", "FORM", "EVENT", "BYTES", "WHY"});
    for (const auto& row : list(result, "rejected"))
        table.add({countIn(row, "id"), textIn(row, "at"), textIn(row, "source"),
                   textIn(row, "form"), textIn(row, "event_id"), countIn(row, "bytes"),
                   textIn(row, "detail")});
    table.print(out);
}

void printQuarantined(const Json& result, std::ostream& out) {
    out << "rejected   " << countIn(result, "id") << " at " << textIn(result, "at") << "\n"
        << "from       " << textIn(result, "source") << " (" << textIn(result, "form") << ")\n"
        << "event      " << textIn(result, "event_id") << "\n"
        << "why        " << textIn(result, "detail") << "\n"
        << "body       " << countIn(result, "bytes") << " bytes"
        << (isTrue(result, "whole") ? "" : ", of which the first are kept") << "\n"
        << oneLine(textOf(result, "body")) << "\n";
}

void printLanes(const Json& result, std::ostream& out) {
    Table table({"DESTINATION", "USER", "STATE", "WAITING", "HEAD", "ATTEMPTS", "NEXT IN",
                 "DEAD IN", "LAST", "STATUS"});
    for (const auto& row : list(result, "lanes"))
        table.add({textIn(row, "destination"), userText(row), laneState(row),
                   countIn(row, "waiting"), countIn(row, "head"), countIn(row, "attempts"),
                   span(row, "next_attempt_in_s"), span(row, "dead_letters_in_s"),
                   textIn(row, "last_outcome"), countIn(row, "last_status")});
    table.print(out);
    out << list(result, "lanes").size() << " of " << countIn(result, "total") << " lanes\n";
}

void printDeadLetters(const Json& result, std::ostream& out) {
    Table table({"DESTINATION", "SEQ", "USER", "EVENT", "TYPE", "DIED", "ATTEMPTS", "REASON"});
    for (const auto& row : list(result, "dead_letters"))
        table.add({textIn(row, "destination"), countIn(row, "sequence"), userText(row),
                   textIn(row, "event"), textIn(row, "type"), textIn(row, "died_at"),
                   countIn(row, "attempts"), textIn(row, "reason")});
    table.print(out);
}

void printEvent(const Json& result, std::ostream& out) {
    out << "event      " << countIn(result, "sequence") << "  " << textIn(result, "event") << "\n"
        << "user       " << userText(result) << "\n"
        << "type       " << textIn(result, "type") << "\n"
        << "accepted   " << textIn(result, "accepted_at") << "\n";
    for (const auto& name : list(result, "destinations"))
        if (name.is_string()) out << "goes to    " << oneLine(name.get<std::string>()) << "\n";
    out << "payload    " << textIn(result, "payload") << "\n";
    if (list(result, "attempts").empty()) return void(out << "It was not tried yet.\n");
    Table table({"DESTINATION", "LIFE", "NO", "STARTED", "TOOK", "OUTCOME", "STATUS", "ERROR"});
    for (const auto& row : list(result, "attempts"))
        table.add({textIn(row, "destination"), countIn(row, "life"), countIn(row, "number"),
                   textIn(row, "started_at"), span(row, "seconds"), textIn(row, "outcome"),
                   countIn(row, "status"), textIn(row, "error")});
    table.print(out);
}

void printOperations(const Json& result, std::ostream& out) {
    if (list(result, "operations").empty()) return void(out << "Nothing was done yet.\n");
    Table table({"ID", "AT", "BY", "ACTION", "STATE", "MOVED", "SCOPE"});
    for (const auto& row : list(result, "operations")) {
        const bool moves = textIn(row, "kind") != "setting";
        table.add({countIn(row, "id"), textIn(row, "at"), textIn(row, "who"), textIn(row, "action"),
                   textIn(row, "state"),
                   moves ? countIn(row, "done") + "/" + countIn(row, "asked") : "-",
                   textIn(row, "scope")});
    }
    table.print(out);
}

void printOperation(const Json& result, std::ostream& out) {
    out << "operation  " << countIn(result, "id") << "  " << textIn(result, "action") << "\n"
        << "by         " << textIn(result, "who") << " at " << textIn(result, "at") << "\n"
        << "scope      " << textIn(result, "scope") << "\n";
    if (const auto reason = textIn(result, "reason"); !reason.empty())
        out << "reason     " << reason << "\n";
    out << "state      " << textIn(result, "state");
    if (const auto note = textIn(result, "note"); !note.empty()) out << ": " << note;
    out << "\n";
    if (textIn(result, "kind") == "setting") return;
    out << "events     " << progress(result) << "\n";
    if (const auto untried = numberOf(result, "untried", 0); untried > 0)
        out << "undo       rivora-lanes operations undo " << countIn(result, "id") << "  returns "
            << counted(untried, "event") << " that were not tried yet\n";
    const auto& events = list(result, "events");
    if (events.empty()) return;
    Table table({"DESTINATION", "SEQ", "FATE", "ATTEMPTS", "LAST", "STATUS", "REASON"});
    for (const auto& row : events)
        table.add({textIn(row, "destination"), countIn(row, "sequence"), textIn(row, "fate"),
                   countIn(row, "attempts"), textIn(row, "last_outcome"), statusIn(row),
                   textIn(row, "reason")});
    table.print(out);
    if (events.size() < numberOf(result, "asked", 0))
        out << "the first " << events.size() << " of " << countIn(result, "asked")
            << " events; see more with --limit\n";
}

std::uint64_t plannedEvents(const Json& plan) {
    const auto lane = plan.find("lane");
    if (lane == plan.end()) return numberOf(plan, "count", 0);
    return numberOf(*lane, "dead", 0) + numberOf(*lane, "delivered", 0);
}

std::string planned(const Json& plan) {
    const auto lane = plan.find("lane");
    if (lane == plan.end())
        return counted(numberOf(plan, "count", 0), "dead letter") + " in " +
               counted(numberOf(plan, "lanes", 0), "lane");
    return counted(numberOf(*lane, "dead", 0), "dead letter") + " and " +
           counted(numberOf(*lane, "delivered", 0), "delivered event") + " in " +
           counted(numberOf(*lane, "lanes", 0), "lane");
}

void printPlan(const Json& plan, bool rewind, std::ostream& out) {
    out << counted(numberOf(plan, "count", 0), "dead letter") << " in "
        << counted(numberOf(plan, "lanes", 0), "lane") << ", "
        << sizeText(numberOf(plan, "bytes", 0)) << "\n";
    Table table(
        {"DESTINATION", "EVENTS", "LANES", "STATE", "WAITING", "HELD", rewind ? "THEN" : ""});
    for (const auto& row : list(plan, "destinations"))
        table.add({textIn(row, "name"), countIn(row, "events"), countIn(row, "lanes"),
                   textIn(row, "health"), countIn(row, "waiting"), countIn(row, "lanes_held"),
                   rewind ? prospect(row) : ""});
    table.print(out);
    const auto lane = plan.find("lane");
    const auto passed = numberOf(plan, "lanes_passed", 0);
    if (passed > 0) {
        out << passed << " of " << counted(numberOf(plan, "lanes", 0), "lane")
            << " already delivered "
            << counted(numberOf(plan, "later_delivered", 0), "later event");
        if (rewind && lane == plan.end())
            out << ": there the rewound events arrive after events that came later, marked as "
                   "rewound. To restore the order, send the rest of these lanes again: --lane";
        out << "\n";
    }
    if (lane != plan.end()) {
        out << counted(numberOf(*lane, "dead", 0), "dead letter") << ", "
            << counted(numberOf(*lane, "delivered", 0), "delivered event") << " sent again, "
            << countIn(*lane, "waiting") << " waiting stay behind them\n";
        if (const auto trimmed = numberOf(*lane, "trimmed", 0); trimmed > 0)
            out << "of " << counted(trimmed, "lane")
                << " the log does not hold everything any more; what is gone is not sent again\n";
    }
    if (const auto maybe = numberOf(plan, "may_have_been_received", 0); maybe > 0)
        out << maybe << " may have been received already: the last attempt got no answer"
            << (rewind ? "; the receiver knows them by webhook-id" : "") << "\n";
    if (const auto before = numberOf(plan, "rewound_before", 0); before > 0)
        out << before << (before == 1 ? " was" : " were") << " rewound before and died again\n";
    if (const auto gone = numberOf(plan, "not_dead", 0); gone > 0)
        out << gone << " of those named"
            << (gone == 1 ? " is no dead letter" : " are no dead letters") << " and not moved\n";
}

}  // namespace lanes::app
