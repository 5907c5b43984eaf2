// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/flag_book.h"

#include <algorithm>
#include <utility>

namespace lanes::ui {

namespace {

constexpr int kLookMs = 2000;
/// Most looks find nothing new, and then a page is read in vain.
constexpr std::uint32_t kPage = 32;
/// Events of a rewind that are looked at for its destinations.
constexpr std::uint32_t kMembers = 256;
constexpr Micros kSpan = kHistory.back().span * kSecond;

std::vector<DestinationId> destinationsOf(PageReader& reader, OperationId operation) {
    OperationEventQuery query;
    query.operation = operation;
    query.limit = kMembers;
    std::vector<DestinationId> found;
    for (const auto& row : reader.operationEvents(query).rows)
        if (std::find(found.begin(), found.end(), row.pointer.destination) == found.end())
            found.push_back(row.pointer.destination);
    return found;
}

}  // namespace

FlagBook::Found FlagBook::read(PageReader& reader, OperationId after, WallMicros since) {
    Found found;
    OperationQuery query;
    query.limit = kPage;
    for (;;) {
        const OperationPage page = reader.operations(query);
        if (!page.error.empty() || page.interrupted) {
            found.fault = page.error.empty() ? "interrupted" : page.error;
            return found;
        }
        for (const auto& row : page.rows) {
            found.newest = std::max(found.newest, row.id);
            if (row.id <= after || row.at < since || found.flags.size() >= kMost) return found;
            auto flag = flagOf(row);
            if (!flag) continue;
            if (flag->kind == FlagKind::rewind)
                flag->destinations = destinationsOf(reader, row.id);
            found.flags.push_back(*std::move(flag));
        }
        if (page.complete || page.rows.empty()) return found;
        query.before = page.rows.back().id;
    }
}

bool concerns(const HealthFlag& flag, const DestinationSnapshot* destination) {
    if (destination == nullptr) return true;
    // A mock bears a name of its own.
    if (flag.kind != FlagKind::mock && flag.name == destination->name) return true;
    return std::find(flag.destinations.begin(), flag.destinations.end(), destination->id) !=
           flag.destinations.end();
}

FlagBook::FlagBook(const Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {}

void FlagBook::setLoader(PageLoader* loader) {
    m_loader = loader;
    if (loader != nullptr) m_channel = loader->addChannel();
}

void FlagBook::look() {
    if (m_loader == nullptr || !m_loader->isOpen() || m_loader->isBusy(m_channel)) return;
    if (m_sinceLook.isValid() && !m_sinceLook.hasExpired(kLookMs)) return;
    m_sinceLook.start();
    m_loader->load(
        m_channel,
        [after = m_newest, since = m_engine.snapshot()->at - kSpan](PageReader& reader) {
            return read(reader, after, since);
        },
        [this](const Found& found) { accept(found); });
}

void FlagBook::accept(const Found& found) {
    if (!found.fault.empty()) return;  // the lists tell of it; the next look tries again
    m_newest = std::max(m_newest, found.newest);
    if (found.flags.empty()) return;
    m_flags.insert(m_flags.end(), found.flags.rbegin(), found.flags.rend());
    while (m_flags.size() > kMost) m_flags.pop_front();
    emit changed();
}

std::vector<HealthFlag> FlagBook::flags(DestinationId destination, WallMicros from,
                                        WallMicros to) const {
    const auto snapshot = m_engine.snapshot();
    const auto* shown = snapshot->find(destination);
    std::vector<HealthFlag> result;
    if (destination && shown == nullptr) return result;
    for (const auto& flag : m_flags)
        if (flag.at >= from && flag.at < to && concerns(flag, shown)) result.push_back(flag);
    return result;
}

}  // namespace lanes::ui
