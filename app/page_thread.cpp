// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/page_thread.h"

#include <utility>

namespace lanes::app {

PageThread::PageThread(std::unique_ptr<PageReader> reader, QObject* parent)
    : QObject(parent), m_reader(std::move(reader)), m_worker(new QObject) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("page reader"));
    m_thread.start();
}

PageThread::~PageThread() {
    constexpr unsigned long kInterruptAgain = 20;  // ms: a call that just begins does not notice
    m_ending = true;
    m_thread.quit();
    do {
        m_reader->interrupt();
    } while (!m_thread.wait(kInterruptAgain));
}

bool PageThread::post(std::function<void(PageReader&)> job) {
    if (m_waiting >= kWaiting) return false;
    ++m_waiting;
    QMetaObject::invokeMethod(
        m_worker,
        [this, job = std::move(job)] {
            if (!m_ending) job(*m_reader);
            --m_waiting;
        },
        Qt::QueuedConnection);
    return true;
}

}  // namespace lanes::app
