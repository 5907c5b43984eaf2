// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What an operator can do with dead letters: rewind, discard, edit, note; and the menu of a row.
#include "ui/dead_letters/dead_letters_view.h"

#include "ui/common/command_tracker.h"
#include "ui/common/filter_menu.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/dead_letters/dead_letters_model.h"
#include "ui/dead_letters/edit_dialog.h"
#include "ui/dead_letters/groups_panel.h"
#include "ui/dead_letters/note_dialog.h"

#include <QMenu>
#include <QPointer>
#include <QPushButton>

#include <iterator>
#include <utility>

namespace lanes::ui {

namespace {
/// What the cell says, as a condition.
std::optional<Filter> conditionOf(const DeadLetterRow& letter, int column) {
    switch (static_cast<DeadLettersModel::Column>(column)) {
        case DeadLettersModel::Destination:
            return numberIs(FilterField::destination,
                            std::int64_t{letter.pointer.destination.value});
        case DeadLettersModel::User: return textIs(FilterField::user, letter.user.text);
        case DeadLettersModel::Type: return textIs(FilterField::type, letter.type);
        case DeadLettersModel::Event: return textIs(FilterField::event, letter.eventId);
        case DeadLettersModel::Attempts:
            return numberIs(FilterField::attempts, std::int64_t{letter.attempts});
        case DeadLettersModel::Result:
            if (letter.lastStatus != 0)
                return numberIs(FilterField::status, std::int64_t{letter.lastStatus});
            return numberIs(FilterField::outcome, static_cast<std::int64_t>(letter.lastOutcome));
        case DeadLettersModel::Reason:
            return textIs(FilterField::error,
                          letter.lastError.empty() ? letter.reason : letter.lastError);
        case DeadLettersModel::Size:
            return numberIs(FilterField::size, static_cast<std::int64_t>(letter.bytes));
        case DeadLettersModel::Note: return textIs(FilterField::note, letter.note.text);
        case DeadLettersModel::DiedAt:
        case DeadLettersModel::FirstTried:
        case DeadLettersModel::ColumnCount: break;
    }
    return std::nullopt;
}

}  // namespace

void DeadLettersView::rewindSelected() {
    ask(RewindDialog::Act::rewind);
}

void DeadLettersView::discardSelected() {
    ask(RewindDialog::Act::discard);
}

void DeadLettersView::ask(RewindDialog::Act act) {
    // Frozen here: what dies, moves or is selected later is not part of it.
    const auto letters = selectedLetters();
    if (letters.empty()) return;
    auto* dialog = new RewindDialog(act, letters, *m_engine.snapshot(), this);
    plan(dialog, dialog->pointers());
    open(dialog, act, {});
}

void DeadLettersView::rewindMatching() {
    askMatching(RewindDialog::Act::rewind);
}

void DeadLettersView::discardMatching() {
    askMatching(RewindDialog::Act::discard);
}

void DeadLettersView::askMatching(RewindDialog::Act act) {
    if (!m_loader.isOpen() || matchingCount().isEmpty()) return;
    const auto& filter = m_model->filter();
    const QString text = bar().textOf ? bar().textOf(filter) : QString();
    auto* dialog = new RewindDialog(act, text, *m_engine.snapshot(), this);
    m_dialog = dialog;
    m_plannedAt = 0;
    plan(dialog, m_model->wanted());
    open(dialog, act, (text.isEmpty() ? tr("all dead letters") : text).toStdString());
}

void DeadLettersView::plan(RewindDialog* dialog, const RewindScope& scope) {
    m_loader.load(
        PageLoader::Channel::plan,
        [scope](PageReader& reader) { return reader.planRewind(scope); },
        [this, dialog = QPointer<RewindDialog>(dialog)](const RewindPlan& plan) {
            if (!dialog) return;
            m_plannedAt = plan.error.empty() ? plan.plannedAt : 0;
            m_deadAtPlan = deadNow();
            dialog->showPlan(plan);
        });
}

/// Whatever died since the plan stays apart, but nobody has to wonder.
void DeadLettersView::countNewcomers() {
    if (!m_dialog || m_plannedAt == 0 || deadNow() == m_deadAtPlan) return;
    m_deadAtPlan = deadNow();
    m_loader.load(
        PageLoader::Channel::plan,
        [filter = m_model->wanted(), since = m_plannedAt](PageReader& reader) {
            return reader.countDeadSince(filter, since);
        },
        [dialog = m_dialog](std::uint64_t count) {
            if (dialog) dialog->showNewcomers(count);
        });
}

void DeadLettersView::open(RewindDialog* dialog, RewindDialog::Act act, const std::string& scope) {
    table().setMenuOpen(true);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, act, dialog, scope] { submit(act, *dialog, scope); });
    connect(dialog, &QDialog::finished, this, [this] {
        m_loader.cancel(PageLoader::Channel::plan);
        m_dialog.clear();
        table().setMenuOpen(false);
    });
    dialog->open();
}

