// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanes_model.h"

#include "ui/common/departure.h"
#include "ui/common/filter_menu.h"
#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace lanes::ui {

namespace {

constexpr auto kPage = static_cast<std::uint64_t>(limits::kPageRows);
/// A header's length is an int of pixels: with rows of 24 to 40 pixels this stays below it.
constexpr std::uint64_t kMostRows = 50'000'000;
/// A question that the engine has not answered by then (it was stopped or failed) is given up.
constexpr Micros kAnswerTime = 5 * kSecond;
/// Our tokens have this mark, so that nobody else's answers are taken for ours.
constexpr std::uint64_t kTokenMark = 0x4c41'4e45ULL << 32;
/// Less than this left of the window is worth a colour.
constexpr Micros kNearDeath = kHour;

Micros steadyNow() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

bool isNumeric(int column) {
    switch (column) {
        case LanesModel::Backlog:
        case LanesModel::HeadAge:
        case LanesModel::Attempts:
        case LanesModel::NextAttempt:
        case LanesModel::DeadLettersIn:
        case LanesModel::InFlightFor: return true;
        default: return false;
    }
}

}  // namespace

LanesModel::LanesModel(QObject* parent, Clock clock)
    : QAbstractTableModel(parent), m_clock(clock ? std::move(clock) : Clock(steadyNow)) {
    for (std::size_t i = 0; i < m_stateIcons.size(); ++i) {
        const auto style = stateStyle(static_cast<LaneState>(i));
        m_stateIcons[i] = style.icon;
        m_stateWords[i] = style.word;
    }
}

int LanesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int LanesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

std::optional<LaneOrder> LanesModel::orderOf(int column) {
    switch (column) {
        case Backlog: return LaneOrder::backlog;
        case HeadAge: return LaneOrder::headAge;
        case Attempts: return LaneOrder::attempts;
        case NextAttempt: return LaneOrder::nextAttempt;
        case DeadLettersIn: return LaneOrder::deadLettersIn;
        default: return std::nullopt;
    }
}

QVariant LanesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(isNumeric(section) ? Qt::AlignRight | Qt::AlignVCenter
                                                      : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return orderOf(section) ? tr("Click to sort the whole list by this column.")
                                : tr("The engine keeps no order by this column.");
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case State: return tr("State");
        case Destination: return tr("Destination");
        case User: return tr("User");
        case Backlog: return tr("Backlog");
        case HeadEvent: return tr("Head event");
        case HeadAge: return tr("Head age");
        case Attempts: return tr("Attempts");
        case NextAttempt: return tr("Next attempt");
        case DeadLettersIn: return tr("Dead-letters in");
        case LastResult: return tr("Last result");
        case InFlightFor: return tr("In flight");
        case ColumnCount: break;
    }
    return {};
}

QVariant LanesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(isNumeric(index.column()) ? Qt::AlignRight | Qt::AlignVCenter
                                                             : Qt::AlignLeft | Qt::AlignVCenter);
    const Row* found = row(index.row());
    if (!found) {
        // The page is on its way; a cell only says so.
        return role == Qt::DisplayRole && index.column() == State ? QVariant(QString(QChar(0x2026)))
                                                                  : QVariant();
    }
    switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole: return display(*found, index.column());
        case Qt::ToolTipRole: return plainTooltip(tooltip(*found, index.column()));
        case Qt::FontRole:
        case Qt::ForegroundRole:
            if (found->drained())
                return ghostLook(role, index.column() == HeadEvent, QGuiApplication::palette());
            return role == Qt::FontRole ? QVariant() : foreground(*found, index.column());
        case kCopyRole:
            if (index.column() == Backlog) return QString::number(found->lane.backlog);
            return {};
        case Qt::DecorationRole:
            if (index.column() == State && !found->drained())
                return m_stateIcons[static_cast<std::size_t>(found->lane.state)];
            return {};
        default: return {};
    }
}

