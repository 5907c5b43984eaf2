// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/store/power_cut_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lanes::test {

namespace {

constexpr std::size_t kSector = 512;
constexpr int kTracked = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
/// The first sync of such a file syncs its directory too, when SQLite may have created it.
constexpr int kSyncsDirectory = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;

/// A write; without bytes a truncation.
struct Change {
    std::size_t offset = 0;
    std::string bytes;
};

void overwrite(std::string& content, std::size_t offset, const char* bytes, std::size_t size) {
    if (content.size() < offset + size) content.resize(offset + size, '\0');
    content.replace(offset, size, bytes, size);
}

void apply(std::string& content, const Change& change) {
    if (change.bytes.empty())
        content.resize(change.offset, '\0');
    else
        overwrite(content, change.offset, change.bytes.data(), change.bytes.size());
}

/// Each sector of a write is kept, lost or torn for itself.
void applyPart(std::string& content, const Change& change, double kept, Random& random) {
    if (change.bytes.empty()) {
        if (random.chance(kept)) apply(content, change);
        return;
    }
    std::size_t done = 0;
    while (done < change.bytes.size()) {
        const std::size_t at = change.offset + done;
        const std::size_t size = std::min(kSector - at % kSector, change.bytes.size() - done);
        const char* bytes = change.bytes.data() + done;
        if (random.chance(kept)) {
            overwrite(content, at, bytes, size);
        } else if (random.chance(0.1)) {
            const std::size_t half = size / 2;
            if (random.chance(0.5))
                overwrite(content, at, bytes, half);
            else
                overwrite(content, at + half, bytes + half, size - half);
        }
        done += size;
    }
}

/// A file as the program sees it, and as the disk would have it.
struct Image {
    bool exists = false;
    bool durablyThere = false;
    std::string durable;
    std::vector<Change> pending;
};

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

enum class Trouble { none, failure, cut, death };

}  // namespace

struct PowerCutVfs::State {
    sqlite3_vfs own{};
    sqlite3_vfs* real = nullptr;
    std::mutex mutex;
    std::map<std::string, Image> images;
    Trouble trouble = Trouble::none;
    Repeat repeat = Repeat::once;
    std::uint64_t at = 0;
    std::uint64_t calls = 0;

    void arm(Trouble kind, Repeat often, std::uint64_t call) {
        const std::lock_guard lock(mutex);
        trouble = kind;
        repeat = often;
        at = call;
        calls = 0;
    }

    /// Counts a call. Under the mutex.
    bool fails() {
        ++calls;
        if (trouble == Trouble::none) return false;
        if (trouble == Trouble::death && calls == at) ::_exit(kDied);
        return repeat == Repeat::once ? calls == at : calls >= at;
    }

    void syncDirectory() {
        for (auto& [path, image] : images) image.durablyThere = image.exists;
    }
};

namespace {

/// What SQLite sees as an open file; the one of the real layer lies right behind it.
struct File {
    sqlite3_file base{};
    PowerCutVfs::State* state = nullptr;
    const char* path = nullptr;  ///< null for files that no cut can matter to
    int flags = 0;

    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    Image* image() { return path == nullptr ? nullptr : &state->images[path]; }
    /// A change is pending now. That during which the power goes may still be done in part.
    void note(Change change, bool fails) {
        const bool begun = state->trouble == Trouble::cut && state->calls == state->at;
        if (path != nullptr && (!fails || begun)) image()->pending.push_back(std::move(change));
    }
};

File& fileOf(sqlite3_file* file) {
    return *reinterpret_cast<File*>(file);
}

int closeFile(sqlite3_file* handle) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xClose(real);
}

int readFile(sqlite3_file* handle, void* bytes, int size, sqlite3_int64 offset) {
    auto& file = fileOf(handle);
    {
        const std::lock_guard lock(file.state->mutex);
        if (file.state->fails()) return SQLITE_IOERR_READ;
    }
    return file.real()->pMethods->xRead(file.real(), bytes, size, offset);
}

int writeFile(sqlite3_file* handle, const void* bytes, int size, sqlite3_int64 offset) {
    auto& file = fileOf(handle);
    const std::lock_guard lock(file.state->mutex);
    const bool fails = file.state->fails();
    file.note({static_cast<std::size_t>(offset),
               std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size))},
              fails);
    if (fails) return SQLITE_IOERR_WRITE;
    return file.real()->pMethods->xWrite(file.real(), bytes, size, offset);
}

int truncateFile(sqlite3_file* handle, sqlite3_int64 size) {
    auto& file = fileOf(handle);
    const std::lock_guard lock(file.state->mutex);
    const bool fails = file.state->fails();
    file.note({static_cast<std::size_t>(size), {}}, fails);
    if (fails) return SQLITE_IOERR_TRUNCATE;
    return file.real()->pMethods->xTruncate(file.real(), size);
}

int syncFile(sqlite3_file* handle, int) {
    auto& file = fileOf(handle);
    const std::lock_guard lock(file.state->mutex);
    auto* image = file.image();
    if (file.state->fails()) {
        if (image && file.state->trouble == Trouble::failure) image->pending.clear();
        return SQLITE_IOERR_FSYNC;
    }
    // The real sync is spared: only what stands here decides what is left.
    if (image == nullptr) return SQLITE_OK;
    for (const auto& change : image->pending) apply(image->durable, change);
    image->pending.clear();
    if ((file.flags & kSyncsDirectory) != 0) file.state->syncDirectory();
    return SQLITE_OK;
}

