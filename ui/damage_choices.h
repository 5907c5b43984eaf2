// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lanes::ui {

/// What can be done about a damaged data file, each with what it means. It only asks; whoever made
/// the engine does it, because the engine must be closed for it.
class DamageChoices : public QWidget {
    Q_OBJECT

public:
    explicit DamageChoices(QWidget* parent = nullptr);

    /// Something is being done; nothing else can be chosen meanwhile.
    void showBusy(const QString& text);
    /// It could not be done, and nothing was changed.
    void showFailure(const QString& text);

signals:
    void restoreWanted(const QString& file);
    void salvageWanted();
    void emptyWanted();
    void quitWanted();

private:
    QPushButton* addChoice(const char* name, const QString& label, const QString& meaning);
    void chooseBackup();
    void confirmEmpty();
    void setChoosable(bool choosable);

    QPushButton* m_restore;
    QPushButton* m_salvage;
    QPushButton* m_empty;
    QPushButton* m_quit;
    QLabel* m_state;
    QProgressBar* m_busy;
};

}  // namespace lanes::ui
