// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dead_letters/dead_letters_model.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace lanes::ui {

namespace {

bool isNumeric(int column) {
    return column == DeadLettersModel::Attempts || column == DeadLettersModel::Size;
}

QVariant alignment(int column) {
    return QVariant::fromValue(isNumeric(column) ? Qt::AlignRight | Qt::AlignVCenter
                                                 : Qt::AlignLeft | Qt::AlignVCenter);
}

/// The order of the list: newest death first.
bool inFront(const DeadLetterRow& a, const DeadLetterRow& b) {
    return std::tie(a.diedAt, a.pointer) > std::tie(b.diedAt, b.pointer);
}

}  // namespace

DeadLettersModel::DeadLettersModel(const TimeDisplay& times, QObject* parent)
    : QAbstractTableModel(parent),
      m_times(times),
      m_mark(errorStyle().icon),
      m_noteMark(icon(Symbol::note)) {
    connect(&times, &TimeDisplay::changed, this, [this] {
        if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

int DeadLettersModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DeadLettersModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeadLettersModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole) return alignment(section);
    if (role == Qt::ToolTipRole) return tr("Newest death first.");
    if (role != Qt::DisplayRole) return {};
    switch (static_cast<Column>(section)) {
        case DiedAt: return tr("Died at");
        case Destination: return tr("Destination");
        case User: return tr("User");
        case Event: return tr("Event");
        case Type: return tr("Type");
        case FirstTried: return tr("First tried");
        case Attempts: return tr("Attempts");
        case Result: return tr("Last result");
        case Reason: return tr("Reason");
        case Size: return tr("Size");
        case Note: return tr("Note");
        case ColumnCount: break;
    }
    return {};
}

QVariant DeadLettersModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const DeadLetterRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (m_ghosts.contains(row.pointer))
        if (const QVariant value = ghost(row, index.column(), role); value.isValid()) return value;
    switch (role) {
        case Qt::DisplayRole: return display(row, index.column());
        case Qt::TextAlignmentRole: return alignment(index.column());
        case Qt::ToolTipRole: return plainTooltip(tooltip(row, index.column()));
        case kCopyRole:
            switch (static_cast<Column>(index.column())) {
                case DiedAt: return m_times.iso(row.diedAt);
                case FirstTried: return m_times.iso(row.firstTriedAt);
                case Attempts: return QString::number(row.attempts);
                case Size: return QString::number(row.bytes);
                default: return {};
            }
        case Qt::DecorationRole:
            if (m_ghosts.contains(row.pointer)) return {};
            if (index.column() == Note && !row.note.text.empty()) return m_noteMark;
            return index.column() == DiedAt ? QVariant(m_mark) : QVariant();
        case Qt::AccessibleTextRole:
            return index.column() == DiedAt ? tr("dead letter, %1").arg(display(row, DiedAt))
                                            : display(row, index.column());
        default: return {};
    }
}

/// What a ghost says otherwise than a dead letter.
QVariant DeadLettersModel::ghost(const DeadLetterRow& row, int column, int role) const {
    const bool says = column == DiedAt;  // the first one is always seen
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
        case kCopyRole:
        case Qt::AccessibleTextRole:
            return says ? departureText(m_ghosts.at(row.pointer), m_times) : QVariant();
        default: return ghostLook(role, says, QGuiApplication::palette());
    }
}

QString DeadLettersModel::display(const DeadLetterRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case DiedAt: return m_times.text(row.diedAt);
        case Destination: return destinationName(row.pointer.destination);
        case User: return userText(row.user);
        case Event: return plainLine(row.eventId);
        case Type: return plainLine(row.type);
        case FirstTried:
            return row.firstTriedAt == 0 ? tr("never") : m_times.text(row.firstTriedAt);
        case Attempts:
            return row.life > 1 ? tr("%1 · life %2").arg(countText(row.attempts)).arg(row.life)
                                : countText(row.attempts);
        case Result:
            return row.attempts == 0 ? tr("never tried")
                                     : resultText(row.lastOutcome, row.lastStatus);
        case Reason:
            if (row.lastError.empty()) return plainLine(row.reason);
            if (row.reason.empty()) return plainLine(row.lastError);
            return QStringLiteral("%1 · %2").arg(plainLine(row.reason), plainLine(row.lastError));
        case Size: return bytesText(row.bytes);
        case Note: return plainLine(row.note.text);
        case ColumnCount: break;
    }
    return {};
}

