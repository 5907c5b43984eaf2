// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/snapshot.h"

#include <QWidget>

class QLabel;
class QTimer;

namespace lanes::ui {

class ElidedLabel;

/// One line above the graphs: whose they are, how it is and why; for a moment also what came of a
/// command ("copied").
class HealthHeadline : public QWidget {
    Q_OBJECT

public:
    explicit HealthHeadline(QWidget* parent = nullptr);

    /// `destination` 0 = all together.
    void showSnapshot(const EngineSnapshot& snapshot, DestinationId destination);
    void note(const QString& text, bool bad);
    /// Whose graphs they are; external text.
    [[nodiscard]] QString name() const;

private:
    void say(const QString& why, const QColor& ink);

    QLabel* m_mark;
    QLabel* m_name;
    QLabel* m_word;
    ElidedLabel* m_explanation;
    QTimer* m_noteTimer;
};

}  // namespace lanes::ui
