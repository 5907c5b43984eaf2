// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"
#include "ui/common/command_tracker.h"
#include "ui/destinations/access_boxes.h"
#include "ui/destinations/destination_dialog.h"
#include "ui/destinations/destination_text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// With no setting as it is by default.
DestinationConfig unusual() {
    DestinationConfig config;
    config.id = DestinationId(3);
    config.name = "crm";
    config.url = "https://example.com/hook?a=1";
    config.policy.window = 90 * kMinute;
    config.policy.maxInFlight = 7;
    config.policy.afterDeadLetter = AfterDeadLetter::hold;
    config.policy.rateLimit = 12.5;
    config.policy.allowEdits = true;
    config.policy.deadLetterStatuses = {404, 422};
    config.secrets = {"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz",
                      "whsec_MTEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"};
    config.headers = {{"X-Api-Key", "4711"}, {"X-Auth", "Bearer a:b"}};
    config.eventTypes = {"order.created", "order.cancelled"};
    config.connectTimeout = 2500 * kMillisecond;
    config.attemptTimeout = 45 * kSecond;
    config.allowLinkLocal = true;
    config.body = BodyFormat::cloudEventsStructured;
    config.authentication = {Authentication::Scheme::basic, "anna", "CANARY"};
    config.tls = {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                  "-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----\n",
                  std::string(64, 'a')};
    config.proxy = {"socks5://127.0.0.1:1080", "boris", "CANARY"};
    return config;
}

struct Shown {
    test::FakeEngine engine;
    CommandTracker commands{engine};
    DestinationDialog dialog;

    explicit Shown(const DestinationConfig& config = {}) : dialog(engine, commands, config) {
        dialog.show();
    }
    template <typename Widget>
    Widget* find(const char* name) {
        auto* widget = dialog.findChild<Widget*>(QLatin1String(name));
        if (!widget) qFatal("no %s", name);
        return widget;
    }
    void click(const char* name) { find<QPushButton>(name)->click(); }
    void type(const char* name, const char* text) {
        find<QLineEdit>(name)->setText(QString::fromUtf8(text));
    }
    QString words() { return find<QLabel>("testWords")->text(); }
    void answer(const TestResult& result) {
        emit engine.testFinished(CommandId(engine.tests.size()), result);
    }
};

}  // namespace

