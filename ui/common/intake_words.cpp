// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/intake_words.h"

namespace lanes::ui {

QString intakeAddress(const EngineSnapshot& snapshot) {
    if (!snapshot.intake.listening) return {};
    return QStringLiteral("http://127.0.0.1:%1/v1/events").arg(snapshot.intake.port);
}

QString curlCommand(const Engine& engine) {
    const QString address = intakeAddress(*engine.snapshot());
    if (address.isEmpty()) return {};
    return QStringLiteral("curl -H 'Authorization: Bearer %1' \\\n"
                          "  -H 'Content-Type: application/json' \\\n"
                          "  -d '{\"user\":\"anna\",\"type\":\"subscription.created\","
                          "\"payload\":{\"plan\":\"pro\"}}' \\\n"
                          "  %2")
        .arg(QString::fromStdString(engine.writeKey()), address);
}

}  // namespace lanes::ui
