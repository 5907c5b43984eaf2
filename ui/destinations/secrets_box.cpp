// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/secrets_box.h"

#include "ui/common/icons.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace lanes::ui {

std::string newSecret() {
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    const QByteArray bytes(reinterpret_cast<const char*>(words.data()),
                           static_cast<qsizetype>(words.size() * sizeof(quint32)));
    return "whsec_" + bytes.toBase64().toStdString();
}

SecretsBox::SecretsBox(std::vector<std::string> present, QWidget* parent)
    : QWidget(parent),
      m_present(std::move(present)),
      m_new(new QLineEdit(this)),
      m_help(new QLabel(this)) {
    setObjectName(QStringLiteral("destinationSecretBox"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    for (std::size_t i = 0; i < m_present.size(); ++i) {
        auto* keep = new QCheckBox(m_present.size() == 1
                                       ? tr("Sign with the secret that is set")
                                       : tr("Sign with secret %1 of those that are set").arg(i + 1),
                                   this);
        keep->setObjectName(QStringLiteral("destinationKeepSecret%1").arg(i));
        keep->setChecked(true);
        m_keep.push_back(keep);
        column->addWidget(keep);
    }
    m_new->setObjectName(QStringLiteral("destinationSecret"));
    m_new->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_new->setPlaceholderText(m_present.empty() ? tr("none: deliveries are not signed")
                                                : tr("another one, beside those that are set"));
    setFocusProxy(m_new);
    auto* generate = new QPushButton(tr("Generate"), this);
    generate->setObjectName(QStringLiteral("destinationGenerate"));
    generate->setAutoDefault(false);
    auto* copy = new QPushButton(icon(Symbol::copy), tr("Copy"), this);
    copy->setObjectName(QStringLiteral("destinationCopySecret"));
    copy->setAutoDefault(false);
    copy->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(m_new, 1);
    row->addWidget(generate);
    row->addWidget(copy);
    column->addLayout(row);
    m_help->setTextFormat(Qt::PlainText);
    m_help->setForegroundRole(QPalette::PlaceholderText);
    m_help->setText(
        tr("Standard Webhooks: \"whsec_\" and base64. Several sign side by side."));
    column->addWidget(m_help);
    connect(generate, &QPushButton::clicked, this, &SecretsBox::generate);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_new->text()); });
    connect(m_new, &QLineEdit::textChanged, copy,
            [copy](const QString& text) { copy->setEnabled(!text.isEmpty()); });
}

void SecretsBox::generate() {
    m_new->setText(QString::fromStdString(newSecret()));
    m_help->setText(tr("Copy it to the receiver now: it is not shown again after this dialog."));
    m_new->setFocus();
    m_new->selectAll();
}

std::vector<std::string> SecretsBox::secrets() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < m_present.size(); ++i)
        if (m_keep[i]->isChecked()) result.push_back(m_present[i]);
    if (const QString added = m_new->text().trimmed(); !added.isEmpty())
        result.push_back(added.toStdString());
    return result;
}

}  // namespace lanes::ui
