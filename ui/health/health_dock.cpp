// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_dock.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/time_display.h"
#include "ui/health/axis_tickers.h"
#include "ui/health/flag_book.h"
#include "ui/health/graph_grid.h"
#include "ui/health/graph_panel.h"
#include "ui/health/health_graphs.h"
#include "ui/health/health_headline.h"
#include "ui/health/history_buffer.h"
#include "ui/health/history_csv.h"
#include "ui/health/history_keeper.h"
#include "ui/health/history_table_dialog.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanes::ui {

namespace {

/// The eye needs no more, and the graphs are the most expensive thing in the window.
constexpr int kRepaintMs = 250;
/// Nothing is zoomed in further than this many buckets.
constexpr double kZoomBuckets = 10;
/// A click chooses the bucket below it, but no less than it can be hit by: so many pixels.
constexpr double kClickPixels = 8;
/// From this width on the buttons of the bar have words.
constexpr int kWideBar = 820;

constexpr std::array<std::int64_t, 6> kRanges{60,        300,           15 * 60,
                                              3 * 3600, 24 * 3600, 14 * 24 * 3600};

WallMicros micros(double seconds) {
    return static_cast<WallMicros>(seconds * kSecond);
}

}  // namespace

/// The context of its connections: a child that reports while the dock is being destroyed finds
/// nobody any more.
class HealthDock::Impl : public QObject {
public:
    Impl(HealthDock& dock, lanes::Engine& engine)
        : q(dock), m_engine(engine), m_book(engine) {}

    void build();
    void takeSnapshot();
    void refreshSoon();
    void refresh();
    void goLive();
    void setRange(std::int64_t seconds);
    void setDestination(DestinationId destination);
    void keepHistoryIn(const QString& path);
    void setLoader(PageLoader* loader) { m_book.setLoader(loader); }
    void noteMock(const QString& mock, const QString& url, const QString& behaviour);
    void fitBar();

    HealthDock& q;
    lanes::Engine& m_engine;
    const TimeDisplay* m_display = nullptr;
    DestinationId m_destination;
    std::vector<GraphPanel*> m_panels;

private:
    using Stretch = std::pair<double, double>;  ///< of time, seconds since the epoch

    [[nodiscard]] QWidget* buildBar();
    void buildChoice(QHBoxLayout& row, QWidget* bar);
    [[nodiscard]] QMenu* buildMenu();
    void connectPanel(GraphPanel* panel);
    [[nodiscard]] GraphView view() const;
    void pick(double second);
    /// Forgets the stretch of time that was chosen, if there is one.
    void unpick();
    void showPicked();
    [[nodiscard]] Stretch bucketAt(double second) const;
    void showMenu();
    void wantAttempts(const Stretch& stretch);
    void showAt(double second, const QPoint& globalPosition);
    void zoom(double from, double to);
    void copyPicture();
    void exportCsv();
    void showTable();

    HistoryBuffer m_history;
    FlagBook m_book;
    std::unique_ptr<HistoryKeeper> m_keeper;
    GraphView m_view;
    /// Short at first, so that a new engine's first curves are seen; longer once they fill it, and
    /// from the first choice on what was chosen.
    std::int64_t m_range = kRanges[0];
    bool m_chosen = false;
    QButtonGroup* m_ranges = nullptr;
    std::optional<Stretch> m_zoomed;  ///< none: live
    std::optional<Stretch> m_picked;  ///< by a click or a drag
    std::optional<double> m_menuAt;   ///< where the menu was asked for; none: by its button
    Stretch m_menuTime;               ///< that the menu speaks of
    QElapsedTimer m_painted;
    QTimer* m_later = nullptr;
    GraphGrid* m_grid = nullptr;
    HealthHeadline* m_headline = nullptr;
    QToolButton* m_attempts = nullptr;
    QToolButton* m_live = nullptr;
    QMenu* m_menu = nullptr;
    QAction* m_attemptsOfTime = nullptr;
    QAction* m_lanesOfIt = nullptr;
    QAction* m_lanesOfTime = nullptr;
    QAction* m_deadOfTime = nullptr;
};

