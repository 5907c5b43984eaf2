// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operation_rows.h"

#include "engine/config.h"
#include "engine/queries.h"
#include "ui/common/store_rows.h"

#include <QCoreApplication>

#include <utility>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::OperationRows)
};

/// Not translated: a file is read by programs.
std::string stateName(const OperationRow& row) {
    if (row.kind == OperationKind::setting) return "done";
    switch (row.state) {
        case OperationState::finished: return "finished";
        case OperationState::moving: return "moving";
        case OperationState::tracing: return "tracing";
        case OperationState::delivering: return "delivering";
        case OperationState::stopped: return "stopped";
    }
    return {};
}

RowValues values(const OperationRow& row) {
    // A setting has no events; only a rewind has any whose deliveries are followed.
    const auto ofEvents = [&row](std::uint64_t number) {
        return row.kind == OperationKind::setting ? RowValue() : RowValue(number);
    };
    const auto ofRewinds = [&row](std::uint64_t number) {
        return row.rewinds() ? RowValue(number) : RowValue();
    };
    return {row.id.value,
            RowTime{row.at},
            row.who,
            row.action,
            textOrNothing(row.scope),
            stateName(row),
            ofEvents(row.asked),
            ofEvents(row.done),
            ofEvents(row.skipped),
            ofRewinds(row.delivered),
            ofRewinds(row.deadAgain),
            ofRewinds(row.returned),
            textOrNothing(row.reason),
            textOrNothing(row.note)};
}

/// Goes through the list on the reader's thread.
class Walk {
public:
    Walk() { m_query.limit = static_cast<std::uint32_t>(limits::kPageRows); }

    RowBatch operator()(PageReader& reader) {
        const OperationPage page = reader.operations(m_query);
        RowBatch batch;
        batch.problem = QString::fromStdString(page.error);
        batch.rows.reserve(page.rows.size());
        for (const auto& row : page.rows) batch.rows.push_back(values(row));
        batch.last = page.complete;
        if (page.rows.empty()) return batch;
        if (!m_newest) m_newest = page.rows.front().id;
        m_query.before = page.rows.back().id;
        batch.share = 1 - static_cast<double>(m_query.before.value) /
                              static_cast<double>(m_newest.value);
        return batch;
    }

private:
    OperationQuery m_query;
    OperationId m_newest;
};

}  // namespace

std::unique_ptr<RowSource> operationRows(PageLoader& loader) {
    RowSource::Facts facts;
    facts.title = Words::tr("operations");
    facts.file = QStringLiteral("operations");
    facts.columns = QStringLiteral(
                        "operation,asked_at,who,action,scope,state,asked,moved,skipped,delivered,"
                        "failed_again,returned,reason,note")
                        .split(u',');
    return std::make_unique<StoreRows>(loader, std::move(facts), Walk());
}

}  // namespace lanes::ui
