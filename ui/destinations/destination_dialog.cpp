// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destination_dialog.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/state_style.h"
#include "ui/destinations/access_boxes.h"
#include "ui/destinations/destination_text.h"
#include "ui/destinations/secrets_box.h"
#include "ui/destinations/test_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace lanes::ui {

namespace {

constexpr int kWidth = 580;
constexpr int kHeaderLines = 5;
/// Width of a help text that fits on one line beside the name of its field.
constexpr int kOneLine = 360;

struct Unit {
    const char* name;
    Micros length;
};
constexpr std::array kUnits = {
    Unit{QT_TRANSLATE_NOOP("lanes::ui::DestinationDialog", "minutes"), kMinute},
    Unit{QT_TRANSLATE_NOOP("lanes::ui::DestinationDialog", "hours"), kHour},
    Unit{QT_TRANSLATE_NOOP("lanes::ui::DestinationDialog", "days"), 24 * kHour},
};

QWidget* row(std::initializer_list<QWidget*> widgets, QWidget* parent) {
    auto* box = new QWidget(parent);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    int stretch = 1;
    for (QWidget* widget : widgets) layout->addWidget(widget, std::exchange(stretch, 0));
    box->setFocusProxy(*widgets.begin());
    return box;
}

QDoubleSpinBox* secondsBox(double most, const char* name, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setRange(0.1, most);
    box->setDecimals(1);
    box->setSuffix(DestinationDialog::tr(" s"));
    return box;
}

Micros toMicros(double seconds) {
    return static_cast<Micros>(seconds * kSecond + 0.5);
}

}  // namespace

DestinationDialog::DestinationDialog(Engine& engine, CommandTracker& commands,
                                     const DestinationConfig& config, QWidget* parent)
    : QDialog(parent),
      m_commands(commands),
      m_config(config),
      m_pages(new QTabWidget(this)),
      m_name(new QLineEdit(this)),
      m_url(new QLineEdit(this)),
      m_types(new QLineEdit(this)),
      m_inFlight(new QSpinBox(this)),
      m_rate(new QDoubleSpinBox(this)),
      m_connect(secondsBox(120, "destinationConnect", this)),
      m_attempt(secondsBox(600, "destinationAttempt", this)),
      m_linkLocal(new QCheckBox(this)),
      m_window(new QSpinBox(this)),
      m_windowUnit(new QComboBox(this)),
      m_statuses(new QLineEdit(this)),
      m_afterDead(new QComboBox(this)),
      m_edits(new QCheckBox(this)),
      m_headers(new QPlainTextEdit(this)),
      m_secrets(new SecretsBox(config.secrets, this)),
      m_body(new QComboBox(this)),
      m_login(new LoginBox(config.authentication, this)),
      m_certificate(new CertificateBox(config.tls, this)),
      m_pin(new QLineEdit(this)),
      m_proxy(new ProxyBox(config.proxy, this)),
      m_test(new TestPanel(engine, this)),
      m_general(new QLabel(this)),
      m_accept(nullptr) {
    setObjectName(QStringLiteral("destinationDialog"));
    setWindowTitle(config.id ? tr("Edit destination") : tr("Add destination"));
    buildWidgets();
    m_pages->setObjectName(QStringLiteral("destinationPages"));
    m_pages->addTab(addressPage(), tr("Address"));
    m_pages->addTab(deliveryPage(), tr("Delivery"));
    m_pages->addTab(failuresPage(), tr("Failures"));
    m_pages->addTab(headersPage(), tr("Headers and signing"));
    m_pages->addTab(accessPage(), tr("Access"));

    m_general->setObjectName(QStringLiteral("destinationError"));
    m_general->setTextFormat(Qt::PlainText);
    m_general->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(config.id ? tr("Save changes") : tr("Add destination"),
                                  QDialogButtonBox::ActionRole);
    m_accept->setObjectName(QStringLiteral("destinationAccept"));
    m_accept->setDefault(true);
    connect(m_accept, &QPushButton::clicked, this, &DestinationDialog::store);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_test, &TestPanel::wanted, this, &DestinationDialog::sendTest);
    connect(m_test, &TestPanel::resized, this, &DestinationDialog::fitHeight);
    connect(m_url, &QLineEdit::textChanged, this, &DestinationDialog::showUrlHelp);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_test);
    layout->addWidget(m_general);
    layout->addWidget(buttons);
    setMinimumWidth(kWidth);
    fill();
    clearErrors();
    showUrlHelp();
    m_name->setFocus();
}

