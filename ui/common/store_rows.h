// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/page_loader.h"
#include "ui/common/row_source.h"

#include <memory>

namespace lanes::ui {

/// Rows of the store, read by the reader of the lists: a page at a time and after them, so that
/// nobody who looks at a list waits for an export.
class StoreRows : public RowSource {
    Q_OBJECT

public:
    /// Reads the page that follows the one before; on the reader's thread.
    using Read = std::function<RowBatch(PageReader&)>;

    StoreRows(PageLoader& loader, Facts facts, Read read);
    ~StoreRows() override;

    void readNext(Take take) override;

private:
    void closed();

    PageLoader& m_loader;
    const PageLoader::Channel m_channel;
    const std::shared_ptr<Read> m_read;
    Take m_take;  ///< while a page is under way
};

}  // namespace lanes::ui
