// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/damage_choices.h"
#include "ui/main_window.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace lanes;
using namespace lanes::ui;

/// The page of a damaged data file: each choice asks for just that.
class DamageChoicesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
    }
    void init() {
        m_engine = std::make_unique<test::FakeEngine>();
        m_window = std::make_unique<MainWindow>(*m_engine, nullptr);
        m_window->show();
        m_engine->state.failure = "the data file <b>x</b> is damaged";
        m_engine->state.damaged = true;
        m_engine->setLifecycle(Lifecycle::failed);
        m_choices = &m_window->damageChoices();
    }

    void onlyDamageHasChoices() {
        QVERIFY(m_choices->isVisible());
        QVERIFY(m_window->findChild<QLabel*>(QStringLiteral("lifeText"))
                    ->text()
                    .contains(QLatin1String("<b>x</b>")));
        m_engine->state.damaged = false;
        m_engine->setLifecycle(Lifecycle::failed);
        QVERIFY(!m_choices->isVisible());
    }

    void salvageAndQuitAreAskedForByKeyboard() {
        QSignalSpy salvage(m_choices, &DamageChoices::salvageWanted);
        QSignalSpy quit(m_choices, &DamageChoices::quitWanted);
        QTest::keyClick(button("damageSalvage"), Qt::Key_Space);
        QCOMPARE(salvage.size(), 1);
        QTest::keyClick(button("damageQuit"), Qt::Key_Space);
        QCOMPARE(quit.size(), 1);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        auto* first = button("damageRestore");
        first->setFocus();
        for (const char* next : {"damageSalvage", "damageEmpty", "damageQuit"}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QCOMPARE(QApplication::focusWidget(), button(next));
        }
    }

    void emptyIsConfirmedAndCancelIsTheDefault_data() {
        QTest::addColumn<bool>("confirmed");
        QTest::newRow("Enter cancels") << false;
        QTest::newRow("the other button confirms") << true;
    }
    void emptyIsConfirmedAndCancelIsTheDefault() {
        QFETCH(bool, confirmed);
        QSignalSpy empty(m_choices, &DamageChoices::emptyWanted);
        QTimer::singleShot(0, this, [&] {
            auto* question = m_choices->findChild<QMessageBox*>(QStringLiteral("damageConfirm"));
            QVERIFY(question != nullptr);
            if (!confirmed) return QTest::keyClick(question, Qt::Key_Return);
            for (auto* choice : question->buttons())
                if (question->buttonRole(choice) == QMessageBox::DestructiveRole) choice->click();
        });
        button("damageEmpty")->click();
        QCOMPARE(empty.size(), confirmed ? 1 : 0);
    }

    void whileBusyNothingElseCanBeChosen() {
        m_choices->showBusy(QStringLiteral("working"));
        for (const char* name : {"damageRestore", "damageSalvage", "damageEmpty", "damageQuit"})
            QVERIFY(!button(name)->isEnabled());
        m_choices->showFailure(QStringLiteral("copy.db <i>is</i> damaged"));
        for (const char* name : {"damageRestore", "damageSalvage", "damageEmpty", "damageQuit"})
            QVERIFY(button(name)->isEnabled());
        auto* state = m_choices->findChild<QLabel*>(QStringLiteral("damageState"));
        QVERIFY(state->isVisible() && state->textFormat() == Qt::PlainText);
    }

private:
    QPushButton* button(const char* name) const {
        return m_choices->findChild<QPushButton*>(QLatin1String(name));
    }

    QTemporaryDir m_settings;
    std::unique_ptr<test::FakeEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;
    DamageChoices* m_choices = nullptr;
};

QTEST_MAIN(DamageChoicesTest)
#include "damage_choices_test.moc"
