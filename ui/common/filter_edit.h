// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/filter_language.h"

#include <QLineEdit>

#include <functional>

class QAction;
class QCompleter;
class QStandardItemModel;

namespace lanes::ui {

/// Where a filter is typed: checked with each letter, completed, with what was applied before. It
/// knows the language and no list.
class FilterEdit : public QLineEdit {
    Q_OBJECT

public:
    explicit FilterEdit(QWidget* parent = nullptr);

    /// Asked for with each check, so that words and times are those of the moment.
    void setContext(std::function<FilterContext()> context);
    /// Newest first.
    void setHistory(const QStringList& history) { m_history = history; }
    /// What is in force; it is what Escape goes back to.
    void setApplied(const QString& text);
    [[nodiscard]] const QString& applied() const { return m_applied; }
    [[nodiscard]] bool isChanged() const { return text() != m_applied; }
    /// What the text means now.
    [[nodiscard]] const ParsedFilter& parsed() const { return m_parsed; }
    /// Reads the text again: destinations or the zone have changed.
    void check();

signals:
    void checked();
    void applyWanted();
    void leaveWanted();
    void focusChanged();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showCheck();
    void underline();
    void offerWords();
    void takeWord(const QString& word);
    void walkHistory(int step);
    [[nodiscard]] bool isOffering() const;

    std::function<FilterContext()> m_context;
    ParsedFilter m_parsed;
    FilterCompletion m_completion;
    QString m_applied;
    QStringList m_history;
    qsizetype m_place = -1;  ///< in the history; -1: what was typed
    QString m_typed;         ///< before the history was opened
    QAction* m_mark;
    QCompleter* m_completer;
    QStandardItemModel* m_words;
    bool m_painting = false;
};

}  // namespace lanes::ui
