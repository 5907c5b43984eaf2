// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/message_bar.h"
#include "ui/common/row_source.h"
#include "ui/exports/row_file.h"

#include <QFrame>
#include <QPointer>
#include <QThread>

#include <cstdint>
#include <memory>

class QDialog;
class QFileDialog;
class QLabel;
class QProgressBar;
class QToolButton;

namespace lanes::ui {

/// One line across the window while the rows of a list are written to a file: how many there are
/// so far, and a button that ends it. It also asks for the file, and tells how an export ended.
/// Rows are read where their source reads them and written on a thread of its own; a page is read
/// once the one before is written, so that no more than one is in memory.
class ExportBar : public QFrame {
    Q_OBJECT

public:
    explicit ExportBar(const TimeDisplay& times, QWidget* parent = nullptr);
    /// Gives up what is under way.
    ~ExportBar() override;

    /// Asks for a file and writes the rows into it.
    void choose(std::unique_ptr<RowSource> source);
    /// The end of the name says which format; CSV where it says nothing.
    void start(std::unique_ptr<RowSource> source, const QString& path);
    [[nodiscard]] bool isBusy() const { return m_source != nullptr; }
    /// Whether its window may be closed. While an export is under way it asks, and closes the
    /// window itself once that is wished.
    [[nodiscard]] bool mayClose();

public slots:
    void cancel();

signals:
    /// For the message bar of the window: an export ended.
    void told(lanes::ui::MessageBar::Kind kind, const QString& text);
    /// It began or ended.
    void busyChanged(bool busy);

private:
    /// On the writer's thread: what went wrong, if anything.
    using Work = std::function<QString(RowFile&)>;
    void perform(Work work, std::function<void(const QString&)> done);
    void readOn();
    void take(RowBatch batch);
    void wrote(std::uint64_t rows, const RowBatch& batch, const QString& problem);
    void finished(const QString& problem);
    void fail(const QString& problem);
    void end();
    void showProgress(double share);

    const TimeDisplay& m_times;
    QLabel* m_text;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QPointer<QFileDialog> m_dialog;
    QPointer<QDialog> m_question;
    QThread m_thread;
    QObject* m_worker;                   ///< lives on m_thread; only a place to run on
    std::shared_ptr<RowFile> m_file;     ///< made, used and forgotten on m_thread
    std::unique_ptr<RowSource> m_source; ///< null: nothing is under way
    QString m_path;
    std::uint64_t m_rows = 0;
    std::uint64_t m_number = 0;  ///< of the export: answers to an older one are dropped
};

}  // namespace lanes::ui
