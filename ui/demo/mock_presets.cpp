// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/demo/mock_presets.h"

#include "ui/common/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::MockPresets)
};

/// Up to this latency an answer counts as healthy, above it as slow: an operator sees 200 ms.
constexpr double kSlowMs = 200;

/// Seconds that the 429 preset asks to wait: long enough to see it, short enough for a demo.
constexpr int kRetryAfter = 5;

MockBehaviour behaviourOf(Preset preset) {
    MockBehaviour b;
    switch (preset) {
        case Preset::healthy: break;
        case Preset::slow:
            b.latencyMs = 800;
            b.latencySigma = 0.6;
            break;
        case Preset::flaky: b.errorShare = 0.2; break;
        case Preset::tooMany:
            b.errorShare = 1;
            b.errorStatus = 429;
            b.retryAfterSeconds = kRetryAfter;
            break;
        case Preset::failing: b.errorShare = 1; break;
        case Preset::hang: b.mode = MockBehaviour::Mode::hang; break;
        case Preset::reset: b.mode = MockBehaviour::Mode::reset; break;
        case Preset::truncated: b.mode = MockBehaviour::Mode::truncated; break;
        case Preset::down: b.mode = MockBehaviour::Mode::down; break;
    }
    return b;
}

}  // namespace

MockBehaviour withPreset(const MockBehaviour& now, Preset preset) {
    MockBehaviour behaviour = behaviourOf(preset);
    behaviour.poisonUser = now.poisonUser;
    behaviour.capacityPerSecond = now.capacityPerSecond;
    return behaviour;
}

std::optional<Preset> presetOf(const MockBehaviour& behaviour) {
    const bool answers = behaviour.mode == MockBehaviour::Mode::answer;
    if (answers && behaviour.errorShare <= 0 && behaviour.status >= 200 && behaviour.status < 300)
        return behaviour.latencyMs <= kSlowMs ? Preset::healthy : Preset::slow;
    for (const Preset preset : kPresets) {
        const MockBehaviour known = behaviourOf(preset);
        if (known.mode != behaviour.mode) continue;
        // In the other modes the rest of the behaviour shows nowhere.
        if (!answers || (known.errorShare > 0 && known.errorShare == behaviour.errorShare &&
                         known.errorStatus == behaviour.errorStatus))
            return preset;
    }
    return std::nullopt;
}

QString presetWord(Preset preset) {
    switch (preset) {
        case Preset::healthy: return Words::tr("Healthy");
        case Preset::slow: return Words::tr("Slow");
        case Preset::flaky: return Words::tr("Flaky 20 %");
        case Preset::tooMany: return QStringLiteral("429");
        case Preset::failing: return QStringLiteral("500");
        case Preset::hang: return Words::tr("Hang");
        case Preset::reset: return Words::tr("Reset");
        case Preset::truncated: return Words::tr("Truncated");
        case Preset::down: return Words::tr("Down");
    }
    return {};
}

QString presetExplanation(Preset preset) {
    switch (preset) {
        case Preset::healthy: return Words::tr("Answers 200 after about 20 ms");
        case Preset::slow: return Words::tr("Answers 200, half of them after more than 800 ms");
        case Preset::flaky: return Words::tr("Every fifth request is answered with 500");
        case Preset::tooMany:
            return Words::tr("Every request is answered with 429 and Retry-After: %1")
                .arg(kRetryAfter);
        case Preset::failing: return Words::tr("Every request is answered with 500");
        case Preset::hang: return Words::tr("Reads requests and never answers");
        case Preset::reset: return Words::tr("Reads requests and resets the connection");
        case Preset::truncated: return Words::tr("Answers 200 and cuts the body");
        case Preset::down: return Words::tr("Does not listen: connections are refused");
    }
    return {};
}

QString behaviourText(const MockBehaviour& b) {
    switch (b.mode) {
        case MockBehaviour::Mode::hang: return Words::tr("reads, never answers");
        case MockBehaviour::Mode::down: return Words::tr("refuses connections");
        case MockBehaviour::Mode::reset: return Words::tr("resets connections");
        case MockBehaviour::Mode::truncated: return Words::tr("cuts its answers");
        case MockBehaviour::Mode::answer: break;
    }
    if (b.errorShare >= 1) return Words::tr("answers %1").arg(b.errorStatus);
    const QString latency = durationText(std::llround(b.latencyMs * 1000));
    if (b.errorShare > 0)
        return Words::tr("answers %1, %2 of them %3")
            .arg(b.status)
            .arg(percentText(b.errorShare))
            .arg(b.errorStatus);
    return Words::tr("answers %1 after %2").arg(b.status).arg(latency);
}

}  // namespace lanes::ui
