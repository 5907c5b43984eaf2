// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/health/health_flag.h"
#include "ui/health/history_buffer.h"
#include "ui/health/nice_scale.h"

#include <QColor>
#include <QSharedPointer>
#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QCPGraph;
class QCPItemLine;
class QCPItemPixmap;
class QCPItemRect;
class QCustomPlot;
class QLabel;

namespace lanes::ui {

class CountTicker;
class ElidedLabel;
class StateStrip;
class TimeDisplay;
class TimeTicker;

/// One curve of a graph. The functions take a bucket; NaN means that it says nothing.
struct SeriesSpec {
    enum class Look { line, area, steps };
    /// The same thing has the same hue in every graph; none is that of a state, but for errors.
    enum class Hue { demand, flow, budget, inFlight, errors, backlog };

    QString name;
    Look look = Look::line;
    Hue hue = Hue::flow;
    double (*value)(const Bucket& bucket) = nullptr;
    /// Lowest and highest value in a bucket of more than a second.
    std::pair<double, double> (*spread)(const Bucket& bucket) = nullptr;
};

struct GraphSpec {
    QString name;   ///< of the object
    QString title;
    QString unit;   ///< after the numbers: "/s"
    NiceScale scale;
    std::vector<SeriesSpec> series;
    int digits = 0; ///< of the numbers
    bool showsChanges = false;  ///< marks changes of the budget
};

/// What all graphs show at a moment.
struct GraphView {
    double from = 0;  ///< seconds since the epoch
    double to = 60;
    std::int64_t width = 1;       ///< of the buckets
    std::int64_t openSecond = 0;  ///< the second that is not over
    std::vector<Bucket> buckets;
    std::optional<Bucket> last;   ///< the last closed second
    std::vector<BudgetChange> changes;
    std::vector<HealthFlag> flags;  ///< oldest first
    bool together = false;          ///< of all destinations: flags need a name
};

/// A graph of the health dock: title, the numbers of now, the state strip, the curves. It knows
/// nothing of the other graphs: pointer and selection go through signals.
class GraphPanel : public QWidget {
    Q_OBJECT

public:
    GraphPanel(GraphSpec spec, const TimeDisplay* display, QWidget* parent = nullptr);
    ~GraphPanel() override;

    void setTimeDisplay(const TimeDisplay* display);
    /// The time axis and the strip may be left out where a neighbour shows them.
    void setParts(bool strip, bool timeAxis);
    void setView(const GraphView& view);
    /// Another destination: scales start anew.
    void reset();

    /// Position of the common crosshair; none hides it.
    void setCrosshair(std::optional<double> second);
    /// The stretch of time that is being dragged; none hides it.
    void setSelection(std::optional<std::pair<double, double>> stretch);

    [[nodiscard]] const GraphSpec& spec() const { return m_spec; }
    /// "20.1 /s" for a value of this graph; a dash for NaN.
    [[nodiscard]] QString number(double value, bool brief = false, bool withUnit = true) const;
    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void hovered(double second, const QPoint& globalPosition);
    void left();
    void dragging(double from, double to);
    void dragged(double from, double to);
    void clicked(double second);
    void liveWanted();
    void menuWanted(double second, const QPoint& globalPosition);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Curve {
        QCPGraph* closed = nullptr;
        QCPGraph* open = nullptr;  ///< the bucket that is not over, dashed
        QCPGraph* low = nullptr;   ///< of the spread
        QCPGraph* high = nullptr;
        QLabel* swatch = nullptr;
        QLabel* number = nullptr;
    };

    struct Flag {
        QCPItemLine* line = nullptr;
        QCPItemPixmap* mark = nullptr;
        std::optional<FlagKind> kind = {};  ///< that the mark shows
    };

    void buildHeader();
    void buildPlot();
    void restyle();
    void fitMargins();
    void fitTicks();
    void fillCurve(std::size_t index, const GraphView& view);
    void showGaps(const GraphView& view);
    void showFlags(const GraphView& view);
    void addFlag();
    void showNumbers(const GraphView& view);
    [[nodiscard]] QColor colour(SeriesSpec::Hue hue) const;
    [[nodiscard]] double secondAt(int x) const;
    [[nodiscard]] double maximum(const GraphView& view) const;

    GraphSpec m_spec;
    ElidedLabel* m_title = nullptr;
    StateStrip* m_strip = nullptr;
    QCustomPlot* m_plot = nullptr;
    std::vector<Curve> m_curves;
    QCPGraph* m_changes = nullptr;
    QCPItemLine* m_crosshair = nullptr;
    QCPItemRect* m_selection = nullptr;
    std::vector<QCPItemRect*> m_gaps;
    std::vector<Flag> m_flags;
    bool m_hasStrip = true;
    QSharedPointer<CountTicker> m_countTicker;
    QSharedPointer<TimeTicker> m_timeTicker;
    bool m_hasTimeAxis = true;
    std::optional<double> m_pressedAt;
    int m_pressedX = 0;
};

}  // namespace lanes::ui
