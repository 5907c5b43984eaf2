// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/write_key.h"
#include "tests/support/fake_engine.h"
#include "ui/common/command_tracker.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/settings/sources_dialog.h"
#include "ui/settings/sources_model.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

/// Senders with keys of their own, against a scripted engine.
class SourcesDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        m_engine = std::make_unique<test::FakeEngine>();
        m_engine->state.at = 1'800'000'000LL * kSecond;
        m_engine->publish();
        m_commands = std::make_unique<CommandTracker>(*m_engine);
        m_engine->answer = [this](const Command& command) {
            CommandResult result;
            auto& sources = m_engine->state.sources;
            if (const auto* set = std::get_if<SetSource>(&command)) {
                auto config = set->config;
                if (!config.id)
                    config.id = SourceId(static_cast<std::uint32_t>(sources.size()) + 1);
                std::erase_if(sources, [&](const auto& one) { return one.config.id == config.id; });
                sources.push_back({config});
                result.source = config.id;
            }
            if (const auto* remove = std::get_if<RemoveSource>(&command))
                std::erase_if(sources,
                              [&](const auto& one) { return one.config.id == remove->source; });
            return result;
        };
        m_dialog = std::make_unique<SourcesDialog>(*m_engine, *m_commands, m_times);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
    }
    void cleanup() {
        m_dialog.reset();
        m_commands.reset();
        m_engine.reset();
    }

    void aSourceIsAddedAndItsKeyShownOnce() {
        QVERIFY(!button("sourceNewKey")->isEnabled());
        button("sourceAdd")->click();
        auto* name = in<QLineEdit>("sourceNameDialog", "sourceName");
        auto* accept = in<QPushButton>("sourceNameDialog", "sourceNameAccept");
        QVERIFY(!accept->isEnabled());
        name->setText(QStringLiteral("segment"));
        QVERIFY(!accept->isEnabled());
        name->setText(QStringLiteral("shop"));
        QVERIFY(accept->isEnabled());
        accept->click();
        QTRY_VERIFY(m_dialog->findChild<QDialog*>(QStringLiteral("sourceKeyDialog")));
        const auto key = in<QLineEdit>("sourceKeyDialog", "sourceKey")->text();
        const auto& config = std::get<SetSource>(m_engine->submitted.at(0)).config;
        QCOMPARE(config.name, std::string("shop"));
        QCOMPARE(config.keys, std::vector<std::string>{writeKeyHash(key.toStdString())});
        QVERIFY(!config.addedBy.empty());
        in<QPushButton>("sourceKeyDialog", "sourceCopyKey")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), key);
        m_engine->publish();
        QCOMPARE(model()->rowCount(), 1);
    }

    void keysAreChangedWithoutAGap() {
        add("shop", {std::string(64, '1')});
        table()->selectRow(0);
        QVERIFY(!button("sourceFinish")->isEnabled());
        button("sourceNewKey")->click();
        QTRY_VERIFY(m_dialog->findChild<QDialog*>(QStringLiteral("sourceKeyDialog")));
        const auto key = in<QLineEdit>("sourceKeyDialog", "sourceKey")->text().toStdString();
        QCOMPARE(m_engine->state.sources[0].config.keys,
                 (std::vector<std::string>{std::string(64, '1'), writeKeyHash(key)}));
        m_engine->publish();
        QVERIFY(button("sourceFinish")->isEnabled());
        QSignalSpy told(m_dialog.get(), &SourcesDialog::succeeded);
        button("sourceFinish")->click();
        QCOMPARE(m_engine->submitted.size(), std::size_t{1});
        in<QPushButton>("sourceFinishDialog", "sourceQuestionAccept")->click();
        QTRY_COMPARE(told.count(), 1);
        QCOMPARE(m_engine->state.sources[0].config.keys,
                 std::vector<std::string>{writeKeyHash(key)});
    }

    void aSourceIsRemovedAfterAQuestion() {
        add("shop", {std::string(64, '1')});
        add("web", {std::string(64, '2')});
        table()->selectRow(1);
        button("sourceRemove")->click();
        QVERIFY(m_engine->submitted.empty());
        in<QPushButton>("sourceRemoveDialog", "sourceQuestionAccept")->click();
        QTRY_COMPARE(m_engine->state.sources.size(), std::size_t{1});
        QCOMPARE(m_engine->state.sources[0].config.name, std::string("shop"));
        m_engine->publish();
        QVERIFY(!button("sourceRemove")->isEnabled());
    }

    void figuresChangeUnderTheChosenRow() {
        add("web", {std::string(64, '2')});
        add("shop", {});
        const QAbstractItemModelTester tester(model());
        QCOMPARE(model()->index(0, SourcesModel::Name).data().toString(), QStringLiteral("shop"));
        table()->selectRow(1);
        m_engine->state.sources[0].accepted = 1234;
        m_engine->publish();
        QCOMPARE(model()->index(1, SourcesModel::Accepted).data().toString(),
                 QStringLiteral("1234"));
        QCOMPARE(table()->selectionModel()->selectedRows().front().row(), 1);
        // Another one that comes in front of it does not take its place.
        add("alpha", {});
        QCOMPARE(table()->selectionModel()->selectedRows().front().row(), 2);
    }

    void whatTheEngineRefusesIsTold() {
        add("shop", {std::string(64, '1')});
        table()->selectRow(0);
        m_engine->answer = [](const Command&) {
            CommandResult result;
            result.error = "This source was removed meanwhile.";
            return result;
        };
        button("sourceNewKey")->click();
        auto* error = m_dialog->findChild<QLabel*>(QStringLiteral("sourceError"));
        QTRY_VERIFY(error->isVisible());
        QCOMPARE(error->text(), QStringLiteral("This source was removed meanwhile."));
        QVERIFY(!m_dialog->findChild<QDialog*>(QStringLiteral("sourceKeyDialog")));
    }

private:
    void add(const char* name, std::vector<std::string> keys) {
        SourceSnapshot source;
        source.config.id = SourceId(static_cast<std::uint32_t>(m_engine->state.sources.size()) + 1);
        source.config.name = name;
        source.config.keys = std::move(keys);
        source.config.addedBy = "anna";
        m_engine->state.sources.push_back(source);
        m_engine->publish();
    }
    [[nodiscard]] QPushButton* button(const char* name) const {
        return m_dialog->findChild<QPushButton*>(QLatin1String(name));
    }
    [[nodiscard]] Table* table() const { return m_dialog->findChild<Table*>(); }
    [[nodiscard]] QAbstractItemModel* model() const { return table()->model(); }
    template <typename Widget>
    [[nodiscard]] Widget* in(const char* dialog, const char* name) const {
        auto* box = m_dialog->findChild<QDialog*>(QLatin1String(dialog));
        if (!box) qFatal("no %s", dialog);
        return box->findChild<Widget*>(QLatin1String(name));
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<CommandTracker> m_commands;
    TimeDisplay m_times;
    std::unique_ptr<SourcesDialog> m_dialog;
};

QTEST_MAIN(SourcesDialogTest)
#include "sources_dialog_test.moc"
