// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_edit.h"

#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QEvent>
#include <QGuiApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextCharFormat>
#include <QToolButton>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr int kMeaningRole = Qt::UserRole + 1;
constexpr int kPopupWidth = 380;

/// The word, and what it means in a quieter colour at the right.
class WordDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString meaning = index.data(kMeaningRole).toString();
        const int used = option.fontMetrics.horizontalAdvance(index.data().toString()) + 24;
        const QRect room = option.rect.adjusted(used, 0, -8, 0);
        if (meaning.isEmpty() || room.width() < 40) return;
        const bool chosen = option.state & QStyle::State_Selected;
        painter->setPen(option.palette.color(chosen ? QPalette::HighlightedText
                                                    : QPalette::PlaceholderText));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(meaning, Qt::ElideRight, room.width()));
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 4);
    }
};

QColor tinted(const QColor& base, const QColor& with, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return {mix(base.red(), with.red()), mix(base.green(), with.green()),
            mix(base.blue(), with.blue())};
}

}  // namespace

FilterEdit::FilterEdit(QWidget* parent)
    : QLineEdit(parent),
      m_mark(addAction(icon(Symbol::filter), LeadingPosition)),
      m_completer(new QCompleter(this)),
      m_words(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("filterEdit"));
    setAccessibleName(tr("Filter"));
    setPlaceholderText(tr("Filter, as dest:crm age>2h (Ctrl+F)"));
    setMaxLength(8192);
    m_completer->setModel(m_words);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    auto* popup = new QListView;
    popup->setObjectName(QStringLiteral("filterWords"));
    m_completer->setPopup(popup);
    // After the completer has given the popup a delegate of its own.
    popup->setItemDelegate(new WordDelegate(popup));
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &FilterEdit::takeWord);
    connect(this, &QLineEdit::textChanged, this, &FilterEdit::check);
    setClearButtonEnabled(true);
    // The field empties itself first, as its own connection is older; what is taken away so is
    // taken away from the list.
    for (auto* button : findChildren<QToolButton*>())
        if (button->defaultAction() != m_mark)
            connect(button, &QToolButton::clicked, this, &FilterEdit::applyWanted);
    connect(this, &QLineEdit::textEdited, this, [this] {
        m_place = -1;
        offerWords();
    });
}

void FilterEdit::setContext(std::function<FilterContext()> context) {
    m_context = std::move(context);
    check();
}

void FilterEdit::setApplied(const QString& text) {
    m_applied = text;
    m_place = -1;
    if (this->text() == text)
        check();
    else
        setText(text);
}

void FilterEdit::check() {
    if (!m_context || m_painting) return;
    m_parsed = parseFilter(text(), m_context());
    showCheck();
    emit checked();
}

void FilterEdit::showCheck() {
    const bool wrong = m_parsed.error && !m_parsed.error->unfinished;
    const bool good = !m_parsed.error && !text().trimmed().isEmpty();
    const QColor base = QGuiApplication::palette().color(QPalette::Base);
    const QColor ink = wrong ? errorStyle().colour : stateStyle(HealthState::healthy).colour;
    QPalette palette = QGuiApplication::palette();
    if (wrong || good) palette.setColor(QPalette::Base, tinted(base, ink, wrong ? 0.16 : 0.10));
    {
        const QScopedValueRollback<bool> painting(m_painting, true);
        setPalette(palette);
    }
    m_mark->setIcon(wrong  ? icon(Symbol::error, errorStyle().colour)
                    : good ? icon(Symbol::check, stateStyle(HealthState::healthy).colour)
                           : icon(Symbol::filter));
    m_mark->setToolTip(m_parsed.error ? QString() : tr("This filter is well formed"));
    setAccessibleDescription(m_parsed.error ? m_parsed.error->text : QString());
    underline();
}

