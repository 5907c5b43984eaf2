// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/control_commands.h"

#include "app/control_json.h"
#include "app/words.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lanes::app {

namespace {

/// Attempts of one event that are shown: 72 h of tries at 8 s each would be 32,400.
constexpr std::size_t kAttemptsShown = 1000;

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
        {"destinations export", &ControlCommands::exportDestinations},
        {"destinations import", &ControlCommands::importDestinations},
        {"sources list", &ControlCommands::listSources},
        {"sources add", &ControlCommands::addSource},
        {"sources rotate", &ControlCommands::rotateSource},
        {"sources remove", &ControlCommands::removeSource},
        {"quarantine list", &ControlCommands::listQuarantine},
        {"quarantine show", &ControlCommands::showQuarantined},
        {"quarantine retry", &ControlCommands::retryQuarantined},
        {"quarantine discard", &ControlCommands::discardQuarantined},
        {"pause", &ControlCommands::pause},
        {"resume", &ControlCommands::resume},
        {"lanes", &ControlCommands::lanes},
        {"dead-letters list", &ControlCommands::listDeadLetters},
        {"dead-letters plan", &ControlCommands::planDeadLetters},
        {"dead-letters move", &ControlCommands::moveDeadLetters},
        {"dead-letters edit", &ControlCommands::editDeadLetter},
        {"dead-letters note", &ControlCommands::noteDeadLetter},
        {"operations list", &ControlCommands::listOperations},
        {"operations show", &ControlCommands::showOperation},
        {"operations stop", &ControlCommands::stopOperation},
        {"operations undo", &ControlCommands::undoOperation},
        {"hold", &ControlCommands::hold},
        {"events show", &ControlCommands::showEvent},
        {"backup start", &ControlCommands::startBackup},
        {"backup status", &ControlCommands::backupStatus},
        {"backup cancel", &ControlCommands::cancelBackup},
        {"import start", &ControlCommands::startImport},
        {"import show", &ControlCommands::showImport},
        {"import cancel", &ControlCommands::cancelImport},
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

void ControlCommands::answerFromStore(std::function<ControlAnswer(PageReader&)> question,
                                      const Answer& answer) {
    auto* pages = reader(answer);
    if (pages && !pages->ask<ControlAnswer>(this, std::move(question), answer))
        answer(ControlAnswer::failure("too many questions at once; try again."));
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

void ControlCommands::pause(const Json& arguments, const std::shared_ptr<ControlSession>&,
                            const Answer& answer) {
    const auto name = textOf(arguments, "name");
    const auto id = named(name, answer);
    if (!id) return;
    PauseDestination command{id, kBy, textOf(arguments, "reason")};
    if (const auto length = numberOf(arguments, "for_us", 0); length > 0)
        command.resumeAt = QDateTime::currentMSecsSinceEpoch() * kMillisecond +
                           static_cast<Micros>(length);
    submit(command, answer, [name, at = command.resumeAt](const CommandResult&) {
        ControlAnswer done;
        done.result["paused"] = name;
        if (at != 0) done.result["resumes_at"] = isoTime(at);
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

/// A large copy takes longer than a caller waits for an answer, so it is asked how far it is.
void ControlCommands::startBackup(const Json& arguments,
                                  const std::shared_ptr<ControlSession>& session,
                                  const Answer& answer) {
    const BackUp command{textOf(arguments, "file"), isTrue(arguments, "replace")};
    session->backup = std::make_shared<std::optional<ControlAnswer>>();
    submit(
        command, [ended = session->backup](ControlAnswer result) { *ended = std::move(result); },
        [this](const CommandResult&) {
            ControlAnswer done;
            done.result["bytes"] = m_engine.snapshot()->store.backup.bytes;
            done.result["last_event"] = m_engine.snapshot()->store.backup.lastEvent.value;
            return done;
        });
    backupStatus(arguments, session, answer);
}

void ControlCommands::backupStatus(const Json&, const std::shared_ptr<ControlSession>& session,
                                   const Answer& answer) {
    if (!session->backup)
        return answer(ControlAnswer::failure("no backup was asked for here.", Exit::usage));
    if (*session->backup) return answer(**session->backup);
    ControlAnswer running;
    running.result["running"] = true;
    running.result["share"] = m_engine.snapshot()->store.backup.share;
    answer(std::move(running));
}

void ControlCommands::cancelBackup(const Json& arguments,
                                   const std::shared_ptr<ControlSession>& session,
                                   const Answer& answer) {
    m_engine.submit(CancelBackup{});
    backupStatus(arguments, session, answer);
}

void ControlCommands::showEvent(const Json& arguments, const std::shared_ptr<ControlSession>&,
                                const Answer& answer) {
    const Sequence sequence(numberOf(arguments, "sequence", 0));
    answerFromStore(
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
}

}  // namespace lanes::app
