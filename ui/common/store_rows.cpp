// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/store_rows.h"

#include <exception>
#include <utility>

namespace lanes::ui {

StoreRows::StoreRows(PageLoader& loader, Facts facts, Read read)
    : RowSource(std::move(facts)),
      m_loader(loader),
      m_channel(loader.addChannel()),
      m_read(std::make_shared<Read>(std::move(read))) {
    connect(&loader, &PageLoader::closed, this, &StoreRows::closed);
}

StoreRows::~StoreRows() {
    m_loader.cancel(m_channel);
}

void StoreRows::readNext(Take take) {
    m_take = std::move(take);
    if (!m_loader.isOpen()) return closed();
    m_loader.load(
        m_channel,
        [read = m_read](PageReader& reader) {
            try {
                return (*read)(reader);
            } catch (const std::exception& e) {
                RowBatch none;
                none.problem = QString::fromUtf8(e.what());
                return none;
            }
        },
        [this](RowBatch batch) {
            if (const auto deliver = std::exchange(m_take, {})) deliver(std::move(batch));
        });
}

/// The reader is gone, and the question with it.
void StoreRows::closed() {
    if (!m_take) return;
    RowBatch none;
    none.problem = tr("The store is not open any more.");
    // Not at once: whoever asks is not done with asking.
    QMetaObject::invokeMethod(
        this,
        [this, none, take = std::exchange(m_take, {})] { take(none); }, Qt::QueuedConnection);
}

}  // namespace lanes::ui
