// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/import_source.h"

#include <QByteArrayView>
#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace lanes {

namespace {

/// Bytes before a position that tell one file from another.
constexpr std::size_t kTailBytes = 4096;
/// Bytes that are read from a packed file at once.
constexpr std::size_t kPackedBytes = 64u << 10;
/// zlib's window size, plus 16 for "a gzip header and nothing else".
constexpr int kGzipWindow = 15 + 16;

Error cannotRead(const std::string& path, int number) {
    if (number == ENOENT || number == ENOTDIR)
        return {Error::Code::invalid, "there is no file " + path + "."};
    if (number == EACCES || number == EPERM)
        return {Error::Code::invalid, path +
                                          " may not be read by the user who runs the program; "
                                          "change its permissions."};
    return {Error::Code::unavailable, path + " cannot be read (" + std::strerror(number) + ")."};
}

std::string whyNoFile(const std::string& path, mode_t mode) {
    if (S_ISDIR(mode)) return path + " is a directory; name a file.";
    if (S_ISFIFO(mode))
        return path +
               " is a pipe, which cannot be gone on with after an interruption; save its "
               "content to a file and import that.";
    return path + " is no regular file; save its content to one and import that.";
}

class PlainSource : public ImportSource {
public:
    PlainSource(std::string path, int descriptor) : ImportSource(std::move(path), descriptor) {}

    Result<std::size_t> read(char* to, std::size_t room) override { return readRaw(to, room); }
    bool skipTo(std::uint64_t offset) override {
        seekRaw(offset);
        return true;
    }
};

/// One gzip stream after the other, as programs write that append to packed files.
class GzipSource : public ImportSource {
public:
    GzipSource(std::string path, int descriptor) : ImportSource(std::move(path), descriptor) {
        m_usable = inflateInit2(&m_stream, kGzipWindow) == Z_OK;
    }
    ~GzipSource() override { inflateEnd(&m_stream); }

    Result<std::size_t> read(char* to, std::size_t room) override;
    bool skipTo(std::uint64_t offset) override { return offset == 0; }

private:
    Error broken(const std::string& what) const {
        return {Error::Code::damaged, "the gzip data of " + path() + " " + what +
                                          "; get the file again, or unpack what can be "
                                          "unpacked (zcat) and import that."};
    }

    z_stream m_stream{};
    bool m_usable = false;
    bool m_inside = false;  ///< a stream has begun and has not ended
    std::array<char, kPackedBytes> m_packed{};
};

Result<std::size_t> GzipSource::read(char* to, std::size_t room) {
    if (!m_usable) return Error{Error::Code::unavailable, "there is no memory to unpack with."};
    m_stream.next_out = reinterpret_cast<Bytef*>(to);
    m_stream.avail_out = static_cast<uInt>(room);
    while (m_stream.avail_out == room) {
        if (m_stream.avail_in == 0) {
            auto got = readRaw(m_packed.data(), m_packed.size());
            if (!got) return got;
            if (got.value() == 0) {
                if (!m_inside) return std::size_t{0};
                return broken("end too early");
            }
            m_stream.next_in = reinterpret_cast<Bytef*>(m_packed.data());
            m_stream.avail_in = static_cast<uInt>(got.value());
        }
        m_inside = true;
        const int code = inflate(&m_stream, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            m_inside = false;
            inflateReset(&m_stream);
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return broken("are broken at byte " + std::to_string(bytesRead() - m_stream.avail_in));
        }
    }
    return room - m_stream.avail_out;
}

}  // namespace

Result<std::unique_ptr<ImportSource>> ImportSource::open(const std::string& path) {
    // Without waiting for the other end of a pipe.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return cannotRead(path, errno);
    struct stat about {};
    const bool known = ::fstat(descriptor, &about) == 0;
    char* canonical = ::realpath(path.c_str(), nullptr);
    if (!known || !S_ISREG(about.st_mode) || canonical == nullptr) {
        const int number = errno;
        ::close(descriptor);
        std::free(canonical);
        if (!known || S_ISREG(about.st_mode)) return cannotRead(path, number);
        return Error{Error::Code::invalid, whyNoFile(path, about.st_mode)};
    }
    std::string followed(canonical);
    std::free(canonical);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    std::array<unsigned char, 2> magic{};
    const bool packed = ::pread(descriptor, magic.data(), magic.size(), 0) == 2 &&
                        magic[0] == 0x1f && magic[1] == 0x8b;
    std::unique_ptr<ImportSource> source;
    if (packed)
        source = std::make_unique<GzipSource>(std::move(followed), descriptor);
    else
        source = std::make_unique<PlainSource>(std::move(followed), descriptor);
    source->m_bytesTotal = static_cast<std::uint64_t>(about.st_size);
    return source;
}

ImportSource::ImportSource(std::string path, int descriptor)
    : m_path(std::move(path)), m_descriptor(descriptor) {}

ImportSource::~ImportSource() {
    ::close(m_descriptor);
}

Result<std::size_t> ImportSource::readRaw(char* to, std::size_t room) {
    ssize_t got = 0;
    do {
        got = ::read(m_descriptor, to, room);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return cannotRead(m_path, errno);
    const auto size = static_cast<std::size_t>(got);
    m_bytesRead += size;
    m_bytesTotal = std::max(m_bytesTotal, m_bytesRead);
    const std::size_t kept = std::min(size, kTailBytes);
    m_tail.append(to + size - kept, kept);
    if (m_tail.size() > kTailBytes) m_tail.erase(0, m_tail.size() - kTailBytes);
    return size;
}

void ImportSource::seekRaw(std::uint64_t position) {
    ::lseek(m_descriptor, static_cast<off_t>(position), SEEK_SET);
    m_bytesRead = position;
    m_tail.clear();
}

Result<Nothing> ImportSource::check() {
    struct stat ours {};
    struct stat named {};
    if (::fstat(m_descriptor, &ours) != 0) return cannotRead(m_path, errno);
    if (::stat(m_path.c_str(), &named) != 0 || named.st_dev != ours.st_dev ||
        named.st_ino != ours.st_ino)
        return Error{Error::Code::damaged,
                     m_path + " was removed or replaced by another file while it was read."};
    m_bytesTotal = static_cast<std::uint64_t>(ours.st_size);
    if (m_bytesTotal < m_bytesRead)
        return Error{Error::Code::damaged, m_path + " was cut to " + std::to_string(m_bytesTotal) +
                                               " bytes while it was read."};
    std::string before = bytesBefore(m_bytesRead);
    if (before.size() > m_tail.size()) before.erase(0, before.size() - m_tail.size());
    if (before != m_tail)
        return Error{Error::Code::damaged, m_path + " was written anew while it was read."};
    return Nothing{};
}

std::string ImportSource::fingerprint(std::uint64_t before) const {
    const std::string bytes = bytesBefore(before);
    if (bytes.size() < std::min<std::uint64_t>(before, kTailBytes)) return {};
    return QCryptographicHash::hash(QByteArrayView(bytes.data(), std::ssize(bytes)),
                                    QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

std::string ImportSource::bytesBefore(std::uint64_t position) const {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(position, kTailBytes));
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
        const auto at = static_cast<off_t>(position - size + got);
        const ssize_t step = ::pread(m_descriptor, bytes.data() + got, size - got, at);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) break;
        got += static_cast<std::size_t>(step);
    }
    bytes.resize(got);
    return bytes;
}

}  // namespace lanes