QString DeadLettersModel::tooltip(const DeadLetterRow& row, int column) const {
    switch (static_cast<Column>(column)) {
        case DiedAt: return m_times.iso(row.diedAt);
        case FirstTried: return m_times.iso(row.firstTriedAt);
        case Event:
            return tr("%1\nsequence %2")
                .arg(plainLine(row.eventId))
                .arg(row.pointer.sequence.value);
        case Note:
            if (row.note.text.empty()) return {};
            return tr("%1\n%2, %3").arg(QString::fromStdString(row.note.text),
                                        plainLine(row.note.by), m_times.iso(row.note.at));
        default: return {};
    }
}

QString DeadLettersModel::destinationName(DestinationId id) const {
    return nameOf(m_snapshot.get(), id);
}

bool DeadLettersModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_loaded && !m_complete && !m_asking && !m_ended &&
           m_rows.size() < kMostRows;
}

void DeadLettersModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    m_enough = m_rows.size() + limits::kPageRows;
    ask();
}

void DeadLettersModel::ask() {
    DeadLetterQuery query;
    query.filter = wanted();
    query.after = m_place;
    query.limit = static_cast<std::uint32_t>(limits::kPageRows);
    m_asking = true;
    emit pageWanted(query);
}

DeadLetterFilter DeadLettersModel::wanted() const {
    DeadLetterFilter filter;
    filter.rest = m_filter;
    return filter;
}

void DeadLettersModel::endLook() {
    m_ended = m_ended || !m_complete;
    m_asking = false;
}

WallMicros DeadLettersModel::lookedBackTo() const {
    return m_place && !m_complete ? m_place->diedAt : 0;
}

QStringList DeadLettersModel::types() const {
    constexpr qsizetype kTypes = 20;
    QStringList types;
    for (const auto& row : m_rows)
        if (const QString type = QString::fromStdString(row.type);
            types.size() < kTypes && !type.isEmpty() && !types.contains(type))
            types << type;
    types.sort();
    return types;
}

void DeadLettersModel::setFilter(const Filter& filter) {
    if (filter == m_filter) return;
    beginResetModel();
    m_filter = filter;
    m_rows.clear();
    m_ghosts.clear();
    m_ghostsBehind.clear();
    m_loaded = false;
    m_complete = false;
    endResetModel();
    reload();
}

void DeadLettersModel::reload() {
    m_place.reset();
    m_thin = false;
    m_ended = false;
    m_enough = limits::kPageRows;
    ask();
}

void DeadLettersModel::acceptPage(const DeadLetterQuery& query, DeadLetterPage page) {
    if (!(query.filter == wanted())) return;
    m_asking = false;
    if (!page.error.empty() && page.rows.empty()) return;  // what is shown is better than nothing
    // Rows may have been taken out or reloaded since the question: only what continues the list at
    // its end belongs to it.
    if (query.after && query.after != m_place) return;
    m_complete = page.complete;
    m_place = page.resume ? page.resume : query.after;
    m_thin = !page.complete && page.rows.size() < query.limit;
    if (!query.after) {
        beginResetModel();
        gatherGhosts(page.rows);
        addGhosts(page.rows);
        m_rows = std::move(page.rows);
        m_loaded = true;
        endResetModel();
        emit reloaded();
    } else if (addGhosts(page.rows); !page.rows.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(page.rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(page.rows.begin()),
                      std::make_move_iterator(page.rows.end()));
        endInsertRows();
    }
    if (m_thin && !m_ended && !m_asking && page.error.empty() && m_rows.size() < m_enough) ask();
}

void DeadLettersModel::setSnapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
}

void DeadLettersModel::dismissGhosts() {
    std::set<Pointer> gone;
    for (const auto& [pointer, departure] : m_ghosts)
        if (!m_kept.contains(pointer)) gone.insert(pointer);
    if (!gone.empty()) remove(gone);
}

