// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/page_loader.h"
#include "ui/search/search_question.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QTimer;

namespace lanes::ui {

class TimeDisplay;

/// Finds an event by its id or number, or the lanes of a user, while one types. What was found is
/// opened with Enter or a double click.
class GoToDialog : public QDialog {
    Q_OBJECT

public:
    GoToDialog(Engine& engine, PageLoader& loader, TimeDisplay& times, QWidget* parent = nullptr);
    ~GoToDialog() override;

signals:
    void eventWanted(lanes::Sequence sequence);
    void laneWanted(lanes::LaneKey lane, const lanes::UserKey& user);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void ask();
    void showAnswer(const SearchAnswer& answer);
    void openChosen();
    [[nodiscard]] QString destinationName(DestinationId id) const;

    Engine& m_engine;
    PageLoader& m_loader;
    TimeDisplay& m_times;
    const PageLoader::Channel m_channel;
    SearchAnswer m_answer;
    QLineEdit* m_typed;
    QListWidget* m_list;
    QLabel* m_note;
    QTimer* m_wait;
};

}  // namespace lanes::ui
