// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tray_notes.h"

#include "ui/common/icons.h"

#include <QSystemTrayIcon>
#include <QWidget>

namespace lanes::ui {

TrayNotes::TrayNotes(QWidget& window) : QObject(&window), m_window(window) {
    setObjectName(QStringLiteral("trayNotes"));
    if (!QSystemTrayIcon::isSystemTrayAvailable()) return;
    m_icon = new QSystemTrayIcon(applicationIcon(), this);
    m_icon->setToolTip(tr("Rivora Lanes"));
    connect(m_icon, &QSystemTrayIcon::messageClicked, this, &TrayNotes::raiseWindow);
    connect(m_icon, &QSystemTrayIcon::activated, this, &TrayNotes::raiseWindow);
    m_icon->show();
}

void TrayNotes::tell(const QString& title, const QString& text) {
    if (m_window.isActiveWindow()) return;
    emit told(title, text);
    // Desktops read the text of a note as markup.
    if (m_icon && QSystemTrayIcon::supportsMessages())
        m_icon->showMessage(title, text.toHtmlEscaped(), QSystemTrayIcon::Warning);
}

void TrayNotes::raiseWindow() {
    if (m_window.isMinimized()) m_window.showNormal();
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
}

}  // namespace lanes::ui
