// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_commands.h"

#include "app/control_json.h"
#include "app/destination_change.h"
#include "app/words.h"

#include <algorithm>
#include <utility>

// Destinations over the control socket, one at a time or as a configuration file.
namespace lanes::app {

namespace {

/// The fields in which two destinations differ, by the names that they have in a file.
Json differences(const DestinationConfig& before, const DestinationConfig& after) {
    const auto old = toJson(changeOf(before, true, nullptr));
    const auto fresh = toJson(changeOf(after, true, nullptr));
    Json fields = Json::array();
    for (const auto& [key, value] : fresh.items())
        if (!old.contains(key) || old[key] != value) fields.push_back(key);
    return fields;
}

}  // namespace

void ControlCommands::putDestination(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                     const Answer& answer) {
    auto read = changeFromJson(arguments.value("change", Json()));
    if (const auto* error = std::get_if<std::string>(&read))
        return answer(ControlAnswer::failure("the destination: " + *error, Exit::usage));
    const auto& change = std::get<DestinationChange>(read);
    const auto all = m_engine.destinations();
    const auto old = std::find_if(all.begin(), all.end(), [&](const DestinationConfig& config) {
        return config.name == change.name;
    });
    const bool isNew = arguments.value("new", Json()) == true;
    if (isNew && old != all.end())
        return answer(ControlAnswer::failure("there is a destination \"" + change.name +
                                                 "\" already; change it with: destinations set " +
                                                 change.name,
                                             Exit::usage));
    if (!isNew && old == all.end()) {
        named(change.name, answer);
        return;
    }
    auto config = changed(isNew ? DestinationConfig{} : *old, change);
    if (const auto error = validate(config); !error.empty())
        return answer(ControlAnswer::failure(error, Exit::usage));
    submit(SetDestination{config}, answer, [config](const CommandResult& result) {
        ControlAnswer done;
        done.result = destinationJson(config, nullptr);
        done.result["id"] = result.destination.value;
        return done;
    });
}

void ControlCommands::listDestinations(const Json&, const std::shared_ptr<ControlSession>&,
                                       const Answer& answer) {
    ControlAnswer list;
    list.result["destinations"] = Json::array();
    const auto snapshot = m_engine.snapshot();
    for (const auto& config : m_engine.destinations())
        list.result["destinations"].push_back(destinationJson(config, snapshot->find(config.id)));
    answer(std::move(list));
}

void ControlCommands::removeDestination(const Json& arguments,
                                        const std::shared_ptr<ControlSession>&,
                                        const Answer& answer) {
    const auto name = textOf(arguments, "name");
    const auto id = named(name, answer);
    if (!id) return;
    submit(RemoveDestination{id}, answer, [name](const CommandResult&) {
        ControlAnswer done;
        done.result["removed"] = name;
        return done;
    });
}

void ControlCommands::exportDestinations(const Json& arguments,
                                         const std::shared_ptr<ControlSession>&,
                                         const Answer& answer) {
    const bool withSecrets = isTrue(arguments, "with_secrets");
    ControlAnswer all;
    all.result["config"]["destinations"] = Json::array();
    all.result["left_out"] = Json::object();
    for (const auto& config : m_engine.destinations()) {
        std::vector<std::string> leftOut;
        all.result["config"]["destinations"].push_back(
            toJson(changeOf(config, withSecrets, &leftOut)));
        if (!leftOut.empty()) all.result["left_out"][config.name] = leftOut;
    }
    answer(std::move(all));
}

/// Looks at all of it first, so that a file with a mistake changes nothing.
void ControlCommands::importDestinations(const Json& arguments,
                                         const std::shared_ptr<ControlSession>&,
                                         const Answer& answer) {
    auto plan = std::make_shared<DestinationImport>();
    plan->answer.result["destinations"] = Json::array();
    const auto known = m_engine.destinations();
    for (const auto& json : arguments.value("changes", Json::array())) {
        auto read = changeFromJson(json);
        if (const auto* error = std::get_if<std::string>(&read))
            return answer(ControlAnswer::failure("the destination: " + *error, Exit::usage));
        const auto& change = std::get<DestinationChange>(read);
        const auto old = std::find_if(known.begin(), known.end(), [&](const auto& config) {
            return config.name == change.name;
        });
        const bool isNew = old == known.end();
        auto config = changed(isNew ? DestinationConfig{} : *old, change);
        if (const auto error = validate(config); !error.empty())
            return answer(ControlAnswer::failure(
                "destination \"" + change.name + "\": " + error + " Nothing was changed.",
                Exit::usage));
        Json row = {{"name", config.name}, {"url", config.url}};
        row["is"] = isNew ? "new" : config == *old ? "same" : "changed";
        row["fields"] = isNew ? Json::array() : differences(*old, config);
        plan->answer.result["destinations"].push_back(std::move(row));
        if (isNew || config != *old) plan->configs.push_back(std::move(config));
    }
    if (!isTrue(arguments, "apply")) return answer(std::move(plan->answer));
    importNext(plan, answer);
}

/// One after the other, so that what was done before a fault can be said.
void ControlCommands::importNext(const std::shared_ptr<DestinationImport>& plan,
                                 const Answer& answer) {
    if (plan->done == plan->configs.size()) return answer(std::move(plan->answer));
    const auto& config = plan->configs[plan->done];
    submit(
        SetDestination{config},
        [this, plan, answer, name = config.name](ControlAnswer result) {
            if (!result.ok())
                return answer(ControlAnswer::failure(
                    "destination \"" + name + "\": " + result.error + " " +
                        std::to_string(plan->done) + " of " + std::to_string(plan->configs.size()) +
                        " were changed before it; mend the file and import it again.",
                    result.exit));
            ++plan->done;
            importNext(plan, answer);
        },
        [](const CommandResult&) { return ControlAnswer(); });
}

}  // namespace lanes::app
