// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/queries.h"
#include "ui/common/page_loader.h"

#include <QWidget>

#include <memory>

class QHBoxLayout;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTabBar;

namespace lanes::ui {

class AttemptsModel;
class ElidedLabel;
class Table;
class TimeDisplay;

/// One event beside a list: a line that says where it stands, what it is, its attempts as a
/// timeline, its body and what an attempt was answered, both as plain text. The cold parts are read
/// by the loader.
class EventDetails : public QWidget {
    Q_OBJECT

public:
    EventDetails(PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);

    /// Says where the event stands; a few times a second, so it only changes a label.
    void setWhy(const QString& why);
    /// What somebody wrote on it, below; empty hides it.
    void setNote(const QString& note);
    /// Where a list puts its own buttons for the event that is shown.
    [[nodiscard]] QHBoxLayout& acts() const { return *m_acts; }
    /// Shows an event; asking again for the one shown only looks for newer attempts.
    void showPointer(Pointer pointer, const QString& destination);
    /// Shows the event of an attempt, and what that one was answered.
    void showAttempt(const AttemptRow& attempt, const QString& destination);
    /// Looks for newer attempts of the event shown.
    void refresh();
    /// Nothing is chosen; `hint` says what to do.
    void clear(const QString& hint);
    /// What is shown is kept, but nothing is asked for any more.
    void setFrozen(bool frozen) { m_frozen = frozen; }

    [[nodiscard]] Pointer pointer() const { return m_pointer; }

private:
    void buildTexts();
    void askEvent();
    void askAttempts();
    void showBody(const std::optional<EventRow>& event, const std::optional<std::string>& edited);
    void showFacts();
    void showResponse(const AttemptRow& attempt);
    void chooseAttempt(int row);
    void findAttempt();

    PageLoader& m_loader;
    TimeDisplay& m_times;
    Pointer m_pointer;
    QString m_destination;
    std::optional<EventRow> m_event;
    std::uint64_t m_attempt = 0;  ///< position of the chosen attempt; 0 = the newest
    bool m_finding = false;       ///< the chosen attempt is being selected by us
    bool m_frozen = false;
    PageLoader::Channel m_eventChannel;
    PageLoader::Channel m_attemptsChannel;

    QLabel* m_why;
    QLabel* m_note;
    QHBoxLayout* m_acts;
    QWidget* m_rest;
    ElidedLabel* m_title;
    ElidedLabel* m_facts;
    QLabel* m_attemptsTitle;
    Table* m_attempts;
    AttemptsModel* m_model;
    QTabBar* m_tabs;
    QStackedWidget* m_texts;
    QPlainTextEdit* m_body;
    QPlainTextEdit* m_response;
};

}  // namespace lanes::ui
