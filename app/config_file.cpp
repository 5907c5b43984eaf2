// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config_file.h"

#include "engine/config.h"

#include <QFile>

#include <algorithm>
#include <set>
#include <utility>

namespace lanes::app {

namespace {

using Json = nlohmann::ordered_json;

/// Notes the first key that an object has twice; of two "url" one would win unseen.
class DuplicateKeys {
public:
    bool operator()(int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) m_open.emplace_back();
        if (event == Json::parse_event_t::object_end) m_open.pop_back();
        if (event == Json::parse_event_t::key) {
            const auto key = parsed.get<std::string>();
            if (!m_open.back().insert(key).second && m_first.empty()) m_first = key;
        }
        return true;
    }
    [[nodiscard]] const std::string& first() const { return m_first; }

private:
    std::vector<std::set<std::string>> m_open;
    std::string m_first;
};

/// The byte at which an element of the list of destinations begins, or a field of it if it has one
/// of that name. The text is an object with that list in it, and well-formed.
std::size_t whereIs(std::string_view text, std::size_t element, std::string_view field) {
    std::size_t depth = 0;   // of braces and brackets; the elements are in the second
    std::size_t number = 0;  // of the element
    std::size_t start = 0;   // of the one that is wanted
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool white = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        const bool inElement = depth >= 2 && number == element;
        if (inElement && start == 0 && !white) start = at;
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && --depth < 2 && start != 0) break;
        if (c == ',' && depth == 2) ++number;
        if (number > element) break;
        if (c != '"') continue;
        const auto begin = at + 1;
        for (++at; text[at] != '"'; ++at)
            if (text[at] == '\\') ++at;
        const auto colon = text.find_first_not_of(" \t\r\n", at + 1);
        const bool isKey = colon != std::string_view::npos && text[colon] == ':';
        if (inElement && depth == 3 && isKey && text.substr(begin, at - begin) == field)
            return begin - 1;
    }
    return start;
}

/// The name that a complaint begins with, in quotes or before a colon.
std::string_view fieldOf(std::string_view complaint) {
    if (!complaint.starts_with('"')) return complaint.substr(0, complaint.find(':'));
    return complaint.substr(1, complaint.find('"', 1) - 1);
}

/// The line of a byte of the text, from 1.
std::size_t lineOf(std::string_view text, std::size_t byte) {
    return 1 + static_cast<std::size_t>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
}

/// "line 4, column 7" of a byte of the text.
std::string place(std::string_view text, std::size_t byte) {
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t at = 0; at + 1 < byte && at < text.size(); ++at) {
        ++column;
        if (text[at] == '\n') {
            ++line;
            column = 1;
        }
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The part of the parser's message that says what was expected.
std::string complaint(const std::string& what) {
    const auto dash = what.rfind(" - ");
    return dash == std::string::npos ? std::string("this is not JSON") : what.substr(dash + 3);
}

std::variant<Json, std::string> parse(std::string_view text, const std::string& name) {
    DuplicateKeys keys;
    try {
        // A reference, because the parser copies what it is given.
        auto json = Json::parse(text, [&keys](int depth, Json::parse_event_t event, Json& parsed) {
            return keys(depth, event, parsed);
        });
        if (!keys.first().empty())
            return name + ": \"" + keys.first().substr(0, 64) + "\" is given twice in one object.";
        return json;
    } catch (const Json::parse_error& error) {
        return name + ": " + place(text, error.byte) + ": " + complaint(error.what()) + ".";
    }
}

}  // namespace

std::variant<Changes, std::string> readConfigText(std::string_view text, const std::string& name) {
    auto parsed = parse(text, name);
    if (auto* error = std::get_if<std::string>(&parsed)) return std::move(*error);
    const auto& json = std::get<Json>(parsed);
    if (!json.is_object() || !json.contains("destinations"))
        return name + ": an object with the list \"destinations\" is needed.";
    for (const auto& [key, value] : json.items())
        if (key != "destinations")
            return name + ": \"" + key.substr(0, 64) + "\" is no field of it.";
    const auto& list = json["destinations"];
    if (!list.is_array()) return name + ": \"destinations\" must be a list.";
    if (list.size() > limits::kDestinations)
        return name + ": at most " + std::to_string(limits::kDestinations) + " destinations.";

    Changes changes;
    std::set<std::string> names;
    for (std::size_t at = 0; at < list.size(); ++at) {
        const auto complain = [&](const std::string& error) {
            const auto line = lineOf(text, whereIs(text, at, fieldOf(error)));
            return name + ": line " + std::to_string(line) + ": destinations[" +
                   std::to_string(at) + "]: " + error;
        };
        auto read = changeFromJson(list[at]);
        if (const auto* error = std::get_if<std::string>(&read)) return complain(*error);
        auto& change = std::get<DestinationChange>(read);
        // Without a URL the change can only be meant for a destination that exists; what is given
        // is checked all the same, with an address that is good.
        auto trial = changed({}, change);
        if (!change.url) trial.url = "https://localhost/";
        if (const auto error = validate(trial); !error.empty()) return complain(error);
        if (!names.insert(change.name).second)
            return complain("the name \"" + change.name + "\" was used above.");
        changes.push_back(std::move(change));
    }
    return changes;
}

std::variant<Changes, std::string> readConfigFile(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return path + ": it cannot be read: " + file.errorString().toStdString() + ".";
    const auto bytes = file.read(static_cast<qint64>(kConfigBytes) + 1);
    if (file.error() != QFileDevice::NoError)
        return path + ": it cannot be read: " + file.errorString().toStdString() + ".";
    if (static_cast<std::size_t>(bytes.size()) > kConfigBytes)
        return path + ": it is larger than 4 MiB.";
    return readConfigText({bytes.constData(), static_cast<std::size_t>(bytes.size())}, path);
}

}  // namespace lanes::app
