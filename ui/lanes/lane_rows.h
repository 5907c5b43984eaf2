// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/row_source.h"

#include <QElapsedTimer>

#include <cstdint>
#include <set>

class QTimer;

namespace lanes::ui {

/// All lanes that fit, in the order of the list. They are read from the whole list, in pages that
/// the engine gives as they stand then, and held against the filter here: its own looks keep only
/// the first ones that fit, and belong to the list on screen. Between two pages the engine is left
/// alone for longer than a page takes it.
///
/// Lanes move while they are read. Each page begins a little before the end of the one before, as
/// lanes in front may have gone, and none is given twice.
class LaneRows : public RowSource {
    Q_OBJECT

public:
    /// \param wanted order, destination and filter of it.
    LaneRows(Engine& engine, LanePageRequest wanted);

    void readNext(Take take) override;

private:
    void ask();
    void accept(const LanePage& page);
    void give(RowBatch batch);
    [[nodiscard]] RowValues values(const LaneRow& lane, WallMicros at) const;

    Engine& m_engine;
    LanePageRequest m_request;  ///< of the whole list
    const Filter m_filter;
    QTimer* m_rest;
    QElapsedTimer m_asked;
    qint64 m_tookMs = 0;       ///< the last page
    std::uint64_t m_next = 0;  ///< place of the first lane that was not read
    std::set<LaneKey> m_given;
    QStringList m_states;
    QStringList m_outcomes;
    Take m_take;
};

}  // namespace lanes::ui
