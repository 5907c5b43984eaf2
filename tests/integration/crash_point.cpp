// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A library that is loaded into the program before all others and kills it at one place of its
// work with files, so that the program itself needs no word about it.
//
// LANES_CRASH_AT is "<call> <file> <before|after> <n>": the n-th such call kills, before it is made
// or after. A call is write, head (a write to the very beginning), sync or truncate; a file is
// named without its directory. Calls count as soon as the file LANES_CRASH_ARMED exists.

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

enum class Call { none, write, head, sync, truncate };

struct Point {
    Call call = Call::none;
    std::string file;
    bool before = true;
    long count = 0;
    std::string armed;
};

Point pointOf(const char* text, const char* armed) {
    Point point;
    char call[16] = {};
    char file[64] = {};
    char when[16] = {};
    if (text == nullptr || armed == nullptr ||
        std::sscanf(text, "%15s %63s %15s %ld", call, file, when, &point.count) != 4)
        return {};
    const std::string name = call;
    point.call = name == "write"      ? Call::write
                 : name == "head"     ? Call::head
                 : name == "sync"     ? Call::sync
                 : name == "truncate" ? Call::truncate
                                      : Call::none;
    point.file = file;
    point.before = std::strcmp(when, "before") == 0;
    point.armed = armed;
    return point;
}

const Point& point() {
    static const Point wanted =
        pointOf(std::getenv("LANES_CRASH_AT"), std::getenv("LANES_CRASH_ARMED"));
    return wanted;
}

bool isFile(int descriptor, const std::string& name) {
    const auto link = "/proc/self/fd/" + std::to_string(descriptor);
    char path[4096];
    const auto size = ::readlink(link.c_str(), path, sizeof path);
    if (size <= 0) return false;
    const std::string_view whole(path, static_cast<std::size_t>(size));
    const auto slash = whole.rfind('/');
    return slash != std::string_view::npos && whole.substr(slash + 1) == name;
}

/// Counts a call and says whether it is the one.
bool isDue(Call call, int descriptor, off64_t offset) {
    static std::atomic<long> passed = 0;
    const auto& wanted = point();
    const bool matches =
        wanted.call == call || (wanted.call == Call::head && call == Call::write && offset == 0);
    if (!matches || !isFile(descriptor, wanted.file)) return false;
    if (::access(wanted.armed.c_str(), F_OK) != 0) return false;
    return ++passed == wanted.count;
}

void die() {
    ::kill(::getpid(), SIGKILL);
    for (;;) ::pause();
}

template <typename Real>
auto around(Call call, int descriptor, off64_t offset, Real real) {
    const bool due = isDue(call, descriptor, offset);
    if (due && point().before) die();
    const auto result = real();
    if (due) die();
    return result;
}

template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
    static auto* const real = next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    return around(Call::write, descriptor, offset,
                  [&] { return real(descriptor, bytes, size, offset); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
    return pwrite64(descriptor, bytes, size, offset);
}

int fdatasync(int descriptor) {
    static auto* const real = next<int(int)>("fdatasync");
    return around(Call::sync, descriptor, 0, [&] { return real(descriptor); });
}

int fsync(int descriptor) {
    static auto* const real = next<int(int)>("fsync");
    return around(Call::sync, descriptor, 0, [&] { return real(descriptor); });
}

int ftruncate64(int descriptor, off64_t size) noexcept {
    static auto* const real = next<int(int, off64_t)>("ftruncate64");
    return around(Call::truncate, descriptor, 0, [&] { return real(descriptor, size); });
}
}
