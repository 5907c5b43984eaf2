// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Settings of a destination that are typed as text.
namespace lanes::ui {

/// "404, 410"; empty for none.
[[nodiscard]] QString statusesText(const std::vector<std::uint16_t>& statuses);
/// Separated by commas or spaces; none if something in it is no number. Whether they are statuses
/// is for `validate` to say.
[[nodiscard]] std::optional<std::vector<std::uint16_t>> statusesOf(const QString& text);

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A line each: "Name: value".
[[nodiscard]] QString headersText(const Headers& headers);
struct TypedHeaders {
    Headers headers;
    int badLine = 0;  ///< the first one, from 1, that has no colon behind a name; 0 = none
};
/// Empty lines count for nothing.
[[nodiscard]] TypedHeaders headersOf(const QString& text);

/// Whether what is sent to this URL can be read on its way: plain HTTP to another machine.
[[nodiscard]] bool isOpenOnTheWay(const QString& url);

}  // namespace lanes::ui
