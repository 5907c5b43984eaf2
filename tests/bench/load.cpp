// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/load.h"

#include "tests/bench/bench_case.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryFile>

#include <curl/curl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace lanes::bench {

Load curlLoad(const Traffic& traffic) {
    const int requests = traffic.requests;
    const std::string body(kBodyBytes, 'x');
    CURLM* multi = curl_multi_init();
    curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    std::vector<CURL*> handles;
    const auto discard = +[](char*, std::size_t size, std::size_t count, void*) {
        return size * count;
    };
    for (int i = 0; i < traffic.inFlight; ++i) {
        CURL* handle = curl_easy_init();
        curl_easy_setopt(handle, CURLOPT_URL, traffic.url.c_str());
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.c_str());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
        if (!traffic.authority.empty()) {
            curl_blob trusted{};
            trusted.data = const_cast<char*>(traffic.authority.data());  // it is only read
            trusted.len = traffic.authority.size();
            trusted.flags = CURL_BLOB_NOCOPY;
            curl_easy_setopt(handle, CURLOPT_CAINFO_BLOB, &trusted);
        }
        curl_multi_add_handle(multi, handle);
        handles.push_back(handle);
    }

    const auto wallBefore = wallSeconds();
    const auto cpuBefore = threadCpuSeconds();
    int started = traffic.inFlight;
    for (int done = 0; done < requests;) {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL* handle = message->easy_handle;
            if (message->data.result != CURLE_OK) {
                giveUp(std::string("libcurl: ") + curl_easy_strerror(message->data.result));
            }
            ++done;
            curl_multi_remove_handle(multi, handle);
            if (started++ < requests) curl_multi_add_handle(multi, handle);
        }
        if (done < requests) curl_multi_poll(multi, nullptr, 0, 100, nullptr);
    }
    const Load load{requests / (wallSeconds() - wallBefore),
                    (threadCpuSeconds() - cpuBefore) * 1000 / requests};
    for (CURL* handle : handles) {
        curl_multi_remove_handle(multi, handle);
        curl_easy_cleanup(handle);
    }
    curl_slist_free_all(headers);
    curl_multi_cleanup(multi);
    return load;
}

std::optional<double> wrkPerSecond(const Traffic& traffic) {
    const auto program = QStandardPaths::findExecutable(QStringLiteral("wrk"));
    if (program.isEmpty()) return {};
    QTemporaryFile script;
    if (!script.open()) return {};
    script.write("wrk.method = \"POST\"\nwrk.headers[\"Content-Type\"] = \"application/json\"\n");
    for (const auto& [name, value] : traffic.headers)
        script.write(("wrk.headers[\"" + name + "\"] = \"" + value + "\"\n").c_str());
    // In brackets of Lua, between which nothing has a meaning.
    script.write(traffic.body.empty() ? "wrk.body = string.rep(\"x\", 300)\n"
                                      : ("wrk.body = [==[" + traffic.body + "]==]\n").c_str());
    script.close();
    QProcess wrk;
    wrk.start(program, {QStringLiteral("-t1"), QStringLiteral("-c%1").arg(traffic.inFlight),
                        QStringLiteral("-d2s"), QStringLiteral("-s"), script.fileName(),
                        QString::fromStdString(traffic.url)});
    if (!wrk.waitForFinished(20'000)) return {};
    static const QRegularExpression line(QStringLiteral("Requests/sec:\\s+([0-9.]+)"));
    const auto match = line.match(QString::fromUtf8(wrk.readAllStandardOutput()));
    if (!match.hasMatch()) return {};
    return match.captured(1).toDouble();
}

}  // namespace lanes::bench
