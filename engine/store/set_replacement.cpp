// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/set_replacement.h"

#include "engine/store/connection.h"
#include "engine/store/durable_file.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes::store {

namespace {

constexpr const char* kNext = "lanes.db.next-";

std::string joined(const std::string& directory, const std::string& name) {
    return directory + "/" + name;
}

/// The stamp of a replacement that was begun; empty if there is none.
std::string begunStamp(const std::string& directory) {
    std::error_code failure;
    std::string stamp;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(kNext)) stamp = name.substr(std::string(kNext).size());
    }
    return stamp;
}

}  // namespace

std::string draftFile(const std::string& directory) {
    return joined(directory, "lanes.db.draft");
}

void removeDraft(const std::string& directory) {
    removeDatabase(draftFile(directory));
    ::unlink((draftFile(directory) + kMarkSuffix).c_str());
}

Result<std::string> replaceSet(const std::string& directory, const ReplacementStep& after) {
    const std::string draft = draftFile(directory);
    if (!syncPath(draft)) return cannotUse(directory, errno);
    std::string stamp = timeStamp();
    for (int n = 2; std::filesystem::exists(joined(directory, "set-aside-" + stamp)); ++n)
        stamp = timeStamp() + "-" + std::to_string(n);
    if (after) after("draft synced");
    if (::rename(draft.c_str(), joined(directory, kNext + stamp).c_str()) != 0 ||
        !syncPath(directory))
        return cannotUse(directory, errno);
    if (after) after("begun");
    return finishReplacement(directory, after);
}

Result<std::string> finishReplacement(const std::string& directory, const ReplacementStep& after) {
    const std::string stamp = begunStamp(directory);
    if (stamp.empty()) return std::string();
    const std::string place = joined(directory, "set-aside-" + stamp);
    if (::mkdir(place.c_str(), 0700) != 0 && errno != EEXIST) return cannotUse(directory, errno);
    if (after) after("place made");
    const std::string path = dataFile(directory);
    for (const char* suffix : {"", "-wal", "-shm", kMarkSuffix}) {
        const std::string to = joined(place, kDataFile) + suffix;
        if (::rename((path + suffix).c_str(), to.c_str()) != 0 && errno != ENOENT)
            return cannotUse(directory, errno);
        if (after) after("file moved");
    }
    if (!syncPath(place) || !syncPath(directory)) return cannotUse(directory, errno);
    if (::rename(joined(directory, kNext + stamp).c_str(), path.c_str()) != 0)
        return cannotUse(directory, errno);
    if (after) after("new file in place");
    if (!syncPath(directory)) return cannotUse(directory, errno);
    return place;
}

}  // namespace lanes::store
