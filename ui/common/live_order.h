// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

namespace lanes::ui {

class Table;

/// Whether the rows of a list may come, go and move by themselves: only while that is switched on
/// and nobody is at the list. Otherwise changes wait until somebody asks for them.
class LiveOrder : public QObject {
    Q_OBJECT

public:
    /// Keys and the wheel have rested for so long when nobody is at a list any more.
    static constexpr int kQuietMs = 3000;

    /// The table owns it.
    explicit LiveOrder(Table& table);

    [[nodiscard]] bool isOn() const { return m_on; }
    void setOn(bool on);
    /// It is on; the list is at its top with nothing selected; no menu, dialog or drag is open
    /// anywhere, the pointer is elsewhere, and nobody types. What is empty may always fill.
    [[nodiscard]] bool mayMove() const;

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Table& m_table;
    QElapsedTimer m_quiet;  ///< since the last key or turn of the wheel
    bool m_on = true;
};

}  // namespace lanes::ui
