// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <string>
#include <string_view>

// The settings of a destination that do not fit a column of their own, as the bytes that stand in
// its row. Empty bytes are always the usual settings.
namespace lanes::store {

/// What is kept as bytes, by the names of the columns.
struct DestinationColumns {
    std::string statuses;
    std::string secrets;
    std::string headers;
    std::string eventTypes;
    std::string authentication;
    std::string tls;
    std::string proxy;
};

[[nodiscard]] DestinationColumns encodeColumns(const DestinationConfig& config);

/// The same as they come from a row, of whatever owns the bytes.
struct DestinationColumnViews {
    std::string_view statuses;
    std::string_view secrets;
    std::string_view headers;
    std::string_view eventTypes;
    std::string_view authentication = {};
    std::string_view tls = {};
    std::string_view proxy = {};
};

/// Sets these settings of `config`; false if the bytes are damaged.
[[nodiscard]] bool decodeColumns(const DestinationColumnViews& columns, DestinationConfig& config);

}  // namespace lanes::store
