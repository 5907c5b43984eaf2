// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_commands.h"

#include "app/control_json.h"
#include "app/words.h"

#include <algorithm>
#include <utility>

// Senders over the control socket: those with write keys of their own, and what was rejected.
namespace lanes::app {

namespace {

Json sourceJson(const SourceSnapshot& source) {
    Json json;
    json["name"] = source.config.name;
    json["keys"] = source.config.keys.size();
    json["added_at"] = isoTime(source.config.addedAt);
    json["added_by"] = source.config.addedBy;
    json["accepted"] = source.accepted;
    json["duplicates"] = source.duplicates;
    json["rejected"] = source.rejected;
    json["last_request_at"] = isoTime(source.lastRequestAt);
    return json;
}

Json rejectedJson(const QuarantineRow& row) {
    Json json;
    json["id"] = row.id.value;
    json["at"] = isoTime(row.at);
    json["source"] = row.source;
    json["form"] = word(row.form);
    json["code"] = row.code;
    json["detail"] = row.detail;
    json["event_id"] = row.eventId;
    json["bytes"] = row.bytes;
    return json;
}

}  // namespace

const SourceSnapshot* ControlCommands::source(const std::string& name,
                                              const EngineSnapshot& snapshot,
                                              const Answer& answer) const {
    std::string known;
    for (const auto& source : snapshot.sources) {
        if (source.config.name == name) return &source;
        known += (known.empty() ? "" : ", ") + source.config.name;
    }
    answer(ControlAnswer::failure(
        "there is no source \"" + oneLine(name.substr(0, 64)) +
            (known.empty() ? "\"; add one first." : "\"; there are: " + known + "."),
        Exit::usage));
    return nullptr;
}

void ControlCommands::listSources(const Json&, const std::shared_ptr<ControlSession>&,
                                  const Answer& answer) {
    ControlAnswer all;
    all.result["sources"] = Json::array();
    const auto snapshot = m_engine.snapshot();
    for (const auto& source : snapshot->sources)
        all.result["sources"].push_back(sourceJson(source));
    answer(std::move(all));
}

void ControlCommands::addSource(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                const Answer& answer) {
    SetSource command;
    command.config.name = textOf(arguments, "name");
    command.config.keys = {textOf(arguments, "key_hash")};
    command.config.addedBy = kBy;
    if (const auto error = validate(command.config); !error.empty())
        return answer(ControlAnswer::failure(error, Exit::usage));
    submit(command, answer, [name = command.config.name](const CommandResult&) {
        ControlAnswer done;
        done.result["added"] = name;
        return done;
    });
}

/// Keys are listed from the oldest to the newest.
void ControlCommands::rotateSource(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                   const Answer& answer) {
    const auto snapshot = m_engine.snapshot();
    const auto* known = source(textOf(arguments, "name"), *snapshot, answer);
    if (known == nullptr) return;
    SetSource command{known->config};
    auto& keys = command.config.keys;
    const auto before = keys.size();
    const auto fresh = textOf(arguments, "key_hash");
    if (!fresh.empty()) keys.push_back(fresh);
    if (isTrue(arguments, "newest_only") && keys.size() > 1)
        keys.erase(keys.begin(), keys.end() - 1);
    if (const auto error = validate(command.config); !error.empty())
        return answer(ControlAnswer::failure(error, Exit::usage));
    const auto withdrawn = before + (fresh.empty() ? 0 : 1) - keys.size();
    submit(command, answer,
           [name = command.config.name, keys = keys.size(), withdrawn](const CommandResult&) {
               ControlAnswer done;
               done.result["name"] = name;
               done.result["keys"] = keys;
               done.result["withdrawn"] = withdrawn;
               return done;
           });
}

void ControlCommands::removeSource(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                   const Answer& answer) {
    const auto snapshot = m_engine.snapshot();
    const auto* known = source(textOf(arguments, "name"), *snapshot, answer);
    if (known == nullptr) return;
    submit(RemoveSource{known->config.id}, answer,
           [name = known->config.name](const CommandResult&) {
               ControlAnswer done;
               done.result["removed"] = name;
               return done;
           });
}

void ControlCommands::listQuarantine(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                     const Answer& answer) {
    const auto limit =
        std::clamp<std::uint64_t>(numberOf(arguments, "limit", 50), 1, limits::kQuarantined);
    const bool bodies = isTrue(arguments, "bodies");
    QuarantineQuery query;
    query.before = QuarantineId(numberOf(arguments, "before", 0));
    answerFromStore(
        [query, limit, bodies](PageReader& reader) mutable {
            ControlAnswer found;
            found.result["rejected"] = Json::array();
            auto& rows = found.result["rejected"];
            for (bool more = true; more && rows.size() < limit;) {
                query.limit = static_cast<std::uint32_t>(
                    std::min<std::uint64_t>(limit - rows.size(), limits::kPageRows));
                const auto page = reader.quarantine(query);
                if (!page.error.empty()) return ControlAnswer::failure(page.error);
                for (const auto& row : page.rows) {
                    rows.push_back(rejectedJson(row));
                    if (!bodies) continue;
                    if (const auto whole = reader.quarantined(row.id))
                        rows.back()["body"] = whole->body;
                }
                more = !page.complete && !page.rows.empty();
                if (more) query.before = page.rows.back().id;
            }
            return found;
        },
        answer);
}

void ControlCommands::showQuarantined(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                      const Answer& answer) {
    const QuarantineId id(numberOf(arguments, "id", 0));
    answerFromStore(
        [id](PageReader& reader) {
            const auto row = reader.quarantined(id);
            if (!row)
                return ControlAnswer::failure(
                    "there is no rejected event " + std::to_string(id.value) + " (any more).",
                    Exit::usage);
            ControlAnswer found;
            found.result = rejectedJson(*row);
            found.result["body"] = row->body;
            found.result["whole"] = row->whole();
            return found;
        },
        answer);
}

void ControlCommands::retryQuarantined(const Json& arguments,
                                       const std::shared_ptr<ControlSession>&,
                                       const Answer& answer) {
    RetryQuarantined command{QuarantineId(numberOf(arguments, "id", 0)), textOf(arguments, "body")};
    submit(std::move(command), answer, [](const CommandResult& result) {
        ControlAnswer done;
        done.result["accepted"] = result.done;
        done.result["duplicate"] = result.duplicate;
        return done;
    });
}

void ControlCommands::discardQuarantined(const Json& arguments,
                                         const std::shared_ptr<ControlSession>&,
                                         const Answer& answer) {
    DiscardQuarantined command;
    for (const auto& id : arguments.value("ids", Json::array()))
        if (id.is_number_unsigned()) command.ids.emplace_back(id.get<std::uint64_t>());
    submit(std::move(command), answer, [](const CommandResult& result) {
        ControlAnswer done;
        done.result["discarded"] = result.done;
        done.result["skipped"] = result.skipped;
        return done;
    });
}

}  // namespace lanes::app
