// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/deliver_cases.h"

#include "tests/bench/load.h"
#include "tests/support/certificates.h"
#include "tests/support/swift_receiver.h"

#include <cstdio>

namespace lanes::bench {

namespace {

/// Says beside the figures how often a session was resumed: without that they compare nothing.
void tellResumed(const char* who, const test::SwiftReceiver& receiver) {
    std::fprintf(stderr, "%s: %llu of %llu handshakes resumed a session\n", who,
                 static_cast<unsigned long long>(receiver.resumed()),
                 static_cast<unsigned long long>(receiver.handshakes()));
}

}  // namespace

std::vector<BenchCase> tlsCases(int runs) {
    QString error;
    const auto certificates = test::makeCertificates(error);
    if (!certificates) giveUp(error.toStdString());
    const auto authority = certificates->authority.toPem().toStdString();

    auto kept = requestsPerSecond("TLS: requests of 300 bytes a second over kept connections",
                                  kCurl);
    auto closed = requestsPerSecond("TLS: the same when the receiver closes after each answer",
                                    "a plain libcurl multi loop that resumes its sessions");
    const test::SwiftReceiver keeping({.tls = certificates->good});
    const test::SwiftReceiver forUs({.closes = true, .tls = certificates->good});
    const test::SwiftReceiver forCurl({.closes = true, .tls = certificates->good});
    const Traffic many{.url = keeping.url(), .authority = authority};
    Traffic few{.url = forUs.url(), .requests = 2'000, .authority = authority};
    for (int run = 0; run < runs; ++run) {
        const auto ours = transportLoad(many).perSecond;
        add(kept, ours, curlLoad(many).perSecond);
        few.url = forUs.url();
        const auto oursClosed = transportLoad(few).perSecond;
        few.url = forCurl.url();
        add(closed, oursClosed, curlLoad(few).perSecond);
    }
    tellResumed("ours", forUs);
    tellResumed("libcurl", forCurl);
    return {kept, closed};
}

}  // namespace lanes::bench