void DeadLettersView::rewindPointers(const std::vector<Pointer>& pointers,
                                     const std::string& scope) {
    m_loader.load(
        PageLoader::Channel::plan,
        [pointers](PageReader& reader) { return reader.planRewind(pointers); },
        [this, scope](const RewindPlan& plan) {
            if (!plan.error.empty())
                return emit failed(
                    tr("What a rewind would do is not known: %1").arg(plainLine(plan.error)));
            if (plan.pointers.empty())
                return emit failed(tr("None of them is a dead letter any more."));
            const auto act = RewindDialog::Act::rewind;
            open(new RewindDialog(act, plan, *m_engine.snapshot(), this), act, scope);
        });
}

void DeadLettersView::submit(RewindDialog::Act act, const RewindDialog& dialog,
                             const std::string& scope) {
    const auto& pointers = dialog.pointers();
    const std::set<Pointer> asked(pointers.begin(), pointers.end());
    const auto answer = [this, act, asked](const CommandResult& result) {
        moved(act, asked, result);
    };
    if (act == RewindDialog::Act::rewind)
        m_commands.submit(
            RewindDeadLetters{pointers, operatorName(), dialog.reason(), dialog.pace(), scope},
            this, answer);
    else
        m_commands.submit(DiscardDeadLetters{pointers, operatorName(), dialog.reason(), scope},
                          this, answer);
}

void DeadLettersView::moved(RewindDialog::Act act, const std::set<Pointer>& asked,
                            const CommandResult& result) {
    const bool rewind = act == RewindDialog::Act::rewind;
    if (!result.ok()) {
        emit failed((rewind ? tr("Nothing was rewound: %1") : tr("Nothing was discarded: %1"))
                        .arg(plainLine(result.error)));
        return;
    }
    if (result.underWay) {
        emit succeeded(tr("%1 are on their way back into their lanes; the list gets shorter as "
                          "they move. Ctrl+Z returns those that were not tried yet.")
                           .arg(result.asked == 1 ? tr("1 event")
                                                  : tr("%1 events").arg(countText(result.asked))));
    } else {
        // Moved or skipped: none of them is a dead letter any more.
        m_model->depart(asked, {rewind ? Departure::Fate::rewound : Departure::Fate::discarded,
                                m_engine.snapshot()->at});
        showSelection();
        showChosen();
        m_deadAtLoad = deadNow();
        const QString skipped =
            result.skipped == 0
                ? tr("none skipped")
                : tr("%1 skipped: no dead letters any more").arg(countText(result.skipped));
        emit succeeded((rewind ? tr("%1 moved back into their lanes, %2. They are delivered as "
                                    "their destinations allow; Ctrl+Z returns those that were not "
                                    "tried yet.")
                               : tr("%1 discarded, %2."))
                           .arg(countText(result.done), skipped));
    }
    if (rewind) emit rewound(result.operation);
    reload();
}

QString DeadLettersView::whyNoEdit() const {
    const auto letters = selectedLetters();
    if (letters.size() != 1) return tr("Select one dead letter first.");
    const auto id = letters.front().pointer.destination;
    for (const auto& config : m_engine.destinations())
        if (config.id == id && config.policy.allowEdits) return {};
    return tr("%1 does not allow edited events; its settings can allow them.")
        .arg(m_model->destinationName(id));
}

void DeadLettersView::showEdit() {
    m_editProblem = whyNoEdit();
    m_edit->setEnabled(m_editProblem.isEmpty());
    m_edit->setToolTip(plainTooltip(m_editProblem.isEmpty()
                                        ? tr("Rewind this event with another payload")
                                        : m_editProblem));
}

void DeadLettersView::editSelected() {
    showEdit();
    if (!m_editProblem.isEmpty()) return emit failed(m_editProblem);
    const auto letters = selectedLetters();
    if (letters.size() != 1) return;
    struct Found {
        std::optional<EventRow> event;
        std::optional<std::string> edited;
    };
    m_loader.load(
        PageLoader::Channel::plan,
        [pointer = letters.front().pointer](PageReader& reader) {
            return Found{reader.event(pointer.sequence), reader.editedPayload(pointer)};
        },
        [this, letter = letters.front()](const Found& found) {
            if (!found.event)
                return emit failed(tr("The event cannot be read, so it cannot be edited."));
            openEdit(letter, *found.event, found.edited);
        });
}

void DeadLettersView::openEdit(const DeadLetterRow& letter, const EventRow& event,
                               const std::optional<std::string>& edited) {
    if (const auto problem = whyNotEditable(edited.value_or(event.payload)); !problem.isEmpty())
        return emit failed(problem);
    auto* dialog = new EditDialog(letter, event, edited,
                                  m_model->destinationName(letter.pointer.destination), this);
    table().setMenuOpen(true);
    m_loader.load(
        PageLoader::Channel::plan,
        [pointer = letter.pointer](PageReader& reader) {
            return reader.planRewind(std::vector{pointer});
        },
        [dialog = QPointer<EditDialog>(dialog)](const RewindPlan& plan) {
            if (dialog) dialog->showPlan(plan);
        });
    connect(dialog, &EditDialog::wanted, this, [this, dialog = QPointer<EditDialog>(dialog)] {
        const auto pointer = dialog->pointer();
        m_commands.submit(
            EditAndRewind{pointer, dialog->payload(), operatorName(), dialog->reason()}, this,
            [this, pointer, dialog](const CommandResult& result) {
                // What was typed is not lost because of an answer.
                if (dialog) dialog->answer(plainLine(result.error));
                if (result.ok() || !dialog) moved(RewindDialog::Act::rewind, {pointer}, result);
            });
    });
    connect(dialog, &QDialog::finished, this, [this] {
        m_loader.cancel(PageLoader::Channel::plan);
        table().setMenuOpen(false);
    });
    dialog->open();
}