void DestinationDialog::buildWidgets() {
    m_name->setObjectName(QStringLiteral("destinationName"));
    m_name->setMaxLength(64);
    m_url->setObjectName(QStringLiteral("destinationUrl"));
    m_url->setPlaceholderText(QStringLiteral("https://example.com/webhook"));
    m_types->setObjectName(QStringLiteral("destinationTypes"));
    m_types->setPlaceholderText(tr("all types"));
    m_inFlight->setObjectName(QStringLiteral("destinationInFlight"));
    m_inFlight->setRange(1, 256);
    m_rate->setObjectName(QStringLiteral("destinationRate"));
    m_rate->setRange(0, 10'000);
    m_rate->setDecimals(2);
    m_rate->setSuffix(tr(" a second"));
    m_rate->setSpecialValueText(tr("no limit"));
    m_linkLocal->setObjectName(QStringLiteral("destinationLinkLocal"));
    m_linkLocal->setText(tr("May be reached at a link-local address"));
    m_window->setObjectName(QStringLiteral("destinationWindow"));
    m_window->setRange(1, 43'200);
    for (const Unit& unit : kUnits) m_windowUnit->addItem(tr(unit.name));
    m_windowUnit->setObjectName(QStringLiteral("destinationWindowUnit"));
    m_windowUnit->setAccessibleName(tr("Unit of the retry window"));
    m_statuses->setObjectName(QStringLiteral("destinationStatuses"));
    m_statuses->setPlaceholderText(tr("none: all failures are tried again"));
    m_afterDead->setObjectName(QStringLiteral("destinationAfterDead"));
    m_afterDead->addItem(tr("The user's next event goes on"));
    m_afterDead->addItem(tr("The user's lane is held until you act"));
    m_edits->setObjectName(QStringLiteral("destinationEdits"));
    m_edits->setText(tr("Payloads of dead letters may be changed"));
    m_body->setObjectName(QStringLiteral("destinationBody"));
    m_body->addItem(tr("As it was received"));
    m_body->addItem(tr("CloudEvents, binary mode"));
    m_body->addItem(tr("CloudEvents, structured mode"));
    m_pin->setObjectName(QStringLiteral("destinationPin"));
    m_pin->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_pin->setPlaceholderText(tr("any certificate that the system trusts"));
    connect(m_login, &LoginBox::resized, this, &DestinationDialog::fitHeight);
    connect(m_certificate, &CertificateBox::resized, this, &DestinationDialog::fitHeight);
    connect(m_proxy, &ProxyBox::resized, this, &DestinationDialog::fitHeight);
    m_headers->setObjectName(QStringLiteral("destinationHeaders"));
    m_headers->setPlaceholderText(QStringLiteral("X-Api-Key: 4711"));
    m_headers->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_headers->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_headers->setTabChangesFocus(true);
    m_headers->setFixedHeight(kHeaderLines * m_headers->fontMetrics().height() + 14);
}

QFormLayout* DestinationDialog::newForm(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(14, 14, 14, 14);
    auto* form = new QFormLayout;
    column->addLayout(form);
    column->addStretch(1);  // what is left over goes below the fields, not between them
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->setLabelAlignment(Qt::AlignLeft);
    return form;
}

QWidget* DestinationDialog::addressPage() {
    auto* page = new QWidget(this);
    auto* form = newForm(page);
    addField(*form, Field::name, tr("&Name"), m_name,
             tr("Letters, digits, dots, underscores and dashes."));
    addField(*form, Field::url, tr("&URL"), m_url, tr("Events are sent there by POST."));
    addField(*form, Field::types, tr("Event &types"), m_types,
             tr("Separated by commas, exactly as events carry them."));
    addField(*form, Field::body, tr("&Body"), m_body,
             tr("CloudEvents: id, source, type, user and time go with the payload."));
    return page;
}

QWidget* DestinationDialog::deliveryPage() {
    auto* page = new QWidget(this);
    auto* form = newForm(page);
    addField(*form, Field::inFlight, tr("In fli&ght at most"), m_inFlight,
             tr("One per user; the health of the destination may allow fewer."));
    addField(*form, Field::rate, tr("Re&quests at most"), m_rate,
             tr("Probes and retries count. 0 for no limit of ours."));
    addField(*form, Field::connect, tr("&Connect time-out"), m_connect, {});
    addField(*form, Field::attempt, tr("&Attempt time-out"), m_attempt,
             tr("From connecting to the end of the answer."));
    addField(*form, Field::linkLocal, tr("Net&work"), m_linkLocal,
             tr("169.254.x.x and fe80: clouds keep credentials there."));
    return page;
}

QWidget* DestinationDialog::failuresPage() {
    auto* page = new QWidget(this);
    auto* form = newForm(page);
    addField(*form, Field::window, tr("&Retry window"), row({m_window, m_windowUnit}, this),
             tr("Of active time; then the event goes to the dead letters."));
    addField(*form, Field::statuses, tr("Given up at &once"), m_statuses,
             tr("Statuses from 300 to 599, separated by commas: no retry, a dead letter."));
    addField(*form, Field::afterDead, tr("After a &dead letter"), m_afterDead, {});
    addField(*form, Field::edits, tr("&Editing"), m_edits,
             tr("For this destination only, with a rewind. The original is kept."));
    return page;
}

QWidget* DestinationDialog::headersPage() {
    auto* page = new QWidget(this);
    auto* form = newForm(page);
    addField(*form, Field::headers, tr("&Headers"), m_headers,
             tr("One a line, with a colon behind the name; sent with each delivery."));
    addField(*form, Field::secret, tr("&Signing"), m_secrets, {});
    return page;
}

QWidget* DestinationDialog::accessPage() {
    auto* page = new QWidget(this);
    auto* form = newForm(page);
    addField(*form, Field::login, tr("&Log in"), m_login,
             tr("Sent with each delivery as the header Authorization."));
    addField(*form, Field::certificate, tr("Client &certificate"), m_certificate,
             tr("Shown to a destination with https that asks for one."));
    addField(*form, Field::pin, tr("&Pinned certificate"), m_pin,
             tr("SHA-256 of the destination's own certificate: this one alone is accepted then."));
    addField(*form, Field::proxy, tr("Pro&xy"), m_proxy,
             tr("http://HOST:PORT or socks5://HOST:PORT."));
    return page;
}

void DestinationDialog::addField(QFormLayout& form, Field field, const QString& label,
                                 QWidget* editor, const QString& help) {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(editor);
    if (!help.isEmpty()) {
        auto* hint = new QLabel(help, box);
        hint->setTextFormat(Qt::PlainText);
        // A wrapping label asks for the height of two lines even where one does.
        hint->setWordWrap(hint->fontMetrics().horizontalAdvance(help) > kOneLine);
        hint->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(hint);
        m_helps[field] = hint;
        editor->setAccessibleDescription(help);
    }
    auto* error = new QLabel(box);
    error->setTextFormat(Qt::PlainText);
    error->setWordWrap(true);
    error->setObjectName(editor->objectName() + QStringLiteral("Error"));
    layout->addWidget(error);
    m_errors[field] = error;
    m_editors[field] = editor;
    auto* caption = new QLabel(label, this);
    caption->setTextFormat(Qt::PlainText);
    caption->setBuddy(editor);
    form.addRow(caption, box);
}

void DestinationDialog::fill() {
    m_name->setText(QString::fromStdString(m_config.name));
    m_url->setText(QString::fromStdString(m_config.url));
    // The largest unit that tells the window in whole numbers.
    for (int unit = static_cast<int>(kUnits.size()) - 1; unit >= 0; --unit) {
        const Micros length = kUnits[static_cast<std::size_t>(unit)].length;
        // 72 hours is how everybody knows this number, so days begin after a week.
        if (m_config.policy.window % length != 0 && unit > 0) continue;
        if (unit == 2 && m_config.policy.window < 7 * 24 * kHour) continue;
        m_windowUnit->setCurrentIndex(unit);
        m_window->setValue(static_cast<int>(m_config.policy.window / length));
        break;
    }
    m_inFlight->setValue(static_cast<int>(m_config.policy.maxInFlight));
    m_rate->setValue(m_config.policy.rateLimit);
    m_afterDead->setCurrentIndex(static_cast<int>(m_config.policy.afterDeadLetter));
    m_statuses->setText(statusesText(m_config.policy.deadLetterStatuses));
    m_edits->setChecked(m_config.policy.allowEdits);
    QStringList types;
    for (const auto& type : m_config.eventTypes) types << QString::fromStdString(type);
    m_types->setText(types.join(QStringLiteral(", ")));
    m_connect->setValue(static_cast<double>(m_config.connectTimeout) / kSecond);
    m_attempt->setValue(static_cast<double>(m_config.attemptTimeout) / kSecond);
    m_linkLocal->setChecked(m_config.allowLinkLocal);
    m_headers->setPlainText(headersText(m_config.headers));
    m_body->setCurrentIndex(static_cast<int>(m_config.body));
    m_pin->setText(QString::fromStdString(m_config.tls.pin));
}

DestinationConfig DestinationDialog::config() const {
    DestinationConfig config = m_config;
    config.name = m_name->text().trimmed().toStdString();
    config.url = m_url->text().trimmed().toStdString();
    config.policy.window =
        kUnits[static_cast<std::size_t>(m_windowUnit->currentIndex())].length * m_window->value();
    config.policy.maxInFlight = static_cast<std::uint32_t>(m_inFlight->value());
    config.policy.rateLimit = m_rate->value();
    config.policy.afterDeadLetter = static_cast<AfterDeadLetter>(m_afterDead->currentIndex());
    config.policy.deadLetterStatuses =
        statusesOf(m_statuses->text()).value_or(std::vector<std::uint16_t>());
    config.policy.allowEdits = m_edits->isChecked();
    config.eventTypes.clear();
    const QStringList types = m_types->text().split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString& type : types)
        if (const QString trimmed = type.trimmed(); !trimmed.isEmpty())
            config.eventTypes.push_back(trimmed.toStdString());
    config.connectTimeout = toMicros(m_connect->value());
    config.attemptTimeout = toMicros(m_attempt->value());
    config.allowLinkLocal = m_linkLocal->isChecked();
    config.headers = headersOf(m_headers->toPlainText()).headers;
    config.secrets = m_secrets->secrets();
    config.body = static_cast<BodyFormat>(m_body->currentIndex());
    config.authentication = m_login->login();
    const auto& [certificate, key] = m_certificate->texts();
    config.tls = {certificate, key, tidyPin(m_pin->text().trimmed().toStdString())};
    config.proxy = m_proxy->proxy();
    return config;
}

QString DestinationDialog::problem(const DestinationConfig& config) const {
    // In the order of the pages.
    const QString refused = QString::fromStdString(validate(config));
    if (refused.startsWith(QLatin1String("name:")) || refused.startsWith(QLatin1String("url:")))
        return refused;
    if (!statusesOf(m_statuses->text()))
        return tr("statuses that dead-letter at once: give numbers from 300 to 599, separated by "
                  "commas.");
    if (const int line = headersOf(m_headers->toPlainText()).badLine; line > 0)
        return tr("headers: line %1 has no colon behind a name.").arg(line);
    return refused;
}

void DestinationDialog::sendTest() {
    clearErrors();
    DestinationConfig wanted = config();
    // It may have no name yet; the name is not sent.
    if (wanted.name.empty()) wanted.name = "test";
    if (const QString error = problem(wanted); !error.isEmpty()) return showError(error);
    m_test->send(wanted);
}

void DestinationDialog::store() {
    clearErrors();
    const DestinationConfig wanted = config();
    if (const QString error = problem(wanted); !error.isEmpty()) return showError(error);
    m_accept->setEnabled(false);
    m_commands.submit(SetDestination{wanted}, this, [this, wanted](const CommandResult& result) {
        m_accept->setEnabled(true);
        if (!result.ok()) {
            showError(plainLine(result.error));
            return;
        }
        emit stored(plainLine(wanted.name, 64));
        accept();
    });
}

void DestinationDialog::showUrlHelp() {
    const bool open = isOpenOnTheWay(m_url->text().trimmed());
    m_helps.at(Field::url)->setText(
        open ? tr("Sent by POST and not encrypted: who is on the way can read it.")
             : tr("Events are sent there by POST."));
}

void DestinationDialog::showError(const QString& error) {
    static constexpr std::array prefixes = {
        std::pair{"name:", Field::name},
        std::pair{"url:", Field::url},
        std::pair{"retry window:", Field::window},
        std::pair{"requests in flight:", Field::inFlight},
        std::pair{"rate limit:", Field::rate},
        std::pair{"statuses that dead-letter at once:", Field::statuses},
        std::pair{"event types:", Field::types},
        std::pair{"headers:", Field::headers},
        std::pair{"header ", Field::headers},
        std::pair{"secret:", Field::secret},
        std::pair{"connect time-out:", Field::connect},
        std::pair{"attempt time-out:", Field::attempt},
        std::pair{"authentication:", Field::login},
        std::pair{"client certificate:", Field::certificate},
        std::pair{"pinned certificate:", Field::pin},
        std::pair{"proxy:", Field::proxy},
    };
    QLabel* label = m_general;
    QString text = error;
    for (const auto& [prefix, field] : prefixes) {
        if (!error.startsWith(QLatin1String(prefix))) continue;
        label = m_errors.at(field);
        // Which header it is, has to be said.
        if (prefix[qstrlen(prefix) - 1] == ':')
            text = error.mid(static_cast<qsizetype>(qstrlen(prefix))).trimmed();
        if (!text.isEmpty()) text[0] = text[0].toUpper();
        for (int page = 0; page < m_pages->count(); ++page) {
            if (!m_pages->widget(page)->isAncestorOf(label)) continue;
            m_pages->setCurrentIndex(page);
            m_pages->setTabIcon(page, errorStyle().icon);
        }
        m_editors.at(field)->setFocus();
        break;
    }
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText,
                     readableText(errorStyle().colour, palette().color(QPalette::Window)));
    label->setPalette(colours);
    label->setText(text);
    label->setVisible(true);
    fitHeight();
}

void DestinationDialog::clearErrors() {
    for (const auto& [field, label] : m_errors) {
        label->clear();
        label->setVisible(false);
    }
    for (int page = 0; page < m_pages->count(); ++page) m_pages->setTabIcon(page, {});
    m_general->clear();
    m_general->setVisible(false);
}

/// It grows for what it has to show, but never shrinks under the pointer.
void DestinationDialog::fitHeight() {
    const int wanted = layout()->totalHeightForWidth(width());
    if (wanted > height()) resize(width(), wanted);
}

}  // namespace lanes::ui
