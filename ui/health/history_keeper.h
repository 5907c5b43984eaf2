// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

namespace lanes::ui {

class HistoryBuffer;

/// Reads the history of the graphs from its file, and writes it there every few minutes and at
/// the end. Files are written on a thread of its own; a disk that is slow or full disturbs nobody.
class HistoryKeeper : public QObject {
    Q_OBJECT

public:
    /// `history` has to outlive this.
    HistoryKeeper(HistoryBuffer& history, const QString& path, QObject* parent = nullptr);
    /// Writes what there is.
    ~HistoryKeeper() override;

    /// Begins to write; `written` follows.
    void save();

signals:
    /// Empty if all went well, else the reason.
    void written(const QString& error);

private:
    HistoryBuffer& m_history;
    QString m_path;
    QThreadPool m_thread;
    QTimer m_timer;
};

}  // namespace lanes::ui
