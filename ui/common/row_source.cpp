// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/row_source.h"

namespace lanes::ui {

std::string userKind(const UserKey& user) {
    switch (user.kind) {
        case UserKey::Kind::none: return "none";
        case UserKey::Kind::user: return "user";
        case UserKey::Kind::anonymous: return "anonymous";
    }
    return {};
}

std::string destinationOr(const EngineSnapshot& snapshot, DestinationId destination) {
    const auto* found = snapshot.find(destination);
    return found ? found->name : std::to_string(destination.value);
}

}  // namespace lanes::ui
