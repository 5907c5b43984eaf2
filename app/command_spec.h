// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The table of commands that the command line is read by and that the help is written from, so that
// the two cannot differ.
namespace lanes::app {

/// One option of a command.
struct OptionSpec {
    std::string_view name;   ///< with its dashes
    std::string_view value;  ///< what its value is called; empty: it has none
    std::string_view help;
    bool repeatable = false;
};

/// What was typed, sorted by the table but not yet understood. Readers note the first error.
class TypedArguments {
public:
    std::map<std::string, std::vector<std::string>, std::less<>> options;
    std::vector<std::string> positional;

    [[nodiscard]] bool has(std::string_view option) const;
    [[nodiscard]] std::string text(std::string_view option) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view option) const;
    /// A whole number of the range; `fallback` if the option is absent.
    std::uint64_t number(std::string_view option, std::uint64_t low, std::uint64_t high,
                         std::uint64_t fallback);
    /// A number of the range, which may have a fraction.
    double decimal(std::string_view option, double low, double high, double fallback);
    /// A duration of the range; nothing if the option is absent.
    std::optional<Micros> duration(std::string_view option, Micros low, Micros high);
    void fail(std::string text);
    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    std::string m_error;
};

struct CommandSpec {
    std::string_view words;      ///< "destinations add"; empty: the console
    std::string_view arguments;  ///< "NAME URL"
    std::string_view summary;
    std::size_t minimum = 0;  ///< of positional arguments
    std::size_t maximum = 0;
    std::vector<OptionSpec> options;  ///< besides the general ones
    Action (*read)(TypedArguments&) = nullptr;
};

[[nodiscard]] const std::vector<CommandSpec>& commandSpecs();
[[nodiscard]] const std::vector<OptionSpec>& generalOptions();

/// Digits and nothing else, within 64 bits.
[[nodiscard]] std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// Help for one command, or for the whole program if it is the console's.
[[nodiscard]] std::string helpText(const CommandSpec& command);

}  // namespace lanes::app
