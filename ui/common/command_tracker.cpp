// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/command_tracker.h"

#include <QPointer>

#include <utility>

namespace lanes::ui {

CommandTracker::CommandTracker(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine) {
    // Queued: an engine may answer before `submit` has returned the id.
    connect(&engine, &Engine::commandFinished, this, &CommandTracker::finish, Qt::QueuedConnection);
}

void CommandTracker::submit(Command command, QObject* context, Answer answer) {
    const CommandId id = m_engine.submit(std::move(command));
    m_open[id] = [context = QPointer<QObject>(context),
                  answer = std::move(answer)](const CommandResult& result) {
        if (context) answer(result);
    };
}

void CommandTracker::finish(CommandId id, const CommandResult& result) {
    const auto found = m_open.extract(id);
    if (!found.empty()) found.mapped()(result);
}

}  // namespace lanes::ui
