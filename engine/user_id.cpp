// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/user_id.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <cstdint>

namespace lanes {

UserId fingerprint(const UserKey& user, const std::string& eventId) {
    const std::string& text = user.kind == UserKey::Kind::none ? eventId : user.text;
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(text.size() + 1));
    bytes.append(static_cast<char>(user.kind));
    bytes.append(text.data(), static_cast<qsizetype>(text.size()));
    const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Blake2b_160);
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | static_cast<unsigned char>(hash[i]);
    // 0 means "no user" elsewhere.
    return UserId(value != 0 ? value : 1);
}

}  // namespace lanes
