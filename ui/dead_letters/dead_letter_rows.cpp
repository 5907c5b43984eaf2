// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/dead_letter_rows.h"

#include "engine/config.h"
#include "ui/common/filter_words.h"
#include "ui/common/store_rows.h"

#include <QCoreApplication>

#include <utility>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::DeadLetterRows)
};

/// Goes through the list on the reader's thread.
class Walk {
public:
    Walk(DeadLetterFilter filter, std::shared_ptr<const EngineSnapshot> snapshot,
         std::uint64_t expected)
        : m_snapshot(std::move(snapshot)),
          m_outcomes(wordsOf(FilterKind::outcome)),
          m_expected(expected) {
        m_query.filter = std::move(filter);
        m_query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    }

    RowBatch operator()(PageReader& reader) {
        const DeadLetterPage page = reader.deadLetters(m_query);
        RowBatch batch;
        batch.problem = QString::fromStdString(page.error);
        batch.rows.reserve(page.rows.size());
        for (const auto& row : page.rows) batch.rows.push_back(values(row));
        m_read += page.rows.size();
        if (m_expected > 0)
            batch.share = static_cast<double>(m_read) / static_cast<double>(m_expected);
        batch.last = page.complete;
        if (page.resume) m_query.after = page.resume;
        return batch;
    }

private:
    [[nodiscard]] RowValues values(const DeadLetterRow& row) const {
        const bool tried = row.attempts > 0;
        const auto outcome = static_cast<qsizetype>(row.lastOutcome);
        return {RowTime{row.diedAt},
                destinationOr(*m_snapshot, row.pointer.destination),
                textOrNothing(row.user.text),
                userKind(row.user),
                row.eventId,
                row.type,
                row.pointer.sequence.value,
                RowTime{row.acceptedAt},
                RowTime{row.firstTriedAt},
                std::uint64_t{row.attempts},
                std::uint64_t{row.life},
                tried ? RowValue(m_outcomes.value(outcome).toStdString()) : RowValue(),
                numberOrNothing(row.lastStatus),
                textOrNothing(row.lastError),
                textOrNothing(row.reason),
                row.bytes,
                RowTime{row.rewoundAt},
                textOrNothing(row.note.text),
                textOrNothing(row.note.by),
                RowTime{row.note.at}};
    }

    DeadLetterQuery m_query;
    std::shared_ptr<const EngineSnapshot> m_snapshot;
    QStringList m_outcomes;
    std::uint64_t m_expected;
    std::uint64_t m_read = 0;
};

}  // namespace

std::unique_ptr<RowSource> deadLetterRows(PageLoader& loader, const DeadLetterFilter& filter,
                                          std::shared_ptr<const EngineSnapshot> snapshot,
                                          std::uint64_t expected) {
    RowSource::Facts facts;
    facts.title = Words::tr("dead letters");
    facts.file = QStringLiteral("dead-letters");
    facts.columns = QStringLiteral(
                        "died_at,destination,user,user_kind,event,type,sequence,accepted_at,"
                        "first_tried_at,attempts,life,last_outcome,last_status,last_error,reason,"
                        "bytes,rewound_at,note,note_by,note_at")
                        .split(u',');
    return std::make_unique<StoreRows>(loader, std::move(facts),
                                       Walk(filter, std::move(snapshot), expected));
}

}  // namespace lanes::ui
