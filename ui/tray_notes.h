// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QSystemTrayIcon;
class QWidget;

namespace lanes::ui {

/// Notes of the desktop for who does not look at the window now. Without a tray there are none:
/// the alerts stand in the window all the same.
class TrayNotes : public QObject {
    Q_OBJECT

public:
    /// `window` is brought to the front by a click.
    explicit TrayNotes(QWidget& window);

    [[nodiscard]] bool hasTray() const { return m_icon != nullptr; }
    /// Shown unless the window is the active one. External text is allowed in both.
    void tell(const QString& title, const QString& text);

signals:
    /// What was told last; also where there is no tray, for tests.
    void told(const QString& title, const QString& text);

private:
    void raiseWindow();

    QWidget& m_window;
    QSystemTrayIcon* m_icon = nullptr;
};

}  // namespace lanes::ui
