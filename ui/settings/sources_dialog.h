// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <QDialog>

#include <functional>
#include <string>

class QLabel;
class QPushButton;

namespace lanes::ui {

class CommandTracker;
class SourcesModel;
class Table;
class TimeDisplay;

/// Senders with write keys of their own: adds one, changes its keys without a gap, withdraws them.
/// A key is shown once, right after it was made; the engine keeps its fingerprint only.
class SourcesDialog : public QDialog {
    Q_OBJECT

public:
    SourcesDialog(Engine& engine, CommandTracker& commands, TimeDisplay& times,
                  QWidget* parent = nullptr);

signals:
    void succeeded(const QString& message);

private:
    void build();
    void showSources();
    void showActs();
    void addSource();
    void newKey();
    void finishChange();
    void removeSource();
    void submit(const SourceConfig& config, const std::function<void()>& done);
    void showKey(const QString& name, const std::string& key);
    void ask(const QString& title, const QString& question, const QString& words,
             const QString& verb, const char* name, const std::function<void()>& agreed);
    [[nodiscard]] const SourceSnapshot* chosen() const;

    Engine& m_engine;
    CommandTracker& m_commands;
    SourcesModel* m_model;
    Table* m_table;
    QPushButton* m_newKey;
    QPushButton* m_finish;
    QPushButton* m_remove;
    QLabel* m_error;
    SourceId m_current;
    bool m_restoring = false;
};

}  // namespace lanes::ui
