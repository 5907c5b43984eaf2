// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/result.h"
#include "engine/store/data_directory.h"

#include <functional>
#include <string>

// Putting another data file in the place of the present set (data file, write-ahead log, shared
// memory, mark), so that a crash at any moment leaves the old set or the new one.
//
// The new file is made under a name of its own. Renaming it to `lanes.db.next-STAMP` is the moment
// that counts: before it the old set is in place; after it whoever opens the directory first moves
// what is left of the old set to `set-aside-STAMP` and the new file to its place.
namespace lanes::store {

/// Where a new data file is made; what a crash left there is removed by the next attempt.
[[nodiscard]] std::string draftFile(const std::string& directory);
/// Removes a draft with all that SQLite may have put beside it.
void removeDraft(const std::string& directory);

/// Steps of a replacement, for tests that end the process after one of them.
using ReplacementStep = std::function<void(const char* step)>;

/// Puts the draft, which is complete, in the place of the set. Gives where the set is now. Only
/// with the directory's lock held.
[[nodiscard]] Result<std::string> replaceSet(const std::string& directory,
                                             const ReplacementStep& after = nullptr);
/// Ends a replacement that was cut short; does nothing if there is none. Gives where the old set
/// is, or nothing. Only with the directory's lock held.
[[nodiscard]] Result<std::string> finishReplacement(const std::string& directory,
                                                    const ReplacementStep& after = nullptr);

}  // namespace lanes::store