void DeadLettersModel::depart(const std::set<Pointer>& pointers, const Departure& departure) {
    std::set<Pointer> gone;
    for (const auto& pointer : pointers) {
        const int row = rowOf(pointer);
        if (row < 0) continue;
        if (!m_kept.contains(pointer)) {
            gone.insert(pointer);
            continue;
        }
        // It may only be known better now: then it left when that was seen.
        const auto [ghost, isNew] = m_ghosts.try_emplace(pointer, departure);
        if (!isNew) ghost->second.fate = departure.fate;
        emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
    if (!gone.empty()) remove(gone);
}

const Departure* DeadLettersModel::departure(Pointer pointer) const {
    const auto it = m_ghosts.find(pointer);
    return it == m_ghosts.end() ? nullptr : &it->second;
}

int DeadLettersModel::living() const {
    return rowCount() - static_cast<int>(m_ghosts.size() - m_ghostsBehind.size());
}

/// The list is read anew: what is kept and is not in it any more has left; what came back lives.
void DeadLettersModel::gatherGhosts(const std::vector<DeadLetterRow>& fresh) {
    std::map<Pointer, Departure> ghosts;
    for (const auto& row : m_ghostsBehind) ghosts[row.pointer] = m_ghosts[row.pointer];
    for (auto& row : m_rows) {
        if (!m_kept.contains(row.pointer)) continue;
        const auto same = [&](const DeadLetterRow& other) { return other.pointer == row.pointer; };
        if (std::any_of(fresh.begin(), fresh.end(), same)) continue;
        // Behind the first page nothing is known of it before its page is read.
        const bool covered = m_complete || (!fresh.empty() && inFront(row, fresh.back()));
        const auto known = m_ghosts.find(row.pointer);
        if (known == m_ghosts.end() && !covered) continue;
        ghosts[row.pointer] = known != m_ghosts.end() ? known->second
                                                      : Departure{Departure::Fate::unknown, now()};
        m_ghostsBehind.push_back(std::move(row));
    }
    m_ghosts = std::move(ghosts);
    std::sort(m_ghostsBehind.begin(), m_ghostsBehind.end(), inFront);
}

/// Puts ghosts to their places among the rows of a page, as far as it goes.
void DeadLettersModel::addGhosts(std::vector<DeadLetterRow>& rows) {
    std::erase_if(m_ghostsBehind, [&](const DeadLetterRow& ghost) {
        const bool back = std::any_of(rows.begin(), rows.end(), [&](const DeadLetterRow& row) {
            return row.pointer == ghost.pointer;
        });
        if (back) m_ghosts.erase(ghost.pointer);
        return back;
    });
    auto last = m_ghostsBehind.end();
    if (!m_complete)
        last = std::find_if(m_ghostsBehind.begin(), m_ghostsBehind.end(),
                            [&](const DeadLetterRow& ghost) {
                                return rows.empty() || !inFront(ghost, rows.back());
                            });
    std::vector<DeadLetterRow> merged;
    merged.reserve(rows.size() + m_ghostsBehind.size());
    std::merge(std::make_move_iterator(m_ghostsBehind.begin()), std::make_move_iterator(last),
               std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()),
               std::back_inserter(merged), inFront);
    m_ghostsBehind.erase(m_ghostsBehind.begin(), last);
    rows = std::move(merged);
}

WallMicros DeadLettersModel::now() const {
    return m_snapshot ? m_snapshot->at : 0;
}

void DeadLettersModel::remove(const std::set<Pointer>& pointers) {
    // From the end, in runs: the rows before keep their numbers meanwhile.
    auto last = static_cast<int>(m_rows.size()) - 1;
    while (last >= 0) {
        const auto gone = [&](int row) {
            return pointers.contains(m_rows[static_cast<std::size_t>(row)].pointer);
        };
        if (!gone(last)) {
            --last;
            continue;
        }
        int first = last;
        while (first > 0 && gone(first - 1)) --first;
        beginRemoveRows({}, first, last);
        m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
        endRemoveRows();
        last = first - 1;
    }
    // The list goes on behind the last row that is left.
    if (m_place && pointers.contains(m_place->pointer))
        m_place = m_rows.empty() ? std::nullopt : std::optional(m_rows.back().key());
    for (const auto& pointer : pointers) m_ghosts.erase(pointer);
    std::erase_if(m_ghostsBehind,
                  [&](const DeadLetterRow& row) { return pointers.contains(row.pointer); });
}

const DeadLetterRow* DeadLettersModel::letter(int row) const {
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int DeadLettersModel::rowOf(Pointer pointer) const {
    const auto it = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&](const DeadLetterRow& row) { return row.pointer == pointer; });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

}  // namespace lanes::ui
