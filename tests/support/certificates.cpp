// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/certificates.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSslConfiguration>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace lanes::test {

namespace {

class Workshop {
public:
    explicit Workshop(QString& error) : m_error(error) {}

    bool run(const QStringList& arguments) {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral("openssl"), arguments);
        if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit &&
            process.exitCode() == 0)
            return true;
        m_error = QStringLiteral("openssl %1: %2 %3")
                      .arg(arguments.join(u' '), process.errorString(),
                           QString::fromLocal8Bit(process.readAll()));
        return false;
    }

    bool write(const QString& name, const QByteArray& text) {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }

    QSslCertificate certificate(const QString& name) {
        const auto found = QSslCertificate::fromPath(m_folder.filePath(name + u".pem"_s));
        return found.isEmpty() ? QSslCertificate() : found.first();
    }

    QSslKey key(const QString& name) {
        QFile file(m_folder.filePath(name + u".key"_s));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QSslKey(file.readAll(), QSsl::Ec);
    }

    /// A key and a certificate that our authority signed.
    bool issue(const QString& name, const QByteArray& names, const QStringList& validity) {
        const QString conf = name + u".cnf"_s;
        if (!write(conf, "subjectAltName=" + names + "\n")) return false;
        return run({QStringLiteral("req"), QStringLiteral("-new"), QStringLiteral("-newkey"),
                    QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                    QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"),
                    QStringLiteral("-keyout"), name + u".key"_s, QStringLiteral("-out"),
                    name + u".csr"_s, QStringLiteral("-subj"), QStringLiteral("/CN=") + name}) &&
               run(QStringList{QStringLiteral("x509"), QStringLiteral("-req"),
                               QStringLiteral("-in"), name + u".csr"_s, QStringLiteral("-CA"),
                               QStringLiteral("ca.pem"), QStringLiteral("-CAkey"),
                               QStringLiteral("ca.key"), QStringLiteral("-CAcreateserial"),
                               QStringLiteral("-extfile"), conf, QStringLiteral("-out"),
                               name + u".pem"_s} +
                   validity);
    }

private:
    QTemporaryDir m_folder;
    QString& m_error;
};

}  // namespace

std::optional<Certificates> makeCertificates(QString& error) {
    Workshop shop(error);
    const QString ca = QStringLiteral("ca");
    const QStringList valid{QStringLiteral("-days"), QStringLiteral("30")};
    const QStringList over{QStringLiteral("-days"), QStringLiteral("-1")};
    const bool made =
        shop.run({QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"),
                  QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                  QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"),
                  QStringLiteral("-keyout"), QStringLiteral("ca.key"), QStringLiteral("-out"),
                  QStringLiteral("ca.pem"), QStringLiteral("-days"), QStringLiteral("30"),
                  QStringLiteral("-subj"), QStringLiteral("/CN=Test authority")}) &&
        shop.issue(QStringLiteral("good"), "DNS:localhost,IP:127.0.0.1,IP:::1", valid) &&
        shop.issue(QStringLiteral("other"), "DNS:other.example", valid) &&
        shop.issue(QStringLiteral("expired"), "DNS:localhost,IP:127.0.0.1", over);
    if (!made) return std::nullopt;
    Certificates all;
    all.authority = shop.certificate(ca);
    const auto identity = [&](const QString& name) {
        return Identity{shop.certificate(name), shop.key(name)};
    };
    all.good = identity(QStringLiteral("good"));
    all.otherHost = identity(QStringLiteral("other"));
    all.expired = identity(QStringLiteral("expired"));
    return all;
}

void trustOnly(const QList<QSslCertificate>& authorities) {
    auto configuration = QSslConfiguration::defaultConfiguration();
    configuration.setCaCertificates(authorities);
    QSslConfiguration::setDefaultConfiguration(configuration);
}

}  // namespace lanes::test
