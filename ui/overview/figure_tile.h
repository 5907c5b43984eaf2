// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QIcon>

namespace lanes::ui {

/// One figure in large digits with its name above and a remark below, or, where there is little
/// height, beside it; a click leads to what it counts.
class FigureTile : public QAbstractButton {
    Q_OBJECT

public:
    explicit FigureTile(const QString& name, QWidget* parent = nullptr);

    /// `alarming`: in the colour of errors.
    void setFigure(const QString& figure, const QString& remark, bool alarming = false);

    /// Two lines instead of three.
    void setCompact(bool compact);

    [[nodiscard]] QString figure() const { return m_figure; }
    [[nodiscard]] QString remark() const { return m_remark; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QFont figureFont() const;
    void paintTall(QPainter& painter, const QColor& quiet, const QColor& loud) const;
    void paintCompact(QPainter& painter, const QColor& quiet, const QColor& loud) const;

    QString m_figure;
    QString m_remark;
    bool m_alarming = false;
    bool m_compact = false;
};

}  // namespace lanes::ui
