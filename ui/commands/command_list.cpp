// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_list.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace lanes::ui {

namespace {

/// "&&" is an ampersand, a single one marks the letter of the keyboard.
QString plain(const QString& text) {
    QString result;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] == u'&' && ++at >= text.size()) break;
        result += text[at];
    }
    return result;
}

void gather(const QMenu& menu, const QString& name, std::vector<ListedCommand>& commands) {
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible()) continue;
        if (action->menu())
            gather(*action->menu(), name, commands);
        else
            commands.push_back({action, name, plain(action->text()),
                                action->shortcut().toString(QKeySequence::NativeText)});
    }
}

}  // namespace

std::vector<ListedCommand> listedCommands(const QMenuBar& bar) {
    std::vector<ListedCommand> commands;
    for (QAction* action : bar.actions())
        if (action->menu()) gather(*action->menu(), plain(action->text()), commands);
    return commands;
}

int commandFit(const QString& typed, const QString& text) {
    constexpr int kWordStart = 8;
    constexpr int kNext = 10;
    int fit = 0;
    qsizetype at = 0;
    qsizetype last = -2;
    for (const QChar letter : typed) {
        if (letter.isSpace()) continue;
        // A letter at the beginning of a word is taken before one that stands anywhere.
        qsizetype found = -1;
        for (qsizetype i = at; i < text.size(); ++i) {
            if (text[i].toCaseFolded() != letter.toCaseFolded()) continue;
            const bool starts = i == 0 || text[i - 1].isSpace();
            if (found < 0 || starts) found = i;
            if (starts || i == last + 1) break;
        }
        if (found < 0) return -1;
        if (found == 0 || text[found - 1].isSpace()) fit += kWordStart;
        if (found == last + 1) fit += kNext;
        ++fit;
        last = found;
        at = found + 1;
    }
    return fit;
}

}  // namespace lanes::ui
