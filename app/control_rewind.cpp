// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Dead letters, operations and held users over the control socket.
#include "app/control_commands.h"
#include "app/control_json.h"
#include "app/words.h"
#include "engine/user_id.h"
#include "ui/common/filter_language.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lanes::app {

namespace {

/// Times without a zone are in UTC, as all that the command line says.
ui::ParsedFilter parsedFilter(const std::string& text,
                              const std::map<std::uint32_t, std::string>& names) {
    ui::FilterContext context;
    context.list = FilterList::deadLetters;
    for (const auto& [id, name] : names)
        context.destinations.emplace_back(DestinationId(id), QString::fromStdString(name));
    context.now = QDateTime::currentMSecsSinceEpoch() * kMillisecond;
    return ui::parseFilter(QString::fromStdString(text), context);
}

/// Dead letters that match, newest first, until `visit` returns false. Says why if it could not
/// read all.
std::string eachDeadLetter(PageReader& reader, const DeadLetterFilter& filter,
                    const std::function<bool(const DeadLetterRow&)>& visit) {
    DeadLetterQuery query;
    query.filter = filter;
    for (bool complete = false; !complete;) {
        auto page = reader.deadLetters(query);
        for (const auto& row : page.rows)
            if (!visit(row)) return {};
        if (!page.error.empty()) return page.error;
        if (page.interrupted) return "the program is about to stop.";
        complete = page.complete;
        query.after = std::move(page.resume);
    }
    return {};
}

/// The first planned dead letter of each lane; `error` says why if they could not all be read.
std::vector<std::pair<LaneKey, Sequence>> firstOfLanes(PageReader& reader,
                                                       const DeadLetterChoice& choice,
                                                       const RewindPlan& plan,
                                                       std::string& error) {
    std::map<LaneKey, Sequence> first;
    const auto note = [&first](LaneKey lane, Sequence sequence) {
        const auto [at, fresh] = first.emplace(lane, sequence);
        if (!fresh) at->second = std::min(at->second, sequence);
    };
    if (choice.events.empty()) {
        const std::set<Pointer> planned(plan.pointers.begin(), plan.pointers.end());
        error = eachDeadLetter(reader, choice.filter, [&](const DeadLetterRow& row) {
            // Those that died since the plan are not in it.
            if (planned.contains(row.pointer))
                note({row.pointer.destination, row.userId}, row.pointer.sequence);
            return true;
        });
    } else {
        for (const auto& pointer : plan.pointers)
            if (const auto event = reader.event(pointer.sequence))
                note({pointer.destination, event->userId}, pointer.sequence);
    }
    return {first.begin(), first.end()};
}

struct PlanFound {
    DeadLetterPlan plan;
    std::string error;
};

PlanFound planOf(PageReader& reader, DeadLetterPlan plan, bool withLanes) {
    RewindScope scope = plan.choice.filter;
    if (!plan.choice.events.empty()) {
        std::vector<Pointer> pointers;
        for (const auto sequence : plan.choice.events) {
            const auto event = reader.event(Sequence(sequence));
            if (!event)
                return {{}, "there is no event " + std::to_string(sequence) + " in the log."};
            for (const auto id : event->destinations)
                if (const auto only = plan.choice.filter.destination; !only || id == only)
                    pointers.push_back({id, event->sequence});
        }
        scope = std::move(pointers);
    }
    plan.plan = reader.planRewind(scope);
    if (!plan.plan.error.empty()) return {{}, plan.plan.error};
    if (withLanes && !plan.plan.pointers.empty()) {
        std::string error;
        const auto first = firstOfLanes(reader, plan.choice, plan.plan, error);
        if (!error.empty()) return {{}, error};
        plan.lanes = reader.planLanes(first);
        if (!plan.lanes->error.empty()) return {{}, plan.lanes->error};
    }
    return {std::move(plan), {}};
}

}  // namespace

std::optional<DeadLetterChoice> ControlCommands::choiceOf(const Json& json,
                                                          const Answer& answer) const {
    auto choice = choiceFromJson(json);
    if (!choice.filterText.empty()) {
        const auto parsed = parsedFilter(choice.filterText, names());
        if (parsed.error) {
            answer(ControlAnswer::failure("--filter: " + parsed.error->text.toStdString(),
                                          Exit::usage));
            return {};
        }
        choice.filter.rest = parsed.filter;
    }
    if (choice.destination.empty()) return choice;
    choice.filter.destination = named(choice.destination, answer);
    if (!choice.filter.destination) return {};
    return choice;
}

OperationRow ControlCommands::live(OperationRow row) const {
    const auto snapshot = m_engine.snapshot();
    for (const auto& running : snapshot->operations)
        if (running.id == row.id) return running;
    return row;
}

