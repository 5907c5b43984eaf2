// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/history_buffer.h"

#include <QByteArray>
#include <QString>

#include <optional>

// The coarse history of the graphs as a file, so that a fortnight outlives the program. It is
// written whole and put in place at once; losing it loses pictures, never events.
namespace lanes::ui {

[[nodiscard]] QByteArray packHistory(const HistoryBuffer::Kept& kept);
/// None if it is not whole, of another version, or says what cannot be.
[[nodiscard]] std::optional<HistoryBuffer::Kept> unpackHistory(const QByteArray& bytes);

/// Any thread. Empty if it was written, else the reason.
[[nodiscard]] QString writeHistory(const QString& path, const HistoryBuffer::Kept& kept);
/// What cannot be read is moved aside, as `path` with ".unreadable" behind, and counts as nothing.
[[nodiscard]] HistoryBuffer::Kept readHistory(const QString& path);

}  // namespace lanes::ui
