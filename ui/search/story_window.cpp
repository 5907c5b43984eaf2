// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/story_window.h"

#include "ui/common/dialog_parts.h"
#include "ui/common/event_details.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/time_display.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr QSize kSize(900, 560);
constexpr int kPlacesWidth = 250;

QString attemptsText(const EventPlace& place) {
    const QString attempts = place.attempts == 0 ? StoryWindow::tr("never tried")
                             : place.attempts == 1
                                 ? StoryWindow::tr("one attempt")
                                 : StoryWindow::tr("%1 attempts").arg(countText(place.attempts));
    return place.life > 1 ? StoryWindow::tr("%1 in life %2").arg(attempts).arg(place.life)
                          : attempts;
}

QString stateText(const EventPlace& place) {
    if (!place.known) return StoryWindow::tr("not known any more");
    switch (place.state) {
        case LaneEventState::waiting: return StoryWindow::tr("waits");
        case LaneEventState::delivered: return StoryWindow::tr("delivered");
        case LaneEventState::dead: return StoryWindow::tr("dead letter");
        case LaneEventState::discarded: return StoryWindow::tr("discarded");
    }
    return {};
}

QIcon stateIcon(const EventPlace& place) {
    if (!place.known) return {};
    switch (place.state) {
        case LaneEventState::waiting: return stateStyle(LaneState::ready).icon;
        case LaneEventState::delivered: return stateStyle(HealthState::healthy).icon;
        case LaneEventState::dead: return errorStyle().icon;
        case LaneEventState::discarded: return icon(Symbol::discard);
    }
    return {};
}

}  // namespace

StoryWindow::StoryWindow(Engine& engine, PageLoader& loader, TimeDisplay& times, Sequence sequence,
                         QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_loader(loader),
      m_times(times),
      m_sequence(sequence),
      m_channel(loader.addChannel()),
      m_title(new QLabel(this)),
      m_facts(new QLabel(this)),
      m_places(new QListWidget(this)),
      m_details(new EventDetails(loader, times, this)),
      m_lane(new QPushButton(icon(Symbol::lane), tr("Show its lane"), this)) {
    setObjectName(QStringLiteral("storyWindow"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Event %1").arg(sequence.value));
    m_title->setObjectName(QStringLiteral("storyTitle"));
    m_title->setTextFormat(Qt::PlainText);
    makeHeading(*m_title);
    m_facts->setObjectName(QStringLiteral("storyFacts"));
    m_facts->setTextFormat(Qt::PlainText);
    for (QLabel* label : {m_title, m_facts}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_places->setIconSize({16, 16});
    m_places->setObjectName(QStringLiteral("storyPlaces"));
    m_places->setAccessibleName(tr("What became of it at each destination"));
    m_details->clear(tr("Choose a destination to see what happened there."));
    m_lane->setObjectName(QStringLiteral("storyLane"));
    m_lane->setEnabled(false);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_places);
    splitter->addWidget(m_details);
    splitter->setSizes({kPlacesWidth, kSize.width() - kPlacesWidth});
    splitter->setStretchFactor(1, 1);
    auto* again = new QPushButton(tr("Read again"), this);
    again->setObjectName(QStringLiteral("storyReload"));
    again->setShortcut(QKeySequence(Qt::Key_F5));
    auto* close = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {m_lane, again, close}) button->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_lane);
    buttons->addStretch(1);
    buttons->addWidget(again);
    buttons->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    layout->addWidget(m_facts);
    layout->addWidget(splitter, 1);
    layout->addLayout(buttons);
    resize(kSize);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(again, &QPushButton::clicked, this, &StoryWindow::reload);
    connect(m_places, &QListWidget::currentRowChanged, this, &StoryWindow::showPlace);
    connect(m_lane, &QPushButton::clicked, this, [this] {
        const auto row = static_cast<std::size_t>(std::max(0, m_places->currentRow()));
        if (row < m_story.places.size())
            emit laneWanted({m_story.places[row].destination, m_story.event.userId},
                            m_story.event.user);
    });
    reload();
}

StoryWindow::~StoryWindow() {
    m_loader.cancel(m_channel);
}

QString StoryWindow::destinationName(DestinationId id) const {
    return nameOf(m_engine.snapshot().get(), id, kNameCharacters);
}

void StoryWindow::reload() {
    if (!m_loader.isOpen()) return;
    m_loader.load(
        m_channel,
        [sequence = m_sequence](PageReader& reader) { return readStory(reader, sequence); },
        [this](const EventStory& story) { showStory(story); });
}

void StoryWindow::showStory(const EventStory& story) {
    m_story = story;
    const EventRow& event = story.event;
    if (!event.sequence) {
        m_title->setText(tr("The event is not in the log"));
        m_facts->setText(plainLine(story.error));
        return;
    }
    m_title->setText(tr("Event %1").arg(plainLine(event.id)));
    const QString facts =
        tr("%1 of %2, accepted %3 %4 as number %5, for %6.")
            .arg(plainLine(event.type), userText(event.user), m_times.text(event.acceptedAt),
                 m_times.zoneLabel(), countText(event.sequence.value),
                 story.places.size() == 1
                     ? tr("one destination")
                     : tr("%1 destinations").arg(countText(story.places.size())));
    m_facts->setText(
        story.error.empty()
            ? facts
            : tr("%1 Not everything could be read: %2").arg(facts, plainLine(story.error)));
    const int chosen = std::max(0, m_places->currentRow());
    const QSignalBlocker quiet(m_places);
    m_places->clear();
    for (const EventPlace& place : story.places)
        new QListWidgetItem(
            stateIcon(place),
            tr("%1: %2, %3")
                .arg(destinationName(place.destination), stateText(place), attemptsText(place)),
            m_places);
    if (m_places->count() > 0) m_places->setCurrentRow(std::min(chosen, m_places->count() - 1));
    showPlace(m_places->currentRow());
}

void StoryWindow::showPlace(int row) {
    const bool some = row >= 0 && static_cast<std::size_t>(row) < m_story.places.size();
    m_lane->setEnabled(some && m_story.event.user.kind != UserKey::Kind::none);
    if (!some) return;
    const EventPlace& place = m_story.places[static_cast<std::size_t>(row)];
    const QString name = destinationName(place.destination);
    m_details->setWhy(tr("At %1: %2, %3.").arg(name, stateText(place), attemptsText(place)));
    m_details->showPointer({place.destination, m_sequence}, name);
}

}  // namespace lanes::ui
