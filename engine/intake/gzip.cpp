// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/gzip.h"

#include <zlib.h>

#include <algorithm>

namespace lanes {

namespace {

/// Bytes that the output grows by: small against the limit, large against a call.
constexpr std::size_t kStep = 64u << 10;
/// zlib's window size, plus 16 for "a gzip header and nothing else".
constexpr int kGzipWindow = 15 + 16;

}  // namespace

Inflated inflateGzip(std::string_view packed, std::size_t limit, std::string* out) {
    out->clear();
    z_stream stream{};
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) return Inflated::broken;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    Inflated result = Inflated::broken;
    while (true) {
        const std::size_t before = out->size();
        // One byte beyond the limit tells a stream that is too large from one that just fits.
        const std::size_t room = std::min(kStep, limit + 1 - before);
        out->resize(before + room);
        stream.next_out = reinterpret_cast<Bytef*>(out->data() + before);
        stream.avail_out = static_cast<uInt>(room);
        const int code = inflate(&stream, Z_NO_FLUSH);
        out->resize(before + room - stream.avail_out);
        if (out->size() > limit) {
            result = Inflated::tooLarge;
            break;
        }
        if (code == Z_STREAM_END) {
            if (stream.avail_in == 0) result = Inflated::whole;
            break;
        }
        if (code != Z_OK || stream.avail_out > 0) break;
    }
    inflateEnd(&stream);
    if (result != Inflated::whole) out->clear();
    return result;
}

}  // namespace lanes
