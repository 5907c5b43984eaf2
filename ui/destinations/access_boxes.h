// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"

#include <QLineEdit>
#include <QWidget>

#include <string>
#include <utility>

class QComboBox;
class QLabel;
class QPushButton;

// The parts of the destination's editor that hold credentials. What is set already is never shown
// again: it is kept, replaced or taken away.
namespace lanes::ui {

/// A password or a token.
class CredentialEdit : public QLineEdit {
    Q_OBJECT

public:
    /// \param present what is set; an empty field keeps it
    explicit CredentialEdit(std::string present, QWidget* parent = nullptr);

    [[nodiscard]] std::string value() const;
    /// Nothing is kept any more: what was set belonged to something else.
    void forget();

private:
    std::string m_present;
};

/// How deliveries log in: not at all, with a user and a password, or with a token.
class LoginBox : public QWidget {
    Q_OBJECT

public:
    explicit LoginBox(const Authentication& present, QWidget* parent = nullptr);

    [[nodiscard]] Authentication login() const;

signals:
    void resized();

private:
    void showFields();

    Authentication::Scheme m_shown;
    QComboBox* m_scheme;
    QLineEdit* m_user;
    CredentialEdit* m_secret;
};

/// The certificate that is shown to the destination, with its key, from files in PEM.
class CertificateBox : public QWidget {
    Q_OBJECT

public:
    explicit CertificateBox(const TlsIdentity& present, QWidget* parent = nullptr);

    /// Certificate and key.
    [[nodiscard]] const std::pair<std::string, std::string>& texts() const { return m_texts; }
    /// Takes what is in a file: certificates, a key, or both. False if it has neither.
    bool take(const QString& path);

signals:
    void resized();

private:
    void choose();
    void showState(const QString& problem = {});

    std::pair<std::string, std::string> m_texts;
    QLabel* m_state;
    QPushButton* m_remove;
};

/// The proxy and how to log in there.
class ProxyBox : public QWidget {
    Q_OBJECT

public:
    explicit ProxyBox(const ProxyConfig& present, QWidget* parent = nullptr);

    [[nodiscard]] ProxyConfig proxy() const;

signals:
    void resized();

private:
    QLineEdit* m_url;
    QLineEdit* m_user;
    CredentialEdit* m_password;
};

}  // namespace lanes::ui
