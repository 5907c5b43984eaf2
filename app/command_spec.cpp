// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_spec.h"

#include "app/destination_spec.h"
#include "app/duration.h"
#include "app/rewind_spec.h"
#include "app/sender_spec.h"
#include "app/words.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

namespace lanes::app {

namespace {

std::uint16_t readPort(TypedArguments& typed) {
    return static_cast<std::uint16_t>(typed.number("--listen", 0, 65535, kDefaultPort));
}

Action readConsole(TypedArguments& typed) {
    if (typed.has("--version")) return ShowVersion{};
    if (typed.has("--diagnostics")) return ShowDiagnostics{};
    RunConsole console;
    console.demo = typed.has("--demo");
    console.configFile = typed.text("--config");
    if (typed.has("--listen")) console.listenPort = readPort(typed);
    const auto theme = typed.text("--theme");
    if (theme == "light")
        console.theme = Theme::light;
    else if (theme == "dark")
        console.theme = Theme::dark;
    else if (theme == "system")
        console.theme = Theme::system;
    else if (!theme.empty())
        typed.fail("--theme takes light, dark or system");
    return console;
}

Action readHeadless(TypedArguments& typed) {
    return RunHeadless{typed.text("--config"), readPort(typed), typed.has("--quiet")};
}

Action readDemo(TypedArguments& typed) {
    if (!typed.has("--headless")) {
        if (typed.has("--for") || typed.has("--shots"))
            typed.fail("--for and --shots belong to demo --headless");
        RunConsole console;
        console.demo = true;
        return console;
    }
    // Shorter than 5 s, no outage is long enough to be seen; a day is plenty.
    const auto length = typed.duration("--for", 5 * kSecond, 24 * kHour);
    return RunDemo{length.value_or(20 * kSecond), typed.text("--shots")};
}

/// "A..B"
void readSeeds(TypedArguments& typed, PlaySimulation& play) {
    if (!typed.has("--seeds")) return;
    constexpr std::uint64_t kMost = 1'000'000'000'000'000'000;  // a range that can be counted
    const auto text = typed.text("--seeds");
    const auto dots = text.find("..");
    std::optional<std::uint64_t> first;
    std::optional<std::uint64_t> last;
    if (dots != std::string::npos) {
        first = wholeNumber(std::string_view(text).substr(0, dots));
        last = wholeNumber(std::string_view(text).substr(dots + 2));
    }
    if (!first || !last || *first > *last || *last > kMost)
        return typed.fail("--seeds takes a range such as 1..500, the smaller number first");
    play.first = *first;
    play.last = *last;
}

Action readSimulation(TypedArguments& typed) {
    constexpr std::uint64_t kMostPointers = 10'000'000;  // some hundred bytes each
    PlaySimulation play;
    readSeeds(typed, play);
    auto& options = play.options;
    const auto usual = options;
    const auto small = [&typed](std::string_view option, std::uint64_t high,
                                std::uint32_t otherwise) {
        return static_cast<std::uint32_t>(typed.number(option, 1, high, otherwise));
    };
    options.length = kMinute * small("--minutes", 1440,
                                     static_cast<std::uint32_t>(usual.length / kMinute));
    options.destinations = small("--destinations", 100, usual.destinations);
    options.users = small("--users", 100'000, usual.users);
    options.events = small("--events", 1'000'000, usual.events);
    if (std::uint64_t{options.events} * options.destinations > kMostPointers)
        typed.fail("--events times --destinations may be 10000000 at most, for the memory");
    return play;
}

Action readLab(TypedArguments& typed) {
    PlayLab lab;
    if (typed.has("--scenario")) lab.scenario = typed.text("--scenario");
    lab.seed = typed.number("--seed", 0, std::numeric_limits<std::uint64_t>::max(), 1);
    lab.quick = typed.has("--quick");
    const auto all = LabOptions().senders;
    for (const auto& name : typed.texts("--sender")) {
        const auto found = std::find_if(all.begin(), all.end(), [&](LabSenderKind sender) {
            return name == labSenderName(sender);
        });
        if (found == all.end()) {
            typed.fail("--sender takes queue, strict, lanes-backoff or lanes");
            break;
        }
        lab.senders.push_back(*found);
    }
    return lab;
}

Action readLanes(TypedArguments& typed) {
    ListLanes list;
    list.destination = typed.text("--destination");
    list.limit = static_cast<std::uint32_t>(typed.number("--limit", 1, 1000, 50));
    const auto order = typed.text("--order");
    if (order == "backlog")
        list.order = LaneOrder::backlog;
    else if (order == "attempts")
        list.order = LaneOrder::attempts;
    else if (order == "next-attempt")
        list.order = LaneOrder::nextAttempt;
    else if (order == "dead-letters-in")
        list.order = LaneOrder::deadLettersIn;
    else if (!order.empty() && order != "age")
        typed.fail("--order takes age, backlog, attempts, next-attempt or dead-letters-in");
    return Operation{list};
}

Action readEvent(TypedArguments& typed) {
    const auto sequence = wholeNumber(typed.positional[0]);
    if (!sequence || *sequence == 0)
        typed.fail("an event is named by its position in the log, such as 1204");
    return Operation{ShowEvent{sequence.value_or(0)}};
}

Action readImport(TypedArguments& typed) {
    ImportFile import;
    import.file = typed.positional[0];
    if (import.file == "-")
        typed.fail("an import must be able to go on after an interruption, which standard input "
                   "cannot; save it to a file and import that");
    if (import.file.empty()) typed.fail("the file's name must not be empty");
    const auto format = typed.text("--format");
    if (format == "native")
        import.format = ImportFormat::native;
    else if (format == "segment")
        import.format = ImportFormat::segment;
    else if (typed.has("--format") && format != "auto")
        typed.fail("--format takes auto, native or segment");
    import.source = typed.text("--source");
    import.report = typed.text("--report");
    import.restart = typed.has("--restart");
    return Operation{std::move(import)};
}

Action readPause(TypedArguments& typed) {
    // Longer than a month is not a pause any more but a mistake.
    const auto length = typed.duration("--for", kSecond, 30 * 24 * kHour);
    return Operation{Pause{typed.positional[0], typed.text("--reason"), length.value_or(0)}};
}

Action readResume(TypedArguments& typed) {
    return Operation{Resume{typed.positional[0]}};
}

/// Those about senders stand behind those about destinations.
std::vector<CommandSpec> withSenders(std::vector<CommandSpec> specs) {
    const auto place = std::find_if(specs.begin(), specs.end(), [](const CommandSpec& spec) {
        return spec.words == "pause";
    });
    auto senders = senderSpecs();
    specs.insert(place, std::make_move_iterator(senders.begin()),
                 std::make_move_iterator(senders.end()));
    return specs;
}

constexpr std::size_t kMany = 10'000;  // positional sequences of one command

}  // namespace

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
    std::uint64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end || text.empty()) return {};
    return number;
}

