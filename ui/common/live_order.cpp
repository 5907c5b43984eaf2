// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/live_order.h"

#include "ui/common/table.h"

#include <QApplication>
#include <QEvent>
#include <QItemSelectionModel>
#include <QScrollBar>

namespace lanes::ui {

LiveOrder::LiveOrder(Table& table) : QObject(&table), m_table(table) {
    // Of the whole window: whoever types elsewhere looks up to find what was there.
    qApp->installEventFilter(this);
}

void LiveOrder::setOn(bool on) {
    if (on == m_on) return;
    m_on = on;
    emit changed(on);
}

bool LiveOrder::mayMove() const {
    if (!m_table.model() || m_table.model()->rowCount() == 0) return true;
    if (!m_on || m_table.isUnderHand() || m_table.verticalScrollBar()->value() != 0) return false;
    if (m_table.selectionModel()->hasSelection()) return false;
    if (QApplication::activePopupWidget() || QApplication::activeModalWidget()) return false;
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return false;
    return !m_quiet.isValid() || m_quiet.hasExpired(kQuietMs);
}

bool LiveOrder::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::Wheel) m_quiet.start();
    return QObject::eventFilter(watched, event);
}

}  // namespace lanes::ui