void HealthDock::Impl::build() {
    m_menu = buildMenu();
    auto* column = new QVBoxLayout(&q);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addWidget(buildBar());
    m_grid = new GraphGrid(&q);
    for (auto& spec : healthGraphs()) {
        auto* panel = new GraphPanel(std::move(spec), m_display, m_grid);
        m_panels.push_back(panel);
        connectPanel(panel);
    }
    m_grid->setPanels(m_panels);
    column->addWidget(m_grid, 1);

    m_later = new QTimer(&q);
    m_later->setSingleShot(true);
    connect(m_later, &QTimer::timeout, this, [this] { refresh(); });
    connect(&m_book, &FlagBook::changed, this, [this] {
        if (q.isVisible()) refreshSoon();
    });
    connect(&m_engine, &Engine::snapshotPublished, this, [this] { takeSnapshot(); });
    takeSnapshot();
}

QWidget* HealthDock::Impl::buildBar() {
    auto* bar = new QWidget(&q);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    m_headline = new HealthHeadline(bar);
    row->addWidget(m_headline, 1);
    buildChoice(*row, bar);

    m_ranges = new QButtonGroup(bar);
    const QStringList words{HealthDock::tr("1 m"), HealthDock::tr("5 m"), HealthDock::tr("15 m"),
                            HealthDock::tr("3 h"), HealthDock::tr("24 h"), HealthDock::tr("14 d")};
    auto* segments = new QHBoxLayout;
    segments->setSpacing(0);
    for (std::size_t i = 0; i < kRanges.size(); ++i) {
        auto* button = new QToolButton(bar);
        button->setObjectName(QStringLiteral("healthRange%1").arg(kRanges[i]));
        button->setText(words[static_cast<qsizetype>(i)]);
        button->setAccessibleName(HealthDock::tr("Show the last %1").arg(button->text()));
        makeChoice(*button);
        // What is said about the state gives way first, not the words on the buttons.
        button->setMinimumWidth(button->sizeHint().width());
        button->setChecked(kRanges[i] == m_range);
        button->setFocusPolicy(Qt::StrongFocus);
        m_ranges->addButton(button, static_cast<int>(i));
        segments->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, seconds = kRanges[i]] {
            m_chosen = true;
            setRange(seconds);
        });
    }
    row->addLayout(segments);

    auto* more = new QToolButton(bar);
    more->setObjectName(QStringLiteral("healthMenu"));
    more->setIcon(icon(Symbol::exportFile));
    more->setToolTip(HealthDock::tr("Picture, CSV, table"));
    more->setAccessibleName(HealthDock::tr("Picture, CSV, table"));
    more->setMenu(m_menu);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(more);
    return bar;
}

/// What is offered for a stretch of time that was chosen.
void HealthDock::Impl::buildChoice(QHBoxLayout& row, QWidget* bar) {
    m_attempts = new QToolButton(bar);
    m_attempts->setObjectName(QStringLiteral("healthAttempts"));
    m_attempts->setText(HealthDock::tr("Attempts"));
    m_attempts->setAccessibleName(HealthDock::tr("Attempts of the chosen time"));
    m_attempts->setIcon(icon(Symbol::list));
    m_attempts->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_attempts->setProperty("choice", true);
    m_attempts->setFocusPolicy(Qt::StrongFocus);
    m_attempts->hide();
    connect(m_attempts, &QToolButton::clicked, this, [this] {
        if (m_picked) wantAttempts(*m_picked);
    });
    row.addWidget(m_attempts);
    m_live = new QToolButton(bar);
    m_live->setObjectName(QStringLiteral("healthLive"));
    m_live->setText(HealthDock::tr("Live"));
    m_live->setAccessibleName(m_live->text());
    m_live->setIcon(icon(Symbol::goLive));
    m_live->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_live->setToolTip(HealthDock::tr("Follow the present again (Esc)"));
    // It keeps its place while it is hidden: the range buttons must not jump under the pointer.
    QSizePolicy keeps = m_live->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    m_live->setSizePolicy(keeps);
    m_live->setProperty("choice", true);
    m_live->hide();
    connect(m_live, &QToolButton::clicked, this, [this] { goLive(); });
    row.addWidget(m_live);
}

