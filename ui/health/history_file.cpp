// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health/history_file.h"

#include <QDataStream>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace lanes::ui {

namespace {

constexpr quint32 kMagic = 0x524c4831;  // "RLH1"
/// 2 has notes behind the tracks.
constexpr quint16 kVersion = 2;
constexpr quint16 kWithoutNotes = 1;
/// Of a note: what the window shows of it is shorter.
constexpr quint32 kNoteBytes = 4096;
/// More destinations than anybody has: a damaged count must not take all memory.
constexpr quint32 kMostTracks = 100'000;
constexpr qint64 kLatest = 1LL << 40;  // seconds: in some 30 000 years
constexpr int kStates = 5;

void put(QDataStream& out, const Gauge& gauge) {
    out << gauge.sum << gauge.min << gauge.max << quint32{gauge.count};
}

void put(QDataStream& out, const HistoryBuffer::Kept::Series& series) {
    out << qint64{series.folded} << static_cast<quint32>(series.buckets.size());
    for (const Bucket& b : series.buckets) {
        out << qint64{b.start} << b.covered << static_cast<quint8>(b.state) << b.accepted
            << b.delivered << b.attempts << b.errors << b.inLow << b.inHigh << b.outLow << b.outHigh
            << quint32{b.seconds};
        for (const Gauge* gauge : {&b.inFlight, &b.budget, &b.backlog}) put(out, *gauge);
    }
}

void put(QDataStream& out, const HistoryNote& note) {
    out << qint64{note.at} << quint32{note.destination.value};
    for (const std::string* text : {&note.name, &note.text})
        out.writeBytes(text->data(),
                       std::min(kNoteBytes, static_cast<quint32>(text->size())));
}

/// A text, read without believing its length.
bool take(QDataStream& in, std::string& text) {
    quint32 size = 0;
    in >> size;
    if (in.status() != QDataStream::Ok || size > kNoteBytes) return false;
    text.resize(size);
    return in.readRawData(text.data(), static_cast<int>(size)) == static_cast<int>(size);
}

bool take(QDataStream& in, HistoryNote& note) {
    qint64 at = 0;
    quint32 destination = 0;
    in >> at >> destination;
    note.at = at;
    note.destination = DestinationId(destination);
    return at > 0 && at / kSecond < kLatest && take(in, note.name) && take(in, note.text);
}

bool isCount(double value) {
    return std::isfinite(value) && value >= 0;
}

bool take(QDataStream& in, Gauge& gauge) {
    quint32 count = 0;
    in >> gauge.sum >> gauge.min >> gauge.max >> count;
    gauge.count = count;
    return isCount(gauge.sum) && isCount(gauge.min) && isCount(gauge.max);
}

bool take(QDataStream& in, Bucket& b, HistoryLevel level) {
    qint64 start = 0;
    quint8 state = 0;
    quint32 seconds = 0;
    in >> start >> b.covered >> state >> b.accepted >> b.delivered >> b.attempts >> b.errors >>
        b.inLow >> b.inHigh >> b.outLow >> b.outHigh >> seconds;
    for (Gauge* gauge : {&b.inFlight, &b.budget, &b.backlog})
        if (!take(in, *gauge)) return false;
    b.start = start;
    b.state = static_cast<HealthState>(state);
    b.seconds = seconds;
    for (const double value : {b.accepted, b.delivered, b.attempts, b.errors})
        if (!isCount(value)) return false;
    for (const float value : {b.covered, b.inLow, b.inHigh, b.outLow, b.outHigh})
        if (!isCount(value)) return false;
    return start > 0 && start < kLatest && start % level.width == 0 && state < kStates;
}

bool take(QDataStream& in, HistoryBuffer::Kept::Series& series, HistoryLevel level) {
    qint64 folded = 0;
    quint32 count = 0;
    in >> folded >> count;
    if (in.status() != QDataStream::Ok || folded < 0 || folded >= kLatest ||
        count > level.capacity())
        return false;
    series.folded = folded;
    for (quint32 i = 0; i < count; ++i) {
        Bucket bucket;
        if (!take(in, bucket, level)) return false;
        if (!series.buckets.empty() && bucket.start <= series.buckets.back().start) return false;
        series.buckets.push_back(bucket);
    }
    return in.status() == QDataStream::Ok;
}

}  // namespace

QByteArray packHistory(const HistoryBuffer::Kept& kept) {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_0);
    out.setFloatingPointPrecision(QDataStream::DoublePrecision);
    out << kMagic << kVersion << static_cast<quint32>(kept.tracks.size());
    for (const auto& [id, track] : kept.tracks) {
        out << quint32{id};
        put(out, track.minutes);
        put(out, track.tenMinutes);
    }
    out << static_cast<quint32>(kept.notes.size());
    for (const HistoryNote& note : kept.notes) put(out, note);
    return bytes;
}

std::optional<HistoryBuffer::Kept> unpackHistory(const QByteArray& bytes) {
    QDataStream in(bytes);
    in.setVersion(QDataStream::Qt_6_0);
    in.setFloatingPointPrecision(QDataStream::DoublePrecision);
    quint32 magic = 0;
    quint16 version = 0;
    quint32 tracks = 0;
    in >> magic >> version >> tracks;
    if (magic != kMagic || tracks > kMostTracks) return std::nullopt;
    if (version != kVersion && version != kWithoutNotes) return std::nullopt;
    HistoryBuffer::Kept kept;
    for (quint32 i = 0; i < tracks; ++i) {
        quint32 id = 0;
        in >> id;
        auto& track = kept.tracks[id];
        if (!take(in, track.minutes, levelOf(Resolution::minute)) ||
            !take(in, track.tenMinutes, levelOf(Resolution::tenMinutes)))
            return std::nullopt;
    }
    quint32 notes = 0;
    if (version != kWithoutNotes) in >> notes;
    if (in.status() != QDataStream::Ok || notes > kHistoryNotes) return std::nullopt;
    for (quint32 i = 0; i < notes; ++i)
        if (!take(in, kept.notes.emplace_back())) return std::nullopt;
    if (in.status() != QDataStream::Ok || !in.atEnd()) return std::nullopt;
    return kept;
}

QString writeHistory(const QString& path, const HistoryBuffer::Kept& kept) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return file.errorString();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(packHistory(kept));
    return file.commit() ? QString() : file.errorString();
}

HistoryBuffer::Kept readHistory(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto kept = unpackHistory(file.readAll());
    if (kept) return *std::move(kept);
    file.close();
    const QString aside = path + QStringLiteral(".unreadable");
    QFile::remove(aside);
    QFile::rename(path, aside);
    return {};
}

}  // namespace lanes::ui