bool TypedArguments::has(std::string_view option) const {
    return options.find(option) != options.end();
}

std::string TypedArguments::text(std::string_view option) const {
    const auto found = options.find(option);
    return found == options.end() ? std::string() : found->second.front();
}

std::vector<std::string> TypedArguments::texts(std::string_view option) const {
    const auto found = options.find(option);
    return found == options.end() ? std::vector<std::string>() : found->second;
}

std::uint64_t TypedArguments::number(std::string_view option, std::uint64_t low, std::uint64_t high,
                                     std::uint64_t fallback) {
    if (!has(option)) return fallback;
    const auto value = wholeNumber(text(option));
    if (value && *value >= low && *value <= high) return *value;
    fail(std::string(option) + " takes a number from " + std::to_string(low) + " to " +
         std::to_string(high));
    return fallback;
}

double TypedArguments::decimal(std::string_view option, double low, double high, double fallback) {
    if (!has(option)) return fallback;
    const auto typed = text(option);
    double value = 0;
    const auto* end = typed.data() + typed.size();
    const auto [rest, error] = std::from_chars(typed.data(), end, value);
    if (error == std::errc() && rest == end && value >= low && value <= high) return value;
    fail(std::string(option) + " takes a number from " + shortNumber(low) + " to " +
         shortNumber(high));
    return fallback;
}

std::optional<Micros> TypedArguments::duration(std::string_view option, Micros low, Micros high) {
    if (!has(option)) return {};
    const auto value = parseDuration(text(option));
    if (value && *value >= low && *value <= high) return value;
    fail(std::string(option) + " takes a time from " + durationText(low) + " to " +
         durationText(high) + ", such as 90s, 20m or 72h");
    return {};
}

void TypedArguments::fail(std::string text) {
    if (m_error.empty()) m_error = std::move(text);
}

