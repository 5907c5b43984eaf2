// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/filter.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

// The words of the filter language: names of fields and of what states and outcomes are called.
namespace lanes::ui {

/// As it is written: "dest". English in every language of the window, as a saved filter must mean
/// the same everywhere.
[[nodiscard]] QString fieldName(FilterField field);
/// By its name or another one that it goes by, in any case.
[[nodiscard]] std::optional<FilterField> fieldOf(const QString& name);
/// The fields of a list, in the order in which they are offered.
[[nodiscard]] std::vector<FilterField> fieldsOf(FilterList list);
/// What the field is, for a list of completions: "status of the last attempt".
[[nodiscard]] QString fieldMeaning(FilterField field, FilterList list);
/// "Lanes", as a tab says it.
[[nodiscard]] QString listName(FilterList list);

/// The words of a kind (state, outcome, cause) by number, in English.
[[nodiscard]] QStringList wordsOf(FilterKind kind);
/// The same as the window shows them.
[[nodiscard]] QStringList shownWordsOf(FilterKind kind);
/// Number of a word, English or as shown; blanks, hyphens and underscores count for nothing.
[[nodiscard]] std::optional<std::int64_t> numberOfWord(FilterKind kind, const QString& word);

/// The word that was meant, if one is close enough; empty if none is.
[[nodiscard]] QString closest(const QString& word, const QStringList& words);

}  // namespace lanes::ui
