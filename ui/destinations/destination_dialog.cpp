// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/destination_dialog.h"

#include "ui/common/command_tracker.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QClipboard>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>
#include <iterator>
#include <utility>

namespace lanes::ui {

namespace {

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

std::string newSecret() {
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    const QByteArray bytes(reinterpret_cast<const char*>(words.data()),
                           static_cast<qsizetype>(words.size() * sizeof(quint32)));
    return "whsec_" + bytes.toBase64().toStdString();
}

DestinationDialog::DestinationDialog(CommandTracker& commands, const DestinationConfig& config,
                                     QWidget* parent)
    : QDialog(parent),
      m_commands(commands),
      m_config(config),
      m_name(new QLineEdit(this)),
      m_url(new QLineEdit(this)),
      m_window(new QSpinBox(this)),
      m_windowUnit(new QComboBox(this)),
      m_inFlight(new QSpinBox(this)),
      m_afterDead(new QComboBox(this)),
      m_allowEdits(new QCheckBox(tr("May be ed&ited before they are rewound"), this)),
      m_types(new QLineEdit(this)),
      m_secret(new QLineEdit(this)),
      m_generate(new QPushButton(tr("Generate"), this)),
      m_copy(new QPushButton(tr("Copy"), this)),
      m_secretHelp(nullptr),
      m_connect(secondsBox(120, "destinationConnect", this)),
      m_attempt(secondsBox(600, "destinationAttempt", this)),
      m_general(new QLabel(this)),
      m_accept(nullptr) {
    setObjectName(QStringLiteral("destinationDialog"));
    setWindowTitle(config.id ? tr("Edit destination") : tr("Add destination"));
    m_name->setObjectName(QStringLiteral("destinationName"));
    m_name->setMaxLength(64);
    m_url->setObjectName(QStringLiteral("destinationUrl"));
    m_url->setPlaceholderText(QStringLiteral("https://example.com/webhook"));
    m_window->setObjectName(QStringLiteral("destinationWindow"));
    m_window->setRange(1, 43'200);
    for (const Unit& unit : kUnits) m_windowUnit->addItem(tr(unit.name));
    m_windowUnit->setObjectName(QStringLiteral("destinationWindowUnit"));
    m_windowUnit->setAccessibleName(tr("Unit of the retry window"));
    m_inFlight->setObjectName(QStringLiteral("destinationInFlight"));
    m_inFlight->setRange(1, 256);
    m_afterDead->setObjectName(QStringLiteral("destinationAfterDead"));
    m_afterDead->addItem(tr("The user's next event goes on"));
    m_afterDead->addItem(tr("The user's lane is held until you act"));
    m_allowEdits->setObjectName(QStringLiteral("destinationAllowEdits"));
    m_types->setObjectName(QStringLiteral("destinationTypes"));
    m_types->setPlaceholderText(tr("all types"));

    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->setLabelAlignment(Qt::AlignLeft);
    addField(*form, Field::name, tr("&Name"), m_name, {});
    addField(*form, Field::url, tr("&URL"), m_url, tr("Events are sent there by POST."));
    addField(*form, Field::types, tr("Event &types"), m_types,
             tr("Separated by commas, exactly as events carry them."));
    addField(*form, Field::window, tr("&Retry window"), row({m_window, m_windowUnit}, this),
             tr("Of active time; then the event goes to the dead letters."));
    addField(*form, Field::afterDead, tr("After a &dead letter"), m_afterDead, {});
    form->addRow(tr("Dead letters"), m_allowEdits);
    addField(*form, Field::inFlight, tr("In fli&ght at most"), m_inFlight,
             tr("One per user; the health of the destination may allow fewer."));
    addField(*form, Field::connect, tr("&Connect time-out"), m_connect, {});
    addField(*form, Field::attempt, tr("&Attempt time-out"), m_attempt,
             tr("From connecting to the end of the answer."));
    buildSecret(*form);

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

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(14);
    layout->addLayout(form);
    layout->addWidget(m_general);
    layout->addWidget(buttons);
    setMinimumWidth(540);
    fill();
    clearErrors();
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
        hint->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(hint);
        if (field == Field::secret) m_secretHelp = hint;
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

void DestinationDialog::buildSecret(QFormLayout& form) {
    m_secret->setObjectName(QStringLiteral("destinationSecret"));
    m_secret->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_secret->setPlaceholderText(m_config.secrets.empty() ? tr("none: deliveries are not signed")
                                                          : tr("set; leave empty to keep it"));
    m_generate->setObjectName(QStringLiteral("destinationGenerate"));
    m_generate->setAutoDefault(false);
    m_copy->setObjectName(QStringLiteral("destinationCopySecret"));
    m_copy->setIcon(icon(Symbol::copy));
    m_copy->setAutoDefault(false);
    m_copy->setEnabled(false);
    connect(m_generate, &QPushButton::clicked, this, &DestinationDialog::generateSecret);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_secret->text()); });
    connect(m_secret, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_copy->setEnabled(!text.isEmpty()); });
    auto* box = row({m_secret, m_generate, m_copy}, this);
    box->setObjectName(QStringLiteral("destinationSecretBox"));
    addField(form, Field::secret, tr("&Signing secret"), box,
             tr("Signs each delivery (Standard Webhooks)."));
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
    m_afterDead->setCurrentIndex(static_cast<int>(m_config.policy.afterDeadLetter));
    m_allowEdits->setChecked(m_config.policy.allowEdits);
    QStringList types;
    for (const auto& type : m_config.eventTypes) types << QString::fromStdString(type);
    m_types->setText(types.join(QStringLiteral(", ")));
    m_connect->setValue(static_cast<double>(m_config.connectTimeout) / kSecond);
    m_attempt->setValue(static_cast<double>(m_config.attemptTimeout) / kSecond);
}