/// A line edit draws underlines only for input methods: the wave is told to it as if by one.
void FilterEdit::underline() {
    QList<QInputMethodEvent::Attribute> attributes;
    if (m_parsed.error && !m_parsed.error->unfinished) {
        const qsizetype length = std::max<qsizetype>(m_parsed.error->length, 1);
        const auto last = std::max<qsizetype>(0, text().size() - length);
        const auto offset = std::clamp<qsizetype>(m_parsed.error->offset, 0, last);
        QTextCharFormat wave;
        wave.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.setUnderlineColor(readableLine(errorStyle().colour, palette().color(QPalette::Base)));
        attributes.append({QInputMethodEvent::TextFormat,
                           static_cast<int>(offset) - cursorPosition(), static_cast<int>(length),
                           wave});
    }
    const QScopedValueRollback<bool> painting(m_painting, true);
    QInputMethodEvent event({}, attributes);
    QLineEdit::inputMethodEvent(&event);
}

bool FilterEdit::isOffering() const {
    return m_completer->popup()->isVisible();
}

void FilterEdit::offerWords() {
    if (!m_context) return;
    m_completion = completeFilter(text(), cursorPosition(), m_context());
    const auto& words = m_completion.words;
    const QString present = text().mid(m_completion.offset, m_completion.length);
    if (words.empty() || !hasFocus() || (words.size() == 1 && words[0].text == present)) {
        m_completer->popup()->hide();
        return;
    }
    m_words->clear();
    for (const auto& word : words) {
        auto* item = new QStandardItem(word.text);
        item->setData(word.meaning, kMeaningRole);
        item->setData(QString(word.text + QStringLiteral(", ") + word.meaning),
                      Qt::AccessibleTextRole);
        m_words->appendRow(item);
    }
    QRect at = cursorRect();
    at.setWidth(kPopupWidth);
    m_completer->complete(at);
    m_completer->popup()->setCurrentIndex({});
}

void FilterEdit::takeWord(const QString& word) {
    QString all = text();
    all.replace(m_completion.offset, m_completion.length, word);
    setText(all);
    setCursorPosition(static_cast<int>(m_completion.offset + word.size()));
    // A field goes on with its values.
    offerWords();
}

void FilterEdit::walkHistory(int step) {
    const qsizetype place = std::clamp<qsizetype>(m_place + step, -1, m_history.size() - 1);
    if (place == m_place) return;
    if (m_place < 0) m_typed = text();
    setText(place < 0 ? m_typed : m_history[place]);
    m_place = place;
}

bool FilterEdit::event(QEvent* event) {
    // The window has Escape for itself; here it means the field.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    // Before it moves the focus on.
    if (event->type() == QEvent::KeyPress && isOffering() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab) {
        const QModelIndex chosen = m_completer->popup()->currentIndex();
        takeWord(chosen.isValid() ? chosen.data().toString() : m_words->item(0)->text());
        return true;
    }
    return QLineEdit::event(event);
}

void FilterEdit::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isOffering()) {
        const bool chosen = m_completer->popup()->currentIndex().isValid();
        switch (event->key()) {
            case Qt::Key_Up:
            case Qt::Key_Down:
            case Qt::Key_Escape: event->ignore(); return;  // the completer's
            default: break;
        }
        if (enter && chosen) {
            event->ignore();
            return;
        }
        if (enter) m_completer->popup()->hide();
    }
    if (enter) {
        emit applyWanted();
        return;
    }
    switch (event->key()) {
        case Qt::Key_Escape:
            setText(m_applied);
            emit leaveWanted();
            return;
        case Qt::Key_Up: walkHistory(1); return;
        case Qt::Key_Down: walkHistory(-1); return;
        default: QLineEdit::keyPressEvent(event);
    }
}

void FilterEdit::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    emit focusChanged();
}

void FilterEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) emit focusChanged();
}

void FilterEdit::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    // Of the application: another theme.
    if (event->type() == QEvent::ApplicationPaletteChange) showCheck();
}

}  // namespace lanes::ui