QMenu* HealthDock::Impl::buildMenu() {
    auto* menu = new QMenu(&q);
    menu->setObjectName(QStringLiteral("healthActions"));
    m_attemptsOfTime = menu->addAction(icon(Symbol::list), QString());
    m_attemptsOfTime->setObjectName(QStringLiteral("healthShowAttempts"));
    m_deadOfTime = menu->addAction(icon(Symbol::deadLetter), QString());
    m_deadOfTime->setObjectName(QStringLiteral("healthShowDeadLetters"));
    m_lanesOfTime = menu->addAction(icon(Symbol::lane), QString());
    m_lanesOfTime->setObjectName(QStringLiteral("healthShowLanesOfTime"));
    m_lanesOfIt = menu->addAction(icon(Symbol::lane), QString());
    m_lanesOfIt->setObjectName(QStringLiteral("healthShowLanes"));
    menu->addSeparator();
    QAction* picture = menu->addAction(icon(Symbol::picture), HealthDock::tr("Copy &picture"));
    picture->setObjectName(QStringLiteral("healthCopyPicture"));
    QAction* csv = menu->addAction(icon(Symbol::exportFile), HealthDock::tr("&Export CSV…"));
    csv->setObjectName(QStringLiteral("healthExportCsv"));
    QAction* table = menu->addAction(icon(Symbol::table), HealthDock::tr("View as &table"));
    table->setObjectName(QStringLiteral("healthViewTable"));
    connect(menu, &QMenu::aboutToShow, this, [this] { showMenu(); });
    connect(m_attemptsOfTime, &QAction::triggered, this, [this] { wantAttempts(m_menuTime); });
    connect(m_deadOfTime, &QAction::triggered, this, [this] {
        emit q.deadLettersWanted(m_destination, micros(m_menuTime.first),
                                 micros(m_menuTime.second));
    });
    connect(m_lanesOfTime, &QAction::triggered, this, [this] {
        emit q.lanesWanted(m_destination, micros(m_menuTime.first), micros(m_menuTime.second));
    });
    connect(m_lanesOfIt, &QAction::triggered, this,
            [this] { emit q.lanesWanted(m_destination); });
    connect(picture, &QAction::triggered, this, [this] { copyPicture(); });
    connect(csv, &QAction::triggered, this, [this] { exportCsv(); });
    connect(table, &QAction::triggered, this, [this] { showTable(); });
    return menu;
}

void HealthDock::Impl::connectPanel(GraphPanel* panel) {
    connect(panel, &GraphPanel::hovered, this,
                     [this](double second, const QPoint& at) { showAt(second, at); });
    connect(panel, &GraphPanel::left, this, [this] {
        for (GraphPanel* each : m_panels) each->setCrosshair(std::nullopt);
        QToolTip::hideText();
    });
    connect(panel, &GraphPanel::dragging, this, [this](double from, double to) {
        for (GraphPanel* each : m_panels) each->setSelection(std::pair(from, to));
    });
    connect(panel, &GraphPanel::dragged, this,
                     [this](double from, double to) { zoom(from, to); });
    connect(panel, &GraphPanel::liveWanted, this, [this] { goLive(); });
    connect(panel, &GraphPanel::menuWanted, this,
                     [this](double second, const QPoint& at) {
                         m_menuAt = second;
                         m_menu->popup(at);
                     });
    connect(panel, &GraphPanel::clicked, this, [this](double second) { pick(second); });
}

/// Where there is little width, two buttons do without their words.
void HealthDock::Impl::fitBar() {
    const auto style =
        q.width() < kWideBar ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    for (QToolButton* button : {m_attempts, m_live}) button->setToolButtonStyle(style);
}

void HealthDock::Impl::takeSnapshot() {
    m_history.add(*m_engine.snapshot());
    m_book.look();
    const std::int64_t age = m_history.openSecond() - m_history.oldestSecond();
    if (!m_chosen && !m_zoomed && m_range == kRanges[0] && age >= m_range) {
        m_ranges->button(1)->setChecked(true);
        setRange(kRanges[1]);
    }
    if (q.isVisible()) refreshSoon();
}

void HealthDock::Impl::refreshSoon() {
    if (m_later->isActive()) return;
    const qint64 since = m_painted.isValid() ? m_painted.elapsed() : kRepaintMs;
    m_later->start(static_cast<int>(std::max<qint64>(0, kRepaintMs - since)));
}

