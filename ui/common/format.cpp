// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::Format)
};

/// Characters that reorder or hide text: an id must look like what it is.
bool isDisguise(QChar c) {
    const char16_t u = c.unicode();
    return (u >= 0x202A && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069) || u == 0x200B ||
           u == 0x200E || u == 0x200F || u == 0x2060 || u == 0xFEFF;
}

QString twoDigits(qint64 n) {
    return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0'));
}

/// Durations of a minute and more, which both the duration and the countdown share.
QString longDuration(qint64 seconds) {
    if (seconds < 3600)
        return Words::tr("%1 m %2 s").arg(seconds / 60).arg(twoDigits(seconds % 60));
    // 72 h is the product's promise, so hours are told up to four days.
    if (seconds < 96 * 3600)
        return Words::tr("%1 h %2 m").arg(seconds / 3600).arg(twoDigits(seconds / 60 % 60));
    return Words::tr("%1 d %2 h").arg(seconds / 86400).arg(seconds / 3600 % 24);
}

}  // namespace

QString plainLine(const std::string& text, int most) {
    // Bytes beyond what can be shown are not even decoded: a payload may be a megabyte.
    const auto bytes = std::min(text.size(), static_cast<std::size_t>(most) * 4);
    QString line = QString::fromUtf8(text.data(), static_cast<qsizetype>(bytes));
    for (QChar& c : line) {
        if (isDisguise(c))
            c = QChar::ReplacementCharacter;
        else if (c.category() == QChar::Other_Control || c.category() == QChar::Separator_Line ||
                 c.category() == QChar::Separator_Paragraph)
            c = QLatin1Char(' ');
    }
    if (line.size() > most) {
        line.truncate(most - 1);
        line.append(QChar(0x2026));
    }
    return line;
}

QString plainTooltip(const QString& text) {
    if (text.isEmpty()) return {};
    return QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

QString menuText(QString text) {
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString countText(std::uint64_t count) {
    return QLocale().toString(static_cast<qulonglong>(count));
}

QString shortCount(std::uint64_t count) {
    if (count < 10'000) return countText(count);
    const auto value = static_cast<double>(count);
    const QLocale locale;
    if (count < 999'500) return Words::tr("%1 k").arg(locale.toString(std::round(value / 1e3)));
    if (count < 999'500'000) return Words::tr("%1 M").arg(locale.toString(value / 1e6, 'f', 1));
    return Words::tr("%1 G").arg(locale.toString(value / 1e9, 'f', 1));
}

QString durationText(Micros duration) {
    if (duration < 0) duration = 0;
    if (duration < kSecond) return Words::tr("%1 ms").arg(duration / kMillisecond);
    if (duration < 10 * kSecond)
        return Words::tr("%1 s").arg(
            QLocale().toString(static_cast<double>(duration) / kSecond, 'f', 1));
    const qint64 seconds = duration / kSecond;
    if (seconds < 60) return Words::tr("%1 s").arg(seconds);
    return longDuration(seconds);
}

QString countdownText(Micros left) {
    if (left <= 0) return Words::tr("now");
    // Rounded up: "1 s" until it is really over.
    const qint64 seconds = (left + kSecond - 1) / kSecond;
    if (seconds < 60) return Words::tr("%1 s").arg(seconds);
    return longDuration(seconds);
}

QString percentText(double share) {
    const double percent = std::clamp(share, 0.0, 1.0) * 100;
    const int digits = percent > 0 && percent < 9.95 ? 1 : 0;
    return Words::tr("%1 %").arg(QLocale().toString(percent, 'f', digits));
}

QString rateText(double perMinute) {
    const double rate = std::max(0.0, perMinute);
    if (rate >= 10'000) return shortCount(static_cast<std::uint64_t>(rate));
    const int digits = rate > 0 && rate < 9.95 ? 1 : 0;
    return QLocale().toString(rate, 'f', digits);
}

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1024 ? 0 : 1);
}

QString nameOf(const EngineSnapshot* snapshot, DestinationId destination, int most) {
    const auto* found = snapshot ? snapshot->find(destination) : nullptr;
    return found ? plainLine(found->name, most)
                 : Words::tr("destination %1").arg(destination.value);
}

QString userText(const UserKey& user) {
    switch (user.kind) {
        case UserKey::Kind::none: return QString(QChar(0x2013));
        case UserKey::Kind::user: return plainLine(user.text);
        case UserKey::Kind::anonymous: return Words::tr("anonymous: %1").arg(plainLine(user.text));
    }
    return {};
}

QString outcomeWord(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered: return Words::tr("delivered");
        case Outcome::refused: return Words::tr("refused");
        case Outcome::throttled: return Words::tr("throttled");
        case Outcome::overloaded: return Words::tr("overloaded");
        case Outcome::failed: return Words::tr("failed");
        case Outcome::unreachable: return Words::tr("unreachable");
        case Outcome::unknown: return Words::tr("outcome unknown");
    }
    return {};
}

QString resultText(std::optional<Outcome> outcome, std::uint16_t status) {
    if (!outcome) return Words::tr("not tried yet");
    if (status == 0) return outcomeWord(*outcome);
    return QStringLiteral("%1 %2").arg(status).arg(outcomeWord(*outcome));
}

QString causeWord(Cause cause) {
    switch (cause) {
        case Cause::automatic: return Words::tr("automatic");
        case Cause::probe: return Words::tr("probe");
        case Cause::rewind: return Words::tr("rewind");
        case Cause::lastChance: return Words::tr("last chance");
    }
    return {};
}

std::string operatorName() {
    constexpr std::array names = {"USER", "LOGNAME", "USERNAME"};
    for (const char* name : names) {
        const QString value = qEnvironmentVariable(name).trimmed();
        if (!value.isEmpty()) return value.left(64).toStdString();
    }
    return "operator";
}

}  // namespace lanes::ui
