// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/page_loader.h"
#include "ui/health/health_flag.h"

#include <QElapsedTimer>
#include <QObject>

#include <deque>
#include <string>
#include <vector>

namespace lanes::ui {

/// The flags of a fortnight, as the store has recorded the operations: also those that were done
/// while no console was open. It looks for new ones every few seconds.
class FlagBook : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 500;  ///< the oldest go first

    /// What a look at the store found, newest first.
    struct Found {
        std::vector<HealthFlag> flags;
        OperationId newest;  ///< operation, whether it is a flag or not
        std::string fault;   ///< not empty: nothing of it counts
    };
    /// For the reader's thread: what is newer than an operation and than a time.
    [[nodiscard]] static Found read(PageReader& reader, OperationId after, WallMicros since);

    explicit FlagBook(const Engine& engine, QObject* parent = nullptr);

    /// It must outlive this, or be taken away (null).
    void setLoader(PageLoader* loader);
    /// Called with each snapshot.
    void look();

    /// From operations, in [from, to) and oldest first. `destination` 0 = of all.
    [[nodiscard]] std::vector<HealthFlag> flags(DestinationId destination, WallMicros from,
                                                WallMicros to) const;

signals:
    void changed();

private:
    void accept(const Found& found);

    const Engine& m_engine;
    PageLoader* m_loader = nullptr;
    PageLoader::Channel m_channel{};
    QElapsedTimer m_sinceLook;
    OperationId m_newest;
    std::deque<HealthFlag> m_flags;  ///< oldest first
};

/// Whether a flag is shown with the graphs of this destination; `destination` null = all together.
[[nodiscard]] bool concerns(const HealthFlag& flag, const DestinationSnapshot* destination);

}  // namespace lanes::ui
