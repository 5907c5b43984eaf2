// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exports/export_bar.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

/// Steps of the progress bar: finer than a pixel.
constexpr int kSteps = 1000;
constexpr int kBarHeight = 8;

RowFormat formatOf(const QString& path) {
    const QString end = QFileInfo(path).suffix().toLower();
    const bool json = end == QLatin1String("ndjson") || end == QLatin1String("jsonl") ||
                      end == QLatin1String("json");
    return json ? RowFormat::json : RowFormat::csv;
}

QString shortName(const QString& path) {
    return plainLine(QFileInfo(path).fileName().toStdString(), kNameCharacters);
}

}  // namespace

ExportBar::ExportBar(const TimeDisplay& times, QWidget* parent)
    : QFrame(parent),
      m_times(times),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)),
      m_worker(new QObject) {
    setObjectName(QStringLiteral("exportBar"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 6, 5);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    m_text->setObjectName(QStringLiteral("exportText"));
    m_text->setTextFormat(Qt::PlainText);
    m_progress->setObjectName(QStringLiteral("exportProgress"));
    m_progress->setFixedSize(180, kBarHeight);
    m_progress->setTextVisible(false);  // the count says more
    m_progress->setAccessibleName(tr("Progress of the export"));
    m_cancel->setObjectName(QStringLiteral("exportCancel"));
    m_cancel->setText(tr("&Cancel export"));
    m_cancel->setToolTip(tr("Nothing is left of the file"));
    m_cancel->setFocusPolicy(Qt::StrongFocus);
    connect(m_cancel, &QToolButton::clicked, this, &ExportBar::cancel);
    setVisible(false);
    m_thread.setObjectName(QStringLiteral("lanes-export"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start(QThread::LowPriority);
}

ExportBar::~ExportBar() {
    blockSignals(true);  // whoever listens may be going as well
    end();
    m_thread.quit();
    m_thread.wait();
}

void ExportBar::choose(std::unique_ptr<RowSource> source) {
    if (isBusy() || m_dialog) return;
    auto* dialog = new QFileDialog(window(), tr("Export %1").arg(source->facts().title));
    m_dialog = dialog;
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString csv = tr("CSV, for spreadsheets (*.csv)");
    const QString json = tr("JSON, one row a line (*.ndjson)");
    dialog->setNameFilters({csv, json});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, json](const QString& filter) {
        dialog->setDefaultSuffix(filter == json ? QStringLiteral("ndjson") : QStringLiteral("csv"));
    });
    // Several of a day stand beside each other, in their order.
    dialog->selectFile(QStringLiteral("%1-%2").arg(
        source->facts().file,
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'"))));
    auto kept = std::make_shared<std::unique_ptr<RowSource>>(std::move(source));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, kept](const QString& path) { start(std::move(*kept), path); });
    dialog->open();
}

void ExportBar::start(std::unique_ptr<RowSource> source, const QString& path) {
    if (isBusy() || !source) return;
    m_source = std::move(source);
    m_path = path;
    m_rows = 0;
    ++m_number;
    showProgress(-1);
    m_cancel->setEnabled(true);
    setVisible(true);
    emit busyChanged(true);
    const auto format = formatOf(path);
    QMetaObject::invokeMethod(
        m_worker,
        [this, path, format, columns = m_source->facts().columns, zone = m_times.zone()] {
            m_file = std::make_shared<RowFile>(path, columns, format, zone);
        },
        Qt::QueuedConnection);
    perform([](RowFile& file) { return file.open(); },
            [this](const QString& problem) { problem.isEmpty() ? readOn() : fail(problem); });
}

/// `done` is called here, unless the export has ended meanwhile.
void ExportBar::perform(Work work, std::function<void(const QString&)> done) {
    QMetaObject::invokeMethod(
        m_worker,
        [this, work = std::move(work), done = std::move(done), number = m_number] {
            const QString problem = work(*m_file);
            QMetaObject::invokeMethod(
                this,
                [this, done, number, problem] {
                    if (isBusy() && number == m_number) done(problem);
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void ExportBar::readOn() {
    m_source->readNext([this](RowBatch batch) { take(std::move(batch)); });
}

void ExportBar::take(RowBatch batch) {
    if (!batch.problem.isEmpty()) return fail(batch.problem);
    const auto rows = std::make_shared<std::vector<RowValues>>(std::move(batch.rows));
    batch.rows.clear();
    perform([rows](RowFile& file) { return file.write(*rows); },
            [this, count = rows->size(), batch](const QString& problem) {
                wrote(count, batch, problem);
            });
}

void ExportBar::wrote(std::uint64_t rows, const RowBatch& batch, const QString& problem) {
    if (!problem.isEmpty()) return fail(problem);
    m_rows += rows;
    showProgress(batch.share);
    if (!batch.last) return readOn();
    // The file takes its name now: from here on there is nothing to be cancelled.
    m_cancel->setEnabled(false);
    perform([](RowFile& file) { return file.finish(); },
            [this](const QString& failure) { finished(failure); });
}

void ExportBar::finished(const QString& problem) {
    if (!problem.isEmpty()) return fail(problem);
    const auto facts = m_source->facts();
    const QString path = plainLine(m_path.toStdString());
    QString text = m_rows == 1 ? tr("One row of the list of %1 is in %2.").arg(facts.title, path)
                               : tr("%1 rows of the list of %2 are in %3.")
                                     .arg(countText(m_rows), facts.title, path);
    if (!facts.remark.isEmpty()) text += QLatin1Char(' ') + facts.remark;
    end();
    emit told(MessageBar::Kind::success, text);
}

void ExportBar::fail(const QString& problem) {
    const QString text = tr("The export to %1 ended after %2 rows, and nothing was kept of it: %3")
                             .arg(shortName(m_path), countText(m_rows),
                                  plainLine(problem.toStdString()));
    end();
    emit told(MessageBar::Kind::error, text);
}

void ExportBar::cancel() {
    if (!isBusy()) return;
    const QString text = tr("The export to %1 was cancelled after %2 rows; nothing was kept of it.")
                             .arg(shortName(m_path), countText(m_rows));
    end();
    emit told(MessageBar::Kind::info, text);
}

bool ExportBar::mayClose() {
    if (!isBusy()) return true;
    if (m_question) return false;
    m_question = new QDialog(window());
    m_question->setObjectName(QStringLiteral("exportQuestion"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setWindowTitle(tr("Export under way"));
    auto* layout = dialogLayout(*m_question);
    layout->addWidget(dialogHeading(tr("Give up the export and close?"), m_question));
    layout->addWidget(dialogWords(tr("%1 is not finished, and nothing of it would be kept. Cancel "
                                     "lets it go on.")
                                      .arg(shortName(m_path)),
                                  "exportQuestionWords", m_question));
    addDialogButtons(*m_question, *layout, tr("Give up and close"), Symbol::close,
                     "exportQuestionAccept");
    // There is nothing to ask any more once it has ended.
    connect(this, &ExportBar::busyChanged, m_question, &QDialog::close);
    connect(m_question, &QDialog::accepted, this, [this] {
        cancel();
        window()->close();
    });
    m_question->open();
    return false;
}

/// A file that is not finished goes with what writes it.
void ExportBar::end() {
    if (!isBusy()) return;
    m_source.reset();
    QMetaObject::invokeMethod(m_worker, [this] { m_file.reset(); }, Qt::QueuedConnection);
    setVisible(false);
    emit busyChanged(false);
}

void ExportBar::showProgress(double share) {
    const bool known = share >= 0;
    m_progress->setRange(0, known ? kSteps : 0);
    if (known) m_progress->setValue(static_cast<int>(kSteps * std::min(share, 1.0)));
    const QString text = tr("Exporting %1 to %2: %3 rows so far")
                             .arg(m_source->facts().title, shortName(m_path), countText(m_rows));
    m_text->setText(text);
    setAccessibleName(text);
}

}  // namespace lanes::ui
