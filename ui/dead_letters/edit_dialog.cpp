// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/edit_dialog.h"

#include "engine/config.h"
#include "engine/payload_check.h"
#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/state_style.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStringList>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

/// Bytes that are edited in a window at most: laying out more takes noticeable time with each key.
constexpr std::size_t kEditableBytes = 256u << 10;
/// A line without end takes quadratic time to lay out.
constexpr qsizetype kLongestLine = 20'000;
constexpr QSize kSize(900, 620);

QString textOf(const std::string& payload) {
    return QString::fromUtf8(payload.data(), static_cast<qsizetype>(payload.size()));
}

qsizetype longestLine(const QString& text) {
    qsizetype longest = 0;
    qsizetype begin = 0;
    for (qsizetype end = 0; end >= 0 && begin <= text.size(); begin = end + 1) {
        end = text.indexOf(QLatin1Char('\n'), begin);
        longest = std::max(longest, (end < 0 ? text.size() : end) - begin);
        if (end < 0) break;
    }
    return longest;
}

/// Lines that are not the same at the beginning and at the end of both.
struct Changed {
    qsizetype first = 0;
    qsizetype end = 0;
};

Changed changedLines(const QStringList& lines, const QStringList& others) {
    const auto shared = std::min(lines.size(), others.size());
    qsizetype same = 0;
    while (same < shared && lines[same] == others[same]) ++same;
    qsizetype sameAtEnd = 0;
    while (sameAtEnd < shared - same &&
           lines[lines.size() - 1 - sameAtEnd] == others[others.size() - 1 - sameAtEnd])
        ++sameAtEnd;
    return {same, lines.size() - sameAtEnd};
}

void markLines(QPlainTextEdit& edit, Changed lines, const QColor& colour) {
    QList<QTextEdit::ExtraSelection> marks;
    for (auto line = lines.first; line < lines.end; ++line) {
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(colour);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(edit.document()->findBlockByNumber(static_cast<int>(line)));
        marks << mark;
    }
    edit.setExtraSelections(marks);
}

}  // namespace

QString whyNotEditable(const std::string& payload) {
    const QString elsewhere =
        EditDialog::tr("Edit a file with it instead: rivora-lanes dead-letters edit.");
    if (payload.size() > kEditableBytes)
        return EditDialog::tr("The payload has %1, which is more than can be edited here.")
                   .arg(bytesText(payload.size())) +
               QLatin1Char(' ') + elsewhere;
    const QString text = textOf(payload);
    // Line ends of another kind, bytes that are no text: an editor would change them on its own.
    const bool same = text.toUtf8().toStdString() == payload;
    if (!same || text.contains(QChar::Null) || text.contains(QLatin1Char('\r')) ||
        text.contains(QChar::ParagraphSeparator) || text.contains(QChar::LineSeparator))
        return EditDialog::tr("The payload has characters that cannot be kept as they are here.") +
               QLatin1Char(' ') + elsewhere;
    if (longestLine(text) > kLongestLine)
        return EditDialog::tr("The payload has a line that is too long to be edited here.") +
               QLatin1Char(' ') + elsewhere;
    return {};
}

EditDialog::EditDialog(const DeadLetterRow& letter, const EventRow& event,
                       const std::optional<std::string>& edited, const QString& destination,
                       QWidget* parent)
    : QDialog(parent),
      m_pointer(letter.pointer),
      m_contentType(event.contentType),
      m_original(textOf(event.payload)),
      m_present(edited ? textOf(*edited) : m_original),
      m_edit(new QPlainTextEdit(this)),
      m_shown(new QPlainTextEdit(this)),
      m_mark(new QLabel(this)),
      m_state(dialogWords({}, "editState", this)),
      m_plan(dialogWords(tr("Looking up what this lane delivered since…"), "editPlan", this)),
      m_reason(new QLineEdit(this)) {
    build(letter, destination);
    m_edit->setPlainText(m_present);
    m_shown->setPlainText(m_original);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &EditDialog::check);
    m_edit->setFocus();
    check();
}

void EditDialog::build(const DeadLetterRow& letter, const QString& destination) {
    setObjectName(QStringLiteral("editDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Edit and rewind"));
    const QString id = plainLine(letter.eventId, kNameCharacters);
    const QString rules =
        tr("The event returns to its place in the lane of %1 with the payload on the left. Only %2 "
           "gets that; what was accepted is kept, and other destinations get it as it was.")
            .arg(userText(letter.user), destination);
    m_mark->setFixedSize(16, 16);
    m_state->setWordWrap(true);
    m_plan->setWordWrap(true);
    m_reason->setObjectName(QStringLiteral("editReason"));
    m_reason->setMaxLength(256);
    m_reason->setPlaceholderText(tr("kept with the operation, may stay empty"));
    auto* state = new QHBoxLayout;
    state->setSpacing(8);
    state->addWidget(m_mark, 0, Qt::AlignTop);
    state->addWidget(m_state, 1);
    auto* form = new QFormLayout;
    form->addRow(tr("Rea&son"), m_reason);
    auto* words = dialogWords(rules, "editRules", this);
    words->setWordWrap(true);

    auto* layout = dialogLayout(*this);
    layout->addWidget(dialogHeading(tr("Edit %1 and rewind it to %2?").arg(id, destination), this));
    layout->addWidget(words);
    layout->addWidget(sideBySide(), 1);
    layout->addLayout(state);
    layout->addWidget(m_plan);
    layout->addLayout(form);
    const auto buttons = addDialogButtons(*this, *layout, tr("Edit and rewind 1 event"),
                                          Symbol::rewind, "editAccept");
    m_accept = buttons.accept;
    // Enter in the reason must not send what is half typed.
    buttons.cancel->setDefault(true);
    m_accept->setAutoDefault(false);
    resize(kSize);
}