void ControlCommands::listDeadLetters(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                      const Answer& answer) {
    const auto choice = choiceOf(arguments, answer);
    if (!choice) return;
    const auto limit = std::clamp<std::uint64_t>(numberOf(arguments, "limit", 50), 1, 10'000);
    answerFromStore(
        [filter = choice->filter, limit, known = names()](PageReader& from) {
            ControlAnswer list;
            list.result["dead_letters"] = Json::array();
            auto& rows = list.result["dead_letters"];
            const auto error = eachDeadLetter(from, filter, [&](const DeadLetterRow& row) {
                rows.push_back(deadLetterJson(row, known));
                return rows.size() < limit;
            });
            return error.empty() ? list : ControlAnswer::failure(error);
        },
        answer);
}

void ControlCommands::planDeadLetters(const Json& arguments,
                                      const std::shared_ptr<ControlSession>& session,
                                      const Answer& answer) {
    session->plan.reset();
    auto choice = choiceOf(arguments.value("choice", Json::object()), answer);
    if (!choice) return;
    auto* pages = reader(answer);
    if (!pages) return;
    DeadLetterPlan wanted;
    wanted.rewind = isTrue(arguments, "rewind");
    wanted.choice = std::move(*choice);
    const bool withLanes = isTrue(arguments, "lanes");
    const bool asked = pages->ask<PlanFound>(
        this, [wanted, withLanes](PageReader& from) { return planOf(from, wanted, withLanes); },
        [this, session, answer](PlanFound found) {
            if (!found.error.empty())
                return answer(ControlAnswer::failure(found.error, Exit::usage));
            ControlAnswer plan;
            plan.result = planJson(found.plan.plan, *m_engine.snapshot(), m_engine.destinations());
            if (found.plan.lanes) plan.result["lane"] = lanePlanJson(*found.plan.lanes);
            if (!found.plan.plan.pointers.empty()) session->plan = std::move(found.plan);
            answer(std::move(plan));
        });
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::moveDeadLetters(const Json& arguments,
                                      const std::shared_ptr<ControlSession>& session,
                                      const Answer& answer) {
    if (!session->plan)
        return answer(ControlAnswer::failure("nothing was chosen to be moved.", Exit::usage));
    auto plan = std::move(*session->plan);
    session->plan.reset();
    // Those that were named are what they are; of a filter, more may have died meanwhile.
    if (!plan.choice.events.empty()) return moveAsPlanned(arguments, std::move(plan), 0, answer);
    auto* pages = reader(answer);
    if (!pages) return;
    const bool asked = pages->ask<std::uint64_t>(
        this,
        [filter = plan.choice.filter, since = plan.plan.plannedAt](PageReader& from) {
            return from.countDeadSince(filter, since);
        },
        [this, arguments, plan, answer](std::uint64_t newcomers) {
            moveAsPlanned(arguments, plan, newcomers, answer);
        });
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::moveAsPlanned(const Json& arguments, DeadLetterPlan plan,
                                    std::uint64_t newcomers, const Answer& answer) {
    const auto reason = textOf(arguments, "reason");
    const auto scope = std::to_string(plan.plan.pointers.size()) + " " + plan.choice.text();
    RewindPace pace;
    pace.tracer = static_cast<std::uint32_t>(numberOf(arguments, "tracer", 0));
    if (const auto given = arguments.find("pace"); given != arguments.end() && given->is_number())
        pace.eventsPerSecond = given->get<double>();
    Command command;
    if (!plan.rewind)
        command = DiscardDeadLetters{std::move(plan.plan.pointers), kBy, reason, scope};
    else if (plan.lanes)
        command = RewindLanes{std::move(plan.lanes->lanes), plan.lanes->plannedAt,
                              plan.lanes->lastOperation, kBy, reason};
    else
        command = RewindDeadLetters{std::move(plan.plan.pointers), kBy, reason, pace, scope};
    submit(std::move(command), answer, [newcomers](const CommandResult& result) {
        ControlAnswer done;
        done.result["asked"] = result.asked;
        done.result["done"] = result.done;
        done.result["skipped"] = result.skipped;
        done.result["under_way"] = result.underWay;
        done.result["newcomers"] = newcomers;
        done.result["operation"] = result.operation.value;
        return done;
    });
}

void ControlCommands::editDeadLetter(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                     const Answer& answer) {
    EditAndRewind command;
    command.pointer.destination = named(textOf(arguments, "destination"), answer);
    if (!command.pointer.destination) return;
    command.pointer.sequence = Sequence(numberOf(arguments, "sequence", 0));
    command.payload =
        QByteArray::fromBase64(QByteArray::fromStdString(textOf(arguments, "payload_base64")))
            .toStdString();
    command.by = kBy;
    command.reason = textOf(arguments, "reason");
    submit(command, answer,
           [sequence = command.pointer.sequence.value](const CommandResult& result) {
               ControlAnswer done;
               done.result["edited"] = sequence;
               done.result["done"] = result.done;
               done.result["operation"] = result.operation.value;
               return done;
           });
}

void ControlCommands::noteDeadLetter(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                     const Answer& answer) {
    const DestinationId destination = named(textOf(arguments, "destination"), answer);
    if (!destination) return;
    const Pointer pointer{destination, Sequence(numberOf(arguments, "sequence", 0))};
    const auto text = textOf(arguments, "text");
    submit(NoteDeadLetters{{pointer}, text, kBy}, answer,
           [pointer, text](const CommandResult&) {
               ControlAnswer done;
               done.result["noted"] = pointer.sequence.value;
               done.result["note"] = text;
               return done;
           });
}

void ControlCommands::listOperations(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                     const Answer& answer) {
    const auto limit = std::clamp<std::uint64_t>(numberOf(arguments, "limit", 20), 1, 10'000);
    auto* pages = reader(answer);
    if (!pages) return;
    const bool asked = pages->ask<std::vector<OperationRow>>(
        this,
        [limit](PageReader& from) {
            std::vector<OperationRow> rows;
            while (rows.size() < limit) {
                const auto wanted = std::min<std::uint64_t>(limit - rows.size(), limits::kPageRows);
                OperationQuery query;
                if (!rows.empty()) query.before = rows.back().id;
                query.limit = static_cast<std::uint32_t>(wanted);
                auto page = from.operations(query);
                std::move(page.rows.begin(), page.rows.end(), std::back_inserter(rows));
                if (page.complete || page.interrupted || !page.error.empty()) break;
            }
            return rows;
        },
        [this, answer](std::vector<OperationRow> rows) {
            ControlAnswer list;
            list.result["operations"] = Json::array();
            for (auto& row : rows)
                list.result["operations"].push_back(operationJson(live(std::move(row))));
            answer(std::move(list));
        });
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::showOperation(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                    const Answer& answer) {
    const OperationId id(numberOf(arguments, "id", 0));
    const auto limit = std::clamp<std::uint64_t>(numberOf(arguments, "limit", 50), 1, 100'000);
    auto* pages = reader(answer);
    if (!pages) return;
    struct Found {
        std::optional<OperationRow> row;
        std::vector<OperationEventRow> events;
    };
    const bool asked = pages->ask<Found>(
        this,
        [id, limit](PageReader& from) {
            Found found;
            OperationQuery one;
            one.before = OperationId(id.value + 1);
            one.limit = 1;
            const auto rows = from.operations(one).rows;
            if (rows.empty() || rows[0].id != id) return found;
            found.row = rows[0];
            OperationEventQuery query;
            query.operation = id;
            for (bool complete = false; !complete && found.events.size() < limit;) {
                query.limit = static_cast<std::uint32_t>(
                    std::min<std::uint64_t>(limit - found.events.size(), limits::kPageRows));
                const auto page = from.operationEvents(query);
                if (page.rows.empty()) break;
                complete = page.complete;
                query.from = page.rows.back().position + 1;
                found.events.insert(found.events.end(), page.rows.begin(), page.rows.end());
            }
            return found;
        },
        [this, id, answer](Found found) {
            if (!found.row)
                return answer(ControlAnswer::failure(
                    "there is no operation " + std::to_string(id.value) + ".", Exit::usage));
            ControlAnswer shown;
            shown.result = operationJson(live(std::move(*found.row)));
            shown.result["events"] = Json::array();
            const auto known = names();
            for (const auto& event : found.events)
                shown.result["events"].push_back(operationEventJson(event, known));
            answer(std::move(shown));
        });
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::stopOperation(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                    const Answer& answer) {
    const OperationId id(numberOf(arguments, "id", 0));
    submit(StopOperation{id, kBy}, answer, [id](const CommandResult& result) {
        ControlAnswer done;
        done.result["stopped"] = id.value;
        done.result["asked"] = result.asked;
        done.result["done"] = result.done;
        done.result["left"] = result.skipped;
        return done;
    });
}

void ControlCommands::undoOperation(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                    const Answer& answer) {
    const OperationId id(numberOf(arguments, "id", 0));
    OperationRow target;
    target.id = id;
    const bool lanes = live(target).kind == OperationKind::rewindLanes;
    submit(UndoRewind{id, kBy}, answer, [id, lanes](const CommandResult& result) {
        ControlAnswer done;
        done.result["undone"] = id.value;
        done.result["lanes"] = lanes;
        done.result["operation"] = result.operation.value;
        done.result["asked"] = result.asked;
        done.result["done"] = result.done;
        done.result["skipped"] = result.skipped;
        return done;
    });
}

void ControlCommands::hold(const Json& arguments, const std::shared_ptr<ControlSession>&,
                           const Answer& answer) {
    const auto name = textOf(arguments, "destination");
    const auto id = named(name, answer);
    if (!id) return;
    const UserKey user{
        isTrue(arguments, "anonymous") ? UserKey::Kind::anonymous : UserKey::Kind::user,
        textOf(arguments, "user")};
    if (user.text.empty())
        return answer(ControlAnswer::failure("say which user is meant.", Exit::usage));
    const auto done = [user, name](const char* key) {
        return [user, name, key](const CommandResult& result) {
            ControlAnswer said;
            said.result[key] = user.text;
            said.result["destination"] = name;
            said.result["operation"] = result.operation.value;
            return said;
        };
    };
    const LaneKey lane{id, fingerprint(user, {})};
    if (isTrue(arguments, "release"))
        submit(ReleaseLane{lane, kBy}, answer, done("released"));
    else
        submit(HoldLane{lane, user.text, kBy, textOf(arguments, "reason")}, answer, done("held"));
}

}  // namespace lanes::app