void DestinationDialog::generateSecret() {
    m_secret->setText(QString::fromStdString(newSecret()));
    m_secretHelp->setText(
        tr("Copy it to the receiver now: it is not shown again after this dialog."));
    m_secret->setFocus();
    m_secret->selectAll();
}

DestinationConfig DestinationDialog::config() const {
    DestinationConfig config = m_config;
    config.name = m_name->text().trimmed().toStdString();
    config.url = m_url->text().trimmed().toStdString();
    config.policy.window =
        kUnits[static_cast<std::size_t>(m_windowUnit->currentIndex())].length * m_window->value();
    config.policy.maxInFlight = static_cast<std::uint32_t>(m_inFlight->value());
    config.policy.afterDeadLetter = static_cast<AfterDeadLetter>(m_afterDead->currentIndex());
    config.policy.allowEdits = m_allowEdits->isChecked();
    config.eventTypes.clear();
    const QStringList types = m_types->text().split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString& type : types)
        if (const QString trimmed = type.trimmed(); !trimmed.isEmpty())
            config.eventTypes.push_back(trimmed.toStdString());
    config.connectTimeout = toMicros(m_connect->value());
    config.attemptTimeout = toMicros(m_attempt->value());
    if (const QString secret = m_secret->text().trimmed(); !secret.isEmpty())
        config.secrets = {secret.toStdString()};
    return config;
}

void DestinationDialog::store() {
    clearErrors();
    const DestinationConfig wanted = config();
    if (const std::string error = validate(wanted); !error.empty()) {
        showError(QString::fromStdString(error));
        return;
    }
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

void DestinationDialog::showError(const QString& error) {
    static constexpr std::array prefixes = {
        std::pair{"name:", Field::name},
        std::pair{"url:", Field::url},
        std::pair{"retry window:", Field::window},
        std::pair{"requests in flight:", Field::inFlight},
        std::pair{"event types:", Field::types},
        std::pair{"secret:", Field::secret},
        std::pair{"connect time-out:", Field::connect},
        std::pair{"attempt time-out:", Field::attempt},
    };
    QLabel* label = m_general;
    QString text = error;
    for (const auto& [prefix, field] : prefixes) {
        if (!error.startsWith(QLatin1String(prefix))) continue;
        label = m_errors.at(field);
        text = error.mid(static_cast<qsizetype>(qstrlen(prefix))).trimmed();
        if (!text.isEmpty()) text[0] = text[0].toUpper();
        m_editors.at(field)->setFocus();
        break;
    }
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText,
                     readableText(errorStyle().colour, palette().color(QPalette::Window)));
    label->setPalette(colours);
    label->setText(text);
    label->setVisible(true);
}

void DestinationDialog::clearErrors() {
    for (const auto& [field, label] : m_errors) {
        label->clear();
        label->setVisible(false);
    }
    m_general->clear();
    m_general->setVisible(false);
}

}  // namespace lanes::ui