QString LanesModel::display(const Row& row, int column) const {
    const LaneRow& lane = row.lane;
    const Micros since = elapsed(row);
    switch (static_cast<Column>(column)) {
        case State:
            if (row.drained()) return tr("drained");
            return m_stateWords[static_cast<std::size_t>(lane.state)];
        case Destination: return destinationName(lane.key.destination);
        case User: return userText(lane.user);
        case Backlog: return row.drained() ? QString() : countText(lane.backlog);
        case HeadEvent: {
            if (row.drained() && m_times)
                return departureText({Departure::Fate::drained, row.drainedAt}, *m_times);
            const QString type = plainLine(lane.type);
            const QString id = plainLine(lane.eventId);
            return type.isEmpty() ? id : QStringLiteral("%1 · %2").arg(type, id);
        }
        case HeadAge: return row.drained() ? QString() : durationText(lane.headAge + since);
        case Attempts: return countText(lane.attempts);
        case NextAttempt:
            if (row.drained() || lane.nextAttemptIn < 0) return {};
            return countdownText(lane.nextAttemptIn - since);
        case DeadLettersIn:
            return row.drained() ? QString() : countdownText(lane.deadLettersIn - since);
        case LastResult: return resultText(lane.lastOutcome, lane.lastStatus);
        case InFlightFor:
            if (row.drained() || lane.inFlightFor < 0) return {};
            return durationText(lane.inFlightFor + since);
        case ColumnCount: break;
    }
    return {};
}

QString LanesModel::tooltip(const Row& row, int column) const {
    const LaneRow& lane = row.lane;
    if (row.drained()) return tr("Everything in this lane was dealt with.");
    switch (static_cast<Column>(column)) {
        case Attempts:
            return lane.life > 1 ? tr("Life %1: this event was rewound before.").arg(lane.life)
                                 : QString();
        case DeadLettersIn:
            return tr("Of a retry window of %1 of active time. The clock stands still while the "
                      "destination is paused.")
                .arg(durationText(lane.window));
        case HeadEvent: return tr("%1\nsequence %2").arg(display(row, column)).arg(lane.head.value);
        default: return {};
    }
}

QVariant LanesModel::foreground(const Row& row, int column) const {
    const QPalette palette = QGuiApplication::palette();
    if (column == DeadLettersIn && row.lane.deadLettersIn - elapsed(row) < kNearDeath)
        return errorTextColour(palette);
    if (column == LastResult && !row.lane.lastOutcome)
        return palette.color(QPalette::PlaceholderText);
    return {};
}

Micros LanesModel::elapsed(const Row& row) const {
    const DestinationSnapshot* destination =
        m_snapshot ? m_snapshot->find(row.lane.key.destination) : nullptr;
    if (!destination || destination->health == HealthState::paused) return 0;
    const Micros now = m_frozen ? m_frozenAt : m_clock();
    return std::max<Micros>(
        0, static_cast<Micros>(static_cast<double>(now - row.at) * m_snapshot->clockScale));
}

QString LanesModel::destinationName(DestinationId id) const {
    return nameOf(m_snapshot.get(), id);
}

void LanesModel::setFilter(const Filter& filter) {
    // The lanes of a destination stand in an order of their own: all of them are listed.
    const bool simple = isDestinationOnly(filter);
    const auto scope = simple ? destinationOf(filter) : DestinationId();
    const auto rest = simple ? Filter() : filter;
    if (scope == m_scope && rest == m_filter) return;
    m_scope = scope;
    m_filter = rest;
    m_looking = true;
    restart();
}

void LanesModel::setLooking(bool looking) {
    m_looking = looking;
    refresh();
}

QStringList LanesModel::types() const {
    constexpr qsizetype kTypes = 20;
    QStringList types;
    m_pages.forEach([&types](std::uint64_t, const Page& page) {
        for (const Row& row : page)
            if (const QString type = QString::fromStdString(row.lane.type);
                types.size() < kTypes && !type.isEmpty() && !types.contains(type))
                types << type;
    });
    types.sort();
    return types;
}

void LanesModel::setOrder(LaneOrder order, bool descending) {
    if (order == m_order && descending == m_descending) return;
    m_order = order;
    m_descending = descending;
    restart();
}

void LanesModel::restart() {
    beginResetModel();
    m_pages.clear();
    m_stale.clear();
    m_pending.clear();
    m_running.reset();
    m_total = 0;
    m_rows = 0;
    m_loaded = false;
    m_readiness = 1.0;
    m_look = {};
    m_first = m_last = -1;
    endResetModel();
    emit pendingChangesChanged();
    emit totalChanged();
    askNext();
}

void LanesModel::setVisibleRows(int first, int last) {
    m_first = first;
    m_last = last;
    if (first >= 0)
        for (auto page = static_cast<std::uint64_t>(first) / kPage;
             page <= static_cast<std::uint64_t>(last) / kPage; ++page)
            m_pages.touch(page);
    askNext();
}

