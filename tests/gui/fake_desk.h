// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fake_engine.h"
#include "ui/common/command_tracker.h"
#include "ui/common/list_page.h"
#include "ui/common/page_loader.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"

#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <memory>

namespace lanes::test {

/// Longer than a list waits before it is read once more.
inline constexpr int kSettle = 800;  // ms

/// What a list page needs of a window: a scripted engine with two destinations that publishes a few
/// times a second, a reader of its store and the page itself.
template <typename Page>
struct FakeDesk {
    FakeEngine engine;
    ui::TimeDisplay times;
    ui::PageLoader loader;
    ui::CommandTracker commands{engine};
    std::unique_ptr<Page> page;
    QTimer beat;

    FakeDesk() {
        engine.state.at = 1'800'000'000LL * kSecond;
        engine.state.lifecycle = Lifecycle::running;
        engine.state.intake.listening = true;
        engine.state.intake.port = 7420;
        engine.addDestination("crm");
        engine.addDestination("billing");
        engine.publish();
        loader.setReader(engine.openPageReader());
        QObject::connect(&beat, &QTimer::timeout, &engine, &FakeEngine::publish);
        beat.start(100);
    }

    [[nodiscard]] bool open(std::unique_ptr<Page> made) {
        page = std::move(made);
        QObject::connect(&engine, &Engine::snapshotPublished, page.get(), &Page::showSnapshot);
        page->resize(1000, 400);
        page->show();
        return QTest::qWaitForWindowExposed(page.get());
    }

    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) const {
        auto* widget = page->template findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    [[nodiscard]] ui::Table& table() const { return page->table(); }
    [[nodiscard]] int rows() const { return table().model()->rowCount(); }
    [[nodiscard]] QString cell(int row, int column) const {
        return table().model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString pill() const {
        auto* pill = find<QPushButton>("pendingChanges");
        return pill->isVisible() ? pill->text() : QString();
    }
    /// What stands in the middle of an empty list begins so.
    [[nodiscard]] bool says(const char* text) const {
        return table().accessibleDescription().startsWith(QLatin1String(text));
    }
};

}  // namespace lanes::test
