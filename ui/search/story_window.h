// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "ui/common/page_loader.h"
#include "ui/search/search_question.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QPushButton;

namespace lanes::ui {

class EventDetails;
class TimeDisplay;

/// The whole story of one event: when it was accepted, what became of it at each destination, and
/// there every attempt, each life, and its body.
class StoryWindow : public QDialog {
    Q_OBJECT

public:
    StoryWindow(Engine& engine, PageLoader& loader, TimeDisplay& times, Sequence sequence,
                QWidget* parent = nullptr);
    ~StoryWindow() override;

public slots:
    void reload();

signals:
    void laneWanted(lanes::LaneKey lane, const lanes::UserKey& user);

private:
    void showStory(const EventStory& story);
    void showPlace(int row);
    [[nodiscard]] QString destinationName(DestinationId id) const;

    Engine& m_engine;
    PageLoader& m_loader;
    TimeDisplay& m_times;
    const Sequence m_sequence;
    const PageLoader::Channel m_channel;
    EventStory m_story;
    QLabel* m_title;
    QLabel* m_facts;
    QListWidget* m_places;
    EventDetails* m_details;
    QPushButton* m_lane;
};

}  // namespace lanes::ui
