// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/write_key.h"

#include <QByteArray>
#include <QRandomGenerator>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::size_t kKeyCharacters = 43;

class Descriptor {
public:
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() {
        if (m_value >= 0) ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_value; }
    [[nodiscard]] bool open() const { return m_value >= 0; }

private:
    int m_value;
};

Error systemError(const std::string& what, const std::string& path, int number) {
    const auto code = number == EACCES || number == EROFS || number == EPERM ? Error::Code::readOnly
                      : number == ENOSPC || number == EDQUOT                 ? Error::Code::full
                                                             : Error::Code::unavailable;
    return {code, "cannot " + what + " the write key " + path + ": " + std::strerror(number)};
}

bool isKey(const std::string& text) {
    constexpr const char* kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return text.size() == kKeyCharacters && text.find_first_not_of(kAlphabet) == std::string::npos;
}

/// Empty if the file is: a crash came between its creation and its first byte.
Result<std::string> readKey(int descriptor, const std::string& path) {
    std::array<char, 256> buffer{};
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0) return systemError("read", path, errno);
    std::string text(buffer.data(), static_cast<std::size_t>(got));
    if (text.empty()) return text;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (!isKey(text))
        return Error{Error::Code::damaged,
                     "the write key " + path +
                         " is not 43 characters of base64url; put it back, "
                         "or delete the file to get a new key (senders need the new one then)"};
    return text;
}

Result<std::string> writeKey(int descriptor, const std::string& path) {
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    const QByteArray bytes(reinterpret_cast<const char*>(words.data()), sizeof words);
    const std::string key =
        bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
            .toStdString();
    const std::string line = key + "\n";
    const ssize_t written = ::write(descriptor, line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size()) || ::fsync(descriptor) != 0) {
        const int number = written < 0 || errno != 0 ? errno : ENOSPC;
        static_cast<void>(::ftruncate(descriptor, 0));
        return systemError("write", path, number);
    }
    return key;
}

}  // namespace

Result<std::string> loadOrCreateWriteKey(const std::string& directory) {
    const std::string path = directory + "/write-key";
    const Descriptor created(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (created.open()) return writeKey(created.get(), path);
    if (errno != EEXIST) return systemError("create", path, errno);

    const Descriptor existing(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!existing.open()) return systemError("read", path, errno);
    struct stat about {};
    // A key that was copied back from somewhere is made private again, if it is ours.
    if (::fstat(existing.get(), &about) == 0 && (about.st_mode & 0077) != 0)
        static_cast<void>(::fchmod(existing.get(), 0600));
    auto key = readKey(existing.get(), path);
    if (!key || !key.value().empty()) return key;
    const Descriptor empty(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!empty.open()) return systemError("write", path, errno);
    return writeKey(empty.get(), path);
}

}  // namespace lanes
