// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mock_control.h"

#include <QString>

#include <array>
#include <optional>

// Ready-made behaviours of a mock destination, as its buttons offer them.
namespace lanes::ui {

enum class Preset { healthy, slow, flaky, tooMany, failing, hang, reset, truncated, down };

inline constexpr std::array kPresets{Preset::healthy, Preset::slow,  Preset::flaky,
                                     Preset::tooMany, Preset::failing, Preset::hang,
                                     Preset::reset,   Preset::truncated, Preset::down};

/// What the preset does. Poison user and capacity are no part of it: they are kept from `now`.
[[nodiscard]] MockBehaviour withPreset(const MockBehaviour& now, Preset preset);
/// The preset that this behaviour looks like to a sender; none if it is like no other.
[[nodiscard]] std::optional<Preset> presetOf(const MockBehaviour& behaviour);

[[nodiscard]] QString presetWord(Preset preset);         ///< on the button: "Flaky 20 %"
[[nodiscard]] QString presetExplanation(Preset preset);  ///< in its tooltip
/// What a mock does now, in a line: "Answers 200 after about 20 ms, 20 % of them 500".
[[nodiscard]] QString behaviourText(const MockBehaviour& behaviour);

}  // namespace lanes::ui
