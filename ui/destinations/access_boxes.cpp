// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/access_boxes.h"

#include "ui/common/format.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace lanes::ui {

namespace {

QVBoxLayout* columnOf(QWidget* box) {
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    return column;
}

QHBoxLayout* rowOf(QWidget* first, QWidget* second) {
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(first, 1);
    row->addWidget(second, 1);
    return row;
}

constexpr std::array kCertificateMarks = {"-----BEGIN CERTIFICATE-----",
                                          "-----END CERTIFICATE-----"};

/// The parts of a text in PEM: all certificates, and the first private key.
std::pair<std::string, std::string> partsOf(const std::string& text) {
    const std::string begin = kCertificateMarks[0];
    const std::string end = kCertificateMarks[1];
    std::pair<std::string, std::string> parts;
    for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
        const auto last = text.find(end, at);
        if (last == std::string::npos) break;
        parts.first += text.substr(at, last + end.size() - at) + "\n";
    }
    const auto label = text.find("PRIVATE KEY-----");
    const auto start = label == std::string::npos ? label : text.rfind("-----BEGIN", label);
    const auto stop = start == std::string::npos ? start : text.find("-----END", label);
    const auto finish = stop == std::string::npos ? stop : text.find("-----", stop + 8);
    if (finish != std::string::npos)
        parts.second = text.substr(start, finish + 5 - start) + "\n";
    return parts;
}

}  // namespace

CredentialEdit::CredentialEdit(std::string present, QWidget* parent)
    : QLineEdit(parent), m_present(std::move(present)) {
    setEchoMode(QLineEdit::Password);
    if (!m_present.empty()) setPlaceholderText(tr("as it is set"));
}

std::string CredentialEdit::value() const {
    return text().isEmpty() ? m_present : text().toStdString();
}

void CredentialEdit::forget() {
    m_present.clear();
    setPlaceholderText({});
}

LoginBox::LoginBox(const Authentication& present, QWidget* parent)
    : QWidget(parent),
      m_shown(present.scheme),
      m_scheme(new QComboBox(this)),
      m_user(new QLineEdit(QString::fromStdString(present.user), this)),
      m_secret(new CredentialEdit(present.secret, this)) {
    setObjectName(QStringLiteral("destinationLogin"));
    m_scheme->setObjectName(QStringLiteral("destinationScheme"));
    m_scheme->addItem(tr("None"));
    m_scheme->addItem(tr("User and password (Basic)"));
    m_scheme->addItem(tr("Token (Bearer)"));
    m_scheme->setCurrentIndex(static_cast<int>(present.scheme));
    m_user->setObjectName(QStringLiteral("destinationUser"));
    m_user->setAccessibleName(tr("User"));
    m_user->setPlaceholderText(tr("User"));
    m_secret->setObjectName(QStringLiteral("destinationPassword"));
    auto* column = columnOf(this);
    column->addWidget(m_scheme);
    column->addLayout(rowOf(m_user, m_secret));
    setFocusProxy(m_scheme);
    connect(m_scheme, &QComboBox::currentIndexChanged, this, [this] {
        showFields();
        emit resized();
    });
    showFields();
}

void LoginBox::showFields() {
    const auto scheme = static_cast<Authentication::Scheme>(m_scheme->currentIndex());
    const bool basic = scheme == Authentication::Scheme::basic;
    // A password is no token.
    if (scheme != m_shown && scheme != Authentication::Scheme::none) m_secret->forget();
    if (scheme != Authentication::Scheme::none) m_shown = scheme;
    m_user->setVisible(basic);
    m_secret->setVisible(scheme != Authentication::Scheme::none);
    m_secret->setAccessibleName(basic ? tr("Password") : tr("Token"));
    if (m_secret->placeholderText().isEmpty() || m_secret->value().empty())
        m_secret->setPlaceholderText(basic ? tr("Password") : tr("Token"));
}

Authentication LoginBox::login() const {
    const auto scheme = static_cast<Authentication::Scheme>(m_scheme->currentIndex());
    if (scheme == Authentication::Scheme::none) return {};
    const bool basic = scheme == Authentication::Scheme::basic;
    return {scheme, basic ? m_user->text().toStdString() : std::string(), m_secret->value()};
}