int sizeOfFile(sqlite3_file* handle, sqlite3_int64* size) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xFileSize(real, size);
}

int lockFile(sqlite3_file* handle, int level) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xLock(real, level);
}

int unlockFile(sqlite3_file* handle, int level) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xUnlock(real, level);
}

int isReserved(sqlite3_file* handle, int* result) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xCheckReservedLock(real, result);
}

int controlFile(sqlite3_file* handle, int operation, void* argument) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xFileControl(real, operation, argument);
}

int sectorSize(sqlite3_file* handle) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xSectorSize(real);
}

int characteristics(sqlite3_file* handle) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xDeviceCharacteristics(real);
}

int mapShared(sqlite3_file* handle, int page, int size, int extend, void volatile** result) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xShmMap(real, page, size, extend, result);
}

int lockShared(sqlite3_file* handle, int offset, int count, int flags) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xShmLock(real, offset, count, flags);
}

void barrier(sqlite3_file* handle) {
    auto* real = fileOf(handle).real();
    real->pMethods->xShmBarrier(real);
}

int unmapShared(sqlite3_file* handle, int remove) {
    auto* real = fileOf(handle).real();
    return real->pMethods->xShmUnmap(real, remove);
}

/// Version 2 has shared memory but no mapping of the file itself.
constexpr sqlite3_io_methods kMethods = {
    2,          closeFile,   readFile,        writeFile, truncateFile, syncFile,
    sizeOfFile, lockFile,    unlockFile,      isReserved, controlFile, sectorSize,
    characteristics, mapShared, lockShared,   barrier,   unmapShared,  nullptr, nullptr};

int openFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* handle, int flags, int* given) {
    auto& state = *static_cast<PowerCutVfs::State*>(vfs->pAppData);
    handle->pMethods = nullptr;
    const std::lock_guard lock(state.mutex);
    if (state.fails()) return SQLITE_CANTOPEN;
    auto* file = new (handle) File;
    const bool tracked = name != nullptr && (flags & kTracked) != 0;
    const bool existed = tracked && std::filesystem::exists(name);
    const int code = state.real->xOpen(state.real, name, file->real(), flags, given);
    if (code != SQLITE_OK) return code;
    file->state = &state;
    file->flags = flags;
    file->base.pMethods = &kMethods;
    if (!tracked) return SQLITE_OK;
    file->path = name;
    const bool known = state.images.contains(name);
    auto* image = file->image();
    if (!known && existed) {
        image->durablyThere = true;
        image->durable = contentOf(name);
    } else if (!image->exists) {
        image->pending.push_back({});  // made again, it begins empty
    }
    image->exists = true;
    return SQLITE_OK;
}

int deleteFile(sqlite3_vfs* vfs, const char* name, int syncDirectory) {
    auto& state = *static_cast<PowerCutVfs::State*>(vfs->pAppData);
    const std::lock_guard lock(state.mutex);
    if (state.fails()) return SQLITE_IOERR_DELETE;
    if (const auto found = state.images.find(name); found != state.images.end())
        found->second.exists = false;
    if (syncDirectory != 0) state.syncDirectory();
    return state.real->xDelete(state.real, name, 0);
}

}  // namespace

PowerCutVfs::PowerCutVfs() : m_state(std::make_unique<State>()) {
    m_state->real = sqlite3_vfs_find(nullptr);
    auto& own = m_state->own;
    own = *m_state->real;
    own.zName = "power-cut";
    own.szOsFile = static_cast<int>(sizeof(File)) + m_state->real->szOsFile;
    own.pNext = nullptr;
    own.pAppData = m_state.get();
    own.xOpen = openFile;
    own.xDelete = deleteFile;
    sqlite3_vfs_register(&own, 1);
}

PowerCutVfs::~PowerCutVfs() {
    sqlite3_vfs_unregister(&m_state->own);
    sqlite3_vfs_register(m_state->real, 1);
}

void PowerCutVfs::failAt(std::uint64_t call, Repeat repeat) {
    m_state->arm(Trouble::failure, repeat, call);
}

void PowerCutVfs::cutAt(std::uint64_t call) {
    m_state->arm(Trouble::cut, Repeat::forEver, call);
}

void PowerCutVfs::dieAt(std::uint64_t call) {
    m_state->arm(Trouble::death, Repeat::once, call);
}

void PowerCutVfs::heal() {
    m_state->arm(Trouble::none, Repeat::once, 0);
}

bool PowerCutVfs::hit() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->trouble != Trouble::none && m_state->calls >= m_state->at;
}

void PowerCutVfs::leaveBehind(Random& random) {
    const std::lock_guard lock(m_state->mutex);
    constexpr std::array kShares = {0.0, 0.1, 0.5, 0.9, 1.0};
    for (auto& [path, image] : m_state->images) {
        // What the program itself renamed or removed is no longer ours.
        if (image.exists && !std::filesystem::exists(path)) continue;
        const double kept = kShares[random.below(kShares.size())];
        const bool there =
            image.exists == image.durablyThere ? image.exists : random.chance(0.5);
        std::filesystem::remove(path + "-shm");
        std::filesystem::remove(path);
        if (!there) continue;
        std::string content = image.durable;
        for (const auto& change : image.pending) applyPart(content, change, kept, random);
        std::ofstream(path, std::ios::binary) << content;
    }
    m_state->images.clear();
}

}  // namespace lanes::test
