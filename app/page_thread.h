// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QObject>
#include <QPointer>
#include <QThread>

#include <atomic>
#include <functional>
#include <memory>

namespace lanes::app {

/// Asks the store's reader on a thread of its own, so that a long answer never stops the thread of
/// the window. Questions are answered one after the other.
class PageThread : public QObject {
public:
    /// `reader` moves to the thread and ends with it.
    explicit PageThread(std::unique_ptr<PageReader> reader, QObject* parent = nullptr);
    /// Interrupts what runs, drops what waits, and returns when the reader is gone.
    ~PageThread() override;

    /// Runs `question` on the thread, then `answer` with its result on the thread of `context`,
    /// unless `context` is gone by then. False if too many questions wait already.
    template <typename Result>
    bool ask(QObject* context, std::function<Result(PageReader&)> question,
             std::function<void(Result)> answer) {
        QPointer<QObject> guard(context);
        return post([this, guard, question = std::move(question),
                     answer = std::move(answer)](PageReader& reader) {
            auto result = std::make_shared<Result>(question(reader));
            // By way of this object, whose destructor waits for the thread; the context itself
            // could go away while this is being said.
            QMetaObject::invokeMethod(
                this,
                [guard, answer, result] {
                    if (guard) answer(std::move(*result));
                },
                Qt::QueuedConnection);
        });
    }

private:
    static constexpr int kWaiting = 64;  // more askers than that are answered "busy"

    bool post(std::function<void(PageReader&)> job);

    std::unique_ptr<PageReader> m_reader;
    QThread m_thread;
    QObject* m_worker;  // lives on the thread
    std::atomic<int> m_waiting = 0;
    std::atomic<bool> m_ending = false;
};

}  // namespace lanes::app