const std::vector<OptionSpec>& generalOptions() {
    static const std::vector<OptionSpec> options = {
        {"--data-dir", "DIR", "the data directory to work on"},
        {"--json", "", "output for scripts: one JSON object"},
        {"--log-rules", "RULES", "what is logged to stderr, such as \"lanes.*=true\""},
        {"--help", "", "this text"},
    };
    return options;
}

const std::vector<CommandSpec>& commandSpecs() {
    const OptionSpec config{"--config", "FILE", "adds or updates the destinations of a JSON file"};
    const OptionSpec listen{"--listen", "PORT", "port of the intake, 0 = any free one (7420)"};
    static const std::vector<CommandSpec> specs = withSenders({
        {"",
         "",
         "opens the console",
         0,
         0,
         {{"--demo", "", "with mock destinations and traffic, on data of its own"},
          config,
          listen,
          {"--theme", "NAME", "light, dark or system"},
          {"--version", "", "prints the version"},
          {"--diagnostics", "", "prints versions and paths, for reports of faults"}},
         readConsole},
        {"headless",
         "",
         "runs engine and intake without a window until SIGTERM",
         0,
         0,
         {listen, config, {"--quiet", "", "no status line each second"}},
         readHeadless},
        {"demo",
         "",
         "the demonstration; --headless needs no display and ends with a report",
         0,
         0,
         {{"--headless", "", "without a display"},
          {"--for", "TIME", "length of the story, from 5s (20s)"},
          {"--shots", "DIR", "saves pictures of the console there"}},
         readDemo},
        {"status",
         "",
         "state of the engine and of each destination",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return Operation{ShowStatus{}}; }},
        {"destinations add", "NAME URL", "adds a destination", 2, 2, destinationOptions(),
         readAddDestination},
        {"destinations list",
         "",
         "lists the destinations",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return Operation{ListDestinations{}}; }},
        {"destinations set", "NAME", "changes settings of a destination", 1, 1,
         changeOptions(), readSetDestination},
        {"destinations remove",
         "NAME",
         "removes a destination that has nothing left",
         1,
         1,
         {},
         readRemoveDestination},
        {"destinations export",
         "[FILE]",
         "writes all settings as a configuration file, to the terminal if no file is named",
         0,
         1,
         exportOptions(),
         readExportDestinations},
        {"destinations import",
         "FILE",
         "adds and changes what a configuration file says, after it has shown what that is",
         1,
         1,
         importOptions(),
         readImportDestinations},
        {"destinations schema",
         "",
         "prints the JSON Schema of configuration files",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return ShowSchema{}; }},
        {"pause",
         "NAME",
         "starts no new delivery to a destination; nothing is lost",
         1,
         1,
         {{"--reason", "TEXT", "shown beside the pause"},
          {"--for", "TIME", "resumes by itself after this time, such as 15m"}},
         readPause},
        {"resume", "NAME", "delivers again, gently at first", 1, 1, {}, readResume},
        {"lanes",
         "",
         "lists the users who wait, the longest waiting first",
         0,
         0,
         {{"--destination", "NAME", "only there"},
          {"--order", "NAME", "age, backlog, attempts, next-attempt or dead-letters-in"},
          {"--limit", "N", "at most, 1 to 1000 (50)"}},
         readLanes},
        {"dead-letters list",
         "",
         "lists the dead letters, newest first",
         0,
         0,
         listLettersOptions(),
         readDeadLetters},
        {"dead-letters rewind", "[SEQ ...]", "returns dead letters to their place in their lanes",
         0, kMany, rewindOptions(), readRewind},
        {"dead-letters discard", "[SEQ ...]", "gives dead letters up for good", 0, kMany,
         discardOptions(), readDiscard},
        {"dead-letters edit",
         "SEQ",
         "replaces the payload of a dead letter and rewinds it; the original is kept",
         1,
         1,
         {{"--destination", "NAME", "there; other destinations get what was accepted"},
          {"--payload-file", "FILE", "the new payload, at most 1 MiB"},
          {"--reason", "TEXT", "kept with the record of the operation"}},
         readEdit},
        {"dead-letters note",
         "SEQ",
         "puts a note on a dead letter, in place of the one that is there",
         1,
         1,
         {{"--destination", "NAME", "of its dead letter there"},
          {"--text", "TEXT", "the note, at most 1000 bytes; empty takes it away"}},
         readNote},
        {"operations list",
         "",
         "what was done by whom, newest first",
         0,
         0,
         {{"--limit", "N", "at most, 1 to 10000 (20)"}},
         readOperationList},
        {"operations show",
         "ID",
         "one operation with the fate of each of its events",
         1,
         1,
         {{"--limit", "N", "events at most, 1 to 100000 (50)"}},
         readOperation},
        {"operations stop", "ID", "moves no more events; those that were moved go on", 1, 1, {},
         readStop},
        {"operations undo", "ID", "returns the events of a rewind that were not tried yet", 1, 1,
         {}, readUndo},
        {"hold", "USER", "starts no new delivery for one user; their retry time stands still", 1, 1,
         holdOptions(), readHold},
        {"release", "USER", "delivers to a held user again", 1, 1, releaseOptions(), readRelease},
        {"events show", "SEQ", "an event with all its attempts", 1, 1, {}, readEvent},
        {"import",
         "FILE",
         "reads events from a file, one JSON object a line; goes on where it ended before",
         1,
         1,
         {{"--format", "NAME", "auto, native or segment (auto)"},
          {"--source", "NAME", "under which the ids of the events are kept (as over HTTP)"},
          {"--report", "FILE", "for lines that are not taken (FILE.rejected.ndjson)"},
          {"--restart", "", "from the beginning; what is known already counts as duplicate"}},
         readImport},
        {"write-key",
         "",
         "prints the key that senders need",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return Operation{ShowWriteKey{}}; }},
        {"verify",
         "",
         "checks order and counts of a data directory",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return VerifyStore{}; }},
        {"backup",
         "FILE",
         "copies the data file, while the engine runs or not",
         1,
         1,
         {{"--force", "", "replaces a file that exists"}},
         [](TypedArguments& typed) -> Action {
             return MakeBackup{typed.positional[0], typed.has("--force")};
         }},
        {"restore", "FILE", "puts a backup in the place of the data file, which is moved aside", 1,
         1, {},
         [](TypedArguments& typed) -> Action { return RestoreBackup{typed.positional[0]}; }},
        {"salvage", "", "keeps what is readable of a damaged data file, which is moved aside", 0, 0,
         {}, [](TypedArguments&) -> Action { return SalvageStore{}; }},
        {"lab",
         "",
         "plays an outage on a virtual clock: how lanes and other senders drain",
         0,
         0,
         {{"--scenario", "NAME|FILE", "refuse, meta, hang, ..., a JSON file or all (refuse)"},
          {"--seed", "N", "of everything random (1)"},
          {"--sender", "NAME", "queue, strict, lanes-backoff or lanes (all)", true},
          {"--quick", "", "outages a tenth as long"}},
         readLab},
        {"simulate",
         "",
         "plays outages, crashes and mishaps under many seeds and audits every promise",
         0,
         0,
         {{"--seeds", "A..B", "first and last seed (1..100)"},
          {"--minutes", "M", "of faults in each run, in its own time, 1 to 1440 (10)"},
          {"--destinations", "D", "1 to 100 (5)"},
          {"--users", "U", "each with a lane at each destination, 1 to 100000 (200)"},
          {"--events", "N", "accepted in each run, 1 to 1000000 (20000)"}},
         readSimulation},
    });
    return specs;
}

