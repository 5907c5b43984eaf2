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
#include <string>
#include <vector>

namespace lanes::app {

/// What an instance says about itself.
struct InstanceFacts {
    std::string dataDirectory;
    std::string mode;  ///< "console", "demo" or "headless"
};

/// Dead letters that were counted for somebody and may now be moved: exactly these, whatever comes
/// after.
struct DeadLetterPlan {
    bool rewind = true;
    std::vector<Pointer> pointers;
    bool complete = true;  ///< false: there are more than one plan takes
};

/// What belongs to one connection.
struct ControlSession {
    DeadLetterPlan plan;
};

/// Does what is asked over the control socket, with the same commands that the window gives to the
/// engine. Lives on the thread of the engine's facade; nothing blocks it. It must end before the
/// engine stops, because it reads the store.
class ControlCommands : public QObject {
public:
    using Answer = std::function<void(ControlAnswer)>;

    /// Dead letters of one plan at most: 16 MB of positions.
    static constexpr std::size_t kPlanned = 1'000'000;

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
    void putDestination(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void listDestinations(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void removeDestination(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void pause(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void resume(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void lanes(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void listDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void planDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void moveDeadLetters(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);
    void showEvent(const Json&, const std::shared_ptr<ControlSession>&, const Answer&);

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