GraphView HealthDock::Impl::view() const {
    GraphView result;
    result.openSecond = m_history.openSecond();
    const auto now = static_cast<double>(result.openSecond + 1);
    result.from = m_zoomed ? m_zoomed->first : now - static_cast<double>(m_range);
    result.to = m_zoomed ? m_zoomed->second : now;
    const auto resolution = resolutionFor(result.from, result.to, now);
    result.width = levelOf(resolution).width;
    // A bucket more on each side, so that the curves reach the edges.
    result.buckets = m_history.range(
        m_destination, resolution,
        static_cast<std::int64_t>(std::floor(result.from)) - result.width,
        static_cast<std::int64_t>(std::ceil(result.to)) + result.width);
    result.last = m_history.lastClosed(m_destination);
    const auto& changes = m_history.budgetChanges(m_destination);
    result.changes.assign(changes.begin(), changes.end());
    result.together = !m_destination;
    const auto from = static_cast<WallMicros>(result.from * kSecond);
    const auto to = static_cast<WallMicros>(result.to * kSecond);
    result.flags = m_book.flags(m_destination, from, to);
    const auto snapshot = m_engine.snapshot();
    const auto* shown = snapshot->find(m_destination);
    for (const auto& note : m_history.notes())
        if (auto flag = flagOf(note); note.at >= from && note.at < to && concerns(flag, shown))
            result.flags.push_back(std::move(flag));
    std::stable_sort(result.flags.begin(), result.flags.end(),
                     [](const HealthFlag& a, const HealthFlag& b) { return a.at < b.at; });
    return result;
}

void HealthDock::Impl::refresh() {
    m_later->stop();
    if (!q.isVisible()) return;
    m_painted.start();
    m_view = view();
    for (GraphPanel* panel : m_panels) panel->setView(m_view);
    m_headline->showSnapshot(*m_engine.snapshot(), m_destination);
}

void HealthDock::Impl::showAt(double second, const QPoint& globalPosition) {
    for (GraphPanel* panel : m_panels) panel->setCrosshair(second);
    const QStringList lines = hoverLines(m_panels, m_view, second, m_display);
    QToolTip::showText(globalPosition + QPoint(4, 8), plainTooltip(lines.join(u'\n')), &q);
}

/// The bucket that a second falls into, and as much around it as a pointer can hit.
HealthDock::Impl::Stretch HealthDock::Impl::bucketAt(double second) const {
    const auto width = static_cast<double>(m_view.width);
    const double start = std::floor(second / width) * width;
    const int pixels = std::max(1, m_panels.front()->width());
    const double least = (m_view.to - m_view.from) / pixels * kClickPixels;
    const double more = std::max(0.0, std::ceil((least - width) / 2));
    return {start - more, start + width + more};
}

void HealthDock::Impl::pick(double second) {
    m_picked = bucketAt(second);
    for (GraphPanel* panel : m_panels) panel->setSelection(*m_picked);
    showPicked();
}

void HealthDock::Impl::unpick() {
    if (!m_picked) return;
    m_picked.reset();
    for (GraphPanel* panel : m_panels) panel->setSelection(std::nullopt);
    showPicked();
}

void HealthDock::Impl::showPicked() {
    m_attempts->setVisible(m_picked.has_value());
    if (!m_picked) return;
    m_attempts->setToolTip(HealthDock::tr("Show the attempts that ended from %1 to %2; chips above "
                                          "the list say so")
                               .arg(stampText(m_display, m_picked->first),
                                    stampText(m_display, m_picked->second)));
}

/// The menu speaks of where it was opened: of what was chosen there, or of the bucket there; from
/// its button, of what was chosen or of all that is seen.
void HealthDock::Impl::showMenu() {
    const auto at = std::exchange(m_menuAt, std::nullopt);
    if (m_picked && (!at || (*at >= m_picked->first && *at < m_picked->second)))
        m_menuTime = *m_picked;
    else
        m_menuTime = at ? bucketAt(*at) : Stretch(m_view.from, m_view.to);
    const QString from = stampText(m_display, m_menuTime.first);
    const QString until = stampText(m_display, m_menuTime.second);
    m_attemptsOfTime->setText(HealthDock::tr("&Attempts from %1 to %2").arg(from, until));
    m_deadOfTime->setText(HealthDock::tr("&Dead letters from %1 to %2").arg(from, until));
    m_lanesOfTime->setText(
        HealthDock::tr("Lanes whose &head came from %1 to %2").arg(from, until));
    m_lanesOfIt->setText(m_destination
                             ? HealthDock::tr("&Lanes of %1").arg(menuText(m_headline->name()))
                             : HealthDock::tr("All &lanes"));
}

void HealthDock::Impl::wantAttempts(const Stretch& stretch) {
    emit q.attemptsWanted(m_destination, micros(stretch.first), micros(stretch.second));
}

