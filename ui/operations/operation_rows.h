// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/row_source.h"

#include <memory>

namespace lanes::ui {

class PageLoader;

/// All operations, newest first, as the store has them.
[[nodiscard]] std::unique_ptr<RowSource> operationRows(PageLoader& loader);

}  // namespace lanes::ui