void LanesModel::refresh() {
    if (m_frozen) return;
    if (m_running && m_clock() - m_askedAt > kAnswerTime) m_running.reset();
    m_stale.clear();
    if (m_first < 0) {
        m_stale.insert(0);
    } else {
        for (auto page = static_cast<std::uint64_t>(m_first) / kPage;
             page <= static_cast<std::uint64_t>(m_last) / kPage; ++page)
            m_stale.insert(page);
    }
    askNext();
}

void LanesModel::askNext() {
    if (m_running) return;
    std::optional<std::uint64_t> wanted;
    // A page that is not there yet comes before one that is only old.
    if (!m_loaded) wanted = 0;
    if (!wanted && m_first >= 0)
        for (auto page = static_cast<std::uint64_t>(m_first) / kPage;
             page <= static_cast<std::uint64_t>(m_last) / kPage; ++page)
            if (!m_pages.find(page)) {
                wanted = page;
                break;
            }
    if (!wanted && !m_frozen && !m_stale.empty()) wanted = *m_stale.begin();
    if (!wanted) return;
    m_stale.erase(*wanted);
    LanePageRequest request;
    request.token = kTokenMark | (++m_token & 0xffff'ffffULL);
    request.order = m_order;
    request.descending = m_descending;
    request.destination = m_scope;
    request.filter = m_filter;
    request.look = m_looking;
    request.offset = *wanted * kPage;
    request.limit = static_cast<std::uint32_t>(kPage);
    m_running = request;
    m_askedAt = m_clock();
    emit pageWanted(request);
}

void LanesModel::acceptPage(const LanePage& page) {
    if (!m_running || page.request.token != m_running->token) return;
    m_running.reset();
    const std::uint64_t number = page.request.offset / kPage;
    // An empty list has nothing that could move away under the pointer.
    const bool held = (m_held && !m_applyOnce && m_rows > 0) || m_frozen;
    Page* present = m_pages.find(number);
    m_readiness = page.readiness;
    m_look = page.look;
    if (present && held) {
        if (!m_frozen) mergePage(*present, number, page);
    } else {
        placePage(number, page);
        // Where the list has got so short that there is nothing to be shown, nothing can move away.
        const std::uint64_t listed = static_cast<std::uint64_t>(m_rows);
        const bool missing = !m_frozen && page.request.offset < listed &&
                             page.rows.size() < std::min(kPage, listed - page.request.offset);
        if (!held || !m_loaded || missing) setTotal(page.total);
        if (m_pending.erase(number) > 0) emit pendingChangesChanged();
        m_loaded = true;
        emit rowsMoved();
    }
    emit totalChanged();
    if (m_stale.empty()) m_applyOnce = false;
    askNext();
}

void LanesModel::placePage(std::uint64_t number, const LanePage& page) {
    Page rows;
    rows.reserve(page.rows.size());
    const Micros now = m_clock();
    for (const LaneRow& lane : page.rows) rows.push_back({lane, now});
    m_pages.insert(number, std::move(rows));
    const auto first = static_cast<std::uint64_t>(number * kPage);
    if (first >= static_cast<std::uint64_t>(m_rows)) return;
    const int last =
        static_cast<int>(std::min(first + kPage, static_cast<std::uint64_t>(m_rows)) - 1);
    emit dataChanged(index(static_cast<int>(first), 0), index(last, ColumnCount - 1));
}

void LanesModel::mergePage(Page& page, std::uint64_t number, const LanePage& fresh) {
    std::map<LaneKey, const LaneRow*> byKey;
    for (const LaneRow& lane : fresh.rows) byKey[lane.key] = &lane;
    int moved = 0;
    for (std::size_t i = 0; i < page.size(); ++i) {
        if (i >= fresh.rows.size() || fresh.rows[i].key != page[i].lane.key) ++moved;
        const auto it = byKey.find(page[i].lane.key);
        if (it == byKey.end()) continue;
        page[i] = {*it->second, m_clock()};
    }
    m_total = fresh.total;
    m_pending[number] = moved;
    markVisibleChanged();
    emit pendingChangesChanged();
}

void LanesModel::setTotal(std::uint64_t total) {
    m_total = total;
    const int rows = static_cast<int>(std::min(total, kMostRows));
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        endRemoveRows();
        // The rows that stood beyond the end would come back as they were if the list grew again.
        std::vector<std::uint64_t> beyond;
        m_pages.forEach([&](std::uint64_t number, const Page&) {
            if (number * kPage >= total) beyond.push_back(number);
        });
        for (const std::uint64_t number : beyond) m_pages.erase(number);
        m_last = std::min(m_last, rows - 1);
        if (m_last < m_first) m_first = m_last = -1;
    }
}

