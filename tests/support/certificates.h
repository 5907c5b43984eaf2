// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/raw_receiver.h"

#include <QList>
#include <QSslCertificate>
#include <QString>

namespace lanes::test {

/// Certificates made on the spot by the openssl command, so that no key is kept in the tree and
/// none can run out.
struct Certificates {
    QSslCertificate authority;
    Identity good;       ///< for localhost, 127.0.0.1 and ::1
    Identity otherHost;  ///< for other.example
    Identity expired;    ///< for localhost, its time is over
};

/// Empty if openssl is missing or failed; `error` says why.
[[nodiscard]] std::optional<Certificates> makeCertificates(QString& error);

/// Whom connections that are made from now on trust, and nobody else: Qt's default configuration.
void trustOnly(const QList<QSslCertificate>& authorities);

}  // namespace lanes::test
