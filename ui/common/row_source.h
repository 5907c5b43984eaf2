// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"
#include "engine/types.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// All rows of a list that fit its filter, a page at a time, for whoever writes them down.
namespace lanes::ui {

/// A point in time; 0 says nothing.
struct RowTime {
    WallMicros at = 0;
};
/// One value of a row; nothing where the row has none. Texts come as they are in the store.
using RowValue = std::variant<std::monostate, std::string, std::uint64_t, double, RowTime>;
/// By the columns of its source.
using RowValues = std::vector<RowValue>;

struct RowBatch {
    std::vector<RowValues> rows;
    bool last = false;
    double share = -1;  ///< of all that is to be read, 0..1; negative: nobody knows
    QString problem;    ///< not empty: nothing more can be read, and why
};

/// What it is to be narrowed to is settled when it is made; it reads from the beginning, once.
class RowSource : public QObject {
    Q_OBJECT

public:
    /// Rows that were read by a page or less; called on the GUI thread.
    using Take = std::function<void(RowBatch)>;

    struct Facts {
        QString title;        ///< of what there is many: "dead letters"
        QString file;         ///< what a file of them is called, without a suffix
        QStringList columns;  ///< not translated: a file is read by programs
        QString remark;       ///< what whoever reads the file should know; may be empty
    };

    explicit RowSource(Facts facts) : m_facts(std::move(facts)) {}

    [[nodiscard]] const Facts& facts() const { return m_facts; }
    /// Reads away from the GUI thread, and gives what was read later; once at a time. Not called
    /// any more once the source is gone.
    virtual void readNext(Take take) = 0;

private:
    Facts m_facts;
};

/// Nothing for a number that means nothing.
[[nodiscard]] inline RowValue numberOrNothing(std::uint64_t number) {
    return number == 0 ? RowValue() : RowValue(number);
}
/// In seconds.
[[nodiscard]] inline RowValue secondsOf(Micros duration) {
    return static_cast<double>(duration) / static_cast<double>(kSecond);
}
[[nodiscard]] inline RowValue textOrNothing(const std::string& text) {
    return text.empty() ? RowValue() : RowValue(text);
}
/// The text of a user key and its kind: "user", "anonymous", "none".
[[nodiscard]] std::string userKind(const UserKey& user);
/// The name of a destination, or its number where it is not known any more. Any thread.
[[nodiscard]] std::string destinationOr(const EngineSnapshot& snapshot, DestinationId destination);

}  // namespace lanes::ui
