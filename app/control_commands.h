// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"
#include "app/page_thread.h"
#include "engine/engine.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes::app {

/// What an instance says about itself.
struct InstanceFacts {
    std::string dataDirectory;
    std::string mode;  ///< "console", "demo" or "headless"
};

/// Dead letters that were planned for somebody and may now be moved: exactly these, whatever comes
/// after.
struct DeadLetterPlan {
    bool rewind = true;  ///< false: discard
    DeadLetterChoice choice;
    RewindPlan plan;
    std::optional<LanePlan> lanes;  ///< the rest of each lane is rewound with them
};

/// What belongs to one connection.
struct ControlSession {
    std::optional<DeadLetterPlan> plan;
    /// The backup that was asked for on this connection: null until it has ended.
    std::shared_ptr<std::optional<ControlAnswer>> backup;
};

/// Does what is asked over the control socket, with the same commands that the window gives to the
/// engine. Lives on the thread of the engine's facade; nothing blocks it. It must end before the
/// engine stops, because it reads the store.
class ControlCommands : public QObject {
public:
    using Answer = std::function<void(ControlAnswer)>;
    /// As whom it gives its commands.
    static constexpr const char* kBy = "command line";

    ControlCommands(Engine& engine, InstanceFacts facts, QObject* parent = nullptr);
    ~ControlCommands() override;

    /// Called when somebody wants the window in front.
    void onRaise(std::function<void()> raise) { m_raise = std::move(raise); }
    /// `answer` is called once, at once or later, or never if this object ends before.
    void handle(const ControlRequest& request, const std::shared_ptr<ControlSession>& session,
                const Answer& answer);

private:
    using Method = void (ControlCommands::*)(const Json&, const std::shared_ptr<ControlSession>&,
                                             const Answer&);
    using Reply = std::function<ControlAnswer(const CommandResult&)>;

    void hello(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void raise(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void status(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void writeKey(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void pause(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void resume(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void lanes(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void showEvent(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void startBackup(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void backupStatus(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void cancelBackup(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    // control_rewind.cpp: dead letters, operations, held users
    void listDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void planDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void moveDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void editDeadLetter(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void noteDeadLetter(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void listOperations(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void showOperation(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void stopOperation(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void undoOperation(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void hold(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);

    // control_destinations.cpp
    void putDestination(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void listDestinations(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void removeDestination(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void exportDestinations(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void importDestinations(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);

    // control_senders.cpp
    void listSources(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void addSource(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void rotateSource(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void removeSource(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void listQuarantine(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void showQuarantined(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void retryQuarantined(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void discardQuarantined(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    /// Null after an answer that says why.
    const SourceSnapshot* source(const std::string& name, const EngineSnapshot& snapshot,
                                 const Answer& answer) const;

    // control_import.cpp
    void startImport(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void showImport(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void cancelImport(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);

    /// What a configuration file comes to.
    struct DestinationImport {
        std::vector<DestinationConfig> configs;  ///< those that are new or changed
        std::size_t done = 0;
        ControlAnswer answer;  ///< when all are done
    };
    void importNext(const std::shared_ptr<DestinationImport>& plan, const Answer& answer);

    void moveAsPlanned(const Json& arguments, DeadLetterPlan plan, std::uint64_t newcomers,
                       const Answer& answer);
    void answerFromStore(std::function<ControlAnswer(PageReader&)> question, const Answer& answer);
    /// The choice with the destination's id; nothing after an answer that says why.
    std::optional<DeadLetterChoice> choiceOf(const Json& json, const Answer& answer) const;
    /// As the snapshot knows it, where it does: with what the store does not keep.
    OperationRow live(OperationRow row) const;

    void lifecycleChanged();

    static const std::map<std::string, Method>& methods();
    void submit(Command command, const Answer& answer, Reply reply);
    /// The destination of that name; 0 after an answer with the names that exist.
    DestinationId named(const std::string& name, const Answer& answer) const;
    /// Null after an answer that says why.
    PageThread* reader(const Answer& answer);
    std::map<std::uint32_t, std::string> names() const;

    Engine& m_engine;
    InstanceFacts m_facts;
    std::function<void()> m_raise;
    std::unique_ptr<PageThread> m_reader;
    std::vector<std::function<void()>> m_untilRunning;  // at most one of each connection
    std::map<CommandId, std::pair<Answer, Reply>> m_submitted;
    std::map<std::uint64_t, Answer> m_lanesAsked;
    std::uint64_t m_token;
};

}  // namespace lanes::app
