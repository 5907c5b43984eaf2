// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/note_dialog.h"

#include "engine/config.h"
#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr int kLines = 5;

QString lettersText(std::size_t count) {
    return count == 1 ? NoteDialog::tr("1 dead letter")
                      : NoteDialog::tr("%1 dead letters").arg(countText(count));
}

}  // namespace

NoteDialog::NoteDialog(const std::vector<DeadLetterRow>& letters, QWidget* parent)
    : QDialog(parent), m_text(new QPlainTextEdit(this)), m_room(new QLabel(this)) {
    for (const auto& letter : letters) {
        m_pointers.push_back(letter.pointer);
        if (!letter.note.text.empty()) ++m_noted;
    }
    if (letters.size() == 1) m_before = letters.front().note.text;
    setObjectName(QStringLiteral("noteDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Note on dead letters"));
    const QString title =
        letters.size() == 1
            ? tr("Note on %1").arg(plainLine(letters.front().eventId, kNameCharacters))
            : tr("Note on %1").arg(lettersText(letters.size()));
    QString rules = tr("It is kept with the event, also when that is rewound and dies again.");
    if (letters.size() > 1 && m_noted > 0)
        rules += QLatin1Char(' ') +
                 tr("%1 of them have a note, which it replaces.").arg(countText(m_noted));

    m_text->setObjectName(QStringLiteral("noteText"));
    m_text->setAccessibleName(tr("The note"));
    m_text->setTabChangesFocus(true);
    m_text->setPlaceholderText(tr("What is known of it, who looks after it"));
    m_text->setFixedHeight(m_text->fontMetrics().lineSpacing() * kLines + 16);
    m_text->setPlainText(QString::fromStdString(m_before));
    m_text->moveCursor(QTextCursor::End);
    m_room->setObjectName(QStringLiteral("noteRoom"));
    m_room->setTextFormat(Qt::PlainText);
    m_room->setForegroundRole(QPalette::PlaceholderText);

    auto* layout = dialogLayout(*this);
    layout->addWidget(dialogHeading(title, this));
    layout->addWidget(m_text);
    layout->addWidget(m_room);
    layout->addWidget(dialogWords(rules, "noteRules", this));
    m_accept = addDialogButtons(*this, *layout, tr("Keep note"), Symbol::note, "noteAccept").accept;
    connect(m_text, &QPlainTextEdit::textChanged, this, &NoteDialog::showState);
    // Enter begins a line, so with Ctrl it ends the note.
    auto* keys = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
    connect(keys, &QShortcut::activated, m_accept, &QPushButton::click);
    m_text->setFocus();
    showState();
}

std::string NoteDialog::text() const {
    return m_text->toPlainText().trimmed().toStdString();
}

void NoteDialog::showState() {
    const auto written = text();
    const bool tooLong = written.size() > limits::kNoteBytes;
    const bool takesAway = written.empty() && m_noted > 0;
    const bool changes = m_pointers.size() > 1 || written != m_before;
    m_accept->setText(takesAway ? (m_noted == 1 ? tr("Remove note")
                                                : tr("Remove %1 notes").arg(countText(m_noted)))
                      : m_pointers.size() == 1
                          ? tr("Keep note")
                          : tr("Keep note on %1").arg(lettersText(m_pointers.size())));
    m_accept->setEnabled(!tooLong && changes && (takesAway || !written.empty()));
    if (tooLong)
        m_room->setText(
            tr("%1 bytes too long").arg(countText(written.size() - limits::kNoteBytes)));
    else if (takesAway)
        m_room->setText(tr("Without a text the note is taken away."));
    else
        m_room->setText(tr("%1 of %2 bytes · Ctrl+Enter keeps it")
                            .arg(countText(written.size()), countText(limits::kNoteBytes)));
}

}  // namespace lanes::ui
