// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QIcon>

namespace lanes::ui {

/// One figure in large digits with its name above and a remark below; a click leads to what it
/// counts.
class FigureTile : public QAbstractButton {
    Q_OBJECT

public:
    explicit FigureTile(const QString& name, QWidget* parent = nullptr);

    /// `alarming`: in the colour of errors.
    void setFigure(const QString& figure, const QString& remark, bool alarming = false);

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

    QString m_figure;
    QString m_remark;
    bool m_alarming = false;
};

}  // namespace lanes::ui
