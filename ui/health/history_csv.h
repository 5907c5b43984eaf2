// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/health_flag.h"
#include "ui/health/history_buffer.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lanes::ui {

/// The history as CSV in UTF-8: a header, then a row a bucket, oldest first; times in ISO 8601 UTC,
/// numbers with a point whatever the locale. What says nothing is an empty cell. Flags, oldest
/// first, stand with their times in the row of their bucket, with " | " between them.
[[nodiscard]] QByteArray historyCsv(const QString& destination, const std::vector<Bucket>& buckets,
                                    std::int64_t width, const std::vector<HealthFlag>& flags);

/// Writes it whole or not at all; empty if it was written, else the reason.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& content);

}  // namespace lanes::ui
