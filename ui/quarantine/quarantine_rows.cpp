// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/quarantine/quarantine_rows.h"

#include "engine/config.h"
#include "engine/queries.h"
#include "ui/common/store_rows.h"

#include <QCoreApplication>

#include <utility>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::QuarantineRows)
};

/// Bodies that are read in one go: they have 64 KiB each at most.
constexpr std::uint32_t kRowsAtOnce = 32;

/// Not translated: a file is read by programs.
std::string formName(EventForm form) {
    switch (form) {
        case EventForm::native: return "native";
        case EventForm::segment: return "segment";
        case EventForm::cloudEvent: break;
    }
    return "cloudevent";
}

/// Goes through the list on the reader's thread.
class Walk {
public:
    RowBatch operator()(PageReader& reader) {
        m_query.limit = kRowsAtOnce;
        const QuarantinePage page = reader.quarantine(m_query);
        RowBatch batch;
        batch.problem = QString::fromStdString(page.error);
        for (const auto& row : page.rows) {
            const auto whole = reader.quarantined(row.id);
            batch.rows.push_back({row.id.value, RowTime{row.at}, row.source, formName(row.form),
                                  textOrNothing(row.eventId), row.code, row.detail, row.bytes,
                                  whole ? RowValue(whole->body) : RowValue()});
        }
        batch.last = page.complete;
        if (!page.rows.empty()) m_query.before = page.rows.back().id;
        return batch;
    }

private:
    QuarantineQuery m_query;
};

}  // namespace

std::unique_ptr<RowSource> quarantineRows(PageLoader& loader) {
    RowSource::Facts facts;
    facts.title = Words::tr("rejected events");
    facts.file = QStringLiteral("rejected-events");
    facts.columns =
        QStringLiteral("rejected,at,source,form,event,code,reason,bytes,body").split(u',');
    return std::make_unique<StoreRows>(loader, std::move(facts), Walk());
}

}  // namespace lanes::ui
