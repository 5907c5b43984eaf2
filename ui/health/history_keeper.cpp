// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_keeper.h"

#include "ui/health/history_buffer.h"
#include "ui/health/history_file.h"

#include <utility>

namespace lanes::ui {

namespace {
/// A file has some 500 kB for each destination.
constexpr int kSaveMs = 5 * 60 * 1000;
}  // namespace

HistoryKeeper::HistoryKeeper(HistoryBuffer& history, const QString& path, QObject* parent)
    : QObject(parent), m_history(history), m_path(path) {
    m_thread.setMaxThreadCount(1);
    m_history.restore(readHistory(path));
    m_timer.setInterval(kSaveMs);
    connect(&m_timer, &QTimer::timeout, this, &HistoryKeeper::save);
    m_timer.start();
}

HistoryKeeper::~HistoryKeeper() {
    m_timer.stop();
    m_thread.waitForDone();
    // Before the first snapshot there is nothing but what was read.
    if (m_history.newest() != 0) (void)writeHistory(m_path, m_history.kept());
}

void HistoryKeeper::save() {
    if (m_thread.activeThreadCount() > 0) return;  // a slow disk: the next time will do
    m_thread.start([this, path = m_path, kept = m_history.kept()] {
        const QString error = writeHistory(path, kept);
        QMetaObject::invokeMethod(
            this, [this, error] { emit written(error); }, Qt::QueuedConnection);
    });
}

}  // namespace lanes::ui