QWidget* EditDialog::sideBySide() {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    const auto add = [splitter](const QString& words, QPlainTextEdit* edit, const char* name) {
        auto* side = new QWidget(splitter);
        auto* layout = new QVBoxLayout(side);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        auto* label = sectionTitle(words, side);
        label->setBuddy(edit);
        layout->addWidget(label);
        layout->addWidget(edit, 1);
        edit->setObjectName(QLatin1String(name));
        edit->setAccessibleName(words);
        edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        edit->setTabChangesFocus(true);
        edit->setLineWrapMode(QPlainTextEdit::WidgetWidth);
        edit->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        splitter->addWidget(side);
    };
    add(m_present == m_original ? tr("New payload") : tr("New payload, as it was edited last"),
        m_edit, "editText");
    add(tr("As accepted"), m_shown, "editOriginal");
    m_shown->setReadOnly(true);
    // One scrolls with the other, so that what belongs together stands side by side.
    connect(m_edit->verticalScrollBar(), &QScrollBar::valueChanged, m_shown->verticalScrollBar(),
            &QScrollBar::setValue);
    return splitter;
}

void EditDialog::accept() {
    if (!m_accept->isEnabled()) return;
    m_submitted = true;
    check();
    emit wanted();
}

void EditDialog::answer(const QString& error) {
    if (error.isEmpty()) return QDialog::accept();
    m_submitted = false;
    check();
    say(false, error);
}

std::string EditDialog::payload() const {
    return typedText(*m_edit).toStdString();
}

std::string EditDialog::reason() const {
    return m_reason->text().trimmed().toStdString();
}

void EditDialog::say(bool good, const QString& text) {
    m_mark->setPixmap((good ? icon(Symbol::info) : errorStyle().icon).pixmap(16, 16));
    m_state->setText(text);
    m_accept->setToolTip(m_accept->isEnabled() ? QString() : plainTooltip(text));
}

/// Why it cannot be sent stands in words, not only in a button that does nothing.
void EditDialog::check() {
    const QString text = typedText(*m_edit);
    const auto bytes = text.toStdString();
    markChanges(text);
    m_accept->setEnabled(false);
    m_edit->setReadOnly(m_submitted);
    if (m_submitted) return say(true, tr("Handed to the engine…"));
    if (bytes.size() > limits::kEventBytes)
        return say(false, tr("An event has at most %1, this one has %2.")
                              .arg(bytesText(limits::kEventBytes), bytesText(bytes.size())));
    if (const auto fault = payloadFault(m_contentType, bytes))
        return say(false, tr("No JSON at line %1, column %2: %3.")
                              .arg(QString::number(fault->line), QString::number(fault->column),
                                   plainLine(std::string(fault->what))));
    if (text == m_present)
        return say(true, tr("Nothing was changed yet. As it is, it can be rewound without this."));
    m_accept->setEnabled(true);
    const QString size = bytesText(bytes.size());
    say(true, saysJson(m_contentType) ? tr("Good JSON, %1.").arg(size)
                                      : tr("%1 of %2; what is in it is not checked.")
                                            .arg(size, m_contentType.empty()
                                                           ? tr("an unknown type")
                                                           : plainLine(m_contentType)));
}

void EditDialog::markChanges(const QString& text) {
    const auto now = text.split(QLatin1Char('\n'));
    const auto before = m_original.split(QLatin1Char('\n'));
    QColor tint = palette().color(QPalette::Highlight);
    tint.setAlphaF(0.18F);
    markLines(*m_edit, changedLines(now, before), tint);
    markLines(*m_shown, changedLines(before, now), tint);
}

void EditDialog::showPlan(const RewindPlan& plan) {
    if (!plan.error.empty())
        return m_plan->setText(tr("What this lane delivered since is not known: %1")
                                   .arg(plainLine(plan.error)));
    const auto total = plan.total();
    QStringList lines;
    if (plan.notDead > 0) lines << tr("It is no dead letter any more.");
    if (total.laterDelivered > 0)
        lines << tr("Order: this lane delivered %1 already. The edited event arrives after that, "
                    "marked as rewound.")
                     .arg(total.laterDelivered == 1
                              ? tr("1 later event")
                              : tr("%1 later events").arg(countText(total.laterDelivered)));
    else if (plan.notDead == 0)
        lines << tr("Order: this lane delivered nothing later, so it is kept.");
    if (total.mayHaveBeenReceived > 0)
        lines << tr("It may have been received already: no answer came.");
    if (total.rewoundBefore > 0) lines << tr("It was rewound before and died again.");
    m_plan->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace lanes::ui
