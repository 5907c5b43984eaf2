// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/rewind_spec.h"

#include "app/words.h"

#include <utility>

namespace lanes::app {

namespace {

constexpr std::uint64_t kLastStatus = 599;
constexpr double kFastest = 100'000;  // events a second: more than any store moves
constexpr std::uint64_t kLargestTracer = 1'000'000;

std::vector<OptionSpec> filterOptions() {
    return {
        {"--destination", "NAME", "only of this destination"},
        {"--user", "USER", "only of this user"},
        {"--type", "TYPE", "only events of this type"},
        {"--id", "ID", "only the event with this id"},
        {"--status", "N", "last status: 503, 500-504 or 5xx"},
        {"--outcome", "NAME", "last outcome: refused, failed, unknown, ..."},
        {"--error", "TEXT", "the last error or the reason contains this"},
        {"--since", "TIME", "died then or later: 2026-11-29T14:00:00Z, or 2h for 2 hours ago"},
        {"--before", "TIME", "died earlier than this"},
        {"--never-tried", "", "only those that were never tried"},
        {"--filter", "TEXT", "as in the console: 'status:5xx age>2h NOT type:ping'"},
    };
}

std::vector<OptionSpec> moveOptions() {
    auto options = filterOptions();
    options.insert(options.begin(),
                   {"--all-of", "DESTINATION", "all dead letters of this destination"});
    options.push_back({"--event", "SEQ",
                       "the event at this position in the log; further positions may follow",
                       true});
    options.push_back({"--reason", "TEXT", "kept with the record of the operation"});
    return options;
}

const OptionSpec kPlan = {"--plan", "", "says what it would do, and does nothing"};
const OptionSpec kYes = {"--yes", "", "does it without asking, however many there are"};

/// "503", "500-504" or "5xx".
bool readStatus(const std::string& text, DeadLetterFilter& filter) {
    std::optional<std::uint64_t> from;
    std::optional<std::uint64_t> to;
    if (text.size() == 3 && text.ends_with("xx")) {
        from = wholeNumber(text.substr(0, 1) + "00");
        to = wholeNumber(text.substr(0, 1) + "99");
    } else {
        const auto dash = text.find('-');
        from = wholeNumber(text.substr(0, dash));
        to = dash == std::string::npos ? from : wholeNumber(text.substr(dash + 1));
    }
    if (!from || !to || *from < 100 || *to > kLastStatus || *from > *to) return false;
    filter.statusFrom = static_cast<std::uint16_t>(*from);
    filter.statusTo = static_cast<std::uint16_t>(*to);
    return true;
}

void readOutcome(TypedArguments& typed, DeadLetterFilter& filter) {
    std::string known;
    for (std::uint8_t at = 1; at <= static_cast<std::uint8_t>(Outcome::unknown); ++at) {
        const auto outcome = static_cast<Outcome>(at);
        if (typed.text("--outcome") == word(outcome)) filter.lastOutcome = outcome;
        known += (known.empty() ? "" : ", ") + std::string(word(outcome));
    }
    if (!filter.lastOutcome) typed.fail("--outcome takes one of " + known);
}

void readTime(TypedArguments& typed, std::string_view option, PointInTime& into) {
    if (!typed.has(option)) return;
    if (const auto time = parsePointInTime(typed.text(option)))
        into = *time;
    else
        typed.fail(std::string(option) +
                   " takes a time with its zone, such as 2026-11-29T14:00:00Z, or how long ago, "
                   "such as 2h");
}

void readText(TypedArguments& typed, std::string_view option, std::string& into) {
    if (!typed.has(option)) return;
    into = typed.text(option);
    if (into.empty()) typed.fail(std::string(option) + " must not be empty");
}

DeadLetterChoice readChoice(TypedArguments& typed) {
    DeadLetterChoice choice;
    auto& filter = choice.filter;
    if (typed.has("--all-of") && typed.has("--destination"))
        typed.fail("give either --all-of or --destination");
    readText(typed, typed.has("--all-of") ? "--all-of" : "--destination", choice.destination);
    readText(typed, "--user", filter.user);
    readText(typed, "--type", filter.type);
    readText(typed, "--id", filter.eventId);
    readText(typed, "--error", filter.errorContains);
    readText(typed, "--filter", choice.filterText);
    if (typed.has("--status") && !readStatus(typed.text("--status"), filter))
        typed.fail("--status takes 503, 500-504 or 5xx");
    if (typed.has("--outcome")) readOutcome(typed, filter);
    readTime(typed, "--since", choice.since);
    readTime(typed, "--before", choice.before);
    filter.neverTried = typed.has("--never-tried");
    return choice;
}

void readEvents(TypedArguments& typed, DeadLetterChoice& choice) {
    auto sequences = typed.texts("--event");
    if (sequences.empty() && !typed.positional.empty()) typed.fail("sequences go with --event");
    sequences.insert(sequences.end(), typed.positional.begin(), typed.positional.end());
    if (sequences.empty()) return;
    auto rest = choice;
    rest.destination.clear();
    if (!rest.isOpen() || typed.has("--all-of")) typed.fail("--event goes with --destination only");
    for (const auto& text : sequences) {
        const auto sequence = wholeNumber(text);
        if (!sequence || *sequence == 0)
            return typed.fail("--event takes positions in the log, such as 1204");
        choice.events.push_back(*sequence);
    }
}

std::uint64_t eventNumber(TypedArguments& typed) {
    const auto sequence = wholeNumber(typed.positional[0]);
    if (!sequence || *sequence == 0)
        typed.fail("an event is named by its position in the log, such as 1204");
    return sequence.value_or(0);
}

MoveDeadLetters readMove(TypedArguments& typed) {
    MoveDeadLetters move;
    move.choice = readChoice(typed);
    readEvents(typed, move.choice);
    if (move.choice.isOpen())
        typed.fail(
            "say which dead letters are meant: --all-of DESTINATION, --event SEQ or a filter");
    move.reason = typed.text("--reason");
    move.confirmed = typed.has("--yes");
    move.planOnly = typed.has("--plan");
    return move;
}

std::uint64_t operationId(TypedArguments& typed) {
    const auto id = wholeNumber(typed.positional[0]);
    if (!id || *id == 0)
        typed.fail("an operation is named by its number; see: rivora-lanes operations list");
    return id.value_or(0);
}

HoldUser readUser(TypedArguments& typed) {
    HoldUser hold;
    hold.user = typed.positional[0];
    hold.anonymous = typed.has("--anonymous");
    hold.destination = typed.text("--destination");
    hold.reason = typed.text("--reason");
    if (hold.user.empty() || hold.user.size() > limits::kUserKeyBytes)
        typed.fail("a user has 1 to " + std::to_string(limits::kUserKeyBytes) + " bytes");
    if (hold.destination.empty()) typed.fail("say where: --destination NAME");
    return hold;
}

}  // namespace

std::vector<OptionSpec> listLettersOptions() {
    auto options = filterOptions();
    options.push_back({"--limit", "N", "at most, 1 to 10000 (50)"});
    return options;
}

std::vector<OptionSpec> rewindOptions() {
    auto options = moveOptions();
    options.push_back({"--pace", "N", "so many events a second (as fast as deliveries allow)"});
    options.push_back(
        {"--tracer", "N", "tries so many first; the rest follows if 90 % are delivered"});
    options.push_back(
        {"--lane", "", "the rest of each lane too, in order; delivered events are sent again"});
    options.push_back(kPlan);
    options.push_back(kYes);
    return options;
}

std::vector<OptionSpec> discardOptions() {
    auto options = moveOptions();
    options.push_back(kPlan);
    options.push_back(kYes);
    return options;
}

std::vector<OptionSpec> holdOptions() {
    auto options = releaseOptions();
    options.push_back({"--reason", "TEXT", "shown beside the lane"});
    return options;
}

std::vector<OptionSpec> releaseOptions() {
    return {{"--destination", "NAME", "there"}, {"--anonymous", "", "the name is an anonymous id"}};
}

Action readDeadLetters(TypedArguments& typed) {
    ListDeadLetters list;
    list.choice = readChoice(typed);
    list.limit = static_cast<std::uint32_t>(typed.number("--limit", 1, 10'000, 50));
    return Operation{std::move(list)};
}

Action readRewind(TypedArguments& typed) {
    auto move = readMove(typed);
    move.pace = typed.decimal("--pace", 0.01, kFastest, 0);
    move.tracer = static_cast<std::uint32_t>(typed.number("--tracer", 1, kLargestTracer, 0));
    move.lanes = typed.has("--lane");
    if (move.lanes && (move.pace > 0 || move.tracer > 0))
        typed.fail("--lane moves each lane as a whole, so it goes without --pace and --tracer");
    return Operation{std::move(move)};
}

Action readDiscard(TypedArguments& typed) {
    auto move = readMove(typed);
    move.rewind = false;
    return Operation{std::move(move)};
}

Action readEdit(TypedArguments& typed) {
    EditDeadLetter edit;
    edit.sequence = eventNumber(typed);
    edit.destination = typed.text("--destination");
    edit.payloadFile = typed.text("--payload-file");
    edit.reason = typed.text("--reason");
    if (edit.destination.empty()) typed.fail("say where: --destination NAME");
    if (edit.payloadFile.empty()) typed.fail("give the new payload: --payload-file FILE");
    return Operation{std::move(edit)};
}

Action readNote(TypedArguments& typed) {
    NoteDeadLetter note;
    note.sequence = eventNumber(typed);
    note.destination = typed.text("--destination");
    note.text = typed.text("--text");
    if (note.destination.empty()) typed.fail("say where: --destination NAME");
    if (!typed.has("--text")) typed.fail("say what: --text TEXT, empty to take the note away");
    if (note.text.size() > limits::kNoteBytes)
        typed.fail("a note has at most " + std::to_string(limits::kNoteBytes) + " bytes");
    return Operation{std::move(note)};
}

Action readOperationList(TypedArguments& typed) {
    return Operation{
        ListOperations{static_cast<std::uint32_t>(typed.number("--limit", 1, 10'000, 20))}};
}

Action readOperation(TypedArguments& typed) {
    return Operation{ShowOperation{
        operationId(typed), static_cast<std::uint32_t>(typed.number("--limit", 1, 100'000, 50))}};
}

Action readStop(TypedArguments& typed) {
    return Operation{HaltOperation{operationId(typed)}};
}

Action readUndo(TypedArguments& typed) {
    return Operation{UndoOperation{operationId(typed)}};
}

Action readHold(TypedArguments& typed) {
    return Operation{readUser(typed)};
}

Action readRelease(TypedArguments& typed) {
    auto hold = readUser(typed);
    hold.release = true;
    return Operation{std::move(hold)};
}

}  // namespace lanes::app
