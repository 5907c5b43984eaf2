// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_csv.h"

#include "ui/common/csv.h"

#include <QDateTime>
#include <QSaveFile>
#include <QStringList>

namespace lanes::ui {

namespace {

QString stateName(HealthState state) {
    // Not translated: a file is read by programs.
    switch (state) {
        case HealthState::healthy: return QStringLiteral("healthy");
        case HealthState::throttled: return QStringLiteral("throttled");
        case HealthState::degraded: return QStringLiteral("degraded");
        case HealthState::recovering: return QStringLiteral("recovering");
        case HealthState::paused: return QStringLiteral("paused");
    }
    return {};
}

QString decimal(double value, int digits) {
    return QString::number(value, 'f', digits);
}

QString flagCell(const std::vector<HealthFlag>& flags) {
    QStringList parts;
    for (const auto& flag : flags)
        parts << QDateTime::fromMSecsSinceEpoch(flag.at / kMillisecond, Qt::UTC)
                         .toString(Qt::ISODate) +
                     u' ' + flagRecord(flag);
    return parts.join(QStringLiteral(" | "));
}

}  // namespace

QByteArray historyCsv(const QString& destination, const std::vector<Bucket>& buckets,
                      std::int64_t width, const std::vector<HealthFlag>& flags) {
    QByteArray csv =
        "time,seconds,destination,state,in_per_second,out_per_second,attempts,errors,error_share,"
        "budget,in_flight,backlog,flags\r\n";
    const QString name = csvCell(destination);
    const auto marks = flagsByBucket(buckets, flags);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const Bucket& bucket = buckets[i];
        const auto share = bucket.errorShare();
        const bool watched = bucket.covered > 0;
        const QStringList cells{
            QDateTime::fromSecsSinceEpoch(bucket.start, Qt::UTC).toString(Qt::ISODate),
            QString::number(width),
            name,
            stateName(bucket.state),
            watched ? decimal(bucket.inPerSecond(), 3) : QString(),
            watched ? decimal(bucket.outPerSecond(), 3) : QString(),
            decimal(bucket.attempts, 3),
            decimal(bucket.errors, 3),
            share ? decimal(*share, 4) : QString(),
            decimal(bucket.budget.mean(), 2),
            decimal(bucket.inFlight.mean(), 2),
            decimal(bucket.backlog.mean(), 0),
            csvCell(flagCell(marks[i])),
        };
        csv += cells.join(u',').toUtf8() + "\r\n";
    }
    return csv;
}

QString writeFile(const QString& path, const QByteArray& content) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return file.errorString();
    file.write(content);
    return file.commit() ? QString() : file.errorString();
}

}  // namespace lanes::ui
