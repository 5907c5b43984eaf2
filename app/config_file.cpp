// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/config_file.h"

#include "engine/config.h"

#include <QFile>

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
        const auto where = name + ": destinations[" + std::to_string(at) + "]: ";
        auto read = changeFromJson(list[at]);
        if (const auto* error = std::get_if<std::string>(&read)) return where + *error;
        auto& change = std::get<DestinationChange>(read);
        // Without a URL the change can only be meant for a destination that exists; what is given
        // is checked all the same, with an address that is good.
        auto trial = changed({}, change);
        if (!change.url) trial.url = "http://localhost/";
        if (const auto error = validate(trial); !error.empty()) return where + error;
        if (!names.insert(change.name).second)
            return where + "the name \"" + change.name + "\" was used above.";
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
