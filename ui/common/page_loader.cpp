// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/page_loader.h"

#include <exception>
#include <utility>

namespace lanes::ui {

namespace {
/// A call that is interrupted just before it begins does not notice; it is interrupted again.
constexpr int kInterruptAgain = 20;  // ms
}  // namespace

PageLoader::PageLoader(QObject* parent) : QObject(parent) {
    m_thread.setObjectName(QStringLiteral("lanes-pages"));
    m_interruptAgain.setInterval(kInterruptAgain);
    connect(&m_interruptAgain, &QTimer::timeout, this, [this] { m_reader->interrupt(); });
    startThread();
}

void PageLoader::startThread() {
    m_worker = new QObject;
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start(QThread::LowPriority);
}

PageLoader::~PageLoader() {
    m_waiting.clear();
    endThread();
}

void PageLoader::endThread() {
    m_interruptAgain.stop();
    m_thread.quit();
    do {
        if (m_reader && m_running) m_reader->interrupt();
    } while (!m_thread.wait(kInterruptAgain));
}

void PageLoader::setReader(std::unique_ptr<PageReader> reader) {
    m_waiting.clear();
    if (m_reader && m_running) {
        // The thread may be inside the reader: let it come out before the reader goes. An
        // interrupted call returns within a row's time.
        endThread();
        m_running.reset();
        ++m_generation;
        startThread();
    }
    const bool was = m_reader != nullptr;
    m_reader = std::move(reader);
    if (was) emit closed();
}

void PageLoader::cancel(Channel channel) {
    m_waiting.erase(channel);
    if (m_running && m_running->channel == channel && !m_running->dropped) {
        m_running->dropped = true;
        m_reader->interrupt();
        m_interruptAgain.start();
    }
}

bool PageLoader::isBusy(Channel channel) const {
    return m_waiting.contains(channel) ||
           (m_running && m_running->channel == channel && !m_running->dropped);
}

void PageLoader::enqueue(Channel channel, Work work) {
    if (!m_reader) return;
    cancel(channel);
    m_waiting[channel] = std::move(work);
    startNext();
}

void PageLoader::startNext() {
    if (m_running || m_waiting.empty() || !m_reader) return;
    auto next = m_waiting.extract(m_waiting.begin());
    m_running = Running{next.key()};
    QMetaObject::invokeMethod(
        m_worker,
        [this, reader = m_reader.get(), generation = m_generation,
         work = std::move(next.mapped())] {
            std::function<void()> deliver;
            QString error;
            try {
                deliver = work(*reader);
            } catch (const std::exception& e) {
                error = QString::fromUtf8(e.what());
            }
            // An answer of a reader that was replaced meanwhile must not count as a present one.
            QMetaObject::invokeMethod(
                this,
                [this, generation, deliver = std::move(deliver), error] {
                    if (generation == m_generation) finish(deliver, error);
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void PageLoader::finish(const std::function<void()>& deliver, const QString& error) {
    const bool dropped = !m_running || m_running->dropped;
    m_running.reset();
    m_interruptAgain.stop();
    if (!dropped) {
        if (deliver)
            deliver();
        else
            emit failed(error);
    }
    startNext();
}

}  // namespace lanes::ui
