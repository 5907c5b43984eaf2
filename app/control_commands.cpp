// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_commands.h"

#include "app/control_json.h"
#include "app/destination_change.h"
#include "app/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>

namespace lanes::app {

namespace {

constexpr const char* kBy = "command line";

/// Attempts of one event that are shown: 72 h of tries at 8 s each would be 32,400.
constexpr std::size_t kAttemptsShown = 1000;

/// The sorted dead letters of the choice, at most `limit`.
std::vector<DeadLetterRow> readDeadLetters(PageReader& reader, DestinationId destination,
                                           const std::string& user, std::size_t limit) {
    std::vector<DeadLetterRow> rows;
    DeadLetterQuery query;
    query.destination = destination;
    query.userText = user;
    while (rows.size() < limit) {
        query.limit = static_cast<std::uint32_t>(std::min(limit - rows.size(), limits::kPageRows));
        auto page = reader.deadLetters(query);
        if (page.rows.empty()) break;
        query.after = page.rows.back().key();
        std::move(page.rows.begin(), page.rows.end(), std::back_inserter(rows));
        if (page.complete) break;
    }
    return rows;
}

struct PlanFound {
    DeadLetterPlan plan;
    std::size_t users = 0;
    std::string error;
};

PlanFound planOf(PageReader& reader, DestinationId destination, const DeadLetterChoice& choice) {
    PlanFound found;
    std::set<LaneKey> lanes;
    if (choice.events.empty()) {
        // One more than a plan takes tells whether it has them all.
        const auto rows =
            readDeadLetters(reader, destination, choice.user, ControlCommands::kPlanned + 1);
        found.plan.complete = rows.size() <= ControlCommands::kPlanned;
        for (const auto& row : rows) {
            if (found.plan.pointers.size() == ControlCommands::kPlanned) break;
            found.plan.pointers.push_back(row.pointer);
            lanes.insert({row.pointer.destination, row.userId});
        }
    }
    for (const auto sequence : choice.events) {
        const auto event = reader.event(Sequence(sequence));
        if (!event) {
            found.error = "there is no event " + std::to_string(sequence) + " in the log.";
            return found;
        }
        for (const auto id : event->destinations) {
            if (destination && id != destination) continue;
            found.plan.pointers.push_back({id, event->sequence});
            lanes.insert({id, event->userId});
        }
    }
    found.users = lanes.size();
    return found;
}

std::vector<AttemptRow> attemptsOf(PageReader& reader, Sequence sequence) {
    std::vector<AttemptRow> rows;
    AttemptQuery query;
    query.sequence = sequence;
    while (rows.size() < kAttemptsShown) {
        auto page = reader.attempts(query);
        if (page.rows.empty()) break;
        query.before = page.rows.back().position;
        std::move(page.rows.begin(), page.rows.end(), std::back_inserter(rows));
        if (page.complete) break;
    }
    return rows;
}

}  // namespace

ControlCommands::ControlCommands(Engine& engine, InstanceFacts facts, QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_facts(std::move(facts)),
      // The upper half of the numbers, so that the window's own requests are never superseded.
      m_token(std::uint64_t{1} << 63) {
    connect(&engine, &Engine::commandFinished, this,
            [this](CommandId id, const CommandResult& result) {
                const auto found = m_submitted.find(id);
                if (found == m_submitted.end()) return;
                const auto [answer, reply] = std::move(found->second);
                m_submitted.erase(found);
                answer(result.ok() ? reply(result) : ControlAnswer::failure(result.error));
            });
    // The signal may come before the snapshot that shows it, or after; both lead to another look.
    connect(&engine, &Engine::lifecycleChanged, this, &ControlCommands::lifecycleChanged);
    connect(&engine, &Engine::snapshotPublished, this, &ControlCommands::lifecycleChanged);
    connect(&engine, &Engine::lanesRead, this, [this](const LanePage& page) {
        const auto found = m_lanesAsked.find(page.request.token);
        if (found == m_lanesAsked.end()) return;
        const auto answer = std::move(found->second);
        m_lanesAsked.erase(found);
        ControlAnswer result;
        result.result["total"] = page.total;
        result.result["lanes"] = Json::array();
        const auto known = names();
        for (const auto& row : page.rows) result.result["lanes"].push_back(laneJson(row, known));
        answer(std::move(result));
    });
}

ControlCommands::~ControlCommands() = default;

const std::map<std::string, ControlCommands::Method>& ControlCommands::methods() {
    static const std::map<std::string, Method> table = {
        {"hello", &ControlCommands::hello},
        {"raise", &ControlCommands::raise},
        {"status", &ControlCommands::status},
        {"write-key", &ControlCommands::writeKey},
        {"destinations put", &ControlCommands::putDestination},
        {"destinations list", &ControlCommands::listDestinations},
        {"destinations remove", &ControlCommands::removeDestination},
        {"pause", &ControlCommands::pause},
        {"resume", &ControlCommands::resume},
        {"lanes", &ControlCommands::lanes},
        {"dead-letters list", &ControlCommands::listDeadLetters},
        {"dead-letters plan", &ControlCommands::planDeadLetters},
        {"dead-letters move", &ControlCommands::moveDeadLetters},
        {"events show", &ControlCommands::showEvent},
    };
    return table;
}

void ControlCommands::handle(const ControlRequest& request,
                             const std::shared_ptr<ControlSession>& session, const Answer& answer) {
    const auto method = methods().find(request.command);
    if (method == methods().end())
        return answer(ControlAnswer::failure("the running instance does not know \"" +
                                                 oneLine(request.command.substr(0, 64)) +
                                                 "\"; it is another version.",
                                             Exit::usage));
    const auto lifecycle = m_engine.snapshot()->lifecycle;
    const bool always =
        request.command == "hello" || request.command == "raise" || request.command == "status";
    // A script that has just started the engine need not guess how long recovery takes.
    if (!always && (lifecycle == Lifecycle::starting || lifecycle == Lifecycle::recovering))
        return m_untilRunning.push_back(
            [this, request, session, answer] { handle(request, session, answer); });
    if (!always && lifecycle != Lifecycle::running)
        return answer(ControlAnswer::failure(std::string("the engine is ") + word(lifecycle) +
                                             "; it takes no commands."));
    (this->*method->second)(request.arguments, session, answer);
}

void ControlCommands::lifecycleChanged() {
    for (const auto& waiting : std::exchange(m_untilRunning, {})) waiting();
}

void ControlCommands::submit(Command command, const Answer& answer, Reply reply) {
    const auto id = m_engine.submit(std::move(command));
    m_submitted.emplace(id, std::pair(answer, std::move(reply)));
}

DestinationId ControlCommands::named(const std::string& name, const Answer& answer) const {
    // Not from the snapshot, which may be older than the answer to the last command.
    std::string known;
    for (const auto& config : m_engine.destinations()) {
        if (config.name == name) return config.id;
        known += (known.empty() ? "" : ", ") + config.name;
    }
    answer(ControlAnswer::failure(
        "there is no destination \"" + oneLine(name.substr(0, 64)) +
            (known.empty() ? "\"; add one first." : "\"; there are: " + known + "."),
        Exit::usage));
    return {};
}

PageThread* ControlCommands::reader(const Answer& answer) {
    if (!m_reader) {
        if (auto opened = m_engine.openPageReader())
            m_reader = std::make_unique<PageThread>(std::move(opened));
        else
            answer(ControlAnswer::failure("the store cannot be read now; try again."));
    }
    return m_reader.get();
}

std::map<std::uint32_t, std::string> ControlCommands::names() const {
    std::map<std::uint32_t, std::string> names;
    for (const auto& config : m_engine.destinations()) names.emplace(config.id.value, config.name);
    return names;
}

void ControlCommands::hello(const Json&, const std::shared_ptr<ControlSession>&,
                            const Answer& answer) {
    ControlAnswer facts;
    facts.result["pid"] = QCoreApplication::applicationPid();
    facts.result["version"] = LANES_VERSION;
    facts.result["mode"] = m_facts.mode;
    facts.result["data_dir"] = m_facts.dataDirectory;
    answer(std::move(facts));
}

void ControlCommands::raise(const Json&, const std::shared_ptr<ControlSession>&,
                            const Answer& answer) {
    ControlAnswer facts;
    facts.result["raised"] = static_cast<bool>(m_raise);
    facts.result["mode"] = m_facts.mode;
    facts.result["pid"] = QCoreApplication::applicationPid();
    if (m_raise) m_raise();
    answer(std::move(facts));
}

void ControlCommands::status(const Json&, const std::shared_ptr<ControlSession>&,
                             const Answer& answer) {
    ControlAnswer state;
    state.result = statusJson(*m_engine.snapshot());
    state.result["mode"] = m_facts.mode;
    state.result["pid"] = QCoreApplication::applicationPid();
    state.result["data_dir"] = m_facts.dataDirectory;
    answer(std::move(state));
}

void ControlCommands::writeKey(const Json&, const std::shared_ptr<ControlSession>&,
                               const Answer& answer) {
    ControlAnswer key;
    key.result["write_key"] = m_engine.writeKey();
    answer(std::move(key));
}

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

void ControlCommands::pause(const Json& arguments, const std::shared_ptr<ControlSession>&,
                            const Answer& answer) {
    const auto name = textOf(arguments, "name");
    const auto id = named(name, answer);
    if (!id) return;
    submit(PauseDestination{id, kBy, textOf(arguments, "reason")}, answer,
           [name](const CommandResult&) {
               ControlAnswer done;
               done.result["paused"] = name;
               return done;
           });
}

void ControlCommands::resume(const Json& arguments, const std::shared_ptr<ControlSession>&,
                             const Answer& answer) {
    const auto name = textOf(arguments, "name");
    const auto id = named(name, answer);
    if (!id) return;
    submit(ResumeDestination{id, kBy}, answer, [name](const CommandResult&) {
        ControlAnswer done;
        done.result["resumed"] = name;
        return done;
    });
}

void ControlCommands::lanes(const Json& arguments, const std::shared_ptr<ControlSession>&,
                            const Answer& answer) {
    LanePageRequest request;
    if (const auto name = textOf(arguments, "destination"); !name.empty()) {
        request.destination = named(name, answer);
        if (!request.destination) return;
    }
    const auto order = numberOf(arguments, "order", 0);
    if (order > static_cast<std::uint64_t>(LaneOrder::deadLettersIn))
        return answer(ControlAnswer::failure("there is no such order.", Exit::usage));
    request.order = static_cast<LaneOrder>(order);
    // What comes first is soonest for the two orders that look ahead.
    request.descending =
        request.order != LaneOrder::nextAttempt && request.order != LaneOrder::deadLettersIn;
    request.limit = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(numberOf(arguments, "limit", 50), 1, 1000));
    request.token = ++m_token;
    m_lanesAsked.emplace(request.token, answer);
    m_engine.readLanes(request);
}

void ControlCommands::listDeadLetters(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                      const Answer& answer) {
    const auto choice = choiceFromJson(arguments);
    DestinationId destination;
    if (!choice.destination.empty()) {
        destination = named(choice.destination, answer);
        if (!destination) return;
    }
    auto* pages = reader(answer);
    if (!pages) return;
    const auto limit = std::clamp<std::uint64_t>(numberOf(arguments, "limit", 50), 1, 10'000);
    const bool asked = pages->ask<ControlAnswer>(
        this,
        [destination, user = choice.user, limit, known = names()](PageReader& from) {
            ControlAnswer list;
            list.result["dead_letters"] = Json::array();
            for (const auto& row : readDeadLetters(from, destination, user, limit))
                list.result["dead_letters"].push_back(deadLetterJson(row, known));
            return list;
        },
        answer);
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::planDeadLetters(const Json& arguments,
                                      const std::shared_ptr<ControlSession>& session,
                                      const Answer& answer) {
    const auto choice = choiceFromJson(arguments.value("choice", Json::object()));
    DestinationId destination;
    if (!choice.destination.empty()) {
        destination = named(choice.destination, answer);
        if (!destination) return;
    }
    auto* pages = reader(answer);
    if (!pages) return;
    const bool rewind = arguments.value("rewind", Json()) == true;
    const bool asked = pages->ask<PlanFound>(
        this, [destination, choice](PageReader& from) { return planOf(from, destination, choice); },
        [session, rewind, answer](PlanFound found) {
            if (!found.error.empty())
                return answer(ControlAnswer::failure(found.error, Exit::usage));
            ControlAnswer plan;
            plan.result["count"] = found.plan.pointers.size();
            plan.result["lanes"] = found.users;
            plan.result["complete"] = found.plan.complete;
            session->plan = std::move(found.plan);
            session->plan.rewind = rewind;
            answer(std::move(plan));
        });
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

void ControlCommands::moveDeadLetters(const Json& arguments,
                                      const std::shared_ptr<ControlSession>& session,
                                      const Answer& answer) {
    auto plan = std::exchange(session->plan, {});
    if (plan.pointers.empty())
        return answer(ControlAnswer::failure("nothing was chosen to be moved.", Exit::usage));
    Command command;
    if (plan.rewind)
        command = RewindDeadLetters{std::move(plan.pointers), kBy, textOf(arguments, "reason")};
    else
        command = DiscardDeadLetters{std::move(plan.pointers), kBy, textOf(arguments, "reason")};
    submit(std::move(command), answer, [](const CommandResult& result) {
        ControlAnswer done;
        done.result["asked"] = result.asked;
        done.result["done"] = result.done;
        done.result["skipped"] = result.skipped;
        done.result["operation"] = result.operation.value;
        return done;
    });
}

void ControlCommands::showEvent(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                const Answer& answer) {
    auto* pages = reader(answer);
    if (!pages) return;
    const Sequence sequence(numberOf(arguments, "sequence", 0));
    const bool asked = pages->ask<ControlAnswer>(
        this,
        [sequence, known = names()](PageReader& from) {
            const auto event = from.event(sequence);
            if (!event)
                return ControlAnswer::failure(
                    "there is no event " + std::to_string(sequence.value) + " in the log.",
                    Exit::usage);
            ControlAnswer shown;
            shown.result = eventJson(*event, attemptsOf(from, sequence), known);
            return shown;
        },
        answer);
    if (!asked) answer(ControlAnswer::failure("too many questions at once; try again."));
}

}  // namespace lanes::app
