// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/list_page.h"

#include "ui/common/elided_label.h"
#include "ui/common/event_details.h"
#include "ui/common/filter_chip.h"
#include "ui/common/icons.h"
#include "ui/common/live_order.h"
#include "ui/common/table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {
/// Width of the details when they are opened for the first time: a third of the page, but enough
/// for an attempt's line and not more than a line of text can be read over.
constexpr int kLeastDetails = 300;
constexpr int kMostDetails = 560;
/// The same for the panel at the left.
constexpr int kLeastSide = 240;
constexpr int kMostSide = 380;
}  // namespace

ListPage::ListPage(PageLoader& loader, TimeDisplay& times, QWidget* parent)
    : ListPage(new EventDetails(loader, times), parent) {
    m_details = static_cast<EventDetails*>(m_pane);
}

ListPage::ListPage(QWidget* pane, QWidget* parent)
    : QWidget(parent),
      m_stripBox(new QWidget(this)),
      m_strip(new QHBoxLayout(m_stripBox)),
      m_count(new QLabel(this)),
      m_pending(new QPushButton(this)),
      m_liveToggle(new QToolButton(this)),
      m_toggle(new QToolButton(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_table(new Table(m_splitter)),
      m_live(new LiveOrder(*m_table)),
      m_pane(pane),
      m_whyStrip(new QWidget(this)),
      m_why(new ElidedLabel(m_whyStrip)) {
    build();
    connect(m_pending, &QPushButton::clicked, this, &ListPage::applyWanted);
    connect(m_liveToggle, &QToolButton::toggled, m_live, &LiveOrder::setOn);
    connect(m_live, &LiveOrder::changed, m_liveToggle, &QToolButton::setChecked);
    connect(m_toggle, &QToolButton::toggled, this, [this](bool open) {
        m_pane->setVisible(open);
        if (open && !m_sized) sizeDetails();
        m_whyStrip->setVisible(!open && !m_why->fullText().isEmpty());
        emit detailsOpened(open);
    });
    connect(m_table, &Table::opened, this, [this] { setDetailsOpen(true); });
}

void ListPage::build() {
    m_count->setObjectName(QStringLiteral("listCount"));
    m_count->setTextFormat(Qt::PlainText);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_pending->setObjectName(QStringLiteral("pendingChanges"));
    m_pending->setToolTip(tr("The rows stand still while somebody is at them. F5 lets them move."));
    m_pending->setFocusPolicy(Qt::NoFocus);
    m_pending->setVisible(false);
    m_liveToggle->setObjectName(QStringLiteral("liveOrderToggle"));
    m_liveToggle->setIcon(icon(Symbol::liveOrder));
    m_liveToggle->setCheckable(true);
    m_liveToggle->setChecked(m_live->isOn());
    m_liveToggle->setAutoRaise(true);
    m_liveToggle->setFocusPolicy(Qt::NoFocus);
    m_liveToggle->setAccessibleName(tr("Live order"));
    m_liveToggle->setToolTip(
        tr("Live order: rows come and move by themselves while the list is at its top, nothing is "
           "selected and nobody is at it (Ctrl+L)"));
    m_toggle->setObjectName(QStringLiteral("detailsToggle"));
    m_toggle->setText(tr("Details"));
    m_toggle->setIcon(icon(Symbol::info));
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setCheckable(true);
    m_toggle->setAutoRaise(true);
    m_toggle->setToolTip(tr("Show attempts and body of the chosen row (Enter)"));

    // Rather cut than a reason for a wider window.
    m_stripBox->setMinimumWidth(1);
    m_strip->setContentsMargins(10, 5, 6, 5);
    m_strip->setSpacing(8);
    m_strip->addWidget(m_count);
    m_strip->addStretch(1);
    m_strip->addWidget(m_pending);
    m_strip->addWidget(m_liveToggle);
    m_strip->addWidget(m_toggle);

    m_splitter->setObjectName(QStringLiteral("listSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_pane);
    m_pane->setMinimumWidth(280);
    m_pane->setVisible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);

    m_why->setObjectName(QStringLiteral("whyStrip"));
    auto* why = new QHBoxLayout(m_whyStrip);
    why->setContentsMargins(10, 4, 10, 4);
    why->addWidget(m_why);
    m_whyStrip->setVisible(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stripBox);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_whyStrip);
    setTabOrder(m_toggle, m_table);
    setTabOrder(m_table, m_pane);
}

void ListPage::addSide(QWidget& side, const QString& name, const QIcon& icon, const QString& tip) {
    m_side = &side;
    side.setMinimumWidth(kLeastSide);
    m_sideSplitter = new QSplitter(Qt::Horizontal, this);
    m_sideSplitter->setObjectName(QStringLiteral("sideSplitter"));
    m_sideSplitter->setChildrenCollapsible(false);
    m_sideSplitter->setHandleWidth(1);
    delete layout()->replaceWidget(m_splitter, m_sideSplitter);
    m_sideSplitter->addWidget(&side);
    m_sideSplitter->addWidget(m_splitter);
    m_sideSplitter->setStretchFactor(0, 0);
    m_sideSplitter->setStretchFactor(1, 1);
    m_sideToggle = new QToolButton(m_stripBox);
    m_sideToggle->setObjectName(QStringLiteral("sideToggle"));
    m_sideToggle->setText(name);
    m_sideToggle->setIcon(icon);
    m_sideToggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_sideToggle->setCheckable(true);
    m_sideToggle->setAutoRaise(true);
    m_sideToggle->setToolTip(tip);
    m_sideToggle->setChecked(true);
    m_strip->insertWidget(0, m_sideToggle);
    setTabOrder(m_sideToggle, &side);
    setTabOrder(&side, m_table);
    connect(m_sideToggle, &QToolButton::toggled, this, [this](bool open) {
        m_side->setVisible(open);
        if (open && !m_sideSized) sizeSide();
        emit sideOpened(open);
    });
}

void ListPage::setSideOpen(bool open) {
    if (m_sideToggle) m_sideToggle->setChecked(open);
}

bool ListPage::isSideOpen() const {
    return m_sideToggle && m_sideToggle->isChecked();
}

FilterChip* ListPage::addChip(const char* name) {
    auto* chip = new FilterChip(this);
    chip->setObjectName(QLatin1String(name));
    m_strip->insertWidget(m_strip->indexOf(m_count), chip);
    return chip;
}

void ListPage::setCount(const QString& text) {
    if (m_count->text() != text) m_count->setText(text);
}

void ListPage::setPending(const QString& text) {
    if (m_pending->text() != text) m_pending->setText(text);
    m_pending->setVisible(!text.isEmpty());
}

QString ListPage::pendingText() const {
    return m_pending->isHidden() ? QString() : m_pending->text();
}

void ListPage::setWhy(const QString& why) {
    m_why->setFullText(why);
    if (m_details) m_details->setWhy(why);
    m_whyStrip->setVisible(!isDetailsOpen() && !why.isEmpty());
}

void ListPage::setDetailsOpen(bool open) {
    m_toggle->setChecked(open);
}

bool ListPage::isDetailsOpen() const {
    return m_toggle->isChecked();
}

void ListPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("layout/%1/details").arg(objectName()), isDetailsOpen());
    if (isDetailsOpen())
        settings.setValue(QStringLiteral("layout/%1/splitter").arg(objectName()),
                          m_splitter->saveState());
    if (!m_side) return;
    settings.setValue(QStringLiteral("layout/%1/side").arg(objectName()), isSideOpen());
    if (isSideOpen())
        settings.setValue(QStringLiteral("layout/%1/sideSplitter").arg(objectName()),
                          m_sideSplitter->saveState());
}

