// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"

#include <QWidget>

#include <string>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lanes::ui {

class ElidedLabel;
class TimeDisplay;

/// One rejected event beside the list: why it was not taken, and its text, which can be mended and
/// sent again.
class RejectedDetails : public QWidget {
    Q_OBJECT

public:
    explicit RejectedDetails(TimeDisplay& times, QWidget* parent = nullptr);

    /// Nothing is chosen; `hint` says what to do.
    void clear(const QString& hint);
    /// Its body comes later; what is typed stays while the same one is shown.
    void show(const QuarantineRow& row);
    void showBody(const QuarantineRow& row);
    /// What somebody typed is not what came.
    [[nodiscard]] bool isEdited() const;
    /// It was given to the engine, or came back with an error.
    void setBusy(bool busy);
    void showError(const QString& error);

signals:
    void retryWanted(lanes::QuarantineId id, const std::string& body);
    void discardWanted(lanes::QuarantineId id);

private:
    void build();
    void showFacts();
    void check();
    void say(bool good, const QString& text);

    TimeDisplay& m_times;
    QuarantineRow m_row;
    QString m_original;
    bool m_loaded = false;
    bool m_busy = false;
    QLabel* m_hint;
    QWidget* m_rest;
    ElidedLabel* m_title;
    ElidedLabel* m_facts;
    QLabel* m_reason;
    QPlainTextEdit* m_body;
    QLabel* m_mark;
    QLabel* m_state;
    QPushButton* m_retry;
    QPushButton* m_discard;
    QPushButton* m_restore;
};

}  // namespace lanes::ui
