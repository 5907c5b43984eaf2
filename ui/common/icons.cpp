// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icons.h"

#include "ui/common/state_style.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>
#include <optional>

// The resources are in a static library: without this the linker would leave them out. The macro
// declares a function of the global namespace, so it cannot stand in an unnamed one.
static void loadResources() {
    Q_INIT_RESOURCE(resources);
}

namespace lanes::ui {
namespace {

QString fileName(Symbol symbol) {
    switch (symbol) {
        case Symbol::pause: return QStringLiteral("pause");
        case Symbol::resume: return QStringLiteral("resume");
        case Symbol::rewind: return QStringLiteral("rewind");
        case Symbol::discard: return QStringLiteral("discard");
        case Symbol::freeze: return QStringLiteral("freeze");
        case Symbol::goLive: return QStringLiteral("go-live");
        case Symbol::add: return QStringLiteral("add");
        case Symbol::edit: return QStringLiteral("edit");
        case Symbol::settings: return QStringLiteral("settings");
        case Symbol::copy: return QStringLiteral("copy");
        case Symbol::exportFile: return QStringLiteral("export");
        case Symbol::search: return QStringLiteral("search");
        case Symbol::filter: return QStringLiteral("filter");
        case Symbol::info: return QStringLiteral("info");
        case Symbol::warning: return QStringLiteral("warning");
        case Symbol::error: return QStringLiteral("error");
        case Symbol::demo: return QStringLiteral("demo");
        case Symbol::clock: return QStringLiteral("clock");
        case Symbol::table: return QStringLiteral("table");
        case Symbol::picture: return QStringLiteral("picture");
        case Symbol::chart: return QStringLiteral("chart");
        case Symbol::destination: return QStringLiteral("destination");
        case Symbol::lane: return QStringLiteral("lane");
        case Symbol::deadLetter: return QStringLiteral("dead-letter");
        case Symbol::list: return QStringLiteral("list");
        case Symbol::liveOrder: return QStringLiteral("live-order");
        case Symbol::takeDown: return QStringLiteral("take-down");
        case Symbol::bringUp: return QStringLiteral("bring-up");
        case Symbol::close: return QStringLiteral("close");
        case Symbol::check: return QStringLiteral("check");
        case Symbol::group: return QStringLiteral("group");
        case Symbol::note: return QStringLiteral("note");
    }
    return {};
}

struct Ink {
    QColor fill;
    QColor contour;
};

/// Paints an SVG in the colours of the moment.
class SymbolEngine : public QIconEngine {
public:
    enum class Kind { symbol, mark };

    SymbolEngine(QString name, Kind kind, std::optional<QColor> colour)
        : m_name(std::move(name)), m_kind(kind), m_colour(std::move(colour)) {}

    [[nodiscard]] QIconEngine* clone() const override {
        return new SymbolEngine(m_name, m_kind, m_colour);
    }

    [[nodiscard]] QString key() const override { return QStringLiteral("lanes.symbol"); }

    // An empty icon would be treated as missing by views; ours exists at every size.
    bool isNull() override { return false; }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        draw(*painter, QRectF(rect), ink(mode));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    // `size` is in device pixels: the drawing is made for the screen it is shown on.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
        const Ink colours = ink(mode);
        const QString key = QStringLiteral("lanes/%1/%2x%3/%4/%5")
                                .arg(m_name)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(colours.fill.rgba(), 0, 16)
                                .arg(colours.contour.rgba(), 0, 16);
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = QPixmap(size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            draw(painter, QRectF(QPointF(0, 0), QSizeF(size)), colours);
            painter.end();
            QPixmapCache::insert(key, pixmap);
        }
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }

private:
    [[nodiscard]] Ink ink(QIcon::Mode mode) const {
        const QPalette palette = QGuiApplication::palette();
        const QColor ground = palette.color(QPalette::Base);
        if (mode == QIcon::Disabled) {
            const QColor grey = palette.color(QPalette::Disabled, QPalette::WindowText);
            return {grey, grey};
        }
        if (m_kind == Kind::mark) {
            const QColor fill = m_colour.value_or(palette.color(QPalette::WindowText));
            // More than a line needs: at 16 pixels the contour is thin and blends with the ground.
            return {fill, readableText(fill, ground)};
        }
        QColor colour = m_colour ? readableLine(*m_colour, ground)
                                 : palette.color(QPalette::WindowText);
        if (mode == QIcon::Selected) colour = palette.color(QPalette::HighlightedText);
        return {colour, colour};
    }

    void draw(QPainter& painter, const QRectF& rect, const Ink& colours) const {
        QFile file(QStringLiteral(":/lanes/icons/%1.svg").arg(m_name));
        if (!file.open(QIODevice::ReadOnly)) return;
        QByteArray svg = file.readAll();
        svg.replace("currentColor", colours.fill.name().toLatin1());
        svg.replace("\"black\"", '"' + colours.contour.name().toLatin1() + '"');
        QSvgRenderer renderer(svg);
        const qreal side = std::min(rect.width(), rect.height());
        QRectF square(0, 0, side, side);
        square.moveCenter(rect.center());
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setOpacity(painter.opacity() * colours.fill.alphaF());
        renderer.render(&painter, square);
        painter.restore();
    }

    QString m_name;
    Kind m_kind;
    std::optional<QColor> m_colour;
};

QIcon makeIcon(const QString& name, SymbolEngine::Kind kind, std::optional<QColor> colour) {
    loadResources();
    return QIcon(new SymbolEngine(name, kind, std::move(colour)));
}

}  // namespace

QIcon icon(Symbol symbol) {
    return makeIcon(fileName(symbol), SymbolEngine::Kind::symbol, std::nullopt);
}

QIcon icon(Symbol symbol, const QColor& colour) {
    return makeIcon(fileName(symbol), SymbolEngine::Kind::symbol, colour);
}

QIcon markIcon(const QString& name, const QColor& fill) {
    return makeIcon(name, SymbolEngine::Kind::mark, fill);
}

QIcon applicationIcon() {
    loadResources();
    return QIcon(QStringLiteral(":/lanes/icons/io.rivora.Lanes.svg"));
}

}  // namespace lanes::ui