void HealthDock::Impl::zoom(double from, double to) {
    for (GraphPanel* panel : m_panels) panel->setSelection(std::nullopt);
    const double least = kZoomBuckets * static_cast<double>(m_view.width);
    if (to - from < least) {
        const double middle = (from + to) / 2;
        from = middle - least / 2;
        to = middle + least / 2;
    }
    m_zoomed = std::pair(std::floor(from), std::ceil(to));
    m_picked = m_zoomed;
    showPicked();
    m_live->show();
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::goLive() {
    unpick();
    if (!m_zoomed) return;
    m_zoomed.reset();
    m_live->hide();
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::setRange(std::int64_t seconds) {
    m_range = seconds;
    unpick();
    m_zoomed.reset();
    m_live->hide();
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::setDestination(DestinationId destination) {
    if (destination == m_destination) return;
    m_destination = destination;
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::keepHistoryIn(const QString& path) {
    m_keeper = std::make_unique<HistoryKeeper>(m_history, path);
    connect(m_keeper.get(), &HistoryKeeper::written, this, [this](const QString& error) {
        if (!error.isEmpty())
            m_headline->note(
                HealthDock::tr("The history of the graphs was not saved: %1").arg(error), true);
    });
    refresh();
}

void HealthDock::Impl::noteMock(const QString& mock, const QString& url,
                                const QString& behaviour) {
    HistoryNote note;
    note.at = m_history.newest();
    if (note.at == 0) return;  // the engine does not run yet: how it begins is no change
    note.name = mock.toStdString();
    note.text = behaviour.toStdString();
    const auto snapshot = m_engine.snapshot();
    for (const auto& destination : snapshot->destinations)
        if (destination.url == url.toStdString()) note.destination = destination.id;
    m_history.note(std::move(note));
    if (q.isVisible()) refreshSoon();
}

void HealthDock::Impl::copyPicture() {
    for (GraphPanel* panel : m_panels) panel->setCrosshair(std::nullopt);
    QGuiApplication::clipboard()->setPixmap(q.grab());
    m_headline->note(HealthDock::tr("The picture is in the clipboard."), false);
}

void HealthDock::Impl::exportCsv() {
    // What was on screen when the command was given, whatever happens while the dialog is open.
    const QByteArray csv =
        historyCsv(m_headline->name(), m_view.buckets, m_view.width, m_view.flags);
    auto* dialog = new QFileDialog(&q, HealthDock::tr("Export CSV"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(HealthDock::tr("CSV (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(QStringLiteral("health.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, csv](const QString& path) {
        const QString reason = writeFile(path, csv);
        if (reason.isEmpty())
            m_headline->note(HealthDock::tr("Written to %1").arg(path), false);
        else
            m_headline->note(
                HealthDock::tr("Nothing was written to %1: %2. Choose another folder.")
                    .arg(path, reason),
                true);
    });
    dialog->open();
}

void HealthDock::Impl::showTable() {
    auto* dialog = new HistoryTableDialog(m_headline->name(), m_view.buckets, m_view.flags,
                                          m_display, &q);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HistoryTableDialog::exportWanted, this, [this] { exportCsv(); });
    dialog->show();
}

HealthDock::HealthDock(lanes::Engine& engine, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Impl>(*this, engine)) {
    setObjectName(QStringLiteral("healthPane"));
    setAccessibleName(tr("Health"));
    m->build();
}

HealthDock::~HealthDock() = default;

void HealthDock::setTimeDisplay(const TimeDisplay* display) {
    m->m_display = display;
    for (GraphPanel* panel : m->m_panels) panel->setTimeDisplay(display);
    if (display != nullptr)
        connect(display, &TimeDisplay::changed, this, [this] { m->refresh(); });
    m->refresh();
}

void HealthDock::keepHistoryIn(const QString& path) {
    m->keepHistoryIn(path);
}

void HealthDock::setLoader(PageLoader* loader) {
    m->setLoader(loader);
}

void HealthDock::noteMock(const QString& name, const QString& url, const QString& behaviour) {
    m->noteMock(name, url, behaviour);
}

lanes::DestinationId HealthDock::destination() const {
    return m->m_destination;
}

void HealthDock::setDestination(lanes::DestinationId destination) {
    m->setDestination(destination);
}

QSize HealthDock::sizeHint() const {
    return {1000, 220};
}

QSize HealthDock::minimumSizeHint() const {
    return {420, 150};
}

void HealthDock::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m->refresh();
}

void HealthDock::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m->fitBar();
}

void HealthDock::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        m->goLive();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace lanes::ui
