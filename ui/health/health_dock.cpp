// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/health_dock.h"

#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"
#include "ui/common/theme.h"
#include "ui/common/time_display.h"
#include "ui/health/axis_tickers.h"
#include "ui/health/graph_panel.h"
#include "ui/health/health_graphs.h"
#include "ui/health/history_buffer.h"
#include "ui/health/history_csv.h"
#include "ui/health/history_keeper.h"
#include "ui/health/history_table_dialog.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
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
/// A change of the budget is told when the pointer is this near to it, in pixels.
constexpr double kNearPixels = 6;
/// How long a note ("copied") stands in the place of the explanation.
constexpr int kNoteMs = 6000;

constexpr std::array<std::int64_t, 6> kRanges{60,        300,           15 * 60,
                                              3 * 3600, 24 * 3600, 14 * 24 * 3600};

/// Holds the graphs in as many columns as its shape asks for.
class GraphGrid : public QWidget {
public:
    using QWidget::QWidget;

    void setPanels(std::vector<GraphPanel*> panels) {
        m_panels = std::move(panels);
        arrange();
    }

    // Not that of the arrangement: the area may always become small enough for another one.
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        if (graphColumns(size(), static_cast<int>(m_panels.size())) != m_columns) arrange();
    }

private:
    void arrange() {
        const int count = static_cast<int>(m_panels.size());
        m_columns = graphColumns(size(), count);
        delete layout();
        auto* grid = new QGridLayout(this);
        grid->setSizeConstraint(QLayout::SetNoConstraint);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setSpacing(6);
        const int rows = (count + m_columns - 1) / m_columns;
        for (int i = 0; i < count; ++i) {
            const int row = i / m_columns;
            GraphPanel* panel = m_panels[static_cast<std::size_t>(i)];
            grid->addWidget(panel, row, i % m_columns);
            // Graphs that stand under each other share strip and time axis.
            panel->setParts(row == 0, row == rows - 1);
        }
        for (int i = 0; i < rows; ++i) grid->setRowStretch(i, 1);
        for (int i = 0; i < m_columns; ++i) grid->setColumnStretch(i, 1);
    }

    std::vector<GraphPanel*> m_panels;
    int m_columns = 0;
};

/// "crm degraded · audit paused", of the first few that are not healthy.
QString illOnes(const EngineSnapshot& snapshot) {
    constexpr qsizetype kNamed = 4;
    QStringList names;
    for (const auto& d : snapshot.destinations) {
        if (d.health == HealthState::healthy) continue;
        if (names.size() == kNamed) {
            names << QString(QChar(0x2026));
            break;
        }
        names << QStringLiteral("%1 %2").arg(plainLine(d.name, 64), stateStyle(d.health).word);
    }
    return names.join(QStringLiteral(" · "));
}

}  // namespace

/// The context of its connections: a child that reports while the dock is being destroyed finds
/// nobody any more.
class HealthDock::Impl : public QObject {
public:
    Impl(HealthDock& dock, lanes::Engine& engine) : q(dock), m_engine(engine) {}

    void build();
    void takeSnapshot();
    void refreshSoon();
    void refresh();
    void goLive();
    void setRange(std::int64_t seconds);
    void setDestination(DestinationId destination);
    void keepHistoryIn(const QString& path);

    HealthDock& q;
    lanes::Engine& m_engine;
    const TimeDisplay* m_display = nullptr;
    DestinationId m_destination;
    std::vector<GraphPanel*> m_panels;

private:
    [[nodiscard]] QWidget* buildBar();
    [[nodiscard]] QMenu* buildMenu();
    void connectPanel(GraphPanel* panel);
    [[nodiscard]] GraphView view() const;
    void showHeader();
    [[nodiscard]] QString explanation(const DestinationSnapshot& destination) const;
    [[nodiscard]] QString name() const;
    void showAt(double second, const QPoint& globalPosition);
    void zoom(double from, double to);
    void copyPicture();
    void exportCsv();
    void showTable();
    void note(const QString& text, bool bad);