/// All settings of a destination, and a test of them.
class DestinationDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void everySettingIsShownAndKept() {
        Shown s(unusual());
        QVERIFY(s.dialog.config() == unusual());
        QCOMPARE(s.find<QSpinBox>("destinationWindow")->value(), 90);
        QCOMPARE(s.find<QLineEdit>("destinationStatuses")->text(), QStringLiteral("404, 422"));
        QCOMPARE(s.find<QPlainTextEdit>("destinationHeaders")->toPlainText(),
                 QStringLiteral("X-Api-Key: 4711\nX-Auth: Bearer a:b"));
        // A secret that is set is never shown again.
        for (const auto* line : s.dialog.findChildren<QLineEdit*>())
            QVERIFY(!line->text().contains(QStringLiteral("whsec_")) &&
                    !line->text().contains(QStringLiteral("CANARY")));
        for (const auto* label : s.dialog.findChildren<QLabel*>())
            QVERIFY(!label->text().contains(QStringLiteral("CANARY")));
    }

    void everySettingCanBeChanged() {
        Shown s;
        s.type("destinationName", "crm");
        s.type("destinationUrl", "https://example.com/hook?a=1");
        s.type("destinationTypes", "order.created, order.cancelled");
        s.find<QSpinBox>("destinationInFlight")->setValue(7);
        s.find<QDoubleSpinBox>("destinationRate")->setValue(12.5);
        s.find<QDoubleSpinBox>("destinationConnect")->setValue(2.5);
        s.find<QDoubleSpinBox>("destinationAttempt")->setValue(45);
        s.find<QCheckBox>("destinationLinkLocal")->setChecked(true);
        s.find<QComboBox>("destinationWindowUnit")->setCurrentIndex(0);
        s.find<QSpinBox>("destinationWindow")->setValue(90);
        s.type("destinationStatuses", "404 422");
        s.find<QComboBox>("destinationAfterDead")->setCurrentIndex(1);
        s.find<QCheckBox>("destinationEdits")->setChecked(true);
        s.find<QPlainTextEdit>("destinationHeaders")
            ->setPlainText(QStringLiteral("X-Api-Key:4711\n\n X-Auth :  Bearer a:b "));
        s.type("destinationSecret", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz");
        s.find<QComboBox>("destinationBody")->setCurrentIndex(2);
        s.find<QComboBox>("destinationScheme")->setCurrentIndex(1);
        s.type("destinationUser", "anna");
        s.type("destinationPassword", "CANARY");
        const QTemporaryDir directory;
        const auto wantedTls = unusual().tls;
        for (const auto& [name, text] : {std::pair("c.pem", wantedTls.certificate),
                                         std::pair("k.pem", wantedTls.key)}) {
            QFile file(directory.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(("words around it\n" + text).c_str());
            file.close();
            QVERIFY(s.find<CertificateBox>("destinationCertificate")->take(file.fileName()));
        }
        s.type("destinationPin", QByteArray("AA:" + QByteArray(62, 'a')).constData());
        s.type("destinationProxy", "socks5://127.0.0.1:1080");
        s.type("destinationProxyUser", "boris");
        s.type("destinationProxyPassword", "CANARY");
        s.click("destinationAccept");
        QCOMPARE(s.engine.submitted.size(), std::size_t(1));
        auto wanted = unusual();
        wanted.id = {};
        wanted.secrets.resize(1);
        QVERIFY(std::get<SetDestination>(s.engine.submitted[0]).config == wanted);
    }

    void credentialsAreReplacedAndTakenAway() {
        Shown s(unusual());
        s.type("destinationPassword", "new");
        s.type("destinationProxyPassword", "other");
        QCOMPARE(s.dialog.config().authentication.secret, std::string("new"));
        QCOMPARE(s.dialog.config().proxy.password, std::string("other"));
        // A password that was set for a user is no token.
        s.type("destinationPassword", "");
        s.find<QComboBox>("destinationScheme")->setCurrentIndex(2);
        QVERIFY((s.dialog.config().authentication ==
                 Authentication{Authentication::Scheme::bearer, {}, {}}));
        s.find<QComboBox>("destinationScheme")->setCurrentIndex(0);
        s.click("destinationRemoveCertificate");
        s.type("destinationPin", "");
        s.type("destinationProxy", " ");
        QVERIFY(s.dialog.config().authentication == Authentication{});
        QVERIFY(s.dialog.config().tls == TlsIdentity{});
        QVERIFY(s.dialog.config().proxy == ProxyConfig{});
    }

    void aFileThatIsNoCertificateIsTold() {
        Shown s;
        const QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("a.pem")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("-----BEGIN CERTIFICATE-----\nand no end");
        file.close();
        auto* box = s.find<CertificateBox>("destinationCertificate");
        QVERIFY(!box->take(file.fileName()));
        QCOMPARE(s.find<QLabel>("destinationCertificateState")->text(),
                 QStringLiteral("a.pem has neither a certificate nor a key in PEM."));
        QVERIFY(!box->take(directory.filePath(QStringLiteral("none"))));
        QCOMPARE(s.find<QLabel>("destinationCertificateState")->text(),
                 QStringLiteral("none cannot be read."));
        QVERIFY(s.dialog.config().tls == TlsIdentity{});
    }

    void aSecretIsChangedOverWithoutAGap() {
        Shown s(unusual());
        s.click("destinationGenerate");
        const QString fresh = s.find<QLineEdit>("destinationSecret")->text();
        s.click("destinationCopySecret");
        QCOMPARE(QGuiApplication::clipboard()->text(), fresh);
        QCOMPARE(s.dialog.config().secrets.size(), std::size_t(3));
        s.find<QCheckBox>("destinationKeepSecret0")->setChecked(false);
        const auto secrets = s.dialog.config().secrets;
        QCOMPARE(secrets.size(), std::size_t(2));
        QCOMPARE(secrets[0], unusual().secrets[1]);
        QCOMPARE(QString::fromStdString(secrets[1]), fresh);
    }

    void whatIsWrongStandsUnderItsField_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::addColumn<int>("page");
        const auto row = [](const char* what, const char* field, const char* text,
                            const char* error, int page) {
            QTest::newRow(what) << QString::fromLatin1(field) << QString::fromLatin1(text)
                                << QString::fromLatin1(error) << page;
        };
        row("a name with a space", "destinationName", "a b", "Give 1 to 64", 0);
        row("no URL", "destinationUrl", "example.com", "It must begin with http", 0);
        row("no number", "destinationStatuses", "404, gone", "Give numbers from 300", 2);
        row("no status", "destinationStatuses", "200", "From 300 to 599", 2);
        row("a fingerprint", "destinationPin", "sha1", "Give the SHA-256", 4);
        row("a proxy", "destinationProxy", "proxy:3128", "Give http://HOST", 4);
        row("a secret", "destinationSecret", "hunter2", "\"whsec_\" and the base64", 3);
    }
    void whatIsWrongStandsUnderItsField() {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(QString, error);
        QFETCH(int, page);
        auto config = unusual();
        config.secrets.clear();
        Shown s(config);
        auto* pages = s.find<QTabWidget>("destinationPages");
        pages->setCurrentIndex(page == 0 ? 1 : 0);
        s.find<QLineEdit>(qPrintable(field))->setText(text);
        s.click("destinationAccept");
        QVERIFY(s.engine.submitted.empty());
        QCOMPARE(pages->currentIndex(), page);
        QVERIFY(!pages->tabIcon(page).isNull());
        // Some fields are parts of a box, below which the error stands.
        const bool boxed = field == QLatin1String("destinationSecret") ||
                           field == QLatin1String("destinationProxy");
        const QString name = field + (boxed ? QStringLiteral("BoxError") : QStringLiteral("Error"));
        auto* label = s.find<QLabel>(qPrintable(name));
        QVERIFY(label->isVisible());
        QVERIFY2(label->text().startsWith(error), qPrintable(label->text()));
    }

    void headersAreCheckedLineByLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("no colon") << QStringLiteral("X-A: 1\nnonsense")
                                  << QStringLiteral("Line 2 has no colon");
        QTest::newRow("no name") << QStringLiteral(": 1") << QStringLiteral("Line 1 has no colon");
        QTest::newRow("a name with a space")
            << QStringLiteral("X A: 1") << QStringLiteral("Header \"X A\"");
        QTest::newRow("a header of ours")
            << QStringLiteral("Content-Length: 5") << QStringLiteral("Header \"Content-Length\"");
    }
    void headersAreCheckedLineByLine() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        Shown s(unusual());
        s.find<QPlainTextEdit>("destinationHeaders")->setPlainText(text);
        s.click("destinationAccept");
        QVERIFY(s.engine.submitted.empty());
        auto* label = s.find<QLabel>("destinationHeadersError");
        QVERIFY2(label->text().startsWith(error), qPrintable(label->text()));
    }

    void plainHttpToAnotherMachineIsSaid_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("open");
        QTest::newRow("encrypted") << QStringLiteral("https://example.com") << false;
        QTest::newRow("plain") << QStringLiteral("http://example.com/x") << true;
        QTest::newRow("this machine") << QStringLiteral("http://127.0.0.1:80") << false;
        QTest::newRow("this machine by name") << QStringLiteral("http://localhost") << false;
        QTest::newRow("not typed yet") << QStringLiteral("http://") << false;
    }
    void plainHttpToAnotherMachineIsSaid() {
        QFETCH(QString, url);
        QTEST(isOpenOnTheWay(url), "open");
    }

    void aTestIsSentAsTypedAndShowsTheAnswer() {
        Shown s;
        s.type("destinationUrl", "http://127.0.0.1:9/hook");
        s.find<QPlainTextEdit>("destinationHeaders")->setPlainText(QStringLiteral("X-A: 1"));
        s.click("testSend");
        QCOMPARE(s.engine.tests.size(), std::size_t(1));
        QCOMPARE(s.engine.tests[0].url, std::string("http://127.0.0.1:9/hook"));
        QCOMPARE(s.engine.tests[0].headers.size(), std::size_t(1));
        QVERIFY(s.engine.submitted.empty());
        QVERIFY(s.words().startsWith(QStringLiteral("Waiting for the answer")));
        TestResult result;
        result.status = 200;
        result.latency = 34 * kMillisecond;
        result.request = "POST /hook HTTP/1.1\nX-Api-Key: (hidden)\n\n<i>{}</i>";
        result.answer = "HTTP 200\n\n<b>ok</b>\x01\nmore";
        emit s.engine.testFinished(CommandId(99), result);  // of another dialog
        QVERIFY(s.words().startsWith(QStringLiteral("Waiting for the answer")));
        s.answer(result);
        QCOMPARE(s.words(), QStringLiteral("Delivered: answered 200 after 34 ms."));
        auto* answer = s.find<QPlainTextEdit>("testAnswer");
        QVERIFY(answer->isVisible() && answer->isReadOnly());
        QCOMPARE(answer->toPlainText(),
                 QStringLiteral("HTTP 200\n\n<b>ok</b>") + QChar::ReplacementCharacter +
                     QStringLiteral("\nmore"));
        s.find<QTabWidget>("testExchange")->setCurrentIndex(1);
        QCOMPARE(s.find<QPlainTextEdit>("testRequest")->toPlainText(),
                 QString::fromStdString(result.request));
    }

    void aTestThatFailedSaysWhatIsKnown_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("arrived");
        QTest::addColumn<bool>("cancelled");
        QTest::addColumn<QString>("words");
        QTest::newRow("refused") << 401 << true << false
                                 << QStringLiteral("Not delivered, after 2.0 s. Because.");
        QTest::newRow("not sent") << 0 << false << false
                                  << QStringLiteral("It could not be sent. Because.");
        QTest::newRow("unknown") << 0 << true << false
                                 << QStringLiteral("No answer, so it is not known whether it "
                                                   "arrived. Because.");
        QTest::newRow("cancelled")
            << 0 << true << true
            << QStringLiteral("Cancelled. The request was on its way: the receiver may have it.");
        QTest::newRow("cancelled in time") << 0 << false << true
                                           << QStringLiteral("Cancelled before anything was sent.");
    }
    void aTestThatFailedSaysWhatIsKnown() {
        QFETCH(int, status);
        QFETCH(bool, arrived);
        QFETCH(bool, cancelled);
        QFETCH(QString, words);
        Shown s(unusual());
        s.click("testSend");
        TestResult result;
        result.status = status;
        result.mayHaveArrived = arrived;
        result.cancelled = cancelled;
        result.latency = 2 * kSecond;
        result.error = "Because.";
        if (arrived) result.request = "POST / HTTP/1.1\n\n";
        s.answer(result);
        QCOMPARE(s.words(), words);
        QCOMPARE(s.find<QTabWidget>("testExchange")->isVisible(), arrived);
        // What there is to see is in front.
        const char* front = status != 0 ? "testAnswer" : "testRequest";
        if (arrived) QVERIFY(s.find<QPlainTextEdit>(front)->isVisible());
        QVERIFY(s.find<QPushButton>("testSend")->isEnabled());
    }

    void aTestIsCancelledByItsButtonAndByClosing() {
        {
            Shown s(unusual());
            s.click("testSend");
            s.click("testSend");
            QCOMPARE(s.engine.cancelledTests.size(), std::size_t(1));
            QVERIFY(!s.find<QPushButton>("testSend")->isEnabled());
        }
        test::FakeEngine engine;
        CommandTracker commands(engine);
        auto dialog = std::make_unique<DestinationDialog>(engine, commands, unusual());
        dialog->findChild<QPushButton*>(QStringLiteral("testSend"))->click();
        dialog.reset();
        QCOMPARE(engine.cancelledTests.size(), std::size_t(1));
    }

    void aTestOfWhatCannotBeSentIsRefusedAtItsField() {
        Shown s;
        s.type("destinationUrl", "nonsense");
        s.click("testSend");
        QVERIFY(s.engine.tests.empty());
        QVERIFY(s.find<QLabel>("destinationUrlError")->isVisible());
    }

    void itFitsTheSmallestScreen() {
        Shown s(unusual());
        s.click("testSend");
        TestResult result;
        result.status = 500;
        result.error = "The destination answered 500.";
        s.answer(result);
        s.type("destinationStatuses", "x");
        s.click("destinationAccept");
        QTest::qWait(50);
        QVERIFY2(s.dialog.height() <= 690, qPrintable(QString::number(s.dialog.height())));
    }
};

QTEST_MAIN(DestinationDialogTest)
#include "destination_dialog_test.moc"