void LanesModel::acceptSnapshot(const std::shared_ptr<const EngineSnapshot>& snapshot) {
    if (m_frozen && m_snapshot) return;
    m_snapshot = snapshot;
    if (m_first < 0) return;
    std::map<LaneKey, const LaneRow*> live;
    for (const LaneRow& lane : snapshot->watched) live[lane.key] = &lane;
    const Micros now = m_clock();
    for (int number = m_first; number <= m_last; ++number) {
        Page* page = m_pages.find(static_cast<std::uint64_t>(number) / kPage);
        const auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(number) % kPage);
        if (!page || place >= page->size()) continue;
        Row& row = (*page)[place];
        if (const auto it = live.find(row.lane.key); it != live.end()) {
            row = {*it->second, now};
            continue;
        }
        const auto watched = m_watched.find(row.lane.key);
        // The engine may have published once more before it heard of the wish.
        if (row.drained() || watched == m_watched.end()) continue;
        if (snapshot->number >= watched->second + 2)
            row.drainedAt = std::max<WallMicros>(snapshot->at, 1);
    }
    markVisibleChanged();
}

void LanesModel::setWatched(const std::vector<LaneKey>& keys) {
    const std::uint64_t number = m_snapshot ? m_snapshot->number : 0;
    std::map<LaneKey, std::uint64_t> watched;
    for (const LaneKey& key : keys) {
        const auto before = m_watched.find(key);
        watched[key] = before == m_watched.end() ? number : before->second;
    }
    m_watched = std::move(watched);
}

void LanesModel::setOrderHeld(bool held) {
    if (held == m_held) return;
    m_held = held;
    if (!held) refresh();
}

int LanesModel::pendingChanges() const {
    // What has come behind the last row is not listed before somebody asks for it.
    const auto listed = static_cast<std::uint64_t>(m_rows);
    const auto total = std::min(m_total, kMostRows);
    int sum = total > listed ? static_cast<int>(total - listed) : 0;
    for (const auto& [page, moved] : m_pending) sum += moved;
    return sum;
}

void LanesModel::applyPending() {
    m_applyOnce = true;
    m_looking = true;
    refresh();
}

void LanesModel::setFrozen(bool frozen) {
    if (frozen == m_frozen) return;
    if (frozen) m_frozenAt = m_clock();
    m_frozen = frozen;
    if (!frozen) refresh();
}

const LanesModel::Row* LanesModel::row(int number) const {
    if (number < 0 || number >= m_rows) return nullptr;
    const Page* page = m_pages.find(static_cast<std::uint64_t>(number) / kPage);
    const auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(number) % kPage);
    return page && place < page->size() ? &(*page)[place] : nullptr;
}

const LaneRow* LanesModel::lane(int number) const {
    const Row* found = row(number);
    return found ? &found->lane : nullptr;
}

WallMicros LanesModel::drainedAt(int number) const {
    const Row* found = row(number);
    return found ? found->drainedAt : 0;
}

int LanesModel::rowOf(LaneKey key) const {
    int result = -1;
    m_pages.forEach([&](std::uint64_t number, const Page& page) {
        for (std::size_t i = 0; i < page.size() && result < 0; ++i)
            if (page[i].lane.key == key) result = static_cast<int>(number * kPage + i);
    });
    return result < m_rows ? result : -1;
}

std::vector<LaneKey> LanesModel::visibleKeys() const {
    std::vector<LaneKey> keys;
    for (int number = m_first; number >= 0 && number <= m_last; ++number) {
        const Row* found = row(number);
        if (found && !found->drained()) keys.push_back(found->lane.key);
        if (keys.size() == limits::kWatchedLanes) break;
    }
    return keys;
}

void LanesModel::markVisibleChanged() {
    if (m_first < 0 || m_first >= m_rows) return;
    emit dataChanged(index(m_first, 0), index(std::min(m_last, m_rows - 1), ColumnCount - 1));
}

}  // namespace lanes::ui
