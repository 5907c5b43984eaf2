// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/command_spec.h"

#include <algorithm>
#include <utility>

namespace lanes::app {

namespace {

bool isOption(const std::string& argument) {
    return argument.size() > 1 && argument[0] == '-';
}

const OptionSpec* findIn(const std::vector<OptionSpec>& specs, std::string_view name) {
    const auto found = std::find_if(specs.begin(), specs.end(),
                                    [&](const OptionSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

const CommandSpec* findCommand(std::string_view words) {
    const auto& all = commandSpecs();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const CommandSpec& spec) { return spec.words == words; });
    return found == all.end() ? nullptr : &*found;
}

bool isGroup(const std::string& word) {
    return std::any_of(commandSpecs().begin(), commandSpecs().end(),
                       [&](const CommandSpec& spec) { return spec.words.starts_with(word + " "); });
}

std::string membersOf(const std::string& group) {
    std::string names;
    for (const auto& spec : commandSpecs())
        if (spec.words.starts_with(group + " "))
            names += (names.empty() ? "" : ", ") + std::string(spec.words.substr(group.size() + 1));
    return names;
}

/// Options may stand before the command; this finds the command's words behind them.
class CommandFinder {
public:
    explicit CommandFinder(std::vector<std::string> arguments) : rest(std::move(arguments)) {}

    /// Takes the words out of `rest`; null with `error` if there is no such command.
    const CommandSpec* find() {
        const auto first = nextWord(0);
        if (first == rest.size()) return findCommand("");
        std::string words = take(first);
        if (isGroup(words)) {
            const auto second = nextWord(first);
            if (second == rest.size()) {
                wantsHelp = hasHelp();
                error = "say what to do with " + words + ": " + membersOf(words);
                return nullptr;
            }
            words += " " + take(second);
        }
        const auto* command = findCommand(words);
        if (!command) error = "there is no command \"" + words.substr(0, 64) + "\"";
        return command;
    }

    std::vector<std::string> rest;
    std::string error;
    bool wantsHelp = false;

private:
    std::size_t nextWord(std::size_t from) const {
        auto at = from;
        while (at < rest.size() && isOption(rest[at])) {
            if (rest[at] == "--") return rest.size();
            const auto* spec = anySpec(rest[at]);
            at += spec && !spec->value.empty() ? 2 : 1;
        }
        return std::min(at, rest.size());
    }

    /// Before the command is known an option counts as having a value if it has one anywhere.
    static const OptionSpec* anySpec(const std::string& name) {
        if (const auto* spec = findIn(generalOptions(), name)) return spec;
        for (const auto& command : commandSpecs())
            if (const auto* spec = findIn(command.options, name)) return spec;
        return nullptr;
    }

    std::string take(std::size_t at) {
        auto word = std::move(rest[at]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        return word;
    }

    bool hasHelp() const {
        return std::any_of(rest.begin(), rest.end(), [](const std::string& argument) {
            return argument == "--help" || argument == "-h";
        });
    }
};

/// Sorts the rest by the command's table. A sentence if something does not belong.
std::string sortArguments(const CommandSpec& command, const std::vector<std::string>& arguments,
                          TypedArguments& typed) {
    bool optionsEnded = false;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const auto& argument = arguments[at];
        if (optionsEnded || !isOption(argument)) {
            typed.positional.push_back(argument);
            continue;
        }
        if (argument == "--") {
            optionsEnded = true;
            continue;
        }
        const auto equals = argument.find('=');
        const auto name = argument == "-h" ? "--help" : argument.substr(0, equals);
        const auto* spec = findIn(generalOptions(), name);
        if (!spec) spec = findIn(command.options, name);
        if (!spec) return "there is no option " + name.substr(0, 64) + " here";
        auto& values = typed.options[name];
        if (!values.empty() && !spec->repeatable) return name + " was given twice";
        if (spec->value.empty()) {
            if (equals != std::string::npos) return name + " takes no value";
            values.emplace_back();
        } else if (equals != std::string::npos) {
            values.push_back(argument.substr(equals + 1));
        } else if (at + 1 < arguments.size()) {
            values.push_back(arguments[++at]);
        } else {
            return name + " needs a value: " + std::string(spec->value);
        }
    }
    return {};
}

UsageError usageError(const std::string& text, std::string_view words) {
    auto command = "rivora-lanes" + std::string(words.empty() ? "" : " ") + std::string(words);
    return {text + "; see: " + command + " --help"};
}

}  // namespace

std::variant<Options, UsageError> readCommandLine(const std::vector<std::string>& arguments) {
    CommandFinder finder(arguments);
    const auto* command = finder.find();
    if (!command && finder.wantsHelp)
        return Options{{}, {}, false, ShowHelp{helpText(*findCommand(""))}};
    if (!command) return usageError(finder.error, "");

    TypedArguments typed;
    const auto error = sortArguments(*command, finder.rest, typed);
    Options options;
    if (typed.has("--help")) {
        options.action = ShowHelp{helpText(*command)};
        return options;
    }
    if (!error.empty()) return usageError(error, command->words);
    if (typed.positional.size() < command->minimum)
        return usageError(std::string(command->words) + " needs " + std::string(command->arguments),
                          command->words);
    if (typed.positional.size() > command->maximum)
        return usageError(
            "\"" + typed.positional[command->maximum].substr(0, 64) + "\" is one argument too many",
            command->words);

    options.dataDirectory = typed.text("--data-dir");
    options.logRules = typed.text("--log-rules");
    options.json = typed.has("--json");
    options.action = command->read(typed);
    if (typed.has("--data-dir") && options.dataDirectory.empty())
        typed.fail("--data-dir must not be empty");
    if (!typed.error().empty()) return usageError(typed.error(), command->words);
    return options;
}

}  // namespace lanes::app
