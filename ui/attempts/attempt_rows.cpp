// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/attempts/attempt_rows.h"

#include "engine/config.h"
#include "ui/common/filter_words.h"
#include "ui/common/store_rows.h"

#include <QCoreApplication>

#include <utility>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::AttemptRows)
};

/// Goes through the log on the reader's thread.
class Walk {
public:
    Walk(const AttemptScope& scope, std::shared_ptr<const EngineSnapshot> snapshot)
        : m_snapshot(std::move(snapshot)),
          m_outcomes(wordsOf(FilterKind::outcome)),
          m_causes(wordsOf(FilterKind::cause)) {
        m_query.filter = scope.filter;
        m_query.endedFrom = scope.from;
        m_query.endedBefore = scope.until;
        m_query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    }

    RowBatch operator()(PageReader& reader) {
        const AttemptPage page = reader.attempts(m_query);
        RowBatch batch;
        batch.problem = QString::fromStdString(page.error);
        batch.rows.reserve(page.rows.size());
        for (const auto& row : page.rows) batch.rows.push_back(values(row));
        if (m_newest == 0 && !page.rows.empty()) m_newest = page.rows.front().position;
        const auto place = page.resume != 0      ? page.resume
                           : page.rows.empty() ? m_query.before
                                               : page.rows.back().position;
        m_query.before = place;
        // The log begins at 1, or later where retention has taken its beginning.
        if (m_newest != 0 && place <= m_newest)
            batch.share = 1 - static_cast<double>(place) / static_cast<double>(m_newest);
        batch.last = page.complete;
        return batch;
    }

private:
    [[nodiscard]] RowValues values(const AttemptRow& row) const {
        return {RowTime{row.startedAt},
                RowTime{row.startedAt + row.duration},
                secondsOf(row.duration),
                destinationOr(*m_snapshot, row.pointer.destination),
                textOrNothing(row.user.text),
                userKind(row.user),
                textOrNothing(row.eventId),
                textOrNothing(row.type),
                row.pointer.sequence.value,
                std::uint64_t{row.number},
                std::uint64_t{row.life},
                m_outcomes.value(static_cast<qsizetype>(row.outcome)).toStdString(),
                numberOrNothing(row.status),
                textOrNothing(row.error),
                textOrNothing(row.response),
                m_causes.value(static_cast<qsizetype>(row.cause)).toStdString(),
                numberOrNothing(row.operation.value)};
    }

    AttemptQuery m_query;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    QStringList m_outcomes;
    QStringList m_causes;
    std::uint64_t m_newest = 0;
};

}  // namespace

std::unique_ptr<RowSource> attemptRows(PageLoader& loader, const AttemptScope& scope,
                                       std::shared_ptr<const EngineSnapshot> snapshot) {
    RowSource::Facts facts;
    facts.title = Words::tr("attempts");
    facts.file = QStringLiteral("attempts");
    facts.columns = QStringLiteral(
                        "started_at,ended_at,seconds,destination,user,user_kind,event,type,"
                        "sequence,attempt,life,outcome,status,error,answer,cause,operation")
                        .split(u',');
    return std::make_unique<StoreRows>(loader, std::move(facts), Walk(scope, std::move(snapshot)));
}

}  // namespace lanes::ui