void ListPage::restoreLayout(QSettings& settings) {
    m_sized = m_splitter->restoreState(
        settings.value(QStringLiteral("layout/%1/splitter").arg(objectName())).toByteArray());
    setDetailsOpen(settings.value(QStringLiteral("layout/%1/details").arg(objectName())).toBool());
    if (!m_side) return;
    m_sideSized = m_sideSplitter->restoreState(
        settings.value(QStringLiteral("layout/%1/sideSplitter").arg(objectName())).toByteArray());
    setSideOpen(settings.value(QStringLiteral("layout/%1/side").arg(objectName()), true).toBool());
}

void ListPage::resetLayout() {
    setDetailsOpen(false);
    m_sized = false;
    m_sideSized = false;
    setSideOpen(true);
    if (m_side) sizeSide();
}

void ListPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_side && !m_sideSized) sizeSide();
}

void ListPage::sizeSide() {
    if (width() < 3 * kLeastSide) return;  // its width comes with the window
    const int side = std::clamp(width() / 4, kLeastSide, kMostSide);
    m_sideSplitter->setSizes({side, std::max(0, width() - side)});
    m_sideSized = true;
}

void ListPage::sizeDetails() {
    const int details = std::clamp(width() / 3, kLeastDetails, kMostDetails);
    m_splitter->setSizes({std::max(0, width() - details), details});
    m_sized = true;
}

}  // namespace lanes::ui
