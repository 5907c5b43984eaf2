// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_bar.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStringList>
#include <QToolButton>

#include <algorithm>

namespace lanes::ui {

namespace {

/// Steps of the progress bar: finer than a pixel.
constexpr int kSteps = 1000;

/// The end of a path says more than its beginning.
QString shortName(const std::string& path) {
    return plainLine(path.substr(path.rfind('/') + 1), 64);
}

QString countsOf(const ImportSnapshot& import) {
    return ImportBar::tr("%1 accepted, %2 known already, %3 rejected")
        .arg(countText(import.accepted), countText(import.duplicates), countText(import.rejected));
}

}  // namespace

ImportBar::ImportBar(Engine& engine, CommandTracker& commands, QWidget* parent)
    : QFrame(parent),
      m_engine(engine),
      m_commands(commands),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)) {
    setObjectName(QStringLiteral("importBar"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 6, 5);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    m_text->setObjectName(QStringLiteral("importText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_progress->setObjectName(QStringLiteral("importProgress"));
    m_progress->setRange(0, kSteps);
    m_progress->setFixedWidth(180);
    m_progress->setAccessibleName(tr("Progress of the import"));
    m_cancel->setObjectName(QStringLiteral("importCancel"));
    m_cancel->setText(tr("&Cancel import"));
    m_cancel->setToolTip(tr("What was accepted stays; importing the file again goes on here"));
    m_cancel->setFocusPolicy(Qt::StrongFocus);
    connect(m_cancel, &QToolButton::clicked, this, &ImportBar::cancel);
    setVisible(false);
}

void ImportBar::chooseFile() {
    auto* dialog = new QFileDialog(window(), tr("Import events"));
    dialog->setObjectName(QStringLiteral("importDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Events, one a line (*.ndjson *.jsonl *.json *.gz)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ImportBar::start);
    dialog->open();
}

void ImportBar::start(const QString& file) {
    StartImport command;
    command.path = QFile::encodeName(file).toStdString();
    m_commands.submit(std::move(command), this, [this, file](const CommandResult& result) {
        if (!result.ok())
            emit told(MessageBar::Kind::error,
                      tr("Nothing was imported: %1").arg(plainLine(result.error)));
        else
            m_watched = result.importNumber;
        showSnapshot();
    });
}

void ImportBar::cancel() {
    // If it has just ended, its end is told anyway.
    m_cancel->setEnabled(false);
    m_commands.submit(CancelImport{}, this, [](const CommandResult&) {});
}

void ImportBar::showSnapshot() {
    const auto snapshot = m_engine.snapshot();
    const ImportSnapshot& import = snapshot->fileImport;
    const bool active = import.active() && snapshot->lifecycle == Lifecycle::running;
    if (active) {
        m_watched = import.number;
        showProgress(import);
    } else if (m_watched != 0 && import.number == m_watched && !import.active()) {
        m_watched = 0;
        tellEnd(import);
    }
    if (isVisibleTo(parentWidget()) != active) {
        m_cancel->setEnabled(true);
        setVisible(active);
    }
}

void ImportBar::showProgress(const ImportSnapshot& import) {
    const double share = import.bytesTotal == 0 ? 0
                                                : static_cast<double>(import.bytesRead) /
                                                      static_cast<double>(import.bytesTotal);
    m_progress->setValue(static_cast<int>(kSteps * std::clamp(share, 0.0, 1.0)));
    QString text = import.state == ImportState::waiting
                       ? tr("The import of %1 waits and goes on by itself: %2")
                             .arg(shortName(import.file), plainLine(import.error))
                       : tr("Importing %1: line %2, %3; %4 a minute")
                             .arg(shortName(import.file), countText(import.lines), countsOf(import),
                                  rateText(import.linesPerSecond * 60));
    m_text->setText(text);
    setAccessibleName(text);
}

void ImportBar::tellEnd(const ImportSnapshot& import) {
    const QString name = shortName(import.file);
    QStringList parts;
    auto kind = MessageBar::Kind::info;
    if (import.state == ImportState::finished) {
        parts += tr("%1 was imported: %2.").arg(name, countsOf(import));
        kind = import.rejected > 0 ? MessageBar::Kind::warning : MessageBar::Kind::success;
    } else if (import.state == ImportState::cancelled) {
        parts += tr("The import of %1 was cancelled after line %2: %3.")
                     .arg(name, countText(import.lines), countsOf(import));
    } else {
        parts += tr("The import of %1 ended after line %2: %3.")
                     .arg(name, countText(import.lines), countsOf(import));
    }
    if (!import.error.empty()) {
        parts += plainLine(import.error);
        kind = MessageBar::Kind::error;
    }
    if (import.state != ImportState::finished)
        parts += tr("Importing the file again goes on there.");
    if (import.rejected > 0)
        parts += tr("Why lines were rejected is in %1.").arg(plainLine(import.report));
    emit told(kind, parts.join(QLatin1Char(' ')));
}

}  // namespace lanes::ui
