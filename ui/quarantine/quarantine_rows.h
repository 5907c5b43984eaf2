// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/row_source.h"

#include <memory>

namespace lanes::ui {

class PageLoader;

/// All rejected events, newest first, with what was sent.
[[nodiscard]] std::unique_ptr<RowSource> quarantineRows(PageLoader& loader);

}  // namespace lanes::ui