namespace {

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 2, width), ' ');
    return text;
}

std::string optionLines(const std::vector<OptionSpec>& options) {
    constexpr std::size_t column = 30;
    std::string lines;
    for (const auto& option : options) {
        auto left = "  " + std::string(option.name);
        if (!option.value.empty()) left += " " + std::string(option.value);
        lines += padded(std::move(left), column) + std::string(option.help) + "\n";
    }
    return lines;
}

}  // namespace

std::string helpText(const CommandSpec& command) {
    std::string text = "Usage: rivora-lanes";
    if (!command.words.empty()) text += " " + std::string(command.words);
    if (!command.arguments.empty()) text += " " + std::string(command.arguments);
    text += " [options]\n\n";
    if (command.words.empty()) {
        text += "Delivers events in order per user, and shows what happens.\n\nCommands:\n";
        constexpr std::size_t column = 36;
        for (const auto& spec : commandSpecs()) {
            auto left = "  " + std::string(spec.words.empty() ? "(none)" : spec.words);
            if (!spec.arguments.empty()) left += " " + std::string(spec.arguments);
            text += padded(std::move(left), column) + std::string(spec.summary) + "\n";
        }
        text += "\n";
    } else {
        text += std::string(command.summary) + "\n\n";
    }
    text += "Options:\n" + optionLines(command.options) + optionLines(generalOptions());
    text += "\nExit codes: 0 good, 1 a check failed, 2 usage, 3 engine or store fault.\n";
    return text;
}

}  // namespace lanes::app