CertificateBox::CertificateBox(const TlsIdentity& present, QWidget* parent)
    : QWidget(parent),
      m_texts(present.certificate, present.key),
      m_state(new QLabel(this)),
      m_remove(new QPushButton(tr("Remove"), this)) {
    setObjectName(QStringLiteral("destinationCertificate"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setObjectName(QStringLiteral("destinationCertificateState"));
    auto* choose = new QPushButton(tr("Choose files…"), this);
    choose->setObjectName(QStringLiteral("destinationChooseCertificate"));
    choose->setAutoDefault(false);
    m_remove->setObjectName(QStringLiteral("destinationRemoveCertificate"));
    m_remove->setAutoDefault(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_state, 1);
    row->addWidget(choose);
    row->addWidget(m_remove);
    setFocusProxy(choose);
    connect(choose, &QPushButton::clicked, this, &CertificateBox::choose);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        m_texts = {};
        showState();
    });
    showState();
}

void CertificateBox::choose() {
    auto* dialog = new QFileDialog(this, tr("Certificate and private key"));
    dialog->setObjectName(QStringLiteral("certificateFiles"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("PEM files (*.pem *.crt *.cer *.key)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        for (const QString& file : files)
            if (!take(file)) return;
    });
    dialog->open();
}

bool CertificateBox::take(const QString& path) {
    const QString name = plainLine(QFileInfo(path).fileName().toStdString());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        showState(tr("%1 cannot be read.").arg(name));
        return false;
    }
    const QByteArray bytes = file.read(static_cast<qint64>(2 * limits::kCertificateBytes) + 1);
    const auto [certificate, key] = partsOf(bytes.toStdString());
    if (certificate.empty() && key.empty()) {
        showState(tr("%1 has neither a certificate nor a key in PEM.").arg(name));
        return false;
    }
    if (!certificate.empty()) m_texts.first = certificate;
    if (!key.empty()) m_texts.second = key;
    showState();
    return true;
}

void CertificateBox::showState(const QString& problem) {
    const bool certificate = !m_texts.first.empty();
    const bool key = !m_texts.second.empty();
    QString text = tr("None");
    if (certificate && key) text = tr("A certificate and its key are set");
    if (certificate && !key) text = tr("A certificate; choose its private key as well");
    if (!certificate && key) text = tr("A private key; choose its certificate as well");
    m_state->setText(problem.isEmpty() ? text : problem);
    m_remove->setVisible(certificate || key);
    emit resized();
}

ProxyBox::ProxyBox(const ProxyConfig& present, QWidget* parent)
    : QWidget(parent),
      m_url(new QLineEdit(QString::fromStdString(present.url), this)),
      m_user(new QLineEdit(QString::fromStdString(present.user), this)),
      m_password(new CredentialEdit(present.password, this)) {
    setObjectName(QStringLiteral("destinationProxyBox"));
    m_url->setObjectName(QStringLiteral("destinationProxy"));
    m_url->setPlaceholderText(tr("none"));
    m_user->setObjectName(QStringLiteral("destinationProxyUser"));
    m_user->setAccessibleName(tr("User of the proxy"));
    m_user->setPlaceholderText(tr("User, if it asks for one"));
    m_password->setObjectName(QStringLiteral("destinationProxyPassword"));
    m_password->setAccessibleName(tr("Password of the proxy"));
    if (present.password.empty()) m_password->setPlaceholderText(tr("Password"));
    auto* column = columnOf(this);
    column->addWidget(m_url);
    column->addLayout(rowOf(m_user, m_password));
    setFocusProxy(m_url);
    const auto showFields = [this] {
        m_user->setVisible(!m_url->text().trimmed().isEmpty());
        m_password->setVisible(!m_url->text().trimmed().isEmpty());
    };
    connect(m_url, &QLineEdit::textChanged, this, [this, showFields] {
        showFields();
        emit resized();
    });
    showFields();
}

ProxyConfig ProxyBox::proxy() const {
    const QString url = m_url->text().trimmed();
    if (url.isEmpty()) return {};
    if (m_user->text().isEmpty()) return {url.toStdString(), {}, {}};
    return {url.toStdString(), m_user->text().toStdString(), m_password->value()};
}

}  // namespace lanes::ui
