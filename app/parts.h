// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "app/data_care.h"
#include "engine/engine.h"
#include "engine/mock_control.h"
#include "engine/verify.h"

#include <functional>
#include <memory>
#include <variant>

namespace lanes::app {

/// Where the program's large parts come from. `main` gives the real ones, a test its own.
struct Parts {
    std::function<std::unique_ptr<Engine>(EngineOptions)> makeEngine;
    std::function<std::unique_ptr<MockControl>()> makeMockControl;
    std::function<std::variant<VerifyReport, std::string>(const std::string& directory)> verify;
    DataCare care = {};
};

}  // namespace lanes::app