    HistoryBuffer m_history;
    std::unique_ptr<HistoryKeeper> m_keeper;
    GraphView m_view;
    /// Short at first, so that a new engine's first curves are seen; longer once they fill it, and
    /// from the first choice on what was chosen.
    std::int64_t m_range = kRanges[0];
    bool m_chosen = false;
    QButtonGroup* m_ranges = nullptr;
    std::optional<std::pair<double, double>> m_zoomed;  ///< none: live
    QElapsedTimer m_painted;
    QTimer* m_later = nullptr;
    QTimer* m_noteTimer = nullptr;
    GraphGrid* m_grid = nullptr;
    QLabel* m_mark = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_word = nullptr;
    ElidedLabel* m_explanation = nullptr;
    QToolButton* m_live = nullptr;
    QMenu* m_menu = nullptr;
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
    m_noteTimer = new QTimer(&q);
    m_noteTimer->setSingleShot(true);
    connect(m_noteTimer, &QTimer::timeout, this, [this] { showHeader(); });
    connect(&m_engine, &Engine::snapshotPublished, this, [this] { takeSnapshot(); });
    takeSnapshot();
}

QWidget* HealthDock::Impl::buildBar() {
    auto* bar = new QWidget(&q);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    m_mark = new QLabel(bar);
    m_name = new QLabel(bar);
    m_name->setObjectName(QStringLiteral("healthName"));
    m_name->setTextFormat(Qt::PlainText);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_word = new QLabel(bar);
    m_word->setObjectName(QStringLiteral("healthWord"));
    m_word->setTextFormat(Qt::PlainText);
    m_explanation = new ElidedLabel(bar);
    m_explanation->setObjectName(QStringLiteral("healthExplanation"));
    m_explanation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_mark);
    row->addWidget(m_name);
    row->addWidget(m_word);
    row->addWidget(m_explanation, 1);

    m_live = new QToolButton(bar);
    m_live->setObjectName(QStringLiteral("healthLive"));
    m_live->setText(HealthDock::tr("Live"));
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
    row->addWidget(m_live);

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

QMenu* HealthDock::Impl::buildMenu() {
    auto* menu = new QMenu(&q);
    menu->setObjectName(QStringLiteral("healthActions"));
    QAction* picture = menu->addAction(icon(Symbol::picture), HealthDock::tr("Copy &picture"));
    picture->setObjectName(QStringLiteral("healthCopyPicture"));
    QAction* csv = menu->addAction(icon(Symbol::exportFile), HealthDock::tr("&Export CSV…"));
    csv->setObjectName(QStringLiteral("healthExportCsv"));
    QAction* table = menu->addAction(icon(Symbol::table), HealthDock::tr("View as &table"));
    table->setObjectName(QStringLiteral("healthViewTable"));
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
                     [this](const QPoint& at) { m_menu->popup(at); });
}

void HealthDock::Impl::takeSnapshot() {
    m_history.add(*m_engine.snapshot());
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
    return result;
}

void HealthDock::Impl::refresh() {
    m_later->stop();
    if (!q.isVisible()) return;
    m_painted.start();
    m_view = view();
    for (GraphPanel* panel : m_panels) panel->setView(m_view);
    if (!m_noteTimer->isActive()) showHeader();
}

QString HealthDock::Impl::name() const {
    if (!m_destination) return HealthDock::tr("All destinations");
    const auto snapshot = m_engine.snapshot();
    const auto* destination = snapshot->find(m_destination);
    return destination != nullptr ? plainLine(destination->name, 64)
                                  : HealthDock::tr("Removed destination");
}

QString HealthDock::Impl::explanation(const DestinationSnapshot& d) const {
    switch (d.health) {
        case HealthState::paused:
            return d.pauseReason.empty() ? plainLine(d.pausedBy)
                                         : plainLine(d.pausedBy + ": " + d.pauseReason);
        case HealthState::degraded:
            return HealthDock::tr("One probe at a time. %1").arg(plainLine(d.lastError));
        case HealthState::healthy:
        case HealthState::throttled:
        case HealthState::recovering: return plainLine(d.lastChange.reason);
    }
    return {};
}

void HealthDock::Impl::showHeader() {
    const auto snapshot = m_engine.snapshot();
    m_name->setText(name());
    HealthState state = HealthState::healthy;
    QString why;
    if (m_destination) {
        if (const auto* d = snapshot->find(m_destination)) {
            state = d->health;
            why = explanation(*d);
        }
    } else {
        for (const auto& d : snapshot->destinations)
            if (severity(d.health) > severity(state)) state = d.health;
        why = snapshot->destinations.empty() ? HealthDock::tr("There is no destination yet.")
                                             : illOnes(*snapshot);
    }
    const bool running = snapshot->lifecycle == Lifecycle::running ||
                         snapshot->lifecycle == Lifecycle::draining;
    if (!running) why = HealthDock::tr("The engine is not running.");
    const StateStyle style = stateStyle(state);
    const bool known = running && !snapshot->destinations.empty();
    m_mark->setVisible(known);
    m_word->setVisible(known);
    m_mark->setPixmap(style.icon.pixmap(QSize(16, 16), q.devicePixelRatioF()));
    m_word->setText(style.word);
    QPalette inked = q.palette();
    inked.setColor(QPalette::WindowText,
                   readableText(style.colour, q.palette().color(QPalette::Window)));
    m_word->setPalette(inked);
    QPalette muted = q.palette();
    muted.setColor(QPalette::WindowText,
                   readableText(q.palette().color(QPalette::PlaceholderText),
                                q.palette().color(QPalette::Window)));
    m_explanation->setPalette(muted);
    m_explanation->setFullText(why);
}

