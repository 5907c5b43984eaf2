// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>

// Reads the store away from the GUI thread, on one thread with one reader.
namespace lanes::ui {

/// Questions come in channels (a list, a details panel). A channel has at most one question
/// running and one waiting; a newer one replaces the waiting one and interrupts the running one,
/// whose answer is dropped. Answers arrive on the GUI thread.
class PageLoader : public QObject {
    Q_OBJECT

public:
    /// Those of the window's lists, and what only counts for filters; a widget of which there are
    /// several adds one of its own. The first ones go first.
    enum class Channel : int {
        deadLetters,
        plan,
        attempts,
        operations,
        operationEvents,
        added,
        counts = 1'000'000,
        savedCounts
    };

    explicit PageLoader(QObject* parent = nullptr);
    ~PageLoader() override;

    /// Takes the reader over; null closes the present one (before the engine stops). Waits for a
    /// running question to be interrupted.
    void setReader(std::unique_ptr<PageReader> reader);
    [[nodiscard]] bool isOpen() const { return m_reader != nullptr; }

    /// Runs `read` on the reader thread and then `deliver` with its value here. Without a reader
    /// nothing happens. `deliver` is not called when a newer question came or `cancel` was called.
    /// A page that failed is delivered with what it has, and `failed` tells why.
    template <typename Read, typename Deliver>
    void load(Channel channel, Read read, Deliver deliver) {
        using Value = decltype(read(std::declval<PageReader&>()));
        enqueue(channel,
                [this, read = std::move(read),
                 deliver = std::move(deliver)](PageReader& reader) -> std::function<void()> {
                    auto value = std::make_shared<Value>(read(reader));
                    return [this, value, deliver] {
                        if constexpr (requires { value->rows, value->error; })
                            if (!value->error.empty())
                                emit failed(QString::fromStdString(value->error));
                        deliver(std::move(*value));
                    };
                });
    }

    [[nodiscard]] Channel addChannel() { return static_cast<Channel>(m_nextChannel++); }
    /// Forgets what the channel asked.
    void cancel(Channel channel);
    /// A question of this channel is running or waiting.
    [[nodiscard]] bool isBusy(Channel channel) const;

signals:
    /// A question could not be answered; the text is for the operator.
    void failed(const QString& message);
    /// The reader is gone; what was asked will not be answered.
    void closed();

private:
    using Work = std::function<std::function<void()>(PageReader&)>;
    struct Running {
        Channel channel;
        bool dropped = false;
    };

    void startThread();
    void endThread();
    void enqueue(Channel channel, Work work);
    void startNext();
    void finish(const std::function<void()>& deliver, const QString& error);

    QThread m_thread;
    QObject* m_worker = nullptr;  ///< lives on m_thread; only a place to run on
    std::unique_ptr<PageReader> m_reader;
    QTimer m_interruptAgain;  ///< runs while a dropped question is not back
    int m_nextChannel = static_cast<int>(Channel::added);
    std::uint64_t m_generation = 0;  ///< rises when a reader is replaced while it runs
    std::optional<Running> m_running;
    std::map<Channel, Work> m_waiting;
};

}  // namespace lanes::ui
