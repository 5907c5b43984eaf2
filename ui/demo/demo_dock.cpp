// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/demo_dock.h"

#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/demo/clock_panel.h"
#include "ui/demo/demo_badge.h"
#include "ui/demo/mock_panel.h"
#include "ui/demo/request_log_model.h"
#include "ui/demo/traffic_panel.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>

namespace lanes::ui {

namespace {

/// From these widths on the controls stand in two columns, and the request log beside them.
constexpr int kTwoColumns = 600;
constexpr int kThreeColumns = 900;
/// Widths of the controls beside the request log.
constexpr int kLeastControls = 280;
constexpr int kMostControls = 340;
/// Refreshes a second at most; reports may come more often.
constexpr int kRefreshMs = 250;

/// A heading with its part below.
QWidget* section(const QString& title, QWidget* part, QWidget* extra, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* heading = new QLabel(title, box);
    heading->setTextFormat(Qt::PlainText);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    auto* row = new QHBoxLayout;
    row->addWidget(heading);
    row->addStretch(1);
    if (extra != nullptr) row->addWidget(extra);
    column->addLayout(row);
    column->addWidget(part, 1);
    return box;
}

}  // namespace

/// The context of its connections: a child that reports while the dock is being destroyed finds
/// nobody any more.
class DemoDock::Impl : public QObject {
public:
    Impl(DemoDock& dock, lanes::Engine& engine, lanes::MockControl& mocks)
        : q(dock), m_engine(engine), m_mocks(mocks) {}

    void build();
    void refreshSoon();
    void refresh();
    void arrange();

    DemoDock& q;
    lanes::Engine& m_engine;
    lanes::MockControl& m_mocks;
    RequestLogModel* m_log = nullptr;

private:
    void showLog(bool wanted);

    QScrollArea* m_scroll = nullptr;
    QGridLayout* m_grid = nullptr;
    QWidget* m_mockBox = nullptr;
    QWidget* m_controlsBox = nullptr;
    QWidget* m_logBox = nullptr;
    int m_columns = 0;
    MockPanel* m_mock = nullptr;
    TrafficPanel* m_traffic = nullptr;
    ClockPanel* m_clock = nullptr;
    Table* m_table = nullptr;
    QTimer* m_later = nullptr;
};

void DemoDock::Impl::build() {
    m_scroll = new QScrollArea(&q);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setObjectName(QStringLiteral("demoScroll"));
    auto* outer = new QVBoxLayout(&q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);

    auto* content = new QWidget;
    m_grid = new QGridLayout(content);
    m_grid->setContentsMargins(8, 6, 8, 6);
    m_grid->setSpacing(12);
    m_controlsBox = new QWidget(content);
    auto* controls = new QVBoxLayout(m_controlsBox);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(12);
    m_mock = new MockPanel(m_mocks, content);
    m_clock = new ClockPanel(m_engine, content);
    m_traffic = new TrafficPanel(m_engine, m_mocks, content);
    m_table = new Table(content);
    m_table->setObjectName(QStringLiteral("requestLog"));
    m_table->setAccessibleName(DemoDock::tr("Requests that the mock destination saw"));
    m_table->setEmptyText(DemoDock::tr("No request yet"),
                          DemoDock::tr("Start traffic to see requests arrive."));
    m_table->setMinimumHeight(140);
    m_log = new RequestLogModel(m_table);
    m_table->setModel(m_log);
    m_table->setColumnWidths({8, 9, 9, 8, 7, 14}, RequestLogModel::type);

    auto* badge = new DemoBadge(m_engine, DemoBadge::AtRealPace::hidden, content);
    m_mockBox = section(DemoDock::tr("Mock destination"), m_mock, nullptr, content);
    controls->addWidget(section(DemoDock::tr("Clock"), m_clock, badge, content));
    controls->addWidget(section(DemoDock::tr("Traffic"), m_traffic, nullptr, content));
    controls->addStretch(1);
    m_logBox = section(DemoDock::tr("Requests"), m_table, nullptr, content);
    m_scroll->setWidget(content);
    arrange();

    m_later = new QTimer(&q);
    m_later->setSingleShot(true);
    m_later->setInterval(kRefreshMs);
    connect(m_later, &QTimer::timeout, this, [this] { refresh(); });
    connect(&m_mocks, &MockControl::reported, this, [this] { refreshSoon(); });
    connect(&m_engine, &Engine::snapshotPublished, this, [this] { refreshSoon(); });
    connect(m_mock, &MockPanel::mockChosen, this, [this] { showLog(true); });
    refresh();
}

void DemoDock::Impl::refreshSoon() {
    if (q.isVisible() && !m_later->isActive()) m_later->start();
}

void DemoDock::Impl::refresh() {
    m_mock->refresh();
    m_traffic->refresh();
    m_clock->refresh();
    showLog(false);
}

void DemoDock::Impl::showLog(bool wanted) {
    // Rows do not move under the pointer, unless another mock was asked for.
    if (!wanted && m_table->isUnderHand()) return;
    m_log->setLines(m_mock->mock(), m_mocks.log(m_mock->mock()));
}

void DemoDock::Impl::arrange() {
    const int columns = q.width() >= kThreeColumns ? 3 : q.width() >= kTwoColumns ? 2 : 1;
    if (columns == m_columns) return;
    m_columns = columns;
    for (QWidget* box : {m_mockBox, m_controlsBox, m_logBox}) m_grid->removeWidget(box);
    m_grid->addWidget(m_mockBox, 0, 0);
    m_grid->addWidget(m_controlsBox, columns == 1 ? 1 : 0, columns == 1 ? 0 : 1);
    switch (columns) {
        case 1: m_grid->addWidget(m_logBox, 2, 0); break;
        case 2: m_grid->addWidget(m_logBox, 1, 0, 1, 2); break;
        default: m_grid->addWidget(m_logBox, 0, 2); break;
    }
    // What there is too much of goes to the request log.
    for (int row = 0; row < 3; ++row) m_grid->setRowStretch(row, row == 3 - columns ? 1 : 0);
    for (int column = 0; column < 3; ++column)
        m_grid->setColumnStretch(column, columns == 3 ? (column == 2 ? 1 : 0) : column < columns);
    for (QWidget* box : {m_mockBox, m_controlsBox}) {
        box->setMinimumWidth(columns == 3 ? kLeastControls : 0);
        box->setMaximumWidth(columns == 3 ? kMostControls : QWIDGETSIZE_MAX);
    }
}

DemoDock::DemoDock(lanes::Engine& engine, lanes::MockControl& mocks, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Impl>(*this, engine, mocks)) {
    setObjectName(QStringLiteral("demoPane"));
    setAccessibleName(tr("Demonstration"));
    m->build();
}

DemoDock::~DemoDock() = default;

void DemoDock::setTimeDisplay(const TimeDisplay* display) {
    m->m_log->setTimeDisplay(display);
    if (display != nullptr) {
        connect(display, &TimeDisplay::changed, this,
                [this, display] { m->m_log->setTimeDisplay(display); });
    }
}

QSize DemoDock::sizeHint() const {
    return {340, 640};
}

QSize DemoDock::minimumSizeHint() const {
    return {300, 140};
}

void DemoDock::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m->refresh();
}

void DemoDock::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m->arrange();
}

}  // namespace lanes::ui
