// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/intake_words.h"
#include "ui/common/preferences.h"
#include "ui/settings/settings_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace lanes;
using namespace lanes::ui;

class SettingsDialogTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_settings;

private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
    }
    void init() {
        QSettings().clear();
        m_engine = std::make_unique<test::FakeEngine>();
        m_engine->state.lifecycle = Lifecycle::running;
        m_engine->state.intake.listening = true;
        m_engine->state.intake.port = 7420;
        m_engine->publish();
        m_times = std::make_unique<TimeDisplay>();
        open();
    }
    void cleanup() {
        m_dialog.reset();
        applyTheme(*qApp, Theme::light);
    }

    void timesFollowTheOneSwitch() {
        auto* times = find<QComboBox>("settingsTimes");
        QCOMPARE(times->currentIndex(), 0);
        times->setFocus();
        QTest::keyClick(times, Qt::Key_Down);
        QCOMPARE(m_times->zone(), TimeDisplay::Zone::local);
        m_times->setZone(TimeDisplay::Zone::utc);
        QCOMPARE(times->currentIndex(), 0);
    }

    void coloursChangeAtOnceAndAreKept() {
        applyTheme(*qApp, Theme::light);
        auto* theme = find<QComboBox>("settingsTheme");
        QCOMPARE(theme->currentIndex(), 0);
        theme->setFocus();
        QTest::keyClick(theme, Qt::Key_End);
        QVERIFY(isDark(QApplication::palette()));
        QCOMPARE(Preferences::theme(), Theme::dark);
        open();
        QCOMPARE(find<QComboBox>("settingsTheme")->currentIndex(), 2);
    }

    void preferencesOutliveTheProgram() {
        QCOMPARE(Preferences::zone(), TimeDisplay::Zone::utc);
        QCOMPARE(Preferences::theme(), Theme::system);
        Preferences::setZone(TimeDisplay::Zone::local);
        Preferences::setTheme(Theme::light);
        QSettings().sync();
        QCOMPARE(Preferences::zone(), TimeDisplay::Zone::local);
        QCOMPARE(Preferences::theme(), Theme::light);
        QSettings().setValue(QStringLiteral("preferences/theme"), QStringLiteral("nonsense"));
        QCOMPARE(Preferences::theme(), Theme::system);
    }

    void notesAreChosenByKind() {
        auto* note = find<QCheckBox>("settingsNote-degraded");
        QVERIFY(note->isChecked() && note->isEnabled());
        note->click();
        QVERIFY(!Preferences::wantsNote(QStringLiteral("degraded")));
        QVERIFY(Preferences::wantsNote(QStringLiteral("store-fault")));
    }

    void theKeyIsHiddenUntilItIsAskedFor() {
        auto* key = find<QLineEdit>("settingsKey");
        QVERIFY(key->isReadOnly());
        QCOMPARE(key->text(), QString::fromStdString(m_engine->writeKey()));
        QVERIFY(!key->displayText().contains(key->text()));
        find<QToolButton>("settingsShowKey")->click();
        QCOMPARE(key->displayText(), key->text());
        QSignalSpy copied(m_dialog.get(), &SettingsDialog::copied);
        find<QToolButton>("settingsCopyKey")->click();
        QCOMPARE(QApplication::clipboard()->text(), QString::fromStdString(m_engine->writeKey()));
        QCOMPARE(copied.count(), 1);
    }

    void theExampleHasTheRealPortAndKey() {
        QCOMPARE(find<QLineEdit>("settingsIntake")->text(),
                 QStringLiteral("http://127.0.0.1:7420/v1/events"));
        find<QPushButton>("settingsCopyCurl")->click();
        const QString command = QApplication::clipboard()->text();
        QVERIFY(command.startsWith(QStringLiteral("curl ")));
        QVERIFY(command.endsWith(QStringLiteral("http://127.0.0.1:7420/v1/events")));
        QVERIFY(command.contains(QStringLiteral("Bearer %1'")
                                     .arg(QString::fromStdString(m_engine->writeKey()))));
    }

    void aClosedIntakeOffersNothing() {
        m_engine->state.intake.listening = false;
        m_engine->publish();
        open();
        QVERIFY(find<QLineEdit>("settingsIntake")->text().isEmpty());
        QVERIFY(!find<QPushButton>("settingsCopyCurl")->isEnabled());
        QVERIFY(curlCommand(*m_engine).isEmpty());
    }

    void theLayoutIsResetByWhoHasIt() {
        QSignalSpy reset(m_dialog.get(), &SettingsDialog::layoutResetWanted);
        find<QPushButton>("settingsResetLayout")->click();
        QCOMPARE(reset.count(), 1);
        QCOMPARE(find<QLineEdit>("settingsDirectory")->text(), QStringLiteral("/data/here"));
    }

private:
    void open() {
        SettingsDialog::Facts facts;
        facts.dataDirectory = QStringLiteral("/data/here");
        facts.alerts = {{QStringLiteral("degraded"), QStringLiteral("Degraded")},
                        {QStringLiteral("store-fault"), QStringLiteral("Storage fault")}};
        facts.hasTray = true;
        m_dialog = std::make_unique<SettingsDialog>(*m_engine, *m_times, facts);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    template <typename Widget>
    Widget* find(const char* name) {
        auto* widget = m_dialog->findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }

    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<TimeDisplay> m_times;
    std::unique_ptr<SettingsDialog> m_dialog;
};

QTEST_MAIN(SettingsDialogTest)
#include "settings_dialog_test.moc"