void DeadLettersView::noteSelected() {
    if (const auto letters = selectedLetters(); !letters.empty()) askNote(letters);
}

/// Which ones they are is looked up first: as they are now, and no more than get one at once.
void DeadLettersView::noteMatching(const std::vector<Filter>& conditions) {
    const auto filter = narrowed(conditions);
    if (!filter) return emit failed(tr("The filter has as many conditions as it can have."));
    DeadLetterQuery all;
    all.filter.rest = *filter;
    m_loader.load(
        PageLoader::Channel::plan,
        [all](PageReader& reader) {
            DeadLetterQuery query = all;
            DeadLetterPage found;
            do {
                auto page = reader.deadLetters(query);
                found.rows.insert(found.rows.end(), std::make_move_iterator(page.rows.begin()),
                                  std::make_move_iterator(page.rows.end()));
                found.complete = page.complete;
                found.error = page.error;
                found.interrupted = page.interrupted;
                query.after = page.resume;
            } while (!found.complete && query.after && found.error.empty() && !found.interrupted &&
                     found.rows.size() <= limits::kNotesAtOnce);
            return found;
        },
        [this](const DeadLetterPage& found) {
            if (!found.error.empty()) return;  // the loader has said so
            if (!found.complete || found.rows.size() > limits::kNotesAtOnce)
                return emit failed(tr("At most %1 dead letters get a note at once. Narrow the "
                                      "filter first.")
                                       .arg(countText(limits::kNotesAtOnce)));
            if (found.rows.empty())
                return emit failed(tr("None of them is a dead letter any more."));
            askNote(found.rows);
        });
}

void DeadLettersView::askNote(const std::vector<DeadLetterRow>& letters) {
    auto* dialog = new NoteDialog(letters, this);
    table().setMenuOpen(true);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto text = dialog->text();
        m_commands.submit(
            NoteDeadLetters{dialog->pointers(), text, operatorName()}, this,
            [this, written = !text.empty()](const CommandResult& result) {
                noted(written, result);
            });
    });
    connect(dialog, &QDialog::finished, this, [this] { table().setMenuOpen(false); });
    dialog->open();
}

void DeadLettersView::noted(bool written, const CommandResult& result) {
    if (!result.ok()) return emit failed(tr("No note was kept: %1").arg(plainLine(result.error)));
    const QString letters = result.done == 1
                                ? tr("1 dead letter")
                                : tr("%1 dead letters").arg(countText(result.done));
    QString text = (written ? tr("The note is kept on %1.") : tr("The note on %1 is gone."))
                       .arg(letters);
    if (result.skipped > 0)
        text += QLatin1Char(' ') +
                tr("%1 are no dead letters any more.").arg(countText(result.skipped));
    emit succeeded(text);
    reload();
}

void DeadLettersView::showMenu(const QPoint& position) {
    const auto* letter = m_model->letter(table().indexAt(position).row());
    if (!letter) return;
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("deadLetterMenu"));
    const std::size_t count = selectedCount();
    if (count > 0) addActs(menu, count);
    menu.addAction(icon(Symbol::info), tr("Details"), this, [this] { setDetailsOpen(true); });
    menu.addAction(icon(Symbol::list), tr("Story of this event…"), this,
                   [this, sequence = letter->pointer.sequence] { emit eventWanted(sequence); });
    addFilterActions(menu, conditionOf(*letter, table().indexAt(position).column()), bar());
    table().popUp(menu, position);
}

void DeadLettersView::addActs(QMenu& menu, std::size_t count) {
    menu.addAction(icon(Symbol::rewind), actText(RewindDialog::Act::rewind, count) + QChar(0x2026),
                   this, &DeadLettersView::rewindSelected);
    menu.addAction(icon(Symbol::discard),
                   actText(RewindDialog::Act::discard, count) + QChar(0x2026), this,
                   &DeadLettersView::discardSelected);
    menu.addSeparator();
    auto* edit = menu.addAction(icon(Symbol::edit),
                                m_editProblem.isEmpty()
                                    ? tr("Edit and rewind…")
                                    : tr("Edit and rewind: %1").arg(menuText(m_editProblem)),
                                this, &DeadLettersView::editSelected);
    edit->setObjectName(QStringLiteral("editLetter"));
    edit->setEnabled(m_editProblem.isEmpty());
    menu.addAction(icon(Symbol::note),
                   count == 1 ? tr("Note on 1 dead letter…")
                              : tr("Note on %1 dead letters…").arg(countText(count)),
                   this, &DeadLettersView::noteSelected);
    menu.addSeparator();
}

}  // namespace lanes::ui
