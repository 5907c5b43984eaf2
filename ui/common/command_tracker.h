// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QObject>

#include <functional>
#include <unordered_map>

namespace lanes::ui {

/// Brings the answer of a command back to whoever gave it.
class CommandTracker : public QObject {
    Q_OBJECT

public:
    using Answer = std::function<void(const CommandResult&)>;

    explicit CommandTracker(Engine& engine, QObject* parent = nullptr);

    /// `answer` is called once, on this thread, unless `context` is gone by then.
    void submit(Command command, QObject* context, Answer answer);

private:
    void finish(CommandId id, const CommandResult& result);

    Engine& m_engine;
    std::unordered_map<CommandId, Answer> m_open;
};

}  // namespace lanes::ui