void HealthDock::Impl::note(const QString& text, bool bad) {
    QPalette inked = q.palette();
    const QColor ground = inked.color(QPalette::Window);
    if (bad) inked.setColor(QPalette::WindowText, readableText(errorStyle().colour, ground));
    m_explanation->setPalette(inked);
    m_explanation->setFullText(text);
    m_noteTimer->start(kNoteMs);
}

void HealthDock::Impl::showAt(double second, const QPoint& globalPosition) {
    const auto width = static_cast<double>(m_view.width);
    const auto found = std::find_if(
        m_view.buckets.begin(), m_view.buckets.end(), [second, width](const Bucket& b) {
            const auto start = static_cast<double>(b.start);
            return second >= start && second < start + width;
        });
    for (GraphPanel* panel : m_panels) panel->setCrosshair(second);
    const QString zone = m_display != nullptr ? m_display->zoneLabel() : QStringLiteral("UTC");
    QStringList lines;
    if (found == m_view.buckets.end()) {
        lines << QStringLiteral("%1 %2").arg(stampText(m_display, second), zone)
              << HealthDock::tr("Nothing recorded: the engine was not running.");
    } else {
        QString head = QStringLiteral("%1 %2 · %3")
                           .arg(stampText(m_display, static_cast<double>(found->start)), zone,
                                stateStyle(found->state).word);
        if (m_view.width > 1)
            head += HealthDock::tr(" · mean of %1").arg(durationText(m_view.width * kSecond));
        else if (found->start >= m_view.openSecond)
            head += HealthDock::tr(" · not over yet");
        lines << head << bucketLines(m_panels, *found);
    }
    const int pixels = std::max(1, m_panels.front()->width());
    const double near = std::max(width, (m_view.to - m_view.from) / pixels * kNearPixels);
    for (const auto& change : m_view.changes) {
        if (std::abs(static_cast<double>(change.at) / kSecond - second) > near) continue;
        const QLocale locale;
        lines << HealthDock::tr("Budget %1 → %2: %3")
                     .arg(locale.toString(change.from, 'g', 3), locale.toString(change.to, 'g', 3),
                          plainLine(change.reason, 160));
    }
    QToolTip::showText(globalPosition + QPoint(4, 8), plainTooltip(lines.join(u'\n')), &q);
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
    m_live->show();
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::goLive() {
    if (!m_zoomed) return;
    m_zoomed.reset();
    m_live->hide();
    for (GraphPanel* panel : m_panels) panel->reset();
    refresh();
}

void HealthDock::Impl::setRange(std::int64_t seconds) {
    m_range = seconds;
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
            note(HealthDock::tr("The history of the graphs was not saved: %1").arg(error), true);
    });
    refresh();
}

void HealthDock::Impl::copyPicture() {
    for (GraphPanel* panel : m_panels) panel->setCrosshair(std::nullopt);
    QGuiApplication::clipboard()->setPixmap(q.grab());
    note(HealthDock::tr("The picture is in the clipboard."), false);
}

void HealthDock::Impl::exportCsv() {
    // What was on screen when the command was given, whatever happens while the dialog is open.
    const QByteArray csv = historyCsv(name(), m_view.buckets, m_view.width);
    auto* dialog = new QFileDialog(&q, HealthDock::tr("Export CSV"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(HealthDock::tr("CSV (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(QStringLiteral("health.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, csv](const QString& path) {
        const QString reason = writeFile(path, csv);
        if (reason.isEmpty())
            note(HealthDock::tr("Written to %1").arg(path), false);
        else
            note(HealthDock::tr("Nothing was written to %1: %2. Choose another folder.")
                     .arg(path, reason),
                 true);
    });
    dialog->open();
}

void HealthDock::Impl::showTable() {
    auto* dialog = new HistoryTableDialog(name(), m_view.buckets, m_display, &q);
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

void HealthDock::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        m->goLive();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace lanes::ui
